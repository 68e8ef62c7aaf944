import { choicesOf } from '../field/choice.ts'
import { isEmpty } from '../field/check.ts'
import { askWords } from '../query/asks.ts'
import { DAYS, stretchOf } from '../query/days.ts'
import type { Resource } from '../resource/define.ts'
import { fieldOf } from '../resource/meta-fields.ts'

/** Colours that a rule can give: words of what they say, so that both modes and weak sight have a shade of their own. */
export const TONES = { error: '红', warning: '黄', success: '绿', processing: '蓝', default: '灰' } as const
export type RuleTone = keyof typeof TONES

/** How a value is compared. */
type Test = 'is' | 'min' | 'max' | 'days' | 'empty' | 'filled'

/** Records whose field fulfils a condition are coloured. The first rule that fits decides. */
export interface ColorRule {
  readonly key: string
  readonly test: Test
  /** A choice, a bound or a stretch of days; empty where nothing is compared with. */
  readonly value: string
  readonly tone: RuleTone
}

/** More rules nobody keeps apart. */
export const MOST_RULES = 8
const LONGEST_VALUE = 40

const isNumber = (resource: Resource, key: string) => ['number', 'money'].includes(fieldOf(resource, key).sheet.type)
const isMoment = (resource: Resource, key: string) => fieldOf(resource, key).column === 'timestamptz'

/** What can be asked of a field, with its word. */
export function testsOf(resource: Resource, key: string): { test: Test; label: string }[] {
  return [
    ...(choicesOf(fieldOf(resource, key)) ? [{ test: 'is' as const, label: '是' }] : []),
    ...(isNumber(resource, key) ? [{ test: 'min' as const, label: '不小于' }, { test: 'max' as const, label: '不大于' }] : []),
    ...(isMoment(resource, key) ? [{ test: 'days' as const, label: '在' }] : []),
    { test: 'empty', label: '为空' },
    { test: 'filled', label: '不为空' },
  ]
}

/** Whether a test compares with a value. */
export const needsValue = (test: Test): boolean => test !== 'empty' && test !== 'filled'

/** Values that a test is chosen from; undefined where a number is typed. */
export function valuesOf(resource: Resource, key: string, test: Test): { value: string; label: string }[] | undefined {
  if (test === 'is') return (choicesOf(fieldOf(resource, key)) ?? []).map(({ value, label }) => ({ value: String(value), label }))
  return test === 'days' ? Object.keys(DAYS).map((value) => ({ value, label: askWords(value) })) : undefined
}

/** Whether a rule says all that it takes. */
export const isWhole = ({ test, value }: ColorRule): boolean => !needsValue(test) || (value !== '' && ((test !== 'min' && test !== 'max') || Number.isFinite(Number(value))))

const FITS: Readonly<Record<Test, (value: unknown, wanted: unknown, now: number) => boolean>> = {
  is: (value, wanted) => String(value) === wanted,
  min: (value, wanted) => !isEmpty(value) && Number(value) >= Number(wanted),
  max: (value, wanted) => !isEmpty(value) && Number(value) <= Number(wanted),
  days: (value, wanted, now) => {
    const stretch = stretchOf(String(wanted), now)
    return stretch !== undefined && typeof value === 'number' && value >= (stretch.from ?? value) && value <= (stretch.to ?? value)
  },
  empty: (value) => isEmpty(value),
  filled: (value) => !isEmpty(value),
}

/** The colour of a record; undefined where no rule fits. What is typed is read as a sheet's cell is: money in yuan. @param now unix seconds */
export function toneOf(resource: Resource, rules: readonly ColorRule[], row: Readonly<Record<string, unknown>>, now: number): RuleTone | undefined {
  return rules.find(({ key, test, value }) => FITS[test](row[key], isNumber(resource, key) ? fieldOf(resource, key).fromSheet(value) : value, now))?.tone
}

/** Rules as they stand in the address; undefined where there are none. */
export function formatRules(rules: readonly ColorRule[]): string | undefined {
  return rules.length === 0 ? undefined : JSON.stringify(rules.map(({ key, test, value, tone }) => [key, test, value, tone]))
}

/** Reads rules; of those that are none, or whose field the list has no more, nothing is left. */
export function parseRules(resource: Resource, text: string | undefined): ColorRule[] {
  let read: unknown
  try {
    read = JSON.parse(text ?? '[]')
  } catch {
    return []
  }
  if (!Array.isArray(read)) return []
  return read.slice(0, MOST_RULES).flatMap((one: unknown): ColorRule[] => {
    const [key, test, value, tone] = Array.isArray(one) ? one.map(String) : []
    if (key === undefined || !Object.hasOwn(resource.fields, key) || tone === undefined || !Object.hasOwn(TONES, tone) || value === undefined || value.length > LONGEST_VALUE) return []
    const known = testsOf(resource, key).find((asked) => asked.test === test)
    const rule = known && { key, test: known.test, value, tone: tone as RuleTone }
    return rule && isWhole(rule) ? [rule] : []
  })
}

/** Fields that rules can ask of: what the rows of a list carry in the open. */
export const ruleKeys = (resource: Resource): string[] => Object.keys(resource.fields).filter((key) => {
  const field = fieldOf(resource, key)
  return !field.hidden && !field.unlisted && field.filter !== 'segment' && !(key in resource.where)
})

import * as z from 'zod/mini'
import { checkValue, isEmpty } from './check.ts'
import type { AnyField } from './any-field.ts'
import { choiceLabel } from './choice.ts'
import { cellText, type Field, type Fields, type InputOf } from './field.ts'
import { makeField, type Options } from './make.ts'
import { formatDate, formatTime } from './time.ts'

/** One line of a group: values by the keys of its fields; what is empty is absent. */
export type GroupRow = Readonly<Record<string, unknown>>

export interface GroupField<Row = GroupRow, R extends boolean = boolean> extends Field<Row[], R> {
  readonly kind: 'group'
  /** The fields of each line. */
  readonly fields: Readonly<Record<string, AnyField>>
  /** How many lines there may be. */
  readonly max: number
}

/** Between the values of a line in a workbook. */
const BETWEEN = ' | '

/** Lines in their normal form, empty ones left out; the first problem is told with its line. */
function groupSchema(fields: Readonly<Record<string, AnyField>>, max: number): z.ZodMiniType<GroupRow[]> {
  return z.pipe(z.array(z.record(z.string(), z.unknown(), '应为列表'), '应为列表'), z.transform((sent: GroupRow[], context) => {
    const rows: GroupRow[] = []
    for (const [place, one] of sent.entries()) {
      if (Object.keys(fields).every((key) => isEmpty(one[key]))) continue
      const row: Record<string, unknown> = {}
      for (const [key, field] of Object.entries(fields)) {
        const checked = checkValue(field, one[key])
        if ('message' in checked) context.issues.push({ code: 'custom', message: `第 ${place + 1} 行：${checked.message}`, input: one, path: [place, key] })
        else if (checked.value !== null) row[key] = checked.value
      }
      rows.push(row)
    }
    if (rows.length > max) context.issues.push({ code: 'custom', message: `最多 ${max} 行`, input: sent })
    return rows
  })) as unknown as z.ZodMiniType<GroupRow[]>
}

/** A value of a line as people read it, and as a workbook brings it back. */
function wordsOf(field: AnyField, value: unknown): string {
  if (isEmpty(value)) return ''
  if ('choices' in field && !Array.isArray(value)) return choiceLabel(field.choices, value)
  if (typeof value === 'number' && field.sheet.type === 'money') return (value / 100).toFixed(2)
  if (typeof value === 'number' && field.sheet.type === 'date') return formatDate(value)
  if (typeof value === 'number' && field.sheet.type === 'time') return formatTime(value).slice(0, 16)
  return String((field.toSheet as (value: unknown) => unknown)(value) ?? '')
}

/** A line in words. */
export const lineOf = (fields: Readonly<Record<string, AnyField>>, row: GroupRow): string => Object.entries(fields).map(([key, field]) => wordsOf(field, row[key])).join(BETWEEN)

/**
 * Lines of the same fields that belong to one record: a timetable, steps of a price, equipment. They are kept in the record
 * itself; what is looked for or counted is a resource of its own.
 * @param own fields of each line, of kinds that stand for themselves: neither references nor files nor hidden values
 * @param options.max lines, 20 by default
 * @example devices: group('设备', { kind: choice('类型', DEVICE_KINDS, { required: true }), name: text('名称') }, { max: 50 })
 */
export function group<const F extends Fields, const R extends boolean = false>(label: string, own: F, options: Options<R, { max?: number }> = {}): GroupField<{ [K in keyof InputOf<F>]: InputOf<F>[K] }, R> {
  const fields = own as unknown as Readonly<Record<string, AnyField>>
  const wrong = Object.entries(fields).find(([, field]) => !field.column || field.refers || field.files || field.hidden)
  if (wrong) throw new Error(`${label}: ${wrong[0]} is of a kind that a line cannot hold`)
  const { max = 20, ...common } = options
  const schema = groupSchema(fields, max)
  const labels = Object.values(fields).map((field) => field.label)
  const made = makeField<'group', GroupRow[], R>(label, common as Options<R>, {
    kind: 'group',
    column: 'jsonb',
    filter: null,
    schema,
    sheet: { type: 'text', example: Object.values(fields).map((field) => String(field.sheet.example)).join(BETWEEN), note: `每行一条：${labels.join(BETWEEN)}，最多 ${max} 行` },
    fromSheet: (cell) => cellText(cell).split(/\r?\n/).filter((line) => line.trim() !== '').map((line) => {
      const parts = line.split(/[|｜]/)
      return Object.fromEntries(Object.entries(fields).map(([key, field], place) => [key, field.fromSheet(parts[place]?.trim() || null)]))
    }),
    toSheet: (rows) => rows.map((row) => lineOf(fields, row)).join('\n'),
  })
  return { ...made, fields, max } as unknown as GroupField<{ [K in keyof InputOf<F>]: InputOf<F>[K] }, R>
}

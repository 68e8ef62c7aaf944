import { foldText } from '../../core/field/field.ts'
import { codeProblem, normaliseCode } from '../code/module.ts'

/** Lines that are looked up at once. */
export const MOST_LINES = 500

/** What a line can be: a pad's number, a code, a mobile number, the number of an order. */
export const LINE_KINDS = [{ value: 'mobile', label: '手机号' }, { value: 'order', label: '订单号' }, { value: 'code', label: '激活码' }, { value: 'sn', label: '平板 SN' }] as const
export type LineKind = (typeof LINE_KINDS)[number]['value']

/** A line as somebody pasted it, and what it may be. */
export interface TypedLine {
  /** As they count it. */
  readonly row: number
  readonly typed: string
  /** Half width, without blanks and hyphens, in capitals. */
  readonly text: string
  readonly kinds: readonly LineKind[]
  /** Why it cannot be anything; absent where it can. */
  readonly problem?: string
  /** Row of the first of the same lines. */
  readonly sameAs?: number
}

const strip = (text: string) => foldText(text).replace(/[\u200b-\u200f\u2060\ufeff]/g, '').toUpperCase().replace(/[\s\-_.·—–]/g, '')

/** What a text may be, likeliest first: kinds overlap, so that each of them is asked. */
function kindsOf(text: string): LineKind[] {
  return [
    ...(/^1[3-9]\d{9}$/.test(text) ? ['mobile' as const] : []),
    ...(/^\d{12,24}$/.test(text) ? ['order' as const] : []),
    ...(codeProblem(text) === undefined ? ['code' as const] : []),
    ...(/^[A-Z0-9]{8,24}$/.test(text) && !/^1[3-9]\d{9}$/.test(text) ? ['sn' as const] : []),
  ]
}

/** Letters that are taken for digits and the other way round on paper: what somebody may have meant. */
export function meant(text: string): string[] {
  const others = [text.replace(/O/g, '0'), text.replace(/0/g, 'O'), text.replace(/[IL]/g, '1'), text.replace(/[OIL]/g, (letter) => (letter === 'O' ? '0' : '1'))]
  return [...new Set(others)].filter((one) => one !== text)
}

/** Tells pasted lines apart. Empty ones are left out; the second of the same is shown by the first. */
export function tellApart(pasted: readonly string[]): TypedLine[] {
  const first = new Map<string, number>()
  return pasted.flatMap((typed, index): TypedLine[] => {
    const text = strip(typed)
    if (text === '') return []
    const row = index + 1
    const sameAs = first.get(text)
    if (sameAs !== undefined) return [{ row, typed, text, kinds: [], sameAs }]
    first.set(text, row)
    const kinds = kindsOf(text)
    if (kinds.length > 0) return [{ row, typed, text, kinds }]
    const length = text.length
    return [{ row, typed, text, kinds, problem: length > 24 ? `第 ${row} 行过长，无法识别` : length < 8 ? `第 ${row} 行过短，无法识别` : codeProblem(normaliseCode(text)) ?? `第 ${row} 行无法识别` }]
  })
}

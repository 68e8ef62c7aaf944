/** A pasted line: a number and perhaps a name, or why it is none. */
export interface PastedLine { readonly row: number; readonly mobile: string; readonly name: string | null; readonly state: 'read' | 'twice' | 'bad'; readonly why: string | null }

/** Also in groups, as people write it: 139 0000 1111. It is no part of a longer number. */
const MOBILE = /(?<!\d)1[3-9](?:[ -]?\d){9}(?!\d)/
/** Longest name. */
const NAME = 20

/** Lines of a pasted list; empty ones count for nothing. */
export const splitLines = (pasted: string): string[] => pasted.split(/\r?\n/).map((line) => line.trim()).filter(Boolean)

/** Reads pasted lines: a mobile number, and a name before or behind it. A number that stands twice is taken once. */
export function readLines(lines: readonly string[]): PastedLine[] {
  const seen = new Map<string, number>()
  return lines.map((raw, at): PastedLine => {
    const row = at + 1
    const text = raw.normalize('NFKC').trim()
    const found = MOBILE.exec(text)?.[0]
    if (found === undefined) return { row, mobile: text.slice(0, NAME), name: null, state: 'bad', why: '没有 11 位手机号' }
    const mobile = found.replace(/\D/g, '')
    // Digits of a name stay, such as 学员12; a country's prefix and what stands between the two go.
    const name = text.replace(found, ' ').replace(/\+86/, ' ').replace(/[ ,，;；、\t:：-]+/g, ' ').trim().slice(0, NAME) || null
    const before = seen.get(mobile)
    if (before !== undefined) return { row, mobile, name, state: 'twice', why: `与第 ${before} 行重复` }
    if (name !== null && /[*＊]/.test(name)) return { row, mobile, name: null, state: 'bad', why: '姓名不能含 *' }
    seen.set(mobile, row)
    return { row, mobile, name, state: 'read', why: null }
  })
}

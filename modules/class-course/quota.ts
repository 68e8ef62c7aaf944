/** Most places that a room is given of one thing. */
export const MOST_ACCOUNTS = 10_000
/** People who are given a place at once. */
export const MOST_OPENED = 200

/** Somebody who is given a place. */
export interface Person { readonly mobile: string; readonly name: string }

/** A line that names nobody who can be found. */
export interface BadLine { readonly line: number; readonly text: string; readonly why: string }

/** Also in groups, as people write it: 139 0000 1111. It is no part of a longer number. */
const MOBILE = /(?<!\d)1[3-9](?:[ -]?\d){9}(?!\d)/

/**
 * Reads pasted lines: a mobile number and a name, in either order.
 * @returns people, each number once, and the lines that could not be read
 */
export function readPeople(pasted: string): { people: Person[]; bad: BadLine[] } {
  const people = new Map<string, Person>()
  const bad: BadLine[] = []
  for (const [at, raw] of pasted.split(/\r?\n/).entries()) {
    const text = raw.normalize('NFKC').trim()
    if (text === '') continue
    const found = MOBILE.exec(text)?.[0]
    const mobile = found?.replace(/\D/g, '')
    // Digits of a name stay, such as 学员12; a country's prefix and what stands between the two go.
    const name = text.replace(found ?? '', ' ').replace(/\+86/, ' ').replace(/[ ,，;；、\t:：-]+/g, ' ').trim()
    if (mobile === undefined) bad.push({ line: at + 1, text, why: '没有 11 位手机号' })
    else if (people.has(mobile)) bad.push({ line: at + 1, text, why: '手机号重复' })
    else if (name === '') bad.push({ line: at + 1, text, why: '没有姓名' })
    else people.set(mobile, { mobile, name: name.slice(0, 20) })
  }
  return { people: [...people.values()], bad }
}

/** Most places that a room is given of one thing. */
export const MOST_ACCOUNTS = 10_000
/** People who are given a place at once. */
export const MOST_OPENED = 200

/** Somebody who is given a place. */
export interface Person { readonly mobile: string; readonly name: string }

/** A line that names nobody who can be found. */
export interface BadLine { readonly line: number; readonly text: string; readonly why: string }

const MOBILE = /1[3-9]\d{9}/

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
    const mobile = MOBILE.exec(text.replace(/(\d)[ -](?=\d)/g, '$1'))?.[0]
    const name = text.replace(/[\d ,，;；、\t+-]+/g, ' ').trim()
    if (mobile === undefined) bad.push({ line: at + 1, text, why: '没有 11 位手机号' })
    else if (people.has(mobile)) bad.push({ line: at + 1, text, why: '手机号重复' })
    else if (name === '') bad.push({ line: at + 1, text, why: '没有姓名' })
    else people.set(mobile, { mobile, name: name.slice(0, 20) })
  }
  return { people: [...people.values()], bad }
}

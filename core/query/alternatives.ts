import * as z from 'zod/mini'

/**
 * Key under which a query brings alternatives: a record fits when it fulfils one of them, and whatever else is asked. Each is a
 * query by the list's filters, as JSON: `any=[{"level":["1"]},{"expire_at_is":["next_30"],"status":["2"]}]`.
 */
export const ANY = 'any'

/** What one alternative asks: values by the filters' keys, all of which a record has to fulfil. */
export type Alternative = Readonly<Record<string, readonly string[]>>

/** Alternatives, and questions of each, at most: more nobody reads, and each costs a search. */
export const MOST_ALTERNATIVES = 8
export const MOST_QUESTIONS = 8
/** Longest text of all, in characters: it stands in the address. */
const LONGEST = 3000

const value = z.string().check(z.minLength(1), z.maxLength(200))
const alternative = z.record(z.string(), z.array(value).check(z.minLength(1), z.maxLength(100)))
  .check(z.refine((one) => Object.keys(one).length >= 1 && Object.keys(one).length <= 2 * MOST_QUESTIONS))
const alternatives = z.array(alternative).check(z.minLength(1), z.maxLength(MOST_ALTERNATIVES))

/** Reads alternatives; undefined when the text is none. */
export function readAlternatives(text: string): Alternative[] | undefined {
  if (text.length > LONGEST) return undefined
  try {
    return z.safeParse(alternatives, JSON.parse(text)).data
  } catch {
    return undefined
  }
}

/** Writes alternatives without what asks nothing. @returns an empty text when nothing is left */
export function writeAlternatives(list: readonly Alternative[]): string {
  const asked = list.map((one) => Object.fromEntries(Object.entries(one).map(([key, values]) => [key, values.filter((text) => text !== '')] as const).filter(([, values]) => values.length > 0)))
    .filter((one) => Object.keys(one).length > 0)
  return asked.length === 0 ? '' : JSON.stringify(asked)
}

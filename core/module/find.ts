/** A record that was found. */
export interface FoundRecord {
  readonly id: number
  readonly title: string
  /** What tells it from others of the same name. */
  readonly note?: string | undefined
  /** Screen that opens it, with query. */
  readonly to: string
}

/** A way to one record by what people have in hand: a mobile number, an order number, a code, a name. */
export interface RecordFinder {
  /** What it finds: 学生. */
  readonly label: string
  /** Screen of these records: without the grant for it the finder is absent, and nothing is asked for. */
  readonly screen: string
  /** Whether what was typed could lead to such a record; nothing is asked for otherwise. */
  readonly takes: (words: string) => boolean
  readonly find: (words: string, signal: AbortSignal) => Promise<FoundRecord[]>
}

/** Kinds of words that people type; a finder takes some of them. */
export const WORDS = {
  /** At least four digits: a mobile number or its end. */
  mobile: /^\d{4,11}$/,
  /** Letters, digits and dashes, at least four, one of them a digit: order numbers, codes, serial numbers, question numbers. */
  number: /^(?=.*\d)[A-Za-z0-9-]{4,40}$/,
  /** At least two Chinese characters: names. */
  name: /^(?=.*[\u4e00-\u9fff].*[\u4e00-\u9fff]).{2,40}$/,
  /** Latin letters: accounts. */
  account: /^[A-Za-z][A-Za-z0-9_]{2,31}$/,
} as const

/** Tells whether words are of one of several kinds. @public for modules that register finders */
export function takesWords(...kinds: readonly (keyof typeof WORDS)[]): (words: string) => boolean {
  return (words) => kinds.some((kind) => WORDS[kind].test(words))
}

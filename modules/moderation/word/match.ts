import { clean, foldWord, type Cleaned } from './clean.ts'

/** What is done with what somebody wrote when a word is found in it. */
export const LEVEL = { block: 1, review: 2, replace: 3, note: 4 } as const
export type Level = (typeof LEVEL)[keyof typeof LEVEL]

/** A word of the list as far as matching needs it. */
export interface ListedWord {
  readonly id: number
  readonly word: string
  readonly level: number
  /** Also by its sound, which only ever asks a person to look. */
  readonly loose: boolean
  /** Phrases in which it is not meant. */
  readonly exempt: readonly string[]
}

/** A word that was found, with where it stands in the original. */
export interface Hit {
  readonly id: number
  readonly word: string
  readonly level: number
  readonly from: number
  readonly to: number
  /** Found by its sound alone, or across the end of a clause: somebody looks, nothing is blocked. */
  readonly unsure: boolean
}

interface Node { readonly next: Map<string, Node>; readonly words: ListedWord[] }

const node = (): Node => ({ next: new Map(), words: [] })

function put(root: Node, tokens: readonly string[], word: ListedWord): void {
  if (tokens.length === 0) return
  let at = root
  for (const token of tokens) {
    let next = at.next.get(token)
    if (!next) at.next.set(token, next = node())
    at = next
  }
  at.words.push(word)
}

const LATIN = /[a-z0-9]/
/** Whether a Latin word begins or ends in the middle of another one: `sb` in osbourne. */
const cuts = (inside: string | undefined, outside: string | undefined) => inside !== undefined && outside !== undefined && LATIN.test(inside) && LATIN.test(outside)

interface Span { readonly word: ListedWord; readonly from: number; readonly to: number }

/** All words of a trie in a row of tokens, from the first character that has one on. */
function walk(root: Node, tokens: readonly string[], text: readonly string[]): Span[] {
  const found: Span[] = []
  for (let from = 0; from < tokens.length; from++) {
    let at: Node | undefined = root
    for (let to = from; at && to < tokens.length; to++) {
      at = at.next.get(tokens[to] ?? '')
      if (!at || at.words.length === 0 || cuts(text[from], text[from - 1]) || cuts(text[to], text[to + 1])) continue
      for (const word of at.words) found.push({ word, from, to })
    }
  }
  return found
}

/** Where phrases stand in a row of characters. */
function places(text: readonly string[], phrases: readonly (readonly string[])[]): [number, number][] {
  return phrases.flatMap((phrase) => text.flatMap((_char, at): [number, number][] => (phrase.length > 0 && phrase.every((char, n) => text[at + n] === char) ? [[at, at + phrase.length - 1]] : [])))
}

/** How a character sounds; characters that have no sound are themselves. */
export type Sound = (char: string) => string

/** Finds the words of a list in what people write. Built once from a list and never changed: another list is another matcher. */
export class Matcher {
  private readonly exact = node()
  private readonly sounds = node()
  private readonly sound: Sound
  private readonly exempt = new Map<number, readonly (readonly string[])[]>()
  readonly size: number

  constructor(words: readonly ListedWord[], sound: Sound) {
    this.sound = sound
    this.size = words.length
    for (const word of words) {
      const tokens = [...foldWord(word.word)]
      put(this.exact, tokens, word)
      if (word.loose && tokens.length > 1) put(this.sounds, tokens.map(sound), word)
      if (word.exempt.length > 0) this.exempt.set(word.id, word.exempt.map((phrase) => [...foldWord(phrase)]))
    }
  }

  /** Everything that is found, in the order of the text; of several words at one place the longest. */
  find(raw: string): Hit[] {
    const cleaned = clean(raw)
    const exact = this.spans(cleaned, walk(this.exact, cleaned.text, cleaned.text), false)
    const loose = this.sounds.next.size === 0 ? [] : this.spans(cleaned, walk(this.sounds, cleaned.text.map(this.sound), cleaned.text), true)
    const known = new Set(exact.map(({ id, from, to }) => `${id} ${from} ${to}`))
    return longest([...exact, ...loose.filter(({ id, from, to }) => !known.has(`${id} ${from} ${to}`))])
  }

  private spans({ text, from, to, clause }: Cleaned, spans: readonly Span[], bySound: boolean): Hit[] {
    return spans.filter(({ word, from: first, to: last }) => {
      const excused = this.exempt.get(word.id)
      return !excused || !places(text, excused).some(([begin, end]) => begin <= first && end >= last)
    }).map(({ word, from: first, to: last }) => ({
      id: word.id, word: word.word, level: word.level, from: from[first] ?? 0, to: to[last] ?? 0,
      unsure: bySound || clause.slice(first + 1, last + 1).some(Boolean),
    }))
  }
}

/** Leaves out what lies within a longer hit of the same weight. */
function longest(hits: readonly Hit[]): Hit[] {
  const sorted = hits.toSorted((a, b) => a.from - b.from || b.to - a.to || a.level - b.level)
  return sorted.filter((hit, place) => !sorted.some((other, at) => at !== place && other.from <= hit.from && other.to >= hit.to && (other.to - other.from > hit.to - hit.from || at < place) && other.level <= hit.level && Number(other.unsure) <= Number(hit.unsure)))
}

/** What follows from what was found. */
export function verdictOf(hits: readonly Hit[]): 'block' | 'review' | 'replace' | 'note' | 'clear' {
  if (hits.some(({ level, unsure }) => level === LEVEL.block && !unsure)) return 'block'
  if (hits.some(({ level, unsure }) => level === LEVEL.review || (unsure && level !== LEVEL.note))) return 'review'
  if (hits.some(({ level }) => level === LEVEL.replace)) return 'replace'
  return hits.length > 0 ? 'note' : 'clear'
}

/** A text with the words that are to be replaced behind stars, as many as they have characters. */
export function replaced(raw: string, hits: readonly Hit[]): string {
  const mine = hits.filter(({ level, unsure }) => level === LEVEL.replace && !unsure).toSorted((a, b) => b.from - a.from)
  return mine.reduce((text, { from, to }) => `${text.slice(0, from)}${text.slice(from, to).replaceAll(/./gsu, '*')}${text.slice(to)}`, raw)
}

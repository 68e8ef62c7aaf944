import { ukOf, usOf } from './arpabet.ts'
import type { Proposal } from './calls.ts'
import { foldIpa } from './ipa.ts'
import { proposeUk, proposeUs, spelledOut } from './spelling.ts'

type Entries = Readonly<Record<string, string>>

/** Most readings that a word of the dictionary has. */
const MOST_READINGS = 4
/** Letters of the shorter part of a word that is put together from two. */
const LEAST_PART = 3

/** A reading in both ways of speaking. */
interface Reading { readonly uk: string; readonly us: string }

/** Readings that the dictionary has of a word, by its number: `read`, `read(2)`. */
function readingsOf(entries: Entries, word: string): Reading[] {
  const own = [entries[word], ...Array.from({ length: MOST_READINGS - 1 }, (_, at) => entries[`${word}(${at + 2})`])].filter((entry): entry is string => entry !== undefined)
  return own.map((entry) => ({ uk: foldIpa(ukOf(entry, word)), us: foldIpa(usOf(entry, word)) }))
}

const unmarked = (text: string) => text.replace(/[ˈˌ]/g, '')
/** Two words said as one: the first is stressed. */
const joined = (first: string, second: string) => `ˈ${unmarked(first)}${unmarked(second)}`

/** A word that is missing, put together from two that are there: school and bag. The longest first part is the likeliest. */
function partsOf(entries: Entries, word: string): Reading | undefined {
  for (let at = word.length - LEAST_PART; at >= LEAST_PART; at -= 1) {
    const [first] = readingsOf(entries, word.slice(0, at))
    const [second] = readingsOf(entries, word.slice(at))
    if (first && second) return { uk: joined(first.uk, second.uk), us: joined(first.us, second.us) }
  }
  return undefined
}

/** How sure the sources are, surest first. */
const SURE = ['dictionary', 'letters', 'parts', 'rules'] as const
type Source = (typeof SURE)[number]

function ofWord(entries: Entries, written: string): { readonly source: Source; readonly readings: readonly Reading[] } {
  const spelled = spelledOut(written)
  if (spelled !== undefined) return { source: 'letters', readings: [{ uk: spelled, us: spelled }] }
  const word = written.toLowerCase()
  const readings = readingsOf(entries, word)
  if (readings.length > 0) return { source: 'dictionary', readings }
  const parts = partsOf(entries, word)
  if (parts) return { source: 'parts', readings: [parts] }
  const uk = proposeUk(word)
  return { source: 'rules', readings: [{ uk, us: proposeUs(uk) }] }
}

const once = (list: readonly string[]) => [...new Set(list)].filter((text) => text !== '')

function propose(entries: Entries, headword: string): Proposal {
  const words = headword.replaceAll('’', "'").split(/[\s/()…-]+/).map((word) => word.replace(/[^A-Za-z']/g, '')).filter(Boolean).map((word) => ofWord(entries, word))
  const source = SURE.findLast((one) => words.some((word) => word.source === one)) ?? 'rules'
  const [only] = words
  // Of a phrase each word has its first reading: all of them together are more than anybody reads.
  if (words.length > 1 || !only) return { source: source === 'dictionary' ? 'parts' : source, uk: once([words.map(({ readings }) => readings[0]?.uk ?? '').join(' ')]), us: once([words.map(({ readings }) => readings[0]?.us ?? '').join(' ')]) }
  return { source, uk: once(only.readings.map(({ uk }) => uk)), us: once(only.readings.map(({ us }) => us)) }
}

let loading: Promise<(headword: string) => Proposal> | undefined

/**
 * Opens the dictionary of Carnegie Mellon, which is read at the first use and kept: most servers never need its 5 MB.
 * @returns what is proposed for a word
 */
export function openDictionary(): Promise<(headword: string) => Proposal> {
  loading ??= import('cmu-pronouncing-dictionary').then(({ dictionary }) => (headword: string) => propose(dictionary, headword))
  return loading
}

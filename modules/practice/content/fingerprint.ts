/** How alike two questions are (domain 3.5): exact, near, or the same wording with other numbers or another picture. */
import { fileIdsIn } from '../../../core/file/url.ts'
import { comparePictures, partsOf, type PictureHashes } from '../picture/hash.ts'
import { assetsOf, plainText } from '../../../core/rich-text/rich-doc.ts'
import type { QuestionContent } from './question.ts'

/** Number of bands; two questions with a share of 0.8 of their character triples meet in one of them with 98.5 %. */
export const BANDS = 8
const ROWS = 4
/** domain 3.5 */
const SAME = 0.95
const SUSPECTED = 0.8
/** With fewer characters than this a question is its picture. */
const FEW_WORDS = 30

export interface Fingerprint {
  /** Equal for two questions whose words differ in nothing but spaces, punctuation, spelling of formulas and order of options. */
  content_hash: string
  /** 64 bits as a signed number, as the database keeps it; numbers in the text do not count. */
  simhash: bigint
  /** Signed 32-bit keys, of the words and, where these are few, of each picture; questions that share one are worth a closer look. */
  bands: number[]
}

export type Likeness = 'same' | 'suspected' | 'variant'

/** Spellings of TeX that print the same. */
const SPELLINGS: readonly (readonly [RegExp, string])[] = [
  [/\\(?:left|right|displaystyle|textstyle|limits|nolimits|quad|qquad|,|;|:|!|big[lr]?|Big[lr]?|bigg[lr]?)(?![a-zA-Z])/g, ''],
  [/\\[dt]frac(?![a-zA-Z])/g, '\\frac'],
  [/\\leqslant(?![a-zA-Z])|\\leq(?![a-zA-Z])/g, '\\le'],
  [/\\geqslant(?![a-zA-Z])|\\geq(?![a-zA-Z])/g, '\\ge'],
  [/\\neq(?![a-zA-Z])/g, '\\ne'],
  [/\\(?:mathrm|mathbf|text|textrm|boldsymbol|bm|operatorname|mathit)\s*\{([^{}]*)\}/g, '$1'],
  [/\\(?:cdot|times|ast)(?![a-zA-Z])/g, '*'],
  [/[{}]/g, ''],
]

/** Words of a question as they are compared: one width, one case, no spaces or punctuation, one spelling of formulas. */
export function normalised(text: string): string {
  let plain = text.normalize('NFKC').toLowerCase()
  for (const [spelling, one] of SPELLINGS) plain = plain.replace(spelling, one)
  return plain.replace(/第?[(（]\s*[)）]|_{2,}/g, '').replace(/[\s\p{P}\p{Z}$`~]+/gu, (marks) => marks.replace(/[^%*+\-\\/]/g, ''))
}

/** The same wording whatever the numbers are. */
const masked = (text: string) => text.replace(/\d+(?:\.\d+)?/g, '0')

/** Everything that a learner reads; options in an order of their own, since they may be shuffled. */
function wording(content: QuestionContent): string {
  const options = content.options.map((option) => normalised(plainText(option.doc))).sort()
  return [normalised(plainText(content.stem)), ...options, ...content.children.map(wording)].join('\n')
}

/** Ids of the files that a learner sees beside the words. */
export function picturesOf(content: QuestionContent): string[] {
  const docs = [content.stem, ...content.options.map((option) => option.doc)]
  return [...docs.flatMap((doc) => assetsOf(doc)).flatMap((address) => fileIdsIn(address)), ...content.children.flatMap(picturesOf)]
}

const hasFewWords = (words: string) => words.replaceAll('\n', '').length < FEW_WORDS
const hashesOf = (content: QuestionContent, hashes: PictureHashes) => [...new Set(picturesOf(content).flatMap((id) => hashes.get(id) ?? []))]

/** A 32-bit hash (FNV-1a with a final mix), seeded. */
function hash32(text: string, seed: number): number {
  let hash = 0x811c9dc5 ^ seed
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

/** Every run of three characters with how often it occurs; a shorter text is one run. */
function triples(text: string): Map<string, number> {
  const found = new Map<string, number>()
  for (let index = 0; index < Math.max(1, text.length - 2); index++) {
    const triple = text.slice(index, index + 3)
    found.set(triple, (found.get(triple) ?? 0) + 1)
  }
  return found
}

function simhashOf(grams: Map<string, number>): bigint {
  const weights = new Int32Array(64)
  for (const [gram, count] of grams) {
    const halves = [hash32(gram, 1), hash32(gram, 2)] as const
    for (let bit = 0; bit < 64; bit++) weights[bit] = (weights[bit] ?? 0) + ((halves[bit >> 5 as 0 | 1] >>> (bit & 31)) & 1 ? count : -count)
  }
  let bits = 0n
  for (let bit = 0; bit < 64; bit++) if ((weights[bit] ?? 0) > 0) bits |= 1n << BigInt(bit)
  return BigInt.asIntN(64, bits)
}

/** Least hash of all triples for each of the rows, put together by bands. */
function bandsOf(grams: Map<string, number>): number[] {
  const least = new Uint32Array(BANDS * ROWS).fill(0xffffffff)
  for (const gram of grams.keys()) {
    const [base, step] = [hash32(gram, 3), hash32(gram, 4) | 1]
    for (let row = 0; row < least.length; row++) {
      // A pair of hashes gives as many as are needed; the mix takes out their regularity.
      let mixed = (base + Math.imul(row + 1, step)) >>> 0
      mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d) >>> 0
      mixed = (mixed ^ (mixed >>> 12)) >>> 0
      if (mixed < (least[row] ?? 0)) least[row] = mixed
    }
  }
  return Array.from({ length: BANDS }, (_, band) => hash32(least.subarray(band * ROWS, (band + 1) * ROWS).join(','), band) | 0)
}

/**
 * What a question is found by when another one like it arrives.
 * @param hashes of its pictures
 */
export function fingerprintOf(content: QuestionContent, hashes: PictureHashes): Fingerprint {
  const words = wording(content)
  const grams = triples(masked(words))
  // Where there are words, copies are found by these, and whatever else looks a little alike need not be read.
  const pictures = hasFewWords(words) ? hashesOf(content, hashes) : []
  return {
    content_hash: [11, 12, 13, 14].map((seed) => hash32(words, seed).toString(16).padStart(8, '0')).join(''),
    simhash: simhashOf(grams),
    bands: [...bandsOf(grams), ...pictures.flatMap((hash) => partsOf(hash).map((part, at) => hash32(part, BANDS + at) | 0))],
  }
}

/** Share of triples that two texts have in common, 0 to 1. */
function jaccard(one: Map<string, number>, other: Map<string, number>): number {
  let common = 0
  let all = 0
  for (const [gram, count] of one) {
    const twin = other.get(gram) ?? 0
    common += Math.min(count, twin)
    all += Math.max(count, twin)
  }
  for (const [gram, count] of other) if (!one.has(gram)) all += count
  return all === 0 ? 1 : common / all
}

const numbersIn = (words: string) => (words.match(/\d+(?:\.\d+)?/g) ?? []).map(Number).sort((a, b) => a - b).join(',')

/** A question as others are measured against it. */
function measured(content: QuestionContent, hashes: PictureHashes) {
  const words = wording(content)
  const plain = masked(words)
  return { grams: triples(words), plain: plain === words ? undefined : triples(plain), numbers: numbersIn(words), few: hasFewWords(words), pictures: hashesOf(content, hashes) }
}

/**
 * The exact measure for a question and each of its candidates.
 * @param hashes of the pictures of all of them
 * @returns score 0 to 1, and what they are to each other; null when they are different questions. The same wording with
 * other numbers is a variant and never a duplicate, however long the text is; so is the same wording about another picture,
 * for it asks the same of something else: nobody wants both in one paper, and neither makes the other superfluous. Where
 * the picture says nearly everything, the same picture makes a suspect, whatever the few words are
 */
export function likenessTo(one: QuestionContent, hashes: PictureHashes): (other: QuestionContent) => { kind: Likeness | null; score: number } {
  const first = measured(one, hashes)
  return (other) => {
    const second = measured(other, hashes)
    const pictures = comparePictures(first.pictures, second.pictures)
    const alike = jaccard(first.plain ?? first.grams, second.plain ?? second.grams)
    if (alike >= SAME && (first.numbers !== second.numbers || pictures === 'different')) return { kind: 'variant', score: alike }
    const score = first.plain || second.plain ? jaccard(first.grams, second.grams) : alike
    if (pictures === 'different') return { kind: null, score }
    if (pictures === 'same' && first.few && second.few && score < SUSPECTED) return { kind: 'suspected', score: SUSPECTED }
    return { kind: score >= SAME ? 'same' : score >= SUSPECTED ? 'suspected' : null, score }
  }
}

/** The exact measure for two questions; see {@link likenessTo}. */
export const likeness = (one: QuestionContent, other: QuestionContent, hashes: PictureHashes = new Map()) => likenessTo(one, hashes)(other)

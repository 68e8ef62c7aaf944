/** The questions of a bank that are about the same, and what they say about a new one: knowledge points and difficulty. */
import { plainText } from '../../../core/rich-text/rich-doc.ts'
import { picturesOf } from '../content/fingerprint.ts'
import type { QuestionContent } from '../content/question.ts'
import type { PictureHashes } from '../picture/hash.ts'

/** A question whose labels are known. */
export interface Known {
  id: number
  labels: readonly { id: number; main: boolean }[]
  difficulty: number | null
}

/** How often each term comes in a question. */
type Terms = ReadonlyMap<string, number>

/** An explanation names what was used, and says it in many words. */
const EXPLAINED = 0.5
/** A picture that another question shows too says as much as a sentence. */
const PICTURE = 4

/** Two characters of Chinese, a word, a command of a formula. Numbers say nothing about what a question is about. */
function count(text: string, weight: number, terms: Map<string, number>): void {
  for (const [run] of text.normalize('NFKC').toLowerCase().matchAll(/\\[a-z]+|[a-z]{2,}|[\u4e00-\u9fff]+/g)) {
    const parts = /^[\u4e00-\u9fff]/.test(run) ? Array.from({ length: Math.max(1, run.length - 1) }, (_, at) => run.slice(at, at + 2)) : [run]
    for (const part of parts) terms.set(part, (terms.get(part) ?? 0) + weight)
  }
}

function addWords(content: QuestionContent, terms: Map<string, number>): void {
  for (const doc of [content.stem, ...content.options.map((option) => option.doc)]) count(plainText(doc), 1, terms)
  for (const doc of [content.analysis.hint, content.analysis.solution]) count(plainText(doc), EXPLAINED, terms)
  for (const child of content.children) addWords(child, terms)
}

/** Words, formulas and pictures of a question. */
export function termsOf(content: QuestionContent, hashes: PictureHashes): Terms {
  const terms = new Map<string, number>()
  addWords(content, terms)
  for (const id of picturesOf(content)) if (hashes.has(id)) terms.set(`#${hashes.get(id) ?? ''}`, PICTURE)
  return terms
}

export interface Neighbour {
  known: Known
  /** Cosine of the weighed terms, 0 to 1. */
  score: number
}

/** Terms that more than this share of all questions have find nothing. */
const COMMON = 0.3

/** Questions by their terms, as rare as these are. */
export class NeighbourIndex {
  readonly #known: Known[] = []
  readonly #lengths: number[] = []
  readonly #postings = new Map<string, { at: number; weight: number }[]>()
  readonly #terms: Terms[] = []

  get size(): number {
    return this.#known.length
  }

  /** Takes questions; `finish` makes them findable. */
  add(known: Known, terms: Terms): void {
    this.#known.push(known)
    this.#terms.push(terms)
  }

  /** Weighs the terms once all questions are there. */
  finish(): this {
    const frequency = new Map<string, number>()
    for (const terms of this.#terms) for (const term of terms.keys()) frequency.set(term, (frequency.get(term) ?? 0) + 1)
    const most = Math.max(8, this.size * COMMON)
    for (const [term, times] of frequency) if (times <= most) this.#postings.set(term, [])
    for (const [at, terms] of this.#terms.entries()) {
      let square = 0
      for (const [term, times] of terms) {
        const list = this.#postings.get(term)
        if (!list) continue
        const weight = (1 + Math.log(1 + times)) * this.#rarity(frequency.get(term) ?? 1)
        list.push({ at, weight })
        square += weight * weight
      }
      this.#lengths.push(Math.sqrt(square))
    }
    this.#terms.length = 0
    return this
  }

  #rarity(times: number): number {
    return Math.log(1 + this.size / times)
  }

  /**
   * The questions that share most.
   * @param except ids that do not count
   */
  nearest(terms: Terms, limit: number, except: ReadonlySet<number> = new Set()): Neighbour[] {
    const scores = new Map<number, number>()
    let square = 0
    for (const [term, times] of terms) {
      const list = this.#postings.get(term)
      const weight = (1 + Math.log(1 + times)) * this.#rarity(list?.length ?? 1)
      square += weight * weight
      for (const one of list ?? []) scores.set(one.at, (scores.get(one.at) ?? 0) + one.weight * weight)
    }
    const length = Math.sqrt(square)
    return [...scores].flatMap(([at, product]): Neighbour[] => {
      const known = this.#known[at]
      return known && !except.has(known.id) ? [{ known, score: product / Math.max(1e-9, length * (this.#lengths[at] ?? 0)) }] : []
    }).sort((a, b) => b.score - a.score || b.known.id - a.known.id).slice(0, limit)
  }
}

export interface Suggested {
  /** Labels that the neighbours have, the likeliest first. */
  labels: { id: number; share: number; neighbours: number[] }[]
  difficulty: number | null
  /** Whether the first label is likely enough to be taken without a look at the others. */
  sure: boolean
}

/** Neighbours that are asked. */
export const ASKED = 20
const LABELS = 3
/** Less alike than this says nothing. */
const LEAST = 0.02
/** A first label that so much of the votes are for, with a neighbour as near as this, is sure. */
const SURE_SHARE = 0.6
const SURE_SCORE = 0.3
/** The label that a question has beside its main one counts less. */
const BESIDE = 0.6

/** What neighbours say: the nearer one is, the more its word counts. */
export function suggestFrom(neighbours: readonly Neighbour[]): Suggested {
  const near = neighbours.filter(({ score }) => score >= LEAST)
  const votes = new Map<number, { vote: number; from: number[] }>()
  let all = 0
  for (const { known, score } of near) {
    const weight = score * score
    all += weight
    for (const { id, main } of known.labels) {
      const entry = votes.get(id) ?? { vote: 0, from: [] }
      votes.set(id, { vote: entry.vote + weight * (main ? 1 : BESIDE), from: [...entry.from, known.id] })
    }
  }
  const labels = [...votes].map(([id, { vote, from }]) => ({ id, share: vote / all, neighbours: from.slice(0, LABELS) })).sort((a, b) => b.share - a.share || a.id - b.id).slice(0, LABELS)
  const rated = near.slice(0, 5).filter(({ known }) => known.difficulty !== null)
  const weight = rated.reduce((sum, { score }) => sum + score * score, 0)
  const difficulty = weight > 0 ? Math.round(rated.reduce((sum, { known, score }) => sum + (known.difficulty ?? 0) * score * score, 0) / weight) : null
  return { labels, difficulty, sure: (labels[0]?.share ?? 0) >= SURE_SHARE && (near[0]?.score ?? 0) >= SURE_SCORE }
}

/** What a marking comes to: points of candidates, figures of questions. Pure. */
import type { CardQuestion } from './paper-card.ts'
import { scoreChoice } from './paper-card.ts'
import type { Candidate } from './roster.ts'

/** A card that belongs to somebody, with what stands on all of its pages. */
export interface Sheet {
  readonly number: string
  readonly page_id: number
  readonly card_id: number
  readonly absent: boolean
  readonly marks: readonly { readonly question: number; readonly letters: readonly string[] | null; readonly doubtful: boolean; readonly score: number | null }[]
  /** Pages that are not there. */
  readonly lacking: number
}

export interface CandidateResult {
  number: string
  name: string
  class: string
  /** listed: on the list; learner: a learner of ours; unknown */
  who: 'listed' | 'learner' | 'unknown'
  absent: boolean
  choice: number
  written: number
  total: number
  /** Answers that are not certain, without points, or on a page that is missing. */
  open: number
  lacking: number
  points: (number | null)[]
  letters: (string | null)[]
}

export interface QuestionResult {
  label: string
  max: number
  /** Share of the points, 0 to 1; null where nobody has any yet. */
  rate: number | null
  /** Share of the strongest 27 % less that of the weakest; null for fewer than ten candidates. */
  discrimination: number | null
  /** How many chose what; empty for what is written. */
  chosen: { letters: string; count: number; right: boolean }[]
  answered: number
}

/** domain 3.8: size of the groups of the strongest and weakest. */
const GROUP = 0.27
/** Fewer candidates do not tell strong and weak apart. */
const LEAST_CANDIDATES = 10

/** Points of one answer; null when somebody has to look first. */
export const pointsOf = (question: CardQuestion, mark: Sheet['marks'][number] | undefined): number | null => {
  if (!mark || mark.doubtful) return null
  return question.kind === 'letters' ? scoreChoice(question, mark.letters ?? []) : mark.score
}

const sum = (values: readonly (number | null)[]) => values.reduce<number>((total, value) => total + (value ?? 0), 0)

/** @param learners names of learners by their numbers, for who is not on the list */
export function candidateResult(sheet: Sheet, questions: readonly CardQuestion[], roster: ReadonlyMap<string, Candidate>, learners: ReadonlyMap<string, string>): CandidateResult {
  const marks = new Map(sheet.marks.map((mark) => [mark.question, mark]))
  const points = questions.map((question, at) => (sheet.absent ? 0 : pointsOf(question, marks.get(at))))
  const of = (kind: (question: CardQuestion) => boolean) => sum(points.filter((_value, at) => kind(questions[at] as CardQuestion)))
  const listed = roster.get(sheet.number)
  return {
    number: sheet.number, name: listed?.name ?? learners.get(sheet.number) ?? '', class: listed?.class ?? '', who: listed ? 'listed' : learners.has(sheet.number) ? 'learner' : 'unknown',
    absent: sheet.absent, choice: of(({ kind }) => kind === 'letters'), written: of(({ kind }) => kind !== 'letters'), total: sum(points), open: points.filter((value) => value === null).length, lacking: sheet.lacking,
    points, letters: questions.map(({ kind }, at) => (kind === 'letters' ? (marks.get(at)?.letters ?? []).join('') : null)),
  }
}

/** Figures of each question over those who came. */
export function questionResults(questions: readonly CardQuestion[], candidates: readonly CandidateResult[]): QuestionResult[] {
  const present = candidates.filter(({ absent }) => !absent)
  return questions.map((question, at) => {
    const rest = present.flatMap(({ points, total }) => {
      const own = points[at]
      return own === null || own === undefined || question.score === 0 ? [] : [{ share: own / question.score, rest: total - own }]
    }).sort((a, b) => b.rest - a.rest)
    const size = Math.max(1, Math.round(rest.length * GROUP))
    const share = (group: readonly { share: number }[]) => group.reduce((all, one) => all + one.share, 0) / group.length
    const right = question.right.map((id) => String.fromCodePoint(65 + question.options.indexOf(id))).sort().join('')
    const counts = new Map<string, number>()
    if (question.kind === 'letters') for (const { letters } of present) counts.set(letters[at] ?? '', (counts.get(letters[at] ?? '') ?? 0) + 1)
    return {
      label: question.number, max: question.score, rate: rest.length === 0 ? null : share(rest), discrimination: rest.length < LEAST_CANDIDATES ? null : share(rest.slice(0, size)) - share(rest.slice(-size)),
      chosen: [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([letters, count]) => ({ letters, count, right: letters !== '' && letters === right })), answered: rest.length,
    }
  })
}

/** A record of the bank's statistics. */
interface BankAnswer {
  practice_id: number
  sitting: number
  score: number
  max: number
  picked?: string[]
}

/** What a sheet says of the bank's questions: one record for each, with all of its parts. Only what is certain counts. */
export function answersOf(sheet: Sheet, questions: readonly CardQuestion[]): BankAnswer[] {
  if (sheet.absent) return []
  const marks = new Map(sheet.marks.map((mark) => [mark.question, mark]))
  const byPractice = Map.groupBy(questions.map((question, at) => ({ question, mark: marks.get(at) })), ({ question }) => question.practice_id)
  return [...byPractice].flatMap(([practice_id, parts]) => {
    const points = parts.map(({ question, mark }) => pointsOf(question, mark))
    const max = parts.reduce((total, { question }) => total + question.score, 0)
    if (points.includes(null) || max === 0) return []
    const [only] = parts
    const picked = parts.length === 1 && only && !only.question.part && only.question.kind === 'letters' ? (only.mark?.letters ?? []).flatMap((letter) => only.question.options[(letter.codePointAt(0) ?? 0) - 65] ?? []) : undefined
    // Senders outside count upwards from one: what is marked here has numbers of its own below zero.
    return [{ practice_id, sitting: -sheet.page_id, score: sum(points), max, ...(picked && { picked }) }]
  })
}

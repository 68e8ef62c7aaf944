/** What a measurement says to whoever took it: mastery by knowledge, from the answers alone. Pure; no model is asked. */
import * as z from 'zod/mini'

/** A step of mastery: from a share on, in percent. */
const bandSchema = z.object({
  from: z.int('分数线应为整数').check(z.gte(0, '分数线为 0 到 100'), z.lte(100, '分数线为 0 到 100')),
  name: z.string('请填写水平名称').check(z.trim(), z.minLength(1, '请填写水平名称'), z.maxLength(10, '水平名称最多 10 个字')),
  advice: z.string('建议应为文字').check(z.trim(), z.maxLength(200, '建议最多 200 个字')),
})
export type Band = z.infer<typeof bandSchema>

/** Highest first; the last one begins at 0, so that everybody is somewhere. None stand for the usual ones. */
export const bandsSchema: z.ZodMiniType<Band[]> = z.array(bandSchema, '评分规则有误').check(
  z.refine((list) => list.length !== 1, '至少 2 个水平'), z.maxLength(6, '最多 6 个水平'),
  z.refine((list) => list.every(({ from }, at) => at === 0 || from < (list[at - 1]?.from ?? 0)), '分数线应从高到低，不能重复'),
  z.refine((list) => list.length === 0 || list.at(-1)?.from === 0, '最低水平的分数线应为 0'),
  z.refine((list) => new Set(list.map(({ name }) => name)).size === list.length, '水平名称不能重复'),
)

export const FIRST_BANDS: readonly Band[] = [
  { from: 85, name: '掌握', advice: '已经掌握，可以做深度练提高。' },
  { from: 60, name: '基本掌握', advice: '基本方法会了，再做 3 道精选题巩固易错点。' },
  { from: 0, name: '薄弱', advice: '先看讲解，弄懂例题，再从基础题练起。' },
]

/** The rules of a measurement as they are kept. */
export const bandsOf = (kept: readonly Band[] | null | undefined): readonly Band[] => (kept && kept.length > 0 ? kept : FIRST_BANDS)

/** A question of a measurement. */
export interface Asked {
  readonly practice_id: number
  readonly label_id: number
  /** 1 hard to 5 easy (spec 9); null where nobody said. */
  readonly difficulty: number | null
}

/** Difficulty of a question of which nobody has said any. */
const USUAL = 3
/** How much a step of difficulty counts. */
const STEP = 0.2

/** How much an answer says of mastery: who solves what is hard has shown more than who solves what is easy. */
export const weightOf = (difficulty: number | null): number => 1 + (USUAL - (difficulty ?? USUAL)) * STEP

/** How somebody did at one piece of knowledge. */
export interface Mastery {
  readonly label_id: number
  /** Percent. */
  readonly mastery: number
  readonly right: number
  readonly count: number
  readonly band: Band
}

export interface Report {
  /** Percent, of all questions by their weight. */
  readonly mastery: number
  readonly right: number
  readonly count: number
  readonly band: Band
  /** In the order in which they were asked. */
  readonly labels: readonly Mastery[]
  /** What to begin with: those of the lowest band, the weakest first. */
  readonly weak: readonly Mastery[]
}

const bandOf = (bands: readonly Band[], mastery: number): Band => bands.find(({ from }) => mastery >= from) ?? bands.at(-1) ?? { from: 0, name: '', advice: '' }

function measured(questions: readonly Asked[], answers: ReadonlyMap<number, number>): { mastery: number; right: number; count: number } {
  const all = questions.reduce((sum, { difficulty }) => sum + weightOf(difficulty), 0)
  const got = questions.reduce((sum, { practice_id, difficulty }) => sum + weightOf(difficulty) * (answers.get(practice_id) ?? 0), 0)
  return { mastery: all === 0 ? 0 : Math.round((got / all) * 100), right: questions.filter(({ practice_id }) => (answers.get(practice_id) ?? 0) === 1).length, count: questions.length }
}

/**
 * The report of one learner.
 * @param answers share of the points of each question, 0 to 1; a question without an answer got none
 */
export function reportOf(questions: readonly Asked[], answers: ReadonlyMap<number, number>, bands: readonly Band[]): Report {
  const labels = [...Map.groupBy(questions, ({ label_id }) => label_id)].map(([label_id, own]): Mastery => {
    const one = measured(own, answers)
    return { label_id, ...one, band: bandOf(bands, one.mastery) }
  })
  const total = measured(questions, answers)
  const lowest = bands.at(-1)
  return { ...total, band: bandOf(bands, total.mastery), labels, weak: labels.filter(({ band }) => band.from === lowest?.from).sort((a, b) => a.mastery - b.mastery || a.label_id - b.label_id) }
}

/** Learners that a report is tried with: what each of them solves. */
export const LEARNERS = [
  { value: 'strong', label: '学优生', solves: ({ difficulty }: Asked) => (difficulty ?? USUAL) >= 2 },
  { value: 'middle', label: '中等生', solves: ({ difficulty }: Asked, at: number) => (difficulty ?? USUAL) >= 4 || ((difficulty ?? USUAL) === 3 && at % 2 === 0) },
  { value: 'weak', label: '基础薄弱', solves: ({ difficulty }: Asked, at: number) => (difficulty ?? USUAL) === 5 || at % 4 === 0 },
] as const
export type LearnerKind = (typeof LEARNERS)[number]['value']

/** The answers of an invented learner. */
export function answersOf(kind: LearnerKind, questions: readonly Asked[]): Map<number, number> {
  const learner = LEARNERS.find(({ value }) => value === kind)
  return new Map(questions.map((question, at) => [question.practice_id, learner?.solves(question, at) ? 1 : 0]))
}

/**
 * Questions that follow one another, some of them only after certain answers. What somebody is asked is a pure function of the
 * questions and the answers, so that the page, its preview, the server and the figures agree on it.
 */

export const SURVEY_TYPES = ['single', 'multi', 'fill', 'words', 'rate', 'nps', 'matrix', 'rank', 'date', 'note', 'page'] as const
export type SurveyType = (typeof SURVEY_TYPES)[number]

/** A choice, or a row of a matrix. Its id never changes and never means another. */
export interface SurveyOption { readonly id: string; readonly label: string }

/** Asked only if an earlier question was answered by one of these. */
export interface SurveyCondition { readonly question: string; readonly any: readonly string[] }

/** Who answers by one of these goes on at a later item, or is at the end. */
export interface SurveyJump { readonly any: readonly string[]; readonly to: string }

/** A question; words between questions and the begin of another page are items too. */
export interface SurveyItem {
  readonly id: string
  readonly type: SurveyType
  readonly title: string
  readonly note?: string | undefined
  readonly required?: boolean | undefined
  readonly options?: readonly SurveyOption[] | undefined
  readonly rows?: readonly SurveyOption[] | undefined
  /** Most choices, most characters, or the highest mark. */
  readonly most?: number | undefined
  /** What the ends of a scale mean. */
  readonly low?: string | undefined
  readonly high?: string | undefined
  readonly show?: SurveyCondition | undefined
  readonly jumps?: readonly SurveyJump[] | undefined
}

/** By the ids of the questions: ids of options, a number, a day, words. A cell of a matrix is `row:option`. */
export type SurveyAnswers = Readonly<Record<string, string | readonly string[]>>

/** Where a jump leads that ends the questions. */
export const END = 'end'
/** Highest mark unless a question says otherwise. */
const MARKS = 5
const NPS = 10

/** Items that ask for something. */
export const asks = ({ type }: Pick<SurveyItem, 'type'>): boolean => type !== 'note' && type !== 'page'
/** Items whose answers are among a few that are known, so that others may depend on them. */
export const branches = ({ type }: Pick<SurveyItem, 'type'>): boolean => type === 'single' || type === 'multi' || type === 'rate' || type === 'nps'

/** What can be answered, of a question with a few answers that are known: options, or marks. */
export function optionsOf({ type, options, most }: SurveyItem): readonly SurveyOption[] {
  if (type === 'nps') return Array.from({ length: NPS + 1 }, (_, mark) => ({ id: String(mark), label: String(mark) }))
  if (type === 'rate') return Array.from({ length: most ?? MARKS }, (_, mark) => ({ id: String(mark + 1), label: `${mark + 1} 分` }))
  return options ?? []
}

/** An answer as a list; empty where there is none. */
export const given = (answer: SurveyAnswers[string] | undefined): string[] => [answer ?? []].flat().map((one) => one.trim()).filter(Boolean)

/** Items that somebody sees who answers so, in their order. Answers to what they do not see count for nothing. */
export function path(items: readonly SurveyItem[], answers: SurveyAnswers): SurveyItem[] {
  const seen: SurveyItem[] = []
  const said = new Map<string, readonly string[]>()
  let skipTo: string | undefined
  for (const item of items) {
    if (skipTo !== undefined && item.id !== skipTo) continue
    skipTo = undefined
    if (item.show && !item.show.any.some((one) => said.get(item.show?.question ?? '')?.includes(one))) continue
    seen.push(item)
    if (!asks(item)) continue
    const answer = given(answers[item.id])
    said.set(item.id, answer)
    const jump = item.jumps?.find(({ any }) => any.some((one) => answer.includes(one)))
    if (jump?.to === END) break
    skipTo = jump?.to
  }
  return seen
}

/** The pages of what somebody sees; an empty one is none. */
export function pagesOf(seen: readonly SurveyItem[]): SurveyItem[][] {
  const pages: SurveyItem[][] = [[]]
  for (const item of seen) {
    if (item.type === 'page') pages.push([])
    pages.at(-1)?.push(item)
  }
  return pages.filter((page) => page.some(({ type }) => type !== 'page'))
}

const isDay = (text: string) => /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)) && new Date(text).toISOString().startsWith(text)

/** Why an answer cannot be taken; undefined when it can. */
function problemOf(item: SurveyItem, answer: SurveyAnswers[string] | undefined): string | undefined {
  const words = given(answer)
  const known = (ids: readonly string[]) => words.every((one) => ids.includes(one))
  const ids = optionsOf(item).map(({ id }) => id)
  if (words.length === 0) return item.required ? '这道题还没有回答' : undefined
  if (new Set(words).size < words.length) return '同一选项选了两次'
  if (item.type === 'fill' || item.type === 'words') return words.length === 1 && (words[0]?.length ?? 0) <= (item.most ?? MOST_WORDS[item.type]) ? undefined : `最多 ${item.most ?? MOST_WORDS[item.type]} 个字`
  if (item.type === 'date') return words.length === 1 && isDay(words[0] ?? '') ? undefined : '日期有误'
  if (item.type === 'matrix') {
    const cells = (item.rows ?? []).flatMap((row) => ids.map((id) => `${row.id}:${id}`))
    if (!known(cells)) return '选项不存在，请刷新页面'
    const rows = new Set(words.map((one) => one.split(':')[0]))
    if (rows.size < words.length) return '每行只能选一项'
    return rows.size < (item.rows?.length ?? 0) && item.required ? '还有没选的行' : undefined
  }
  if (!known(ids)) return '选项不存在，请刷新页面'
  if (item.type === 'rank') return words.length === ids.length ? undefined : '请把所有选项排好'
  if (item.type === 'multi') return item.most !== undefined && words.length > item.most ? `最多选 ${item.most} 项` : undefined
  return words.length === 1 ? undefined : '只能选一项'
}

/** Most characters of an answer in words, unless the question says otherwise. */
export const MOST_WORDS = { fill: 100, words: 500 } as const

/** What is wrong with answers, by the id of the question; only what somebody sees is looked at. */
export function surveyProblems(items: readonly SurveyItem[], answers: SurveyAnswers): Record<string, string> {
  return Object.fromEntries(path(items, answers).filter(asks).flatMap((item) => {
    const problem = problemOf(item, answers[item.id])
    return problem === undefined ? [] : [[item.id, problem]]
  }))
}

/** Answers as they are kept: of what somebody sees alone, each as a list. */
export function keptAnswers(items: readonly SurveyItem[], answers: SurveyAnswers): { path: string[]; values: Record<string, string[]> } {
  const seen = path(items, answers).filter(asks)
  return { path: seen.map(({ id }) => id), values: Object.fromEntries(seen.flatMap((item) => { const words = given(answers[item.id]); return words.length === 0 ? [] : [[item.id, words]] })) }
}

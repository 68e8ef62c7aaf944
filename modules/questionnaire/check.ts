import { asks, branches, END, optionsOf, type SurveyAnswers, type SurveyItem, path } from '../../core/public-page/survey.ts'

/** Something that is wrong with questions, at the item where it is mended. */
export interface Problem { readonly id: string; readonly words: string }

const NEEDS_OPTIONS: readonly SurveyItem['type'][] = ['single', 'multi', 'matrix', 'rank']
const MOST_ITEMS = 100

/** Names an item as people see it: by its number among the questions. */
export function numberOf(items: readonly SurveyItem[], id: string): string {
  const at = items.filter(asks).findIndex((item) => item.id === id)
  return at < 0 ? '该项' : `第 ${at + 1} 题`
}

/** What is wrong with options that people choose from. */
function optionProblems(item: SurveyItem): string[] {
  const lists: [string, NonNullable<SurveyItem['options']>][] = [...(NEEDS_OPTIONS.includes(item.type) ? [['选项', item.options ?? []] as [string, NonNullable<SurveyItem['options']>]] : []), ...(item.type === 'matrix' ? [['行', item.rows ?? []] as [string, NonNullable<SurveyItem['options']>]] : [])]
  return lists.flatMap(([noun, list]) => [
    ...(list.length < (noun === '行' ? 1 : 2) ? [noun === '行' ? '至少要有 1 行' : '至少要有 2 个选项'] : []),
    ...(list.some(({ label }) => label.trim() === '') ? [`有${noun}没有文字`] : []),
    ...(new Set(list.map(({ label }) => label.trim())).size < list.length ? [`有相同的${noun}`] : []),
  ])
}

/** What is wrong with where an item leads and on what it depends: both look in one direction alone. */
function orderProblems(items: readonly SurveyItem[], item: SurveyItem, at: number): string[] {
  const place = (id: string) => items.findIndex((one) => one.id === id)
  const lacks = (question: SurveyItem | undefined, any: readonly string[]) => !question || any.some((id) => !optionsOf(question).some((one) => one.id === id))
  const found: string[] = []
  if (item.show) {
    const of = items[place(item.show.question)]
    if (!of) found.push('显示条件的题已被删除')
    else if (place(item.show.question) >= at) found.push('显示条件只能看前面的题')
    else if (!branches(of)) found.push('显示条件只能看单选、多选、评分和 NPS')
    else if (item.show.any.length === 0 || lacks(of, item.show.any)) found.push('显示条件的选项不存在')
  }
  for (const { any, to } of item.jumps ?? []) {
    if (!branches(item)) found.push('这种题不能跳转')
    else if (any.length === 0 || lacks(item, any)) found.push('跳转的选项不存在')
    if (to === END) continue
    if (place(to) < 0) found.push('跳转到的题已被删除')
    else if (place(to) <= at) found.push('只能跳到后面的题')
  }
  return found
}

/** Everything that is wrong with questions but whether somebody can come to each of them. */
export function itemProblems(items: readonly SurveyItem[]): Problem[] {
  if (!items.some(asks)) return [{ id: '', words: '至少要有一道题' }]
  if (items.length > MOST_ITEMS) return [{ id: '', words: `最多 ${MOST_ITEMS} 项` }]
  const twice = items.find(({ id }, at) => items.findIndex((one) => one.id === id) < at || id === END)
  return [
    ...(twice ? [{ id: twice.id, words: '题目编号重复' }] : []),
    ...items.flatMap((item, at) => [...(item.title.trim() === '' && item.type !== 'page' ? ['没有题目文字'] : []), ...optionProblems(item), ...orderProblems(items, item, at)].map((words) => ({ id: item.id, words }))),
  ]
}

/** What a walk through all branches found. */
export interface Branches {
  /** Ids of the items that nobody comes to. */
  readonly unreachable: readonly string[]
  /** Ways through the questions that differ, each with answers that lead there. */
  readonly ways: readonly { readonly ids: readonly string[]; readonly answers: SurveyAnswers }[]
  /** There are more than were walked. */
  readonly cut: boolean
}

/** Ways that are walked, and answers that are tried: more than anybody draws. */
const MOST_WAYS = 300
const MOST_STEPS = 20_000

/** Answers that lead on differently: options with the same consequences are one, of several choices each sum of them. */
function outcomesOf(items: readonly SurveyItem[], item: SurveyItem): readonly (readonly string[])[] {
  const rules = [...(item.jumps ?? []).map(({ any }) => any), ...items.flatMap(({ show }) => (show?.question === item.id ? [show.any] : []))]
  const sign = (ids: readonly string[]) => rules.map((any) => (any.some((one) => ids.includes(one)) ? '1' : '0')).join('')
  const kinds = new Map<string, readonly string[]>()
  const keep = (ids: readonly string[]) => { if (!kinds.has(sign(ids))) kinds.set(sign(ids), ids) }
  if (!item.required) keep([])
  for (const { id } of optionsOf(item)) keep([id])
  if (item.type !== 'multi') return [...kinds.values()]
  const most = item.most ?? Infinity
  // Each sum of what was found is tried until nothing new comes of it.
  for (let before = 0; before < kinds.size && kinds.size < 64;) {
    before = kinds.size
    // What is found meanwhile is tried by the next round.
    const known = [...kinds.values()]
    for (const one of known) for (const { id } of optionsOf(item)) if (one.length < most && !one.includes(id)) keep([...one, id])
  }
  return [...kinds.values()]
}

/** Walks every branch: tries all answers on which something depends. */
export function runBranches(items: readonly SurveyItem[]): Branches {
  const deciding = new Set(items.flatMap((item) => [...(item.jumps?.length ? [item.id] : []), ...(item.show ? [item.show.question] : [])]))
  const reached = new Set<string>()
  const ways = new Map<string, Branches['ways'][number]>()
  let [steps, cut] = [0, false]
  const walk = (answers: SurveyAnswers) => {
    if (++steps > MOST_STEPS || ways.size >= MOST_WAYS) { cut = true; return }
    const seen = path(items, answers)
    const open = seen.find((item) => deciding.has(item.id) && !Object.hasOwn(answers, item.id))
    if (open) {
      for (const outcome of outcomesOf(items, open)) walk({ ...answers, [open.id]: outcome })
      return
    }
    for (const { id } of seen) reached.add(id)
    const ids = seen.filter(asks).map(({ id }) => id)
    const key = ids.join(' ')
    if (!ways.has(key)) ways.set(key, { ids, answers })
  }
  walk({})
  return { unreachable: cut ? [] : items.filter(({ id }) => !reached.has(id)).map(({ id }) => id), ways: [...ways.values()], cut }
}

/** Everything that stops questions from being published. */
export function publishProblems(items: readonly SurveyItem[]): Problem[] {
  const found = itemProblems(items)
  if (found.length > 0) return found
  return runBranches(items).unreachable.map((id) => ({ id, words: '没有任何回答能到达这里' }))
}

/** The shape by which answers are counted: all but words, and options that were added. */
const bones = (items: readonly SurveyItem[]) => JSON.stringify(items.map(({ id, type, required, most, show, jumps, rows }) => [id, type, required ?? false, most ?? null, show ? [show.question, show.any] : null, (jumps ?? []).map(({ any, to }) => [any, to]), (rows ?? []).map((row) => row.id)]))

/** Whether questions that were published may become these: words change, and options are added behind the others. */
export function keepsMeaning(before: readonly SurveyItem[], after: readonly SurveyItem[]): boolean {
  return bones(before) === bones(after) && before.every((item, at) => (item.options ?? []).every(({ id }, place) => after[at]?.options?.[place]?.id === id))
}

/** Seconds a question that somebody reads takes at least. */
const READING = 2
/** Marks that are all the same say little from how many on, where nobody took this long over a question. */
const STRAIGHT = 4
const THINKING = 5

/** Why answers were given without a look at the questions; undefined where they were not. */
export function careless(items: readonly SurveyItem[], values: Readonly<Record<string, readonly string[]>>, asked: number, seconds: number): string | undefined {
  if (asked > 0 && seconds / asked < READING) return `平均每题 ${(seconds / asked).toFixed(1)} 秒`
  if (asked > 0 && seconds / asked >= THINKING) return undefined
  const marks = items.filter(({ type }) => type === 'rate' || type === 'nps').flatMap(({ id }) => values[id]?.[0] ?? [])
  const straight = (all: readonly string[]) => all.length >= STRAIGHT && new Set(all).size === 1
  if (straight(marks)) return '所有评分都相同'
  const table = items.find(({ id, type }) => type === 'matrix' && straight((values[id] ?? []).map((cell) => cell.split(':')[1] ?? '')))
  return table ? '矩阵题每行都相同' : undefined
}

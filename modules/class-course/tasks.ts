/** What a training plan consists of: tasks on days. Pure. */
import * as z from 'zod/mini'

/** Longest plan: a year of days on which something is done. */
export const MOST_DAYS = 365
export const MOST_TASKS = 2000
/** Days of a row of the board. */
export const WEEK = 7

/** What a task asks for (domain 1.5), and what it may show. */
export const TASK_KINDS = [
  { value: 'watch', label: '看课', shows: ['video', 'micro', 'combination'] }, { value: 'exercise', label: '练习', shows: ['paper', 'combination'] }, { value: 'paper', label: '试卷', shows: ['paper'] },
  { value: 'recite', label: '背诵', shows: [] }, { value: 'check', label: '打卡', shows: [] }, { value: 'review', label: '复盘', shows: [] },
] as const
/** Kinds of content that tasks show. */
export const SHOWN_KINDS = ['video', 'micro', 'combination', 'paper'] as const

/** What has to happen before a task opens. */
export const UNLOCKS = [{ value: 0, label: '当天开放' }, { value: 1, label: '完成上一项后开放' }] as const

const taskSchema = z.object({
  /** Made by the one who adds the task, so that two editors, a version and what somebody did name the same thing. */
  key: z.string('编号不正确').check(z.regex(/^[\w-]{1,24}$/, '编号不正确')),
  /** Counted from 1; days of rest do not count. */
  day: z.int('第几天应为整数').check(z.gte(1, '第几天至少为 1'), z.lte(MOST_DAYS, `最多 ${MOST_DAYS} 天`)),
  kind: z.enum(TASK_KINDS.map(({ value }) => value), '任务类型不正确'),
  /** What it shows; null for one of words alone. */
  show: z.nullable(z.object({ kind: z.enum(SHOWN_KINDS, '内容类型不正确'), ref_id: z.int('内容不正确').check(z.positive('内容不正确')) })),
  title: z.string('标题应为文字').check(z.trim(), z.minLength(1, '请填写标题'), z.maxLength(80, '标题最多 80 个字')),
  minutes: z.int('时长应为整数').check(z.gte(0, '时长不能小于 0'), z.lte(600, '时长最多 600 分钟')),
  required: z.boolean('是否必做不正确'),
  unlock: z.int('开放方式不正确').check(z.gte(0, '开放方式不正确'), z.lte(1, '开放方式不正确')),
})
export type PlanTask = z.infer<typeof taskSchema>

export const tasksSchema: z.ZodMiniType<PlanTask[]> = z.array(taskSchema, '任务有误').check(
  z.maxLength(MOST_TASKS, `最多 ${MOST_TASKS} 项任务`), z.refine((list) => new Set(list.map(({ key }) => key)).size === list.length, '任务有重复，请刷新后重试'),
)

export const newKey = (): string => crypto.randomUUID().replaceAll('-', '').slice(0, 16)

/** Tasks by their days; those of one day in the order of the list. */
export const inOrder = (tasks: readonly PlanTask[]): PlanTask[] => tasks.toSorted((a, b) => a.day - b.day)

/** The last day on which something is to be done; 0 without any. */
export const lastDay = (tasks: readonly PlanTask[]): number => tasks.reduce((last, { day }) => Math.max(last, day), 0)

/** Brings tasks to a day, before another task of it or behind all of them. Those that are there already come from where they were. */
export function place(tasks: readonly PlanTask[], moved: readonly PlanTask[], day: number, before?: string): PlanTask[] {
  const keys = new Set(moved.map(({ key }) => key))
  const rest = tasks.filter(({ key }) => !keys.has(key))
  // Before one that moves along means before the next that stays.
  const own = tasks.filter((task) => task.day === day)
  const from = own.findIndex(({ key }) => key === before)
  const stays = from < 0 ? undefined : own.slice(from).find(({ key }) => !keys.has(key))?.key
  const at = stays === undefined ? rest.length : rest.findIndex(({ key }) => key === stays)
  return inOrder([...rest.slice(0, at), ...moved.map((task) => ({ ...task, day })), ...rest.slice(at)])
}

/** Tasks again on another day: the same things to do, as tasks of their own. */
export const copies = (tasks: readonly PlanTask[]): PlanTask[] => tasks.map((task) => ({ ...task, key: newKey() }))

/** Moves everything from a day on by some days; undefined where something would leave the plan. */
export function shift(tasks: readonly PlanTask[], from: number, by: number): PlanTask[] | undefined {
  const next = tasks.map((task) => (task.day < from ? task : { ...task, day: task.day + by }))
  // What moves towards the beginning may not overtake what stays.
  const stays = Math.max(0, ...tasks.filter(({ day }) => day < from).map(({ day }) => day))
  const first = Math.min(MOST_DAYS, ...next.filter((_, at) => (tasks[at]?.day ?? 0) >= from).map(({ day }) => day))
  return first < 1 || (by < 0 && first <= stays) || lastDay(next) > MOST_DAYS ? undefined : inOrder(next)
}

/** A lesson of an outline, with what it shows. */
export interface Lesson {
  readonly name: string
  readonly contents: readonly { readonly kind: string; readonly ref_id: number; readonly name: string; readonly minutes: number }[]
}

export interface Generating {
  /** Minutes of one day; a task that is longer has a day of its own. */
  readonly minutes: number
  /** Words of an exercise after each lesson that shows no paper; empty: none. */
  readonly practice: boolean
  /** Every seventh day is for looking back. */
  readonly review: boolean
  /** First day. */
  readonly from: number
}

const isKind = (kind: string): kind is (typeof SHOWN_KINDS)[number] => (SHOWN_KINDS as readonly string[]).includes(kind)
/** Minutes of an exercise and of a look back of which nobody said how long they take. */
const USUAL = { exercise: 15, review: 30, watch: 20 } as const

/** 按目录生成: the lessons of an outline in their order, as many a day as its minutes hold. What does not fit into a plan is left out. */
export function generate(lessons: readonly Lesson[], { minutes, practice, review, from }: Generating): PlanTask[] {
  const made = lessons.flatMap(({ name, contents }): Omit<PlanTask, 'day' | 'key'>[] => {
    const shown = contents.flatMap(({ kind, ref_id, name: title, minutes: own }): Omit<PlanTask, 'day' | 'key'>[] => (isKind(kind)
      ? [{ kind: kind === 'paper' ? 'exercise' : 'watch', show: { kind, ref_id }, title: title.slice(0, 80), minutes: Math.min(600, own > 0 ? own : kind === 'paper' ? USUAL.exercise : USUAL.watch), required: true, unlock: 0 }] : []))
    const asks = practice && shown.length > 0 && !shown.some(({ kind }) => kind === 'exercise')
    return [...shown, ...(asks ? [{ kind: 'exercise' as const, show: null, title: `${name} 课后练习`.slice(0, 80), minutes: USUAL.exercise, required: true, unlock: 1 }] : [])]
  })
  const isReview = (day: number) => review && day % WEEK === 0
  const tasks: PlanTask[] = []
  let [day, spent] = [from, 0]
  const lookBack = () => tasks.push({ key: newKey(), day, kind: 'review', show: null, title: `第 ${day / WEEK} 周复盘`, minutes: USUAL.review, required: true, unlock: 0 })
  const next = () => {
    day++
    spent = 0
  }
  for (const task of made) {
    if (spent > 0 && spent + task.minutes > minutes) next()
    for (; isReview(day); next()) if (tasks.length > 0) lookBack()
    if (day > MOST_DAYS || tasks.length >= MOST_TASKS) break
    tasks.push({ ...task, key: newKey(), day })
    spent += task.minutes
  }
  if (review && tasks.length > 0 && !isReview(lastDay(tasks))) {
    day = Math.ceil((lastDay(tasks) + 1) / WEEK) * WEEK
    if (day <= MOST_DAYS) lookBack()
  }
  return tasks
}

const same = (a: PlanTask | undefined, b: PlanTask | undefined) => JSON.stringify(a) === JSON.stringify(b)

/** What two people made of the same tasks: what one removed is gone, what one changed is changed, what both changed is as mine. @param base what both began with */
export function merge(base: readonly PlanTask[], mine: readonly PlanTask[], theirs: readonly PlanTask[]): PlanTask[] {
  const byKey = (list: readonly PlanTask[]) => new Map(list.map((task) => [task.key, task]))
  const [was, own, other] = [byKey(base), byKey(mine), byKey(theirs)]
  const kept = (key: string): PlanTask[] => {
    const [before, now, then] = [was.get(key), own.get(key), other.get(key)]
    if (before && (!now || !then)) return []
    return [now && (!then || !same(before, now)) ? now : then ?? now].flatMap((task) => task ?? [])
  }
  return inOrder([...theirs.map(({ key }) => key), ...mine.flatMap(({ key }) => (other.has(key) ? [] : [key]))].flatMap(kept))
}

/** Which tasks differ between two states of a plan. */
export function differences(before: readonly PlanTask[], after: readonly PlanTask[]): { added: number; removed: number; changed: number } {
  const [was, is] = [new Map(before.map((task) => [task.key, task])), new Map(after.map((task) => [task.key, task]))]
  return {
    added: after.filter(({ key }) => !was.has(key)).length, removed: before.filter(({ key }) => !is.has(key)).length,
    changed: after.filter(({ key }) => was.has(key) && !same(was.get(key), is.get(key))).length,
  }
}

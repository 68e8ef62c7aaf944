import fc from 'fast-check'
import { expect, test } from 'vitest'
import { startOfDay } from '../../core/field/time.ts'
import { dateOf, dayNo, scheduleOf, standing } from './run.ts'
import { copies, generate, inOrder, lastDay, merge, MOST_DAYS, place, shift, WEEK, type Lesson, type PlanTask } from './tasks.ts'

const DAY = 86_400
const START = startOfDay(1_790_000_000)
const plan = fc.uniqueArray(fc.record({ key: fc.stringMatching(/^[a-h]$/), day: fc.integer({ min: 1, max: 20 }), minutes: fc.integer({ min: 0, max: 90 }) }), { selector: ({ key }) => key, minLength: 1, maxLength: 8 })
  .map((list): PlanTask[] => inOrder(list.map((one) => ({ ...one, kind: 'watch', show: null, title: one.key, required: true, unlock: 0 }))))
const lessons = fc.array(fc.record({ name: fc.constant('课时'), contents: fc.array(fc.record({ kind: fc.constantFrom('video', 'micro', 'paper', 'text'), ref_id: fc.integer({ min: 1, max: 99 }), name: fc.constant('内容'), minutes: fc.integer({ min: 0, max: 120 }) }), { maxLength: 3 }) }), { maxLength: 30 }) as fc.Arbitrary<Lesson[]>
const keys = (tasks: readonly PlanTask[]) => tasks.map(({ key }) => key)
const isOrdered = (tasks: readonly PlanTask[]) => tasks.every(({ day }, at) => day >= (tasks[at - 1]?.day ?? 0))

test('a task that is dragged stands on its day before what it was dropped on; every other task stays where it was', () => {
  fc.assert(fc.property(plan, fc.nat(7), fc.integer({ min: 1, max: 20 }), fc.nat(7), (tasks, which, day, target) => {
    const moved = tasks[which % tasks.length] as PlanTask
    const own = tasks.filter((task) => task.day === day && task !== moved)
    const before = own[target % Math.max(1, own.length)]
    const next = place(tasks, [moved], day, before?.key)
    expect(keys(next).toSorted()).toEqual(keys(tasks).toSorted())
    expect(isOrdered(next)).toBe(true)
    expect(next.find(({ key }) => key === moved.key)).toEqual({ ...moved, day })
    expect(next.filter(({ key }) => key !== moved.key)).toEqual(tasks.filter(({ key }) => key !== moved.key))
    if (before) expect(keys(next).indexOf(moved.key)).toBe(keys(next).indexOf(before.key) - 1)
    // A copy leaves the original, and is a task of its own.
    const copied = place(tasks, copies([moved]), day)
    expect([copied.length, new Set(keys(copied)).size, copied.includes(moved)]).toEqual([tasks.length + 1, tasks.length + 1, true])
  }))
})

test('shifting moves everything from a day on alike, and back again; nothing leaves the plan or overtakes', () => {
  fc.assert(fc.property(plan, fc.integer({ min: 1, max: 21 }), fc.integer({ min: -5, max: 400 }).filter((by) => by !== 0), (tasks, from, by) => {
    const next = shift(tasks, from, by)
    if (!next) return
    expect(isOrdered(next)).toBe(true)
    expect(next.every(({ day }) => day >= 1 && day <= MOST_DAYS)).toBe(true)
    for (const task of tasks) expect(next.find(({ key }) => key === task.key)?.day).toBe(task.day < from ? task.day : task.day + by)
    const first = Math.min(...tasks.filter(({ day }) => day >= from).map(({ day }) => day))
    if (Number.isFinite(first)) expect(shift(next, first + by, -by)).toEqual(tasks)
  }))
})

test('what is generated holds every lesson once in its order, no more than a day holds, and looks back on every seventh day', () => {
  fc.assert(fc.property(lessons, fc.integer({ min: 10, max: 180 }), fc.boolean(), fc.boolean(), (list, minutes, practice, review) => {
    const tasks = generate(list, { minutes, practice, review, from: 1 })
    const shown = list.flatMap(({ contents }) => contents.filter(({ kind }) => kind !== 'text').map(({ kind, ref_id }) => `${kind} ${ref_id}`))
    expect(tasks.flatMap(({ show }) => (show ? [`${show.kind} ${show.ref_id}`] : []))).toEqual(shown)
    expect(isOrdered(tasks)).toBe(true)
    for (const own of Map.groupBy(tasks, ({ day }) => day).values()) expect(own.length === 1 || own.reduce((sum, task) => sum + task.minutes, 0) <= minutes).toBe(true)
    const reviews = tasks.filter(({ kind }) => kind === 'review').map(({ day }) => day)
    expect(reviews).toEqual(review && tasks.length > 0 ? Array.from({ length: Math.floor(lastDay(tasks) / WEEK) }, (_, week) => (week + 1) * WEEK) : [])
    if (review) expect(tasks.every(({ day, kind }) => (day % WEEK === 0) === (kind === 'review'))).toBe(true)
  }))
})

test('days of the plan and dates name each other, whatever days of the week are for rest', () => {
  fc.assert(fc.property(fc.integer({ min: 0, max: 400 }), fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { maxLength: 7 }), fc.integer({ min: 1, max: 60 }), (offset, rest_days, day) => {
    const calendar = { start_on: START + offset * DAY, rest_days }
    const date = dateOf(calendar, day)
    expect(dayNo(calendar, date)).toBe(day)
    expect(dayNo(calendar, date - DAY)).toBe(day - 1)
    expect(dateOf(calendar, day + 1)).toBeGreaterThan(date)
    expect(dayNo(calendar, calendar.start_on - DAY)).toBe(0)
  }))
})

test('a version that is published later changes nothing of the days before it, and everything from its day on', () => {
  fc.assert(fc.property(plan, plan, fc.integer({ min: 1, max: 20 }), (first, second, from_day) => {
    const versions = new Map([[1, first], [2, second]])
    const tasks = scheduleOf([{ no: 1, from_day: 1 }, { no: 2, from_day }], versions)
    expect(tasks.filter(({ day }) => day < from_day)).toEqual(first.filter(({ day }) => day < from_day))
    expect(tasks.filter(({ day }) => day >= from_day)).toEqual(second.filter(({ day }) => day >= from_day))
    // Whoever has done everything is not behind; nobody is behind with what stands on today.
    for (const today of [0, from_day, 30]) {
      expect(standing(tasks, today, new Set(keys(tasks))).behind).toBe(0)
      expect(standing(tasks, today, new Set()).behind).toBe(tasks.filter(({ day }) => day < today).length)
    }
  }))
})

test('two who edit one plan lose nothing: what both left alone stays, what one did is done, and mine wins where both did', () => {
  fc.assert(fc.property(plan, plan, plan, (base, mine, theirs) => {
    const next = merge(base, mine, theirs)
    const of = (list: readonly PlanTask[]) => new Map(list.map((task) => [task.key, JSON.stringify(task)]))
    const [was, own, other, is] = [of(base), of(mine), of(theirs), of(next)]
    for (const key of new Set([...was.keys(), ...own.keys(), ...other.keys()])) {
      const [b, m, t] = [was.get(key), own.get(key), other.get(key)]
      if (b !== undefined && (m === undefined || t === undefined)) expect(is.get(key)).toBeUndefined()
      else expect(is.get(key)).toBe(m !== undefined && m !== b ? m : t ?? m)
    }
    expect(isOrdered(next)).toBe(true)
    expect(merge(base, base, theirs)).toEqual(inOrder(theirs.filter(({ key }) => other.has(key))))
  }))
})

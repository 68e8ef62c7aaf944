import { expect, test } from 'vitest'
import { readTime } from '../../core/field/time.ts'
import { clocksOf, pausedAfter, PRIORITY, TICKET_STATE as S } from './sla.ts'
import { addWorking, isWorkDay, sayMinutes, workingBetween } from './work-time.ts'

const at = (text: string) => Number(readTime(text))
const day = (text: string) => at(`${text} 00:00`)

test('weekends, holidays and 调休 are known', () => {
  expect(['2026-11-23', '2026-11-28', '2026-10-01', '2026-10-10', '2026-09-20'].map((text) => isWorkDay(day(text)))).toEqual([true, false, false, true, true])
})

test('a clock stops at lunch, at night and over the weekend', () => {
  expect(addWorking(at('2026-11-23 11:30'), 60)).toBe(at('2026-11-23 14:00'))
  expect(addWorking(at('2026-11-23 20:00'), 30)).toBe(at('2026-11-24 09:30'))
  expect(addWorking(at('2026-11-27 17:30'), 60)).toBe(at('2026-11-30 09:30'))
  expect(workingBetween(at('2026-11-23 11:00'), at('2026-11-23 14:30'))).toBe(120)
  expect(workingBetween(at('2026-11-27 18:00'), at('2026-11-30 09:00'))).toBe(0)
  expect([35, 130, 450 * 3].map(sayMinutes)).toEqual(['35 分钟', '2 小时 10 分', '3 个工作日'])
})

test('the first clock runs until the first answer, the next only while the user spoke last, and a pause survives another priority', () => {
  const facts = { created_at: at('2026-11-23 09:00'), priority: PRIORITY.normal, state: S.waiting, first_at: null, asked_at: at('2026-11-23 09:00'), paused_min: 0, merged: false }
  const fresh = clocksOf(facts)
  expect(fresh).toMatchObject({ first_due_at: at('2026-11-23 11:00'), next_due_at: null, due_at: at('2026-11-23 11:00') })
  const answered = clocksOf({ ...facts, state: S.doing, first_at: at('2026-11-23 09:20'), asked_at: null })
  expect(answered).toMatchObject({ first_due_at: null, next_due_at: null, due_at: fresh.solve_due_at })
  expect(clocksOf({ ...facts, state: S.user, first_at: at('2026-11-23 09:20'), asked_at: null }).due_at).toBeNull()
  const paused = pausedAfter(0, at('2026-11-23 10:00'), at('2026-11-23 14:00'))
  expect(paused).toBe(150)
  for (const priority of Object.values(PRIORITY)) {
    const before = clocksOf({ ...facts, priority, state: S.doing, first_at: 1, asked_at: null }).solve_due_at ?? 0
    expect(clocksOf({ ...facts, priority, state: S.doing, first_at: 1, asked_at: null, paused_min: paused }).solve_due_at).toBeGreaterThan(before)
  }
  expect(clocksOf({ ...facts, merged: true }).due_at).toBeNull()
  expect(clocksOf({ ...facts, state: S.closed }).due_at).toBeNull()
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatDate, readTime } from '../../core/field/time.ts'
import { holidaysWithin, onDay, planMeetings, spanWords, weekdayOf } from './schedule.ts'

const day = (text: string) => Number(readTime(text))
const DAY = 86_400

test('a class meets at its times from its first day on, and not on days that are left out', () => {
  const spans = planMeetings({ from: day('2026-09-28'), times: [{ weekday: 1, hours: '08:30-10:30' }, { weekday: 4, hours: '19:00-20:30' }], count: 4, skip: holidaysWithin(day('2026-09-28'), day('2026-10-31')).flatMap(({ days }) => days) })
  expect(spans.map(spanWords)).toEqual(['2026-09-28 周一 08:30–10:30', '2026-10-08 周四 19:00–20:30', '2026-10-12 周一 08:30–10:30', '2026-10-15 周四 19:00–20:30'])
})

test('every meeting is on one of the weekdays, on no day that is left out, later than the one before', () => {
  const times = fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1 }).map((weekdays) => weekdays.map((weekday) => ({ weekday, hours: '08:30-10:30' })))
  fc.assert(fc.property(times, fc.integer({ min: 1, max: 40 }), fc.integer({ min: 0, max: 700 }), fc.array(fc.integer({ min: 0, max: 60 })), (list, count, start, gone) => {
    const from = day('2025-01-01') + start * DAY
    const skip = gone.map((n) => formatDate(from + n * DAY))
    const spans = planMeetings({ from, times: list, count, skip })
    expect(spans).toHaveLength(count)
    for (const [index, span] of spans.entries()) {
      expect(list.map(({ weekday }) => weekday)).toContain(weekdayOf(span.start_at))
      expect(skip).not.toContain(formatDate(span.start_at))
      expect(span.start_at).toBeGreaterThan(spans[index - 1]?.start_at ?? 0)
      expect(span.end_at - span.start_at).toBe(7200)
    }
  }))
})

test('a meeting that is put on another day keeps its hours; no time of the week leads to no meeting', () => {
  expect(spanWords(onDay({ start_at: day('2026-07-01 08:30'), end_at: day('2026-07-01 10:00') }, day('2026-07-05 23:00')))).toBe('2026-07-05 周日 08:30–10:00')
  expect(planMeetings({ from: day('2026-07-01'), times: [], count: 3, skip: [] })).toEqual([])
  expect(holidaysWithin(day('2026-10-06'), day('2026-10-20'))).toEqual([{ name: '国庆节', days: ['2026-10-06', '2026-10-07'] }])
})

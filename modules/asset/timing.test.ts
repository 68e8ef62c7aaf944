import { expect, test } from 'vitest'
import { beyondEnd, clock, shiftTimed } from './timing.ts'

const CUES = [{ sec: 3, back_to: 1 }, { sec: 10, back_to: null }]

test('what is bound to seconds moves by one offset, and nothing is lost at the beginning', () => {
  expect(shiftTimed(CUES, 5)).toEqual([{ sec: 8, back_to: 6 }, { sec: 15, back_to: null }])
  expect(shiftTimed(CUES, -4)).toEqual([{ sec: 0, back_to: 0 }, { sec: 6, back_to: null }])
})

test('what lies behind the end is found, nothing while the length is unknown', () => {
  expect(beyondEnd(CUES, 9)).toEqual([CUES[1]])
  expect(beyondEnd([{ sec: 1, back_to: 30 }], 9)).toHaveLength(1)
  expect(beyondEnd(CUES, null)).toEqual([])
})

test('seconds are written as people read them', () => {
  expect([5, 65, 3727.9].map(clock)).toEqual(['0:05', '1:05', '1:02:07'])
})

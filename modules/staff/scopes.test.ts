import { expect, test } from 'vitest'
import { changedScopes, rebaseScopes, scopeProblems } from './scopes.ts'

test('order and repetition are no change, and an empty list is no limit', () => {
  expect(changedScopes({ subject: [2, 1], level: [] }, { subject: [1, 2, 2] })).toEqual([])
  expect(changedScopes({ subject: [1] }, { subject: [1, 2], school: [7] })).toEqual(['subject', 'school'])
  expect(changedScopes({ subject: [1] }, {})).toEqual(['subject'])
})

test('only the kinds that I touched win over what a colleague saved', () => {
  expect(rebaseScopes({ subject: [1], level: [0] }, { subject: [2], level: [0] }, { subject: [3], level: [1], school: [9] })).toEqual({ subject: [2], level: [1], school: [9] })
  expect(rebaseScopes({ subject: [1] }, {}, { subject: [1], level: [1] })).toEqual({ level: [1] })
})

test('a limited actor passes on a part of the own limit and never none', () => {
  const own = { subject: [1, 2] }
  expect(scopeProblems(own, { subject: [1] })).toEqual({})
  expect(scopeProblems(own, { subject: [1, 3] }).subject).toMatch('范围之外')
  expect(scopeProblems(own, { level: [0] }).subject).toMatch('至少选择一项')
  expect(scopeProblems({}, { subject: [1] })).toEqual({})
})

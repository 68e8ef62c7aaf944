import fc from 'fast-check'
import { expect, test } from 'vitest'
import { passwordHints } from './password-hints.ts'
import { passwordPolicies, passwordProblem } from '../session/policy.ts'

test('nothing is met before something is typed', () => {
  for (const policy of Object.values(passwordPolicies)) expect(passwordHints(policy, '', 'admin').some((hint) => hint.met)).toBe(false)
})

test('all hints are met exactly when the password is good', () => {
  const pieces = fc.constantFrom('a', 'B', '7', '-', 'admin', 'password', '123456', '密', 'qwer', '1234')
  const password = fc.array(pieces, { minLength: 1, maxLength: 8 }).map((list) => list.join(''))
  fc.assert(fc.property(password, fc.constantFrom(...Object.values(passwordPolicies)), (text, policy) => {
    expect(passwordHints(policy, text, 'admin').every((hint) => hint.met)).toBe(passwordProblem(policy, text, 'admin') === undefined)
  }), { numRuns: 500 })
})

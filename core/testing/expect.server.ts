import { expect } from 'vitest'
import type { Answer } from './app.server.ts'

/** Text that holds at least one Chinese character. */
export const CHINESE = /[\u4e00-\u9fff]/

/** Checks that an answer is a refusal in the wire's one form: the status, one Chinese sentence, nothing else about the inside. */
export function expectRefusal(answer: Answer, status: number | readonly number[], context = ''): void {
  const about = `${context} ${JSON.stringify(answer.body).slice(0, 300)}`
  expect([status].flat(), about).toContain(answer.status)
  expect(answer.body['detail'], about).toMatch(CHINESE)
}

/** Checks that an answer is a refusal that names one field. */
export function expectFieldRefusal(answer: Answer, status: number, key: string, context = ''): void {
  expectRefusal(answer, status, context)
  const fields = answer.body['fields'] as Record<string, string> | undefined
  expect(Object.keys(fields ?? {}), `${context} ${JSON.stringify(answer.body)}`).toEqual([key])
  expect(fields?.[key]).toMatch(CHINESE)
}

/** Checks that an answer is good, and not of the form that the console takes for an error (spec 8). */
export function expectSuccess(answer: Answer, context = ''): void {
  expect(answer.status, `${context} ${JSON.stringify(answer.body).slice(0, 300)}`).toBe(200)
  expect(['code', 'data', 'msg'].every((key) => key in answer.body), `${context} has code, data and msg`).toBe(false)
}

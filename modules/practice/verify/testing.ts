import type { Answer, Caller } from '../../../core/testing/app.server.ts'
import { CHECKLIST } from './state.ts'

const BASE = '/daoyuan/api/end/practice_verifies'

/** Claims a question and passes it, having looked at everything. */
export async function passPractice<Body = Record<string, unknown>>(caller: Caller, id: number, more: Record<string, unknown> = {}): Promise<Answer<Body>> {
  await caller.post(`${BASE}/${id}/claim`)
  return caller.post<Body>(`${BASE}/${id}/pass`, { checked: [...CHECKLIST], ...more })
}

/** Claims a question and sends it back. */
export async function rejectPractice(caller: Caller, id: number, body: Record<string, unknown>): Promise<Answer> {
  await caller.post(`${BASE}/${id}/claim`)
  return caller.post(`${BASE}/${id}/reject`, body)
}

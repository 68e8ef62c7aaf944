import type { BankAction, Pool } from './practice.ts'
import { STATUS } from './practice.ts'

/** One edge of the life of a question (domain 1.18): from where, to where, by which right. */
export interface Edge {
  readonly label: string
  readonly pool: Pool
  readonly from: readonly number[]
  readonly to: (typeof STATUS)[keyof typeof STATUS]
  readonly action: BankAction
  readonly reason?: true
}

const { draft, first, second, final, published, rejected, revising, off } = STATUS

/** Changes of state that a person makes from a bank. Those of checking are in verify/state.ts, publishing among them. */
export const EDGES = {
  submit: { label: '提交校对', pool: 'back', from: [draft, rejected], to: first, action: 'submit' },
  withdraw: { label: '撤回', pool: 'back', from: [first], to: draft, action: 'submit' },
  void: { label: '作废', pool: 'back', from: [draft, rejected, first, second, final], to: STATUS.void, action: 'remove', reason: true },
  reopen: { label: '恢复为草稿', pool: 'back', from: [STATUS.void], to: draft, action: 'remove' },
  take_off: { label: '下架', pool: 'official', from: [published], to: off, action: 'shelf', reason: true },
  put_on: { label: '上架', pool: 'official', from: [off], to: published, action: 'shelf' },
} as const satisfies Record<string, Edge>
export type EdgeName = keyof typeof EDGES

/** States in which the text of a question of the back bank may be changed. */
export const EDITABLE: readonly number[] = [draft, rejected]

/** What may be done with a question in its state, by somebody who holds these rights in its bank. */
export function abilitiesOf(row: { pool: Pool; status: number }, held: ReadonlySet<BankAction>): string[] {
  const can = (Object.entries(EDGES) as [EdgeName, Edge][]).filter(([, edge]) => edge.pool === row.pool && edge.from.includes(row.status) && held.has(edge.action)).map(([name]) => name as string)
  if (row.pool === 'back' && EDITABLE.includes(row.status) && held.has('edit')) can.push('edit')
  if (row.pool === 'back' && [first, second, final].includes(row.status as 1) && held.has('assign')) can.push('assign')
  if (row.pool === 'official' && [published, off].includes(row.status as 4) && held.has('revise')) can.push('revise')
  if (row.pool === 'official' && row.status === revising && held.has('revise')) can.push('open_revision')
  // Labels, difficulty and source are not part of what was checked word by word.
  if (row.status !== STATUS.void && held.has('edit')) can.push('tag')
  if (held.has('similar') || held.has('edit')) can.push('similar')
  return can
}

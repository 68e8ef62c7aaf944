import { sql } from 'drizzle-orm'
import { endAfter, urgencyOf, type WaitingContext, type WaitingCount, type WaitingKind } from '../../../core/inbox/waiting.server.ts'
import type { WaitingItem } from '../../../core/inbox/waiting.ts'
import { choiceLabel } from '../../../core/field/choice.ts'
import { reachable } from '../bank/access.server.ts'
import { bankGrants, bankPath, editorPath, STATUS, STATUSES } from '../bank/practice.ts'
import { ROUNDS, VERIFY_GRANTS } from './state.ts'

/** Days within which a question is read once more, or mended. */
const DAYS = 3

type Found = Omit<WaitingItem, 'kind'>

/** Questions of the back bank as things that wait. @param where narrows questions `p` */
function waitingQuestions(kind: Pick<WaitingKind, 'name' | 'title' | 'group' | 'verb' | 'grants' | 'to'>, where: (context: WaitingContext) => ReturnType<typeof sql>, to: (row: { id: number; level: number }) => string): WaitingKind {
  const from = (context: WaitingContext) => sql`practice p where p.pool = 'back' and p.deleted_at is null and ${reachable(context.staff, 'back')} and ${where(context)}`
  return {
    ...kind,
    async count(context) {
      const [row] = await context.db.query<WaitingCount>(urgencyOf(sql`p.updated_at`, from(context), context.now, DAYS))
      return row ?? { count: 0, late: 0, today: 0 }
    },
    async items(context, limit) {
      const rows = await context.db.query<{ id: number; no: string; level: number; status: number; subject: string | null; since: number }>(sql`select p.id, p.no, p.level, p.status, (select name from subject s where s.id = p.subject_id) as subject, p.updated_at as since
        from ${from(context)} order by p.updated_at, p.id limit ${limit}`)
      return rows.map((row): Found => ({
        id: row.id, title: row.no, note: [row.subject, choiceLabel(STATUSES, row.status)].filter(Boolean).join(' · '), amount: null, since: row.since, due: endAfter(row.since, DAYS), to: to(row), resource: 'practice', record: row.id, done: null, pass: null, refuse: null,
      }))
    },
  }
}

/** Questions that wait for one of the rounds that this person checks in: those of their queue. */
const toCheck = waitingQuestions(
  { name: 'practice_verify', title: '待校对的试题', group: 'decide', verb: '校对', grants: VERIFY_GRANTS, to: () => '/practice/practiceVerify' },
  ({ staff }) => sql`p.status = any(${sql.param(ROUNDS.filter(({ grant }) => staff.modules.has(grant)).map(({ status }) => status))}::int[])`,
  ({ id }) => `/practice/practiceVerify?open=${id}`,
)

/** The person's own questions that were sent back to be mended. */
const sentBack = waitingQuestions(
  { name: 'practice_returned', title: '退回给我的试题', group: 'returned', verb: '修改', grants: bankGrants('back'), to: () => bankPath('back', 0) },
  ({ staff }) => sql`p.status = ${STATUS.rejected} and p.owner_id = ${staff.id}`,
  ({ id, level }) => editorPath(level, 'back', id),
)

export const verifyWaiting: readonly WaitingKind[] = [toCheck, sentBack]

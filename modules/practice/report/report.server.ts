import { setDerived, touch } from '../../../core/resource/touch.server.ts'
import { sql } from 'drizzle-orm'
import type { Queryable } from '../../../core/database/database.server.ts'
import { handle, idParam, type Served } from '../../../core/endpoint/serve.server.ts'
import { badRequest, notFound, notGranted, wrongState } from '../../../core/error/error.ts'
import { choiceLabel } from '../../../core/field/choice.ts'
import type { Staff } from '../../../core/grant/staff.server.ts'
import { publishLive } from '../../../core/live/live.server.ts'
import { listWaiting } from '../../../core/inbox/waiting.server.ts'
import { serve } from '../../../core/resource/serve.server.ts'
import { insertMany } from '../../../core/setup/insert-many.server.ts'
import { reachable, type PracticeRow } from '../bank/access.server.ts'
import { bankGrant, editorPath, practice, STATUS, STATUSES } from '../bank/practice.ts'
import { openRevision } from '../verify/revise.server.ts'
import { VERIFY_RIGHTS } from '../verify/state.ts'
import { ownReports, practiceReports, reportPractice, type OwnReport, type Report } from './calls.ts'
import { practiceReport, REPORT_KINDS, REPORT_STATUS, REPORTS_PATH, type ReportKind } from './report.ts'

/** Reports that one question or one person is shown. */
const SHOWN = 100

type Reported = Pick<PracticeRow, 'id' | 'no' | 'pool' | 'level' | 'status' | 'owner_id' | 'origin_id'>

const waiting = sql.raw(`(${REPORT_STATUS.open}, ${REPORT_STATUS.taken})`)

/** The question that a report means today: what was published has its place in the official bank. */
async function lockReported(tx: Queryable, id: number): Promise<Reported | undefined> {
  const [row] = await tx.query<Reported>(sql`select q.id, q.no, q.pool, q.level, q.status, q.owner_id, q.origin_id from practice p
    join practice q on q.id = case when p.pool = 'back' and p.status = ${STATUS.published} then p.origin_id else p.id end where p.id = ${id} and q.deleted_at is null for no key update of q`)
  return row
}

/** Who mends a question: its writer, or somebody else when the writer is not there any more. */
async function mender(tx: Queryable, ownerId: number | null, staff: Staff): Promise<number> {
  const [writer] = await tx.query<{ id: number }>(sql`select id from staff where id = ${ownerId} and status = 1 and deleted_at is null`)
  return writer?.id ?? staff.id
}

/** The moment of a decision belongs to the same revision as the decision. */
const handled = (tx: Queryable, id: number) => setDerived(tx, practiceReport, { handled_at: sql`now()` }, id)

export const reportService = serve(practiceReport)({
  effects: {
    async refuse({ tx, row }) {
      await handled(tx, row.id)
    },
    async accept({ tx, staff, row }) {
      await handled(tx, row.id)
      const reported = await lockReported(tx, row.practice_id)
      if (!reported || reported.status === STATUS.void) throw badRequest('试题已删除或作废，不能采纳报错')
      const owner = await mender(tx, reported.owner_id, staff)
      const id = reported.pool === 'official' ? await openRevision(tx, staff.id, reported, owner) : reported.id
      await touch(tx, practice, { urgent: 1 }, id)
      if (owner !== staff.id) await publishLive(tx, owner, { type: 'notice', title: `${reported.no} 的报错已采纳，请尽快修正`, to: editorPath(reported.level, 'back', id) })
    },
  },
})

interface Filed { readonly kind: ReportKind; readonly content: string | null; readonly user_id: number | null; readonly staffId: number | null }

/** Keeps a report of a question and tells its writer. Saying the same again while it is undecided adds nothing. */
async function fileReport(tx: Queryable, row: Pick<Reported, 'id' | 'no' | 'pool' | 'level' | 'owner_id'> & { subject_id: number }, { kind, content, user_id, staffId }: Filed): Promise<number> {
  const [known] = await tx.query<{ id: number }>(sql`select id from practice_report where practice_id = ${row.id} and kind = ${kind} and status in ${waiting} and deleted_at is null
    and ${user_id === null ? sql`user_id is null and created_by = ${staffId}` : sql`user_id = ${user_id}`} limit 1`)
  if (known) return known.id
  const [id = 0] = await insertMany(tx, practiceReport, [{
    practice_no: row.no, practice_id: row.id, subject_id: row.subject_id, level: row.level as 0, kind, content, source: user_id === null ? 2 : 1, user_id, status: REPORT_STATUS.open, created_by: staffId,
  }])
  if (row.owner_id !== null && row.owner_id !== staffId) {
    await publishLive(tx, row.owner_id, { type: 'notice', title: `${row.no} 有人报错：${choiceLabel(REPORT_KINDS, kind)}`, to: editorPath(row.level, row.pool, row.id) })
  }
  return id
}

/**
 * Passes on what a learner says is wrong with a question, in the caller's transaction.
 * @returns false where there is no such question any more
 */
export async function reportOfLearner(tx: Queryable, practiceId: number, { content, user_id, staffId }: Omit<Filed, 'kind'>): Promise<boolean> {
  const [row] = await tx.query<Reported & { subject_id: number }>(sql`select id, no, pool, level, status, owner_id, origin_id, subject_id from practice where id = ${practiceId} and status <> ${STATUS.void} and deleted_at is null for share`)
  if (!row) return false
  await fileReport(tx, row, { kind: 'other', content, user_id, staffId })
  return true
}

/** The calls of reports beside those of the list, answered. */
export function reportCalls(): Served[] {
  return [
    handle(practiceReports, async (call) => {
      const [seen] = await call.db.query<{ id: number; origin_id: number | null }>(sql`select p.id, p.origin_id from practice p where p.id = ${idParam(call)} and p.deleted_at is null and ${reachable(call.staff)}`)
      if (!seen) throw notFound('试题')
      const items = await call.db.query<Report>(sql`select r.id, r.kind, r.content, case r.source when 2 then s.name end as staff_name, r.status, r.created_at as at, h.name as handler_name, r.handled_at, r.fixed_at
        from practice_report r left join staff s on s.id = r.created_by left join staff h on h.id = r.updated_by and r.handled_at is not null
        where r.practice_id in (${seen.id}, ${seen.origin_id ?? 0}) and r.deleted_at is null order by r.id desc limit ${sql.raw(String(SHOWN))}`)
      return { items, total: items.length }
    }),
    handle(reportPractice, (call) => call.transaction(async (tx) => {
      const { kind, content = null, user_id = null } = call.input
      const [row] = await tx.query<Reported & { subject_id: number }>(sql`select p.id, p.no, p.pool, p.level, p.status, p.owner_id, p.origin_id, p.subject_id from practice p
        where p.id = ${idParam(call)} and p.deleted_at is null and ${reachable(call.staff)} for share`)
      if (!row) throw notFound('试题')
      if (row.status === STATUS.void) throw wrongState('报错', choiceLabel(STATUSES, row.status))
      if (user_id !== null && !call.staff.modules.has(bankGrant('official', row.level, 'answers'))) throw notGranted('接收作答记录')
      return { id: await fileReport(tx, row, { kind, content, user_id, staffId: call.staff.id }) }
    })),
    handle(ownReports, async (call) => {
      const items = await call.db.query<OwnReport>(sql`select r.id, p.id as practice_id, p.no as practice_no, p.pool, p.level, r.kind, r.content, r.status, coalesce(r.handled_at, r.created_at) as at
        from practice_report r join practice p on p.id = r.practice_id
        where p.owner_id = ${call.staff.id} and r.status <> ${REPORT_STATUS.refused} and r.fixed_at is null and r.deleted_at is null and p.deleted_at is null and ${reachable(call.staff)} order by r.id desc limit ${sql.raw(String(SHOWN))}`)
      return { items, total: items.length }
    }),
  ]
}

/** Days within which somebody says whether a report is right. */
const REPORT_DAYS = 3

/** Reports that nobody has decided about. */
export const reportWaiting = listWaiting(practiceReport, {
  name: 'practice_report', title: '待处理的报错', group: 'decide', verb: '处理', path: REPORTS_PATH, query: () => ({ status: [String(REPORT_STATUS.open), String(REPORT_STATUS.taken)] }),
  grant: VERIFY_RIGHTS.id('report'), due: { days: REPORT_DAYS }, notes: ['kind', 'content'], pass: 'accept', refuse: 'refuse',
})

import { setDerived, touch } from '../../../core/resource/touch.server.ts'
import { sql } from 'drizzle-orm'
import type { Queryable } from '../../../core/database/database.server.ts'
import { handle, idParam, type Call, type Served } from '../../../core/endpoint/serve.server.ts'
import { badRequest, notFound, wrongState } from '../../../core/error/error.ts'
import { choiceLabel } from '../../../core/field/choice.ts'
import type { Kernel } from '../../../core/kernel/kernel.server.ts'
import { checkRevision, lockPractices, reachable, type PracticeRow } from '../bank/access.server.ts'
import { readCards } from '../bank/card.server.ts'
import { checkAction } from '../bank/held.server.ts'
import { practice, STATUS, STATUSES } from '../bank/practice.ts'
import { EDITABLE } from '../bank/state.ts'
import { claimContent, readInput, readWritten, updatePractice } from '../bank/write.server.ts'
import { settleReports } from '../report/settle.server.ts'
import { comparePairs, mergePair, PAIR_STATE, resolvePair, scanDuplicates, type Pair, type PairKind, type Side } from './calls.ts'
import { closePairs } from './pairs.server.ts'
import { SCAN_JOB, type ScanInput } from './scan.server.ts'
import { moveUses } from './uses.server.ts'

/** Pairs that one look shows. */
const SHOWN = 10

interface PairRow {
  id: number
  kind: PairKind
  score: number | null
  at: number
  left_id: number
  right_id: number
}

/** Locks an open pair and both its questions, which the person sees. */
async function lockPair(tx: Queryable, call: Pick<Call, 'staff' | 'params'>): Promise<{ pair: PairRow; left: PracticeRow; right: PracticeRow }> {
  const [pair] = await tx.query<PairRow>(sql`select id, kind, score, at, left_id, right_id from practice_compare where id = ${idParam(call)} and state = ${PAIR_STATE.open} for update`)
  if (!pair) throw notFound('待比对的试题')
  const rows = await lockPractices(tx, call.staff, [pair.left_id, pair.right_id])
  const [left, right] = [pair.left_id, pair.right_id].map((id) => rows.find((row) => row.id === id))
  if (!left || !right) throw notFound('待比对的试题')
  return { pair, left, right }
}

/** What somebody who merges must be allowed beside the merge itself. */
function checkRights(call: Pick<Call, 'staff'>, winner: PracticeRow, loser: PracticeRow): void {
  checkAction(call.staff, winner, winner.pool === 'official' ? 'revise' : 'edit', winner.pool === 'official' ? '修订' : '新增和编辑')
  checkAction(call.staff, loser, loser.pool === 'official' ? 'shelf' : 'remove', loser.pool === 'official' ? '上架和下架' : '作废和恢复')
  if (winner.pool === 'back' && loser.pool === 'official') throw badRequest('一边是正式试题时，请保留正式试题')
  if (winner.pool === 'back' && !EDITABLE.includes(winner.status)) throw wrongState('合并到此题', choiceLabel(STATUSES, winner.status))
  if (winner.pool === 'official' && ![STATUS.published, STATUS.revising, STATUS.off].includes(winner.status as 4)) throw wrongState('合并到此题', choiceLabel(STATUSES, winner.status))
  if (loser.pool === 'official' && loser.status === STATUS.revising) throw wrongState('合并', choiceLabel(STATUSES, loser.status))
}

/** The calls of comparing, answered. */
export function compareCalls({ jobs }: Pick<Kernel, 'jobs'>): Served[] {
  return [
    handle(comparePairs, async (call) => {
      const { kind, cat_id, page = '0' } = call.input
      const from = sql`from practice_compare c join practice p on p.id = c.left_id join practice q on q.id = c.right_id
        where c.state = ${PAIR_STATE.open} ${kind === undefined ? sql`` : sql`and c.kind = ${kind}`} ${cat_id === undefined ? sql`` : sql`and p.subject_id = ${Number(cat_id)}`}
        and p.deleted_at is null and q.deleted_at is null and p.status <> ${STATUS.void} and q.status <> ${STATUS.void} and ${reachable(call.staff)}
        and exists (select 1 from practice p where p.id = q.id and ${reachable(call.staff)})`
      const [rows, [counted]] = await Promise.all([
        call.db.query<PairRow>(sql`select c.id, c.kind, c.score, c.at, c.left_id, c.right_id ${from} order by (c.kind = 'revision') desc, c.score desc nulls last, c.id limit ${sql.raw(String(SHOWN))} offset ${Number(page) * SHOWN}`),
        call.db.query<{ n: number }>(sql`select count(*)::int as n ${from}`),
      ])
      const ids = [...new Set(rows.flatMap(({ left_id, right_id }) => [left_id, right_id]))]
      const cards = await readCards(call.db, call.staff, ids)
      const sides = new Map<number, Side>()
      for (const card of cards) {
        const written = await readWritten(call.db, card.id)
        if (written) sides.set(card.id, { practice: card, written })
      }
      const items = rows.flatMap(({ left_id, right_id, ...pair }): Pair[] => {
        const [left, right] = [sides.get(left_id), sides.get(right_id)]
        return left && right ? [{ ...pair, left, right }] : []
      })
      return { items, total: counted?.n ?? 0 }
    }),
    handle(mergePair, (call) => call.transaction(async (tx) => {
      const { into, left_rev, right_rev, ...sent } = call.input
      const { pair, left, right } = await lockPair(tx, call)
      const [winner, loser] = into === 'left' ? [left, right] : [right, left]
      if (pair.kind === 'revision' && into === 'left') throw badRequest('修订应合并到正式试题')
      checkRights(call, winner, loser)
      await checkRevision(tx, call.staff, left, left_rev)
      await checkRevision(tx, call.staff, right, right_rev)
      const input = await readInput(tx, call.staff, winner.level, sent, [{ exam_year: left.exam_year }, { exam_year: right.exam_year }])
      await claimContent(tx, call.staff, winner.level, input.content, input.facts)
      const now = Math.floor(Date.now() / 1000)
      await updatePractice(tx, call.staff.id, winner, input, {
        note: pair.kind === 'revision' ? `修订自 ${loser.no}` : `与 ${loser.no} 合并`, published: winner.pool === 'official',
        ...(winner.pool === 'official' && { extra: { published_at: now, ...(pair.kind === 'revision' && { status: STATUS.published }) } }),
      })
      // A revision ends as the past of what it has become; a duplicate ends altogether.
      const end = pair.kind === 'revision' ? { status: STATUS.published, published_at: now, assignee_id: null, urgent: 0 } : { status: loser.pool === 'official' ? STATUS.off : STATUS.void, assignee_id: null }
      await touch(tx, practice, end, loser.id)
      await tx.query(sql`delete from verify_claim where practice_id = ${loser.id}`)
      if (pair.kind === 'revision') await settleReports(tx, winner.id, loser.id)
      // Somebody's revision of a duplicate goes on as a revision of what remains.
      const uses = pair.kind === 'revision' ? { moved: 0, left_alone: 0 } : await moveUses(tx, call.staff, loser.id, winner.id)
      if (uses.moved > 0) await setDerived(tx, practice, { use_count: sql`t.use_count + ${uses.moved}` }, winner.id)
      await closePairs(tx, loser.id, PAIR_STATE.merged, call.staff.id)
      return { practice_id: winner.id, ...uses }
    }, { action: 'merge' })),
    handle(resolvePair, (call) => call.transaction(async (tx) => {
      const { verdict } = call.input
      const { pair, left, right } = await lockPair(tx, call)
      if (pair.kind === 'revision') throw badRequest('修订不能标为不同题，可以合并或作废修订')
      await tx.query(sql`update practice_compare set state = ${PAIR_STATE[verdict]}, resolved_by = ${call.staff.id} where id = ${pair.id}`)
      // Two that are alike and both wanted never stand in one paper; two that are different are never found again.
      const link = verdict === 'both' ? 'dup' : 'distinct'
      await tx.query(sql`insert into practice_similar (practice_id, other_id, kind, score, staff_id) values (${left.id}, ${right.id}, ${link}, ${pair.score}, ${call.staff.id}), (${right.id}, ${left.id}, ${link}, ${pair.score}, ${call.staff.id}) on conflict do nothing`)
      await tx.query(sql`insert into audit_log (staff_id, ip, request_id, action, entity, entity_id, after) values (${call.staff.id}, ${call.ip}, ${call.requestId}, ${link}, 'practice', ${left.id}, ${JSON.stringify({ other: right.no })}::jsonb)`)
      return {}
    })),
    handle(scanDuplicates, async (call) => {
      const { cat_id } = call.input
      const [subject] = await call.db.query<{ name: string; level: number }>(sql`select name, level from subject where id = ${cat_id} and deleted_at is null`)
      const { subject: subjects, level: levels } = call.staff.scopes
      if (!subject || !(subjects?.includes(cat_id) ?? true) || !(levels?.includes(subject.level) ?? true)) throw badRequest('请选择学科')
      const input: ScanInput = { cat_id }
      return call.transaction(async (tx) => ({ job_id: await jobs.add(tx, call, { kind: SCAN_JOB, title: `查重：${subject.name}`, input }) }))
    }),
  ]
}

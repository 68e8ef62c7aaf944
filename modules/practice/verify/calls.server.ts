import { touch } from '../../../core/resource/touch.server.ts'
import { sql } from 'drizzle-orm'
import type { Queryable } from '../../../core/database/database.server.ts'
import { handle, idParam, type Call, type Served } from '../../../core/endpoint/serve.server.ts'
import { badRequest, defineError, invalid, notFound, notGranted, wrongState } from '../../../core/error/error.ts'
import { choiceLabel } from '../../../core/field/choice.ts'
import { checkRevision, lockPractice, reachable, type PracticeRow } from '../bank/access.server.ts'
import { readCards } from '../bank/card.server.ts'
import { readDetail } from '../bank/detail.server.ts'
import { checkAction } from '../bank/held.server.ts'
import { practice, STATUS, STATUSES } from '../bank/practice.ts'
import { insertPractices, readWritten, updatePractice } from '../bank/write.server.ts'
import { PAIR_STATE } from '../compare/calls.ts'
import { COUNT_CAP } from '../../../core/resource/list.server.ts'
import { closePairs, notePairs } from '../compare/pairs.server.ts'
import { followPublished } from '../compare/uses.server.ts'
import { settleReports } from '../report/settle.server.ts'
import { checkPractice, claimPractice, passPractice, rejectPractice, releasePractice, revisePractice, scoreCards, verifyHistory, verifyQueue, type VerifyEntry } from './calls.ts'
import { findings } from './machine.server.ts'
import { openRevision } from './revise.server.ts'
import { samplePercent } from './settings.ts'
import { needsSecond, verifySettings, verifySettingsCalls } from './settings.server.ts'
import { CHECKLIST, CLAIM_SECONDS, refusalOf, roundOf, ROUNDS, type Round } from './state.ts'

const claimed = defineError('claimed', 409, (name: string) => `${name}正在校对该题，请稍后再试`)

const notClaimed = defineError('not_claimed', 409, () => '请先领取该题再校对')

/** Refuses a decision of somebody who has not claimed the question: two people would read it, and neither knows of the other. */
async function needClaim(tx: Queryable, staffId: number, practiceId: number): Promise<void> {
  const [own] = await tx.query(sql`select 1 from verify_claim where practice_id = ${practiceId} and staff_id = ${staffId} and until > now()`)
  if (!own) throw notClaimed()
}

/** Questions that one look at the queue shows. */
const SHOWN = 100

/** Locks a question that this person may decide on now. */
async function lockDecidable(tx: Queryable, call: Pick<Call, 'staff' | 'params'>, rev?: number): Promise<{ row: PracticeRow; round: Round }> {
  const row = await lockPractice(tx, call.staff, idParam(call))
  const round = roundOf(row.status)
  if (!round || row.pool !== 'back') throw wrongState('校对', choiceLabel(STATUSES, row.status))
  if (!call.staff.modules.has(round.grant)) throw notGranted(round.label)
  const refusal = refusalOf(round, row, call.staff.id)
  if (refusal) throw badRequest(refusal)
  await checkRevision(tx, call.staff, row, rev)
  const [other] = await tx.query<{ name: string }>(sql`select s.name from verify_claim c join staff s on s.id = c.staff_id where c.practice_id = ${row.id} and c.staff_id <> ${call.staff.id} and c.until > now()`)
  if (other) throw claimed(other.name)
  return { row, round }
}

/** Writes down what a round found and lets go of the question. */
async function record(tx: Queryable, staffId: number, row: PracticeRow, round: Round, found: { passed: boolean; errors: readonly string[]; note: string | undefined; seconds: number | undefined }): Promise<void> {
  await tx.query(sql`insert into practice_verify (practice_id, round, staff_id, owner_id, passed, errors, note, seconds, version_no)
    values (${row.id}, ${round.round}, ${staffId}, ${row.owner_id}, ${Number(found.passed)}, ${sql.param([...found.errors])}::text[], ${found.note ?? null}, ${found.seconds ?? null}, ${row.version_no})`)
  await tx.query(sql`delete from verify_claim where practice_id = ${row.id}`)
}

/** Puts a checked question into the official bank: as a new one, or as the next version of the one that it revises. */
async function publish(tx: Queryable, staffId: number, row: PracticeRow): Promise<number> {
  const input = await readWritten(tx, row.id)
  if (!input) throw notFound('试题')
  const now = Math.floor(Date.now() / 1000)
  let official = row.origin_id
  if (official) {
    const [old] = await tx.query<{ id: number; version_no: number }>(sql`select id, version_no from practice where id = ${official} and pool = 'official' and deleted_at is null for no key update`)
    if (!old) throw notFound('修订的正式试题')
    await updatePractice(tx, staffId, old, input, { note: `修订自 ${row.no}`, published: true, extra: { status: STATUS.published, published_at: now } })
  } else {
    ;[official = null] = await insertPractices(tx, staffId, [{ ...input, pool: 'official', level: row.level, status: STATUS.published, owner_id: row.owner_id, origin_id: row.id, verifier1_id: row.verifier1_id, verifier2_id: row.verifier2_id, published_at: now }], `发布自 ${row.no}`)
  }
  if (!official) throw new Error('nothing was published')
  // From now on it is the official question that others are compared with.
  await closePairs(tx, row.id, PAIR_STATE.merged, staffId)
  await notePairs(tx, { id: official, subject_id: row.subject_id, origin_id: row.id, content: input.content })
  await touch(tx, practice, { status: STATUS.published, origin_id: official, published_at: now, assignee_id: null, urgent: 0 }, row.id)
  await settleReports(tx, official, row.id)
  await followPublished(tx, row.id, official)
  return official
}

/** The calls of checking, answered. */
export function verifyCalls(): Served[] {
  return [
    handle(verifyQueue, async (call) => {
      const { queue = 'all', round, cat_id, level } = call.input
      const held = ROUNDS.filter((one) => call.staff.modules.has(one.grant) && (round === undefined || one.round === Number(round))).map((one) => one.status)
      const me = call.staff.id
      const which = queue === 'rejected'
        ? sql`p.status = ${STATUS.rejected} and exists (select 1 from practice_verify v where v.practice_id = p.id and v.staff_id = ${me} and v.passed = 0)`
        : sql`p.status = any(${sql.param(held)}::int[])${queue === 'mine' ? sql` and (p.assignee_id = ${me} or exists (select 1 from verify_claim c where c.practice_id = p.id and c.staff_id = ${me} and c.until > now()))` : sql``}`
      const those = sql`p.pool = 'back' and p.deleted_at is null and ${reachable(call.staff, 'back')} and ${which}
          ${cat_id === undefined ? sql`` : sql`and p.subject_id = ${Number(cat_id)}`} ${level === undefined ? sql`` : sql`and p.level = ${Number(level)}`}`
      const [counted] = await call.db.query<{ n: number }>(sql`select count(*)::int as n from (select 1 from practice p where ${those} limit ${sql.raw(String(COUNT_CAP))}) x`)
      const rows = await call.db.query<{ id: number; status: number; owner_id: number | null; verifier1_id: number | null; claimer: number | null; name: string | null; until: number | null }>(sql`
        select p.id, p.status, p.owner_id, p.verifier1_id, c.staff_id as claimer, s.name, c.until
        from practice p left join verify_claim c on c.practice_id = p.id and c.until > now() left join staff s on s.id = c.staff_id
        where ${those}
        order by p.urgent desc, p.updated_at, p.id limit ${sql.raw(String(SHOWN))}`)
      const cards = await readCards(call.db, call.staff, rows.map(({ id }) => id))
      const { blind_second } = await verifySettings(call.db)
      const items = cards.flatMap((card) => {
        const row = rows.find(({ id }) => id === card.id)
        if (!row) return []
        const stage = roundOf(row.status)
        const blind = stage?.round === 2 && blind_second
        return [{ practice: blind ? { ...card, owner_id: null, owner_name: null, verifier1_name: null } : card, blind, round: stage?.round ?? 0, claimed_by: row.name, claimed_by_me: row.claimer === me, until: row.until, refusal: stage ? refusalOf(stage, row, me) ?? null : null }]
      })
      return { items, total: counted?.n ?? 0 }
    }),
    handle(claimPractice, (call) => call.transaction(async (tx) => {
      const { row } = await lockDecidable(tx, call)
      const [claim] = await tx.query<{ until: number }>(sql`insert into verify_claim (practice_id, staff_id, until) values (${row.id}, ${call.staff.id}, now() + ${CLAIM_SECONDS} * interval '1 second')
        on conflict (practice_id) do update set staff_id = excluded.staff_id, until = excluded.until returning until`)
      return { until: claim?.until ?? 0 }
    })),
    handle(releasePractice, (call) => call.transaction(async (tx) => {
      await tx.query(sql`delete from verify_claim where practice_id = ${idParam(call)} and staff_id = ${call.staff.id}`)
      return {}
    })),
    handle(passPractice, (call) => call.transaction(async (tx) => {
      const { rev, note, seconds, checked = [] } = call.input
      const { row, round } = await lockDecidable(tx, call, rev)
      await needClaim(tx, call.staff.id, row.id)
      const unseen = CHECKLIST.filter((one) => !checked.includes(one))
      if (unseen.length > 0) throw invalid({ checked: `请先核对：${unseen.join('、')}` })
      await record(tx, call.staff.id, row, round, { passed: true, errors: [], note, seconds })
      if (round.round === 3) return { status: round.to, official_id: await publish(tx, call.staff.id, row) }
      // Of what good writers write only a part is read twice.
      const to = round.round === 1 && !(await needsSecond(tx, row)) ? STATUS.final : round.to
      await touch(tx, practice, { status: to, [round.round === 1 ? 'verifier1_id' : 'verifier2_id']: call.staff.id, assignee_id: null }, row.id)
      return { status: to, official_id: null }
    }, { action: 'pass' })),
    handle(rejectPractice, (call) => call.transaction(async (tx) => {
      const { rev, reason, errors, seconds } = call.input
      const { row, round } = await lockDecidable(tx, call, rev)
      await needClaim(tx, call.staff.id, row.id)
      await record(tx, call.staff.id, row, round, { passed: false, errors, note: reason, seconds })
      await touch(tx, practice, { status: STATUS.rejected, assignee_id: null }, row.id)
      return { status: STATUS.rejected }
    }, { action: 'reject', reason: call.input.reason })),
    handle(verifyHistory, async (call) => {
      const id = idParam(call)
      const [seen] = await call.db.query<{ status: number }>(sql`select p.status from practice p where p.id = ${id} and ${reachable(call.staff)}`)
      if (!seen) throw notFound('试题')
      // A person who might read it next is not led by what was noted before.
      const blind = seen.status === STATUS.second && (await verifySettings(call.db)).blind_second
      const items = await call.db.query<VerifyEntry>(sql`select v.id, v.round, s.name as staff_name, v.passed, v.errors, v.note, v.seconds, v.at from practice_verify v left join staff s on s.id = v.staff_id where v.practice_id = ${id}${blind ? sql` and v.staff_id = ${call.staff.id}` : sql``} order by v.id desc limit 200`)
      return { items, total: items.length }
    }),
    handle(scoreCards, async ({ db }) => {
      const { tiers } = await verifySettings(db)
      const rows = await db.query<{ owner_id: number; name: string; checked: number; passed: number; errors: number; by_error: Record<string, number> | null; seconds: number | null }>(sql`
        with firsts as (select distinct on (practice_id) * from practice_verify where owner_id is not null order by practice_id, id)
        select f.owner_id, s.name, count(*)::int as checked, sum(f.passed)::int as passed, sum(cardinality(f.errors))::int as errors,
          avg(f.seconds)::int as seconds,
          (select jsonb_object_agg(e.error, e.n) from (select x.error, count(*)::int as n from firsts g cross join lateral unnest(g.errors) x(error) where g.owner_id = f.owner_id group by x.error) e) as by_error
        from firsts f join staff s on s.id = f.owner_id group by f.owner_id, s.name order by count(*) desc limit 200`)
      const items = rows.map(({ owner_id, name, checked, passed, errors, by_error, seconds }) => ({
        owner_id, name, checked, first_pass: passed / checked, errors_per_100: Math.round((errors / checked) * 1000) / 10, by_error: by_error ?? {}, seconds, sample_percent: samplePercent(tiers, { checked, passed }),
      }))
      return { items, total: items.length }
    }),
    handle(checkPractice, async (call) => {
      const id = idParam(call)
      const [seen] = await call.db.query(sql`select 1 from practice p where p.id = ${id} and p.deleted_at is null and ${reachable(call.staff)}`)
      if (!seen) throw notFound('试题')
      const items = await findings(call.db, id)
      return { items, total: items.length }
    }),
    ...verifySettingsCalls(),
    handle(revisePractice, (call) => call.transaction(async (tx) => {
      const row = await lockPractice(tx, call.staff, idParam(call))
      checkAction(call.staff, row, 'revise', '修订')
      const id = await openRevision(tx, call.staff.id, row, call.staff.id)
      return readDetail(tx, call.staff, id)
    }, { action: 'revise' })),
  ]
}

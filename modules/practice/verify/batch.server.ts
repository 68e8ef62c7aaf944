/** Questions of trusted sources that are passed by a sample: drawn, read one by one, signed once, taken back for a day (ADR 92). */
import { sql, type SQL } from 'drizzle-orm'
import type { Queryable } from '../../../core/database/database.server.ts'
import { handle, idParam, type Call, type Served } from '../../../core/endpoint/serve.server.ts'
import { badRequest, invalid, notFound, notGranted } from '../../../core/error/error.ts'
import type { Staff } from '../../../core/grant/staff.server.ts'
import { touch } from '../../../core/resource/touch.server.ts'
import { lockPractices, reachable, seesSubject, type PracticeRow } from '../bank/access.server.ts'
import { usesOf } from '../compare/uses.server.ts'
import { readCards } from '../bank/card.server.ts'
import { practice, STATUS } from '../bank/practice.ts'
import {
  countTrusted, drawBatch, dropBatch, judgeSample, listBatches, MOST_ERRORS, readSample, SAMPLE, signBatch, TRUSTED_SOURCES, undoBatch, UNDO_SECONDS, type SampledQuestion, type VerifyBatch,
} from './batch-calls.ts'
import { publish, record } from './decide.server.ts'
import { needsSecond } from './settings.server.ts'
import { refusalOf, ROUNDS, type Round } from './state.ts'

/** Questions of one signature. */
const MOST = 1000

const sampleOf = (all: number) => Math.min(all, SAMPLE.most, Math.max(SAMPLE.least, Math.ceil(all * SAMPLE.share)))

/** Whether a question came from a file with a reading that nobody was certain of, and nobody has saved it since. */
const uncertain = sql`exists (select 1 from practice_import_item i where i.practice_id = p.id and i.state = 'problem') and p.version_no = 1`

/** Questions `p` of trusted sources that wait for this person in a round, but for those in doubt. */
function trusted(staff: Staff, round: Round, subjectId: number): SQL {
  return sql`p.pool = 'back' and p.deleted_at is null and ${reachable(staff, 'back')} and p.status = ${round.status} and p.subject_id = ${subjectId}
    and p.source = any(${sql.param([...TRUSTED_SOURCES])}::text[]) and coalesce(p.source_paper, '') <> '' and p.origin_id is null and p.urgent = 0 and p.owner_id is distinct from ${staff.id}
    ${round.round === 2 ? sql`and p.verifier1_id is distinct from ${staff.id}` : sql``} and not exists (select 1 from verify_claim c where c.practice_id = p.id and c.until > now() and c.staff_id <> ${staff.id})
    and not exists (select 1 from verify_batch_item x join verify_batch b on b.id = x.batch_id where x.practice_id = p.id and b.state = 'reading')`
}

/** The round, when the person holds its right beside that of passing many. */
function roundFor(staff: Staff, number: number): Round {
  const round = ROUNDS.find((one) => one.round === number)
  if (!round || !staff.modules.has(round.grant)) throw notGranted(round?.label ?? '校对')
  return round
}

const rows = (db: Queryable, condition: SQL) => db.query<VerifyBatch>(sql`select b.id, b.round, b.subject_id, coalesce(s.name, '') as subject_name, b.state, extract(epoch from b.at)::bigint as at, extract(epoch from b.signed_at)::bigint as signed_at,
    (select jsonb_build_object('all', count(*), 'sampled', count(*) filter (where sampled), 'read', count(passed), 'failed', count(*) filter (where passed = false), 'passed', count(*) filter (where rev is not null and passed is distinct from false)) from verify_batch_item i where i.batch_id = b.id) as counts
    from verify_batch b left join subject s on s.id = b.subject_id where ${condition} order by b.id desc limit 20`)

/** A batch of the person, locked. */
async function own(tx: Queryable, call: Pick<Call, 'staff' | 'params'>, states: readonly VerifyBatch['state'][], refused: string): Promise<VerifyBatch> {
  await tx.query(sql`select 1 from verify_batch where id = ${idParam(call)} and staff_id = ${call.staff.id} for no key update`)
  const [batch] = await rows(tx, sql`b.id = ${idParam(call)} and b.staff_id = ${call.staff.id}`)
  if (!batch) throw notFound('批次')
  if (!states.includes(batch.state)) throw badRequest(refused)
  return batch
}

interface Member {
  practice_id: number
  version_no: number
  passed: boolean | null
  errors: string[]
}

/** Passes one question of a signed batch; false when it has been changed since, or is somebody else's by now. */
async function passOne(tx: Queryable, staff: Staff, round: Round, row: PracticeRow, member: Member): Promise<{ official: number | null } | null> {
  if (row.version_no !== member.version_no || row.status !== round.status || refusalOf(round, row, staff.id)) return null
  const isPassed = member.passed !== false
  await record(tx, staff.id, row, round, { passed: isPassed, errors: member.errors, note: isPassed ? (member.passed === null ? '可信来源，按样本批量通过' : '可信来源，样本逐题校对') : '可信来源样本中发现错误', seconds: undefined })
  if (!isPassed) {
    await touch(tx, practice, { status: STATUS.rejected, assignee_id: null }, row.id)
    return { official: null }
  }
  if (round.round === 3) return { official: await publish(tx, staff.id, row) }
  const to = round.round === 1 && !(await needsSecond(tx, row)) ? STATUS.final : round.to
  await touch(tx, practice, { status: to, [round.round === 1 ? 'verifier1_id' : 'verifier2_id']: staff.id, assignee_id: null }, row.id)
  return { official: null }
}

/** Writes the signature into the log. */
const logged = (tx: Queryable, call: Call<unknown>, batch: VerifyBatch, action: string, more: object) => tx.query(sql`insert into audit_log (staff_id, ip, request_id, action, entity, entity_id, before, after)
  values (${call.staff.id}, ${call.ip}, ${call.requestId}, ${action}, 'verify_batch', ${batch.id}, null, ${JSON.stringify({ round: batch.round, subject_id: batch.subject_id, ...batch.counts, ...more })}::jsonb)`)

async function sign(tx: Queryable, call: Call<unknown>): Promise<VerifyBatch> {
  const batch = await own(tx, call, ['reading'], '这一批已经签署或放弃')
  const round = roundFor(call.staff, batch.round)
  const { sampled, read, failed } = batch.counts
  if (read < sampled) throw badRequest(`样本还有 ${sampled - read} 道没有校对`)
  if (failed > sampled * MOST_ERRORS) throw badRequest(`样本差错率 ${Math.round((1000 * failed) / sampled) / 10}%，超过 ${MOST_ERRORS * 100}%，不能批量通过；请逐题校对`)
  const members = await tx.query<Member>(sql`select practice_id, version_no, passed, errors from verify_batch_item where batch_id = ${batch.id} order by practice_id`)
  const found = new Map((await lockPractices(tx, call.staff, members.map(({ practice_id }) => practice_id))).map((row) => [row.id, row]))
  let done = 0
  for (const member of members) {
    const row = found.get(member.practice_id)
    const passed = row ? await passOne(tx, call.staff, round, row, member) : null
    if (!passed) continue
    done++
    await tx.query(sql`update verify_batch_item set rev = (select rev from practice where id = ${member.practice_id}), official_id = ${passed.official} where batch_id = ${batch.id} and practice_id = ${member.practice_id}`)
  }
  await tx.query(sql`update verify_batch set state = 'signed', signed_at = now() where id = ${batch.id}`)
  await logged(tx, call, batch, 'sign', { done })
  const [signed] = await rows(tx, sql`b.id = ${batch.id}`)
  return signed ?? batch
}

/** Puts back what nobody has worked with since. */
async function undo(tx: Queryable, call: Call<unknown>): Promise<{ undone: number; kept: number }> {
  const batch = await own(tx, call, ['signed'], '这一批没有签署，或已经撤销')
  const round = roundFor(call.staff, batch.round)
  if ((batch.signed_at ?? 0) < Date.now() / 1000 - UNDO_SECONDS) throw badRequest('签署已超过 24 小时，不能撤销')
  const members = await tx.query<{ practice_id: number; rev: number; official_id: number | null }>(sql`select practice_id, rev, official_id from verify_batch_item where batch_id = ${batch.id} and rev is not null order by practice_id`)
  const all = new Map((await lockPractices(tx, call.staff, members.flatMap(({ practice_id, official_id }) => [practice_id, ...(official_id === null ? [] : [official_id])]))).map((row) => [row.id, row]))
  let undone = 0
  for (const { practice_id, rev, official_id } of members) {
    const row = all.get(practice_id)
    const official = official_id === null ? undefined : all.get(official_id)
    if (!row || row.rev !== rev || (official_id !== null && !(official && (await isUnused(tx, call.staff, official))))) continue
    if (official) await touch(tx, practice, { deleted_at: sql`now()` }, official.id)
    if (official) await tx.query(sql`with gone as (delete from practice_similar where practice_id = ${official.id} or other_id = ${official.id}) delete from practice_band where practice_id = ${official.id}`)
    await touch(tx, practice, { status: round.status, origin_id: null, published_at: null, ...(round.round === 3 ? {} : { [round.round === 1 ? 'verifier1_id' : 'verifier2_id']: null }) }, row.id)
    await tx.query(sql`delete from practice_verify where practice_id = ${row.id} and staff_id = ${call.staff.id} and round = ${round.round} and version_no = ${row.version_no}`)
    undone++
  }
  await tx.query(sql`update verify_batch set state = 'undone' where id = ${batch.id}`)
  await logged(tx, call, batch, 'undo', { undone })
  return { undone, kept: members.length - undone }
}

/** Whether nothing has happened to a question since it was published, and nothing needs it. */
async function isUnused(tx: Queryable, staff: Staff, row: PracticeRow): Promise<boolean> {
  if (row.version_no !== 1 || row.status !== STATUS.published) return false
  const [used] = await tx.query<{ n: number }>(sql`select use_count as n from practice where id = ${row.id}`)
  return Number(used?.n ?? 0) === 0 && (await usesOf(tx, staff, row.id)).length === 0
}

/** The calls of batches, answered. Everybody sees their own only. */
export function batchCalls(): Served[] {
  return [
    handle(countTrusted, async (call) => {
      const round = roundFor(call.staff, Number(call.input.round))
      const those = trusted(call.staff, round, Number(call.input.cat_id))
      const [row] = await call.db.query<{ all: number; uncertain: number }>(sql`select count(*) filter (where not (${uncertain}))::int as "all", count(*) filter (where ${uncertain})::int as uncertain from practice p where ${those}`)
      const all = Math.min(MOST, row?.all ?? 0)
      return { all: row?.all ?? 0, sample: sampleOf(all), uncertain: row?.uncertain ?? 0 }
    }),
    handle(listBatches, async (call) => ({ items: await rows(call.db, sql`b.staff_id = ${call.staff.id}`) })),
    handle(drawBatch, (call) => call.transaction(async (tx) => {
      const round = roundFor(call.staff, call.input.round)
      if (!seesSubject(call.staff, 'back', call.input.cat_id)) throw invalid({ cat_id: '请选择学科' })
      // Two people do not draw the same questions.
      await tx.query(sql`select pg_advisory_xact_lock(hashtext('verify_batch'))`)
      const found = await tx.query<{ id: number; version_no: number }>(sql`select p.id, p.version_no::int as version_no from practice p where ${trusted(call.staff, round, call.input.cat_id)} and not (${uncertain}) order by random() limit ${sql.raw(String(MOST))}`)
      if (found.length === 0) throw badRequest('没有可以批量通过的试题：来源须为高考真题并写明试卷，且不是存疑的、加急的或自己录入的')
      const [batch] = await tx.query<{ id: number }>(sql`insert into verify_batch (staff_id, round, subject_id, state) values (${call.staff.id}, ${round.round}, ${call.input.cat_id}, 'reading') returning id`)
      const items = found.map(({ id, version_no }, index) => ({ p: id, v: version_no, s: index < sampleOf(found.length) }))
      await tx.query(sql`insert into verify_batch_item (batch_id, practice_id, version_no, sampled, errors) select ${batch?.id ?? 0}, p, v, s, '{}' from jsonb_to_recordset(${JSON.stringify(items)}::jsonb) as r (p bigint, v int, s boolean)`)
      const [drawn] = await rows(tx, sql`b.id = ${batch?.id ?? 0}`)
      if (!drawn) throw notFound('批次')
      await logged(tx, call, drawn, 'draw', {})
      return drawn
    })),
    handle(readSample, async (call) => {
      const [batch] = await rows(call.db, sql`b.id = ${idParam(call)} and b.staff_id = ${call.staff.id}`)
      if (!batch) throw notFound('批次')
      const items = await call.db.query<Member>(sql`select practice_id, version_no, passed, errors from verify_batch_item where batch_id = ${batch.id} and sampled order by practice_id`)
      const cards = await readCards(call.db, call.staff, items.map(({ practice_id }) => practice_id))
      return { batch, items: cards.flatMap((card): SampledQuestion[] => {
        const item = items.find(({ practice_id }) => practice_id === card.id)
        return item ? [{ practice: card, passed: item.passed, errors: item.errors }] : []
      }) }
    }),
    handle(judgeSample, (call) => call.transaction(async (tx) => {
      const batch = await own(tx, call, ['reading'], '这一批已经签署或放弃')
      const { passed, errors } = call.input
      if (!passed && errors.length === 0) throw invalid({ errors: '请选择错误类型' })
      const id = Number(call.params['practice_id'])
      const [changed] = await tx.query(sql`update verify_batch_item set passed = ${passed}, errors = ${sql.param(passed ? [] : [...errors])}::text[] where batch_id = ${batch.id} and practice_id = ${Number.isSafeInteger(id) ? id : 0} and sampled returning 1`)
      if (!changed) throw notFound('样本中的试题')
      return own(tx, call, ['reading'], '')
    })),
    handle(signBatch, (call) => call.transaction((tx) => sign(tx, call), { action: 'sign' })),
    handle(undoBatch, (call) => call.transaction((tx) => undo(tx, call), { action: 'undo' })),
    handle(dropBatch, (call) => call.transaction(async (tx) => {
      const batch = await own(tx, call, ['reading'], '这一批已经签署或放弃')
      await tx.query(sql`update verify_batch set state = 'dropped' where id = ${batch.id}`)
      return { ...batch, state: 'dropped' as const }
    })),
  ]
}

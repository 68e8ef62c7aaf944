import { sql, type SQL } from 'drizzle-orm'
import type { Database, Queryable } from '../../core/database/database.server.ts'
import { handle, idParam, type Call, type Served } from '../../core/endpoint/serve.server.ts'
import { defineError, notFound } from '../../core/error/error.ts'
import { regionName } from '../../core/field/region.server.ts'
import { startOfDay } from '../../core/field/time.ts'
import { listWaiting } from '../../core/inbox/waiting.server.ts'
import type { Sweep } from '../../core/job/sweep.server.ts'
import type { RowType } from '../../core/resource/define.ts'
import { NOTHING_COMPUTED, readOne } from '../../core/resource/list.server.ts'
import { serve } from '../../core/resource/serve.server.ts'
import { setDerived } from '../../core/resource/touch.server.ts'
import { listCondition } from '../../core/resource/where.server.ts'
import { insertMany } from '../../core/setup/insert-many.server.ts'
import { CODE_STATUS } from '../code/module.ts'
import { activationCode } from './authorization-code.ts'
import { DIVERSION_LINE, divertedScore, LEAST_AWAY, type DivertedNumbers } from './diversion-score.ts'
import { CODES_PATH, codeDiversion, DIVERSION_RIGHTS, DIVERSION_STATE, diversionEvidence, diversionRadar, scanDiversion, type DiversionEvidence, type DivertedCode, type Radar } from './diversion.ts'

const DAY = 86_400
/** Codes that the evidence names one by one; the list of codes shows them all. */
const NAMED = 200
/** Batches that the radar names. */
const BATCHES = 10
/** How far back batches are looked at: longer ago nobody can go after it. */
const SCANNED_DAYS = 400
/** Days in which somebody looks at what is suspected. */
const LOOK_DAYS = 7

const STATES = sql.join([CODE_STATUS.used, CODE_STATUS.expired, CODE_STATUS.frozen].map((state) => sql`${state}::integer`), sql`, `)
/** Codes `c` that somebody activated, at their school `s`, of a partner `p`: where the school is decides where it was. */
const activated = sql`activation_code c join app_school s on s.id = c.school_id join partner p on p.id = c.partner_id`
const counts = sql`c.activated_at is not null and c.status in (${STATES}) and c.deleted_at is null`
const placeOf = (column: SQL) => sql`left(${column}, 2)`
const SCHOOL = placeOf(sql`s.region_code`)
const OWN = placeOf(sql`p.region_code`)
/** Where an account has studied most since a code was activated. The sessions are another module's; their table is read as it stands. */
const STUDIED = sql`(select left(d.region_code, 2) from device_session d where d.user_id = c.user_id and d.began_at >= c.activated_at and d.region_code is not null group by 1 order by count(*) desc, 1 limit 1)`

interface Group extends DivertedNumbers, Record<string, unknown> {
  group_id: number
  partner_id: number
  name: string
  region: string
  first_at: number
  last_at: number
  case_id: number | null
}

/** What was activated elsewhere, by batch and province: after what somebody has decided about already. */
const readGroups = (tx: Queryable): Promise<Group[]> => tx.query<Group>(sql`with decided as (
    select group_id, region_code, max(last_at) filter (where status <> ${DIVERSION_STATE.suspected}) as until, max(id) filter (where status = ${DIVERSION_STATE.suspected}) as case_id
    from code_diversion where deleted_at is null group by 1, 2
  ), found as (
    select c.group_id, c.partner_id, ${SCHOOL} as region, count(*)::int as away, min(c.activated_at) as first_at, max(c.activated_at) as last_at,
      count(x.studied)::int as seen, count(*) filter (where x.studied = ${SCHOOL})::int as there
    from ${activated} left join decided d on d.group_id = c.group_id and d.region_code = ${SCHOOL} cross join lateral (select ${STUDIED} as studied) x
    where ${counts} and ${SCHOOL} <> ${OWN} and c.activated_at >= now() - make_interval(days => ${SCANNED_DAYS}) and c.activated_at > coalesce(d.until, '-infinity') group by 1, 2, 3 having count(*) >= ${LEAST_AWAY}
  ) select f.group_id, f.partner_id, b.name, f.region, f.away, b.used, extract(epoch from f.first_at)::float8 as first_at, extract(epoch from f.last_at)::float8 as last_at, f.seen, f.there, b.price,
      (select max(n)::int from (select count(*) as n from ${activated} where ${counts} and c.group_id = f.group_id and ${SCHOOL} = f.region and c.activated_at >= f.first_at group by date_trunc('hour', c.activated_at)) h) as burst,
      (select percentile_cont(0.5) within group (order by o.price)::float8 from activation_code_group o where o.unit_id = b.unit_id and o.partner_id <> b.partner_id and o.price is not null and o.deleted_at is null) as usual, d.case_id
    from found f join activation_code_group b on b.id = f.group_id and b.deleted_at is null left join decided d on d.group_id = f.group_id and d.region_code = f.region order by f.group_id, f.region`)

/** Whoever makes a case suspected waits for whoever does, so that a batch and a province never have two. */
const oneAtATime = (tx: Queryable) => tx.query(sql`select pg_advisory_xact_lock(hashtext('code diversion'))`)

/**
 * Looks for codes that were activated elsewhere. What is suspected gets its figures anew; what somebody decided stays, and only
 * what was activated later makes another case.
 * @returns how many cases are new
 */
export async function scanDiversions(tx: Queryable): Promise<number> {
  await oneAtATime(tx)
  const groups = (await readGroups(tx)).map((group) => ({ group, ...divertedScore(group) }))
  const fresh: Partial<RowType<typeof codeDiversion>>[] = []
  for (const { group: { group_id, partner_id, name, region, away, used, first_at, last_at, case_id }, score, parts } of groups) {
    const figures = { score, codes: away, used, parts, last_at }
    if (case_id !== null) await setDerived(tx, codeDiversion, figures, case_id)
    else if (score >= DIVERSION_LINE) fresh.push({ ...figures, title: `${name} → ${regionName(region)}`.slice(-80), partner_id, group_id, region_code: region, first_at, status: DIVERSION_STATE.suspected })
  }
  await insertMany(tx, codeDiversion, fresh)
  return fresh.length
}

/** Every night. */
export const diversionSweep = (db: Database): Sweep => ({ name: 'code_diversion', every: DAY, run: () => db.transaction({ staff_id: null, action: 'scan' }, scanDiversions) })

function entry<Key, Value>(map: Map<Key, Value>, key: Key, first: Value): Value {
  const value = map.get(key) ?? first
  map.set(key, value)
  return value
}

async function radar({ db, staff, input }: Pick<Call<{ days?: string | undefined }>, 'db' | 'staff' | 'input'>): Promise<Radar> {
  const from = startOfDay(Math.floor(Date.now() / 1000)) - (Number(input.days ?? '90') - 1) * DAY
  const visible = sql`c.id in (select id from activation_code where ${listCondition(activationCode, staff, { activated_at_start: String(from) })})`
  const rows = await db.query<{ day: number; from: string; to: string; group_id: number; n: number }>(sql`select (floor((extract(epoch from c.activated_at) + 28800) / 86400) * 86400 - 28800)::float8 as day,
    ${OWN} as "from", ${SCHOOL} as "to", c.group_id, count(*)::int as n from ${activated} where ${counts} and ${visible} group by 1, 2, 3, 4 order by 1`)
  const [provinces, flows, days, batches] = [new Map<string, Radar['provinces'][number]>(), new Map<string, Radar['flows'][number]>(), new Map<number, Radar['days'][number]>(), new Map<number, { away: number; used: number }>()]
  const province = (code: string) => entry(provinces, code, { code, activated: 0, away: 0, lost: 0 })
  for (const { day, from: own, to, group_id, n } of rows) {
    const away = own === to ? 0 : n
    const [there, at, batch] = [province(to), entry(days, day, { day, n: 0, away: 0 }), entry(batches, group_id, { away: 0, used: 0 })]
    there.activated += n
    there.away += away
    at.n += n
    at.away += away
    batch.used += n
    batch.away += away
    if (away === 0) continue
    province(own).lost += n
    entry(flows, `${own} ${to}`, { from: own, to, from_name: regionName(own), to_name: regionName(to), n: 0 }).n += n
  }
  const most = [...batches].filter(([, { away }]) => away > 0).sort(([, a], [, b]) => b.away - a.away).slice(0, BATCHES)
  const names = new Map((await db.query<{ id: number; name: string; partner_name: string }>(sql`select g.id, g.name, p.name as partner_name from activation_code_group g join partner p on p.id = g.partner_id where g.id = any(${sql.param(most.map(([id]) => id))}::bigint[])`)).map((row) => [row.id, row]))
  const sum = (key: 'n' | 'away') => [...days.values()].reduce((all, one) => all + one[key], 0)
  return {
    from, total: sum('n'), away: sum('away'), provinces: [...provinces.values()], flows: [...flows.values()].sort((a, b) => b.n - a.n), days: [...days.values()],
    batches: most.flatMap(([id, figures]) => { const known = names.get(id); return known ? [{ ...known, ...figures }] : [] }),
  }
}

const nameOf = (code: string | null) => (code === null ? null : regionName(code))

async function evidence(call: Pick<Call, 'db' | 'staff' | 'params'>): Promise<DiversionEvidence> {
  const row = await readOne(call.db, codeDiversion, call.staff, idParam(call), NOTHING_COMPUTED)
  if (!row) throw notFound(codeDiversion.label)
  const { group_id, region_code, first_at, last_at } = row
  const where = sql`${counts} and c.group_id = ${group_id} and ${SCHOOL} = ${region_code} and c.activated_at >= to_timestamp(${first_at}) and c.activated_at <= to_timestamp(${last_at})
    and c.id in (select id from activation_code where ${listCondition(activationCode, call.staff, { group_id: String(group_id) })})`
  const codes = await call.db.query<DivertedCode>(sql`select c.id, c.code, c.activated_at, s.id as school_id, s.name as school_name,
      u.region_code as home, ${STUDIED} as studied, c.mobile, c.ip from ${activated} left join app_user u on u.id = c.user_id where ${where} order by c.activated_at desc, c.id desc limit ${NAMED}`)
  const schools = await call.db.query<{ id: number; name: string; place: string; n: number }>(sql`select s.id, s.name, s.region_code as place, count(*)::int as n from ${activated} where ${where} group by 1, 2, 3 order by 4 desc, 1`)
  const [batch] = await call.db.query<{ left: number }>(sql`select count(*)::int as "left" from activation_code where group_id = ${group_id} and status = ${CODE_STATUS.unused} and deleted_at is null`)
  const mask = activationCode.fields['mobile']?.hidden?.mask
  return {
    codes: codes.map(({ home, studied, mobile, ...code }) => ({ ...code, home: nameOf(home), studied: nameOf(studied), mobile: mobile && mask ? mask(mobile) : null })),
    total: schools.reduce((sum, { n }) => sum + n, 0), schools: schools.map((school) => ({ ...school, place: regionName(school.place) })), left: batch?.left ?? 0,
    query: {
      group_id: [String(group_id)], school_id: schools.map(({ id }) => String(id)), status: [CODE_STATUS.used, CODE_STATUS.expired, CODE_STATUS.frozen].map(String),
      activated_at_start: [String(Math.floor(first_at))], activated_at_end: [String(Math.floor(last_at))],
    },
  }
}

const newerCase = defineError('newer_diversion', 409, (title: string) => `该批次在该省已有更新的线索「${title}」，请在那一条上核查`)

export const diversions = serve(codeDiversion)({
  effects: {
    // A newer case has what was activated since; together they would count it twice.
    async reopen({ tx, row: { id, group_id, region_code } }) {
      await oneAtATime(tx)
      const [newer] = await tx.query<{ title: string }>(sql`select title from code_diversion where group_id = ${group_id} and region_code = ${region_code} and id > ${id} and deleted_at is null limit 1`)
      if (newer) throw newerCase(newer.title)
    },
  },
})

/** The calls of the radar and its cases. */
export const diversionCalls = (): Served[] => [
  handle(diversionRadar, radar),
  handle(diversionEvidence, evidence),
  handle(scanDiversion, (call) => call.transaction(async (tx) => ({ found: await scanDiversions(tx) }), { action: 'scan' })),
]

/** What is suspected waits for somebody who decides it. */
export const diversionWaiting = listWaiting(codeDiversion, {
  name: 'code_diversion', title: '疑似串货', group: 'decide', verb: '核实', path: `${CODES_PATH}?show=cases`, query: () => ({ status: String(DIVERSION_STATE.suspected) }),
  grant: DIVERSION_RIGHTS.id('judge'), due: { days: LOOK_DAYS }, notes: ['partner_id', 'codes', 'score'], pass: 'confirm', refuse: 'dismiss',
})

import { sql, type SQL } from 'drizzle-orm'
import type { Queryable } from '../database/database.server.ts'
import { handle, idParam, type Call, type Served } from '../endpoint/serve.server.ts'
import { badRequest, invalid, notFound } from '../error/error.ts'
import { publishLive } from '../live/live.server.ts'
import type { WaitingContext } from '../inbox/waiting.server.ts'
import type { Kernel } from '../kernel/kernel.server.ts'
import { recordPath } from '../resource/record-path.ts'
import { NOTHING_COMPUTED, readOne } from '../resource/list.server.ts'
import { shownName } from '../resource/names.ts'
import type { Registered } from '../resource/uses.server.ts'
import { likeText, pickableCondition, seesRecord } from '../resource/where.server.ts'
import { SUPER_ROLE } from '../session/session.server.ts'
import { addContribution } from './add.server.ts'
import { concerns, discussionEndpoints, followUpDone, type Concern, type Contribution } from './calls.ts'

/** Contributions that an answer holds, the newest. */
const LISTED = 200
/** How long somebody is reminded that they were named, in days. */
const REMINDED_DAYS = 30
/** Concerns of each kind that an answer holds. */
const MOST_CONCERNS = 100
/** People who are offered at a time. */
const OFFERED = 20

interface Told extends Omit<Contribution, 'follow_up' | 'mentions'> {
  mentions: { id: number; name: string }[] | null
  follow_up_at: number | null
  follow_up_staff: number | null
  follow_up_name: string | null
  done_at: number | null
}

/** Columns of a contribution `d`. */
const columns: SQL = sql`d.id, d.created_at as at, d.staff_id, (select name from staff where id = d.staff_id) as staff_name, d.body,
  (select json_agg(json_build_object('id', s.id, 'name', s.name) order by s.id) from staff s where s.id = any(d.mentions)) as mentions,
  d.follow_up_at, d.follow_up_staff, (select name from staff where id = d.follow_up_staff) as follow_up_name, d.done_at`

const shown = <Row extends Told>({ mentions, follow_up_at, follow_up_staff, follow_up_name, done_at, ...rest }: Row) => ({
  ...rest, mentions: mentions ?? [],
  follow_up: follow_up_at === null || follow_up_staff === null ? null : { at: follow_up_at, staff_id: follow_up_staff, staff_name: follow_up_name, done_at },
})

/** Staff who hold the screen of a resource. */
const holders = (grant: number): SQL => sql`s.status = 1 and s.deleted_at is null and (s.role = ${SUPER_ROLE} or exists (select 1 from staff_module m where m.staff_id = s.id and m.module_id = ${grant}))`

/** Refuses to point somebody to a record that they may not see: they would be told of it, and could not open it. */
async function checkReaders(tx: Queryable, sessions: Kernel['sessions'], service: Registered, id: number, people: readonly number[], field: string): Promise<void> {
  const { resource } = service
  for (const one of new Set(people)) {
    const staff = await sessions.staff(tx, one)
    if (!await seesRecord(tx, resource, staff, id)) throw invalid({ [field]: `${staff ? `${staff.name}看不到这条${resource.label}` : '选择的同事已停用'}，请选择其他人` })
  }
}

/** The calls of the discussion of one resource's records, answered. */
export function discussionCalls(service: Registered, { sessions }: Pick<Kernel, 'sessions'>): Served[] {
  const { resource, rules } = service
  const endpoints = discussionEndpoints(resource)
  const look = async (call: Call, db: Queryable) => {
    const computed = rules.computed ?? NOTHING_COMPUTED
    const row = await readOne(db, resource, call.staff, idParam(call), computed) ?? await readOne(db, resource, call.staff, idParam(call), computed, true)
    if (!row) throw notFound(resource.label)
    if (rules.guardsHistory) await rules.guard?.({ tx: db, staff: call.staff, row })
    return row
  }
  return [
    handle(endpoints.list, async (call) => {
      const { id } = await look(call, call.db)
      const items = await call.db.query<Told>(sql`select ${columns} from discussion d where d.entity = ${resource.table} and d.entity_id = ${id} order by d.id desc limit ${LISTED}`)
      return { items: items.map(shown) }
    }),
    handle(endpoints.say, (call) => call.transaction(async (tx) => {
      const { body, mentions = [], follow_up } = call.input
      const row = await look(call, tx)
      const named = [...new Set(mentions)].filter((id) => id !== call.staff.id)
      const doer = follow_up && (follow_up.staff_id ?? call.staff.id)
      await checkReaders(tx, sessions, service, row.id, named, 'mentions')
      if (doer !== undefined && doer !== call.staff.id) await checkReaders(tx, sessions, service, row.id, [doer], 'follow_up')
      const made = await addContribution(tx, resource, row.id, call.staff.id, { body, mentions: named, ...(follow_up && doer !== undefined && { follow_up: { at: follow_up.at, staff_id: doer } }) })
      const [told] = await tx.query<Told>(sql`select ${columns} from discussion d where d.id = ${made ?? 0}`)
      if (!told) throw badRequest('讨论没有保存，请重试')
      const to = recordPath(resource, row.id)
      if (named.length > 0) await publishLive(tx, named, { type: 'notice', title: `${call.staff.name}在一条${resource.label}的讨论里 @ 提醒`, to })
      if (doer !== undefined && doer !== call.staff.id && !named.includes(doer)) await publishLive(tx, doer, { type: 'notice', title: `${call.staff.name}交来一条${resource.label}的跟进`, to })
      return shown(told)
    })),
    handle(endpoints.people, async (call) => {
      await look(call, call.db)
      const words = (call.input.keyword ?? '').trim().slice(0, 30)
      const items = await call.db.query<{ id: number; name: string }>(sql`select s.id, s.name from staff s where ${holders(resource.grant)} and s.id <> ${call.staff.id}
        ${words === '' ? sql`` : sql`and (s.name ilike ${`%${likeText(words)}%`} or s.account ilike ${`${likeText(words)}%`})`} order by s.name, s.id limit ${OFFERED}`)
      const seen = await Promise.all(items.map(async (one) => seesRecord(call.db, resource, await sessions.staff(call.db, one.id), idParam(call))))
      return { items: items.filter((_one, place) => seen[place]) }
    }),
  ]
}

/** Contributions `d` that concern somebody, with what their records are called; of what the person may not see any more nothing is told. */
async function readConcerns({ db, staff, registry }: Pick<WaitingContext, 'db' | 'staff' | 'registry'>, condition: SQL, order: SQL): Promise<Concern[]> {
  const rows = await db.query<Told & { resource: string; record_id: number }>(
    sql`select ${columns}, d.resource, d.entity_id as record_id from discussion d where ${condition} order by ${order} limit ${MOST_CONCERNS}`)
  const groups = [...Map.groupBy(rows, ({ resource }) => registry.get(resource)?.resource)]
  const found = await Promise.all(groups.map(async ([resource, own]): Promise<Concern[]> => {
    if (!resource || !staff.modules.has(resource.grant)) return []
    const records = await db.query<{ id: number; name: string | null }>(sql`select id, ${sql.identifier(resource.title)}::text as name from ${sql.identifier(resource.table)}
      where id = any(${sql.param(own.map(({ record_id }) => record_id))}::bigint[]) and ${pickableCondition(resource, staff)}`)
    const names = new Map(records.map(({ id, name }) => [id, shownName(resource, staff, name ?? String(id))]))
    return own.flatMap((row) => {
      const name = names.get(row.record_id)
      return name === undefined ? [] : [{ ...shown(row), screen: resource.grant, record: `${resource.label}「${name}」` }]
    })
  }))
  return found.flat()
}

type Reader = Parameters<typeof readConcerns>[0]

/** Contributions of the last month that name the person, the newest first. @param unanswered only those after which the person has said nothing about the record */
export async function readMentions(reader: Reader, unanswered = false): Promise<Concern[]> {
  const me = reader.staff.id
  const open = unanswered ? sql` and not exists (select 1 from discussion r where r.entity = d.entity and r.entity_id = d.entity_id and r.staff_id = ${me} and r.id > d.id)` : sql``
  const found = await readConcerns(reader, sql`d.mentions @> array[${me}::bigint] and d.created_at > now() - make_interval(days => ${REMINDED_DAYS})${open}`, sql`d.id desc`)
  return found.sort((a, b) => b.id - a.id)
}

/** What the person is to do and has not done, what is due first, first. */
export async function readFollowUps(reader: Reader): Promise<Concern[]> {
  const found = await readConcerns(reader, sql`d.follow_up_staff = ${reader.staff.id} and d.follow_up_at is not null and d.done_at is null`, sql`d.follow_up_at, d.id`)
  return found.sort((a, b) => (a.follow_up?.at ?? 0) - (b.follow_up?.at ?? 0))
}

/** The calls of what concerns a person, whatever it is about. */
export function concernCalls({ registry }: Pick<Kernel, 'registry'>): Served[] {
  return [
    handle(concerns, async ({ db, staff }) => {
      const [mentions, follow_ups] = await Promise.all([readMentions({ db, staff, registry }), readFollowUps({ db, staff, registry })])
      return { mentions, follow_ups }
    }),
    handle(followUpDone, (call) => call.transaction(async (tx) => {
      const [done] = await tx.query(sql`update discussion set done_at = case when ${call.input.done}::boolean then now() end
        where id = ${idParam(call)} and follow_up_at is not null and ${call.staff.id}::bigint in (staff_id, follow_up_staff) returning id`)
      if (!done) throw notFound('跟进')
      return {}
    })),
  ]
}

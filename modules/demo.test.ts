import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isRegion } from '../core/field/region.server.ts'
import { ownReferences } from '../core/resource/behind.ts'
import { checkRecord } from '../core/resource/rules.ts'
import { openTestApp, type TestApp } from '../core/testing/app.server.ts'
import { unclaimedFiles } from '../core/testing/files.server.ts'
import { MOST_ITEMS, type WaitingItem, type WaitingSum } from '../core/inbox/waiting.ts'
import { urgency } from '../core/inbox/words.ts'
import { screenId } from './screens.ts'

/** The demo is made once for the whole file: as the first start makes it. */
let app: TestApp
const now = Math.floor(Date.now() / 1000)
beforeAll(async () => {
  app = await openTestApp({ DEMO: '1' })
  // Everything of every module: on a busy machine that takes its time.
}, 300_000)
afterAll(() => app.close())

const rows = <Row extends object>(statement: ReturnType<typeof sql>) => app.kernel.db.query<Row>(statement)
const count = async (statement: ReturnType<typeof sql>) => (await rows<{ n: number }>(sql`select count(*) as n from (${statement}) x`))[0]?.n
/** Resources may share a table; each has its own records. */
const ownRecords = ({ where }: { where: Readonly<Record<string, string | number>> }) => sql.join([sql`true`, ...Object.entries(where).map(([key, value]) => sql`${sql.identifier(key)} = ${value}`)], sql` and `)
const of = (table: string) => count(sql`select 1 from ${sql.identifier(table)}`)

test('there is as much of everything as the demo promises', async () => {
  expect(await of('room_type')).toBe(3)
  expect(await of('unit')).toBe(12)
  expect(await of('partner')).toBe(40)
  expect(await of('app_school')).toBe(120)
  expect(await of('school_student')).toBe(9000)
  // Beside those whom an approved application made one.
  expect(await count(sql`select 1 from app_user u where not exists (select 1 from teacher_profile p where p.user_id = u.id)`)).toBe(3000)
  expect(await count(sql`select 1 from agent g where not exists (select 1 from apply a where a.effect_ref = 'agent ' || g.id)`)).toBe(60)
  expect(await of('channel')).toBe(10)
  expect(await of('activation_code_group')).toBe(60)
  expect(await of('activation_code')).toBe(90_000)
  for (const [table, near] of [['school_cell', 600], ['school_teacher', 500]] as const) {
    expect(await of(table)).toBeGreaterThan(near * 0.85)
    expect(await of(table)).toBeLessThan(near * 1.15)
  }
  // The administrator and two demo accounts beside the twelve colleagues.
  expect(await of('staff')).toBe(15)
})

test('applications have their effect exactly while they hold, clues one owner at most, tickets clocks while they live', async () => {
  expect(await count(sql`select 1 from apply where status = 3 and effect_ref is null`)).toBe(0)
  expect(await count(sql`select 1 from apply a join agent g on a.effect_ref = 'agent ' || g.id where (a.status = 3) <> (g.status = 1)`)).toBe(0)
  expect(await count(sql`select 1 from clue c where (owner_id is null) <> not exists (select 1 from clue_owner_log l where l.clue_id = c.id and l.to_at is null)`)).toBe(0)
  expect(await count(sql`select 1 from ticket where (state in (1, 2)) <> (due_at is not null)`)).toBe(0)
  for (const [table, key, states] of [['apply', 'status', 7], ['ticket', 'state', 5], ['clue', 'stage', 7]] as const) expect(await count(sql`select distinct ${sql.identifier(key)} from ${sql.identifier(table)}`), table).toBe(states)
})

test('openings are within their quota, each in force exactly while its order and its entitlement are, in every state', async () => {
  expect(await count(sql`select 1 from market_quota q where (select count(*) from market_grant g where g.quota_id = q.id and g.state = 2) > q.quota`)).toBe(0)
  expect(await count(sql`select 1 from apply a where kind = 'charity' and (select count(*) from market_grant g where g.apply_id = a.id and g.state = 2) > case when a.status = 3 then a.quota else 0 end`)).toBe(0)
  expect(await count(sql`select 1 from market_grant g join orders o on o.id = g.order_id where (g.state in (2, 4)) <> (o.status in (4, 7)) or o.paid <> 0 or o.virtual <> 1`)).toBe(0)
  expect(await count(sql`select 1 from market_grant g where g.state = 2 and not exists (select 1 from entitlement e where e.user_id = g.user_id and e.offer_id = g.offer_id and e.source in (4, 5) and e.status = 1 and e.expire_at > now())`)).toBe(0)
  for (const [kind, states] of [['market', 5], ['charity', 3]] as const) expect(await count(sql`select distinct state from market_grant where kind = ${kind}`), kind).toBe(states)
})

test('every file that a record names is claimed by it', async () => {
  expect(await count(sql`select 1 from file where expires_at is null`)).toBeGreaterThan(10)
  expect(await unclaimedFiles(app.kernel.db)).toEqual([])
})

test('orders, books and what they bought agree with each other', async () => {
  expect(await count(sql`select 1 from orders where line in ('partner', 'school')`)).toBe(5000)
  expect(await count(sql`select 1 from partner p where coalesce(balance, 0) <> (select coalesce(sum(amount), 0) from ledger where account_kind = 'partner' and account_id = p.id)`)).toBe(0)
  expect(await count(sql`select 1 from orders o where paid <> (select coalesce(sum(amount), 0) from payment where order_id = o.id) or refunded <> (select coalesce(sum(amount), 0) from refund where order_id = o.id and status = 2) or refunded > paid or paid > amount`)).toBe(0)
  expect(await count(sql`select 1 from partner p where code_quota > 0 and code_quota <> (select coalesce(sum(granted_qty), 0) from order_item i join orders o on o.id = i.order_id where i.kind = 'code' and o.buyer_kind = 'partner' and o.buyer_ref_id = p.id)`)).toBe(0)
  expect(await count(sql`select 1 from order_item i join orders o on o.id = i.order_id where (i.granted_qty > 0) <> (o.status in (4, 5, 6, 7, 8, 13))`)).toBe(0)
  // What was opened for nothing is written down after what was sold.
  expect(await count(sql`select 1 from (select id, created_at < lag(created_at) over (partition by line, virtual order by id) as back from orders) x where back`)).toBe(0)
  // A card that was sold by an order names it, and the room's books hold what it cost.
  expect(await of('user_card')).toBeGreaterThan(6000)
  expect(await count(sql`select 1 from user_card where order_no is not null`)).toBe(await count(sql`select 1 from orders where line = 'member'`))
  expect(await count(sql`select 1 from user_card u join orders o on o.order_no = u.order_no where u.member_id <> o.buyer_ref_id or u.paid <> o.paid or u.refunded <> o.refunded`)).toBe(0)
  expect(await count(sql`select 1 from order_item i cross join lateral jsonb_array_elements_text(i.effect->'cards') as card join user_card u on u.id = card::bigint join orders o on o.id = i.order_id where u.order_no <> o.order_no`)).toBe(0)
  for (const line of ['room', 'member', 'school']) for (const own of [0, 1]) expect(await count(sql`select 1 from orders where line = ${line} and self_run = ${own}`), `${line} ${own}`).toBeGreaterThan(30)
  expect(await count(sql`select 1 from day_closing d where expected <> (select coalesce(sum(amount), 0) from ledger where account_kind = 'room' and account_id = d.room_id and at >= d.day and at < d.day + interval '1 day')`)).toBe(0)
  expect(await count(sql`select 1 from orders o where o.status <> (select to_status from order_log where order_id = o.id order by id desc limit 1)`)).toBe(0)
})

test('records would pass the rules of their own form', async () => {
  const wrong: string[] = []
  for (const { resource } of app.kernel.registry.values()) {
    const table = sql.identifier(resource.table)
    // A thousand of each kind, from all over it: what makes them is the same code.
    const some = sql`id % (select count(*) / 1000 + 1 from ${table}) = 0`
    for (const row of await rows<Record<string, unknown>>(sql`select * from ${table} where ${ownRecords(resource)} and ${some}`)) {
      const { errors } = checkRecord(resource, row, false)
      const regions = Object.keys(resource.fields).filter((key) => resource.fields[key]?.kind === 'region' && typeof row[key] === 'string' && !isRegion(String(row[key])))
      if (Object.keys(errors).length > 0 || regions.length > 0) wrong.push(`${resource.name} ${String(row['id'])}: ${JSON.stringify(errors)} ${regions.join(' ')}`)
    }
  }
  expect(wrong.slice(0, 5)).toEqual([])
})

test('every reference leads to a record', async () => {
  const astray: string[] = []
  for (const { resource } of app.kernel.registry.values()) {
    for (const [key, field] of ownReferences(resource)) {
      const ids = field.kind === 'reference_list' ? sql`unnest(${sql.identifier(key)})` : sql`${sql.identifier(key)}`
      const lost = sql`select id from (select ${ids} as id from ${sql.identifier(resource.table)} where ${ownRecords(resource)}) r where id is not null and id not in (select id from ${sql.identifier(field.target().table)})`
      if (await count(lost) !== 0) astray.push(`${resource.name}.${key}`)
    }
  }
  expect(astray).toEqual([])
})

test('classes and teachers of a student belong to the student\'s school, and the grade is the class\'s', async () => {
  expect(await count(sql`select 1 from school_student s join school_cell c on c.id = s.cell_id where c.school_id <> s.school_id or c.grade <> s.grade`)).toBe(0)
  expect(await count(sql`select 1 from school_student s join school_teacher t on t.id = s.teacher_id where t.school_id <> s.school_id or t.status = 0`)).toBe(0)
  expect(await count(sql`select 1 from school_teacher t cross join lateral unnest(t.cell_ids) as cell join school_cell c on c.id = cell where c.school_id <> t.school_id`)).toBe(0)
  expect(await count(sql`select 1 from school_student where cell_id is not null`)).toBeGreaterThan(8000)
})

test('times and states agree with each other', async () => {
  expect(await count(sql`select 1 from school_student where (status = 2) <> (expire_at < to_timestamp(${now}))`)).toBe(0)
  expect(await count(sql`select 1 from school_student where expire_at <= start_at or last_study_at < created_at or last_study_at > now() or created_at > now()`)).toBe(0)
  expect(await count(sql`select 1 from school_student where week_minutes > 0 and (last_study_at is null or last_study_at < to_timestamp(${now}) - interval '8 days')`)).toBe(0)
  expect(await count(sql`select 1 from school_student s join app_school a on a.id = s.school_id where s.created_at < a.created_at or a.status = 0`)).toBe(0)
  expect(await count(sql`select 1 from partner where status = 1 and expire_at < now()`)).toBe(0)
  expect(await count(sql`select 1 from partner where status in (3, 4) and expire_at > now()`)).toBe(0)
  expect(await count(sql`select 1 from partner where expire_at <= sign_at or used_quota > code_quota`)).toBe(0)
  expect(await count(sql`select 1 from app_school a join partner p on p.id = a.partner_id where p.status = 0 or a.created_at < p.created_at`)).toBe(0)
  expect(await count(sql`select 1 from app_user where last_login_at < register_at or register_at > now()`)).toBe(0)
})

test('codes agree with their batches, quotas and dates', async () => {
  const used = await count(sql`select 1 from activation_code where activated_at is not null`) ?? 0
  expect(used / 90_000).toBeGreaterThan(0.44)
  expect(used / 90_000).toBeLessThan(0.48)
  const classes = sql`select g.id from activation_code_group g join activation_code c on c.group_id = g.id group by g.id having count(*) <> g.total or count(*) filter (where c.status = 0) <> g."left"
    or count(*) filter (where c.status = 2) <> g.cancelled or count(*) filter (where c.status = 4) <> g.frozen or count(*) filter (where c.status = 3 and c.activated_at is null) <> g.expired
    or count(*) filter (where c.status = 1 or (c.status = 3 and c.activated_at is not null)) <> g.used`
  expect(await count(classes)).toBe(0)
  expect(await count(sql`select 1 from partner p where p.used_quota <> (select count(*) from activation_code c where c.partner_id = p.id) and exists (select 1 from activation_code c where c.partner_id = p.id)`)).toBe(0)
  expect(await count(sql`select 1 from activation_code where activated_at > now() or activated_at < created_at or activated_at > redeem_before or (activated_at is null) <> (student_id is null)`)).toBe(0)
  expect(await count(sql`select 1 from activation_code where (status = 0 and redeem_before < now()) or (status = 1 and expire_at < now())`)).toBe(0)
  expect(await count(sql`select 1 from activation_code c join app_school s on s.id = c.school_id where s.partner_id <> c.partner_id`)).toBe(0)
  expect(await count(sql`select 1 from code_secret where family = 'activation_code'`)).toBe(90_000)
  // Some were activated in another province than their partner's: enough cases to look at, in every state.
  const cases = await rows<{ status: number }>(sql`select status from code_diversion`)
  expect(new Set(cases.map(({ status }) => status)).size).toBe(3)
  expect(cases.length).toBeGreaterThanOrEqual(3)
  expect(cases.length).toBeLessThanOrEqual(6)
})

test('codes of books agree with their batches and dates, printed codes with their books', async () => {
  expect(await count(sql`select 1 from book_code_group g join book_code c on c.group_id = g.id group by g.id, g.total, g.used having count(*) <> g.total or count(*) filter (where c.activated_at is not null) <> g.used`)).toBe(0)
  expect(await count(sql`select 1 from book_code where activated_at > now() or activated_at < created_at or activated_at > redeem_before`)).toBe(0)
  expect(await count(sql`select 1 from code_secret where family = 'book_code'`)).toBe(await of('book_code'))
  expect(await count(sql`select 1 from qr_target q join book b on b.id = q.book_id where (q.state > 0) <> (b.print_no > 0) or q.level <> b.level or q.printed_in > b.print_no`)).toBe(0)
  // Filters of what is to be looked at find something.
  expect(await count(sql`select 1 from qr_target where health = 2`)).toBeGreaterThan(0)
  expect(await count(sql`select 1 from qr_target where state = 2`)).toBeGreaterThan(0)
})

test('students enrol over eighteen months', async () => {
  const months = await rows<{ n: number }>(sql`select count(*) as n from school_student where created_at > now() - interval '1 year'
    group by extract(month from created_at at time zone 'Asia/Shanghai')`)
  expect(months).toHaveLength(12)
  expect(Math.min(...months.map(({ n }) => n))).toBeGreaterThan(30)
  const [span] = await rows<{ first: number }>(sql`select min(created_at) as first from school_student`)
  expect(now - (span?.first ?? now)).toBeGreaterThan(500 * 86_400)
  // Numbers grow with time, as they do when records are made one by one.
  expect(await count(sql`select 1 from (select created_at < lag(created_at) over (order by id) as back from school_student) x where back`)).toBe(0)
})

test('many users are people whom the study rooms know', async () => {
  expect(await count(sql`select 1 from app_user u where exists (select 1 from school_student s where s.mobile = u.mobile)`)).toBe(1200)
  expect(await count(sql`select 1 from app_user u where exists (select 1 from school_student s where s.parent_mobile = u.mobile)`)).toBeGreaterThan(450)
})

test('nothing of it fills the log, and the next user\'s number is free', async () => {
  expect(await count(sql`select 1 from audit_log where entity not in ('staff')`)).toBe(0)
  const admin = await app.login()
  const answer = await admin.post('/daoyuan/api/end/users', { mobile: '19900001111', nickname: '新用户', role: 1 })
  expect(answer.status).toBe(200)
})

test('colleagues hold what their template says; nobody knows their password', async () => {
  expect(await count(sql`select 1 from staff s join credential c on c.staff_id = s.id where s.position is not null and c.password_hash is null`)).toBe(12)
  const [service] = await rows<{ modules: number[]; template: number[] }>(sql`select array(select module_id from staff_module where staff_id = s.id order by 1) as modules,
    (select modules from role_template where name = '客服') as template from staff s where account = 'kf_zuzhang'`)
  expect(service?.modules).toEqual(service?.template)
  expect(service?.modules).toContain(screenId('/userManagement/total'))
  expect(await count(sql`select 1 from staff_scope where kind = 'subject' and ref_id not in (select id from subject)`)).toBe(0)
})

test('what waits is what the lists behind it show, in numbers and one by one', async () => {
  const admin = await app.login()
  const { waiting } = (await admin.get<{ waiting: WaitingSum[] }>('/daoyuan/api/end/dashboard')).body
  expect(waiting.map(({ name }) => name)).toEqual(expect.arrayContaining(['partner_order_auditing', 'practice_verify', 'partner_expiring']))
  for (const { name, count: total, late, today, to, first } of waiting) {
    const { items } = (await admin.get<{ items: WaitingItem[] }>('/daoyuan/api/end/waiting', { kind: name })).body
    expect(items, name).toHaveLength(Math.min(total, MOST_ITEMS))
    expect(items[0], name).toEqual(first)
    if (total <= MOST_ITEMS && first?.due !== null) {
      const groups = Map.groupBy(items, (item) => urgency(item, now))
      expect([groups.get('late')?.length ?? 0, groups.get('today')?.length ?? 0], name).toEqual([late, today])
    }
    const known = app.kernel.registry.get(first?.resource ?? '')?.resource
    if (!known) continue
    const query = Object.fromEntries([...new URLSearchParams(to.split('?')[1])].filter(([key]) => key !== 'show').reduce((map, [key, value]) => map.set(key, [...map.get(key) ?? [], value]), new Map<string, string[]>()))
    const list = await admin.get(known.api.list, query)
    expect(list.body[known.api.reply.total], name).toBe(total)
  }
  const queue = await admin.get<{ total: number }>('/daoyuan/api/end/practice_verifies')
  expect(queue.body.total).toBe(waiting.find(({ name }) => name === 'practice_verify')?.count)
})

test('whatever runs by itself runs through it', async () => {
  // Nobody is asked outside.
  const outgoing = { fetch: () => Promise.reject(new Error('not reached')), close: () => Promise.resolve() }
  const sweeps = app.modules.flatMap((module) => module.sweeps?.({ ...app.kernel, outgoing }) ?? [])
  expect(sweeps.length).toBeGreaterThan(20)
  const failed: string[] = []
  for (const { name, run } of sweeps) await run().catch((error: unknown) => failed.push(`${name}: ${String(error instanceof Error ? error.cause ?? error : error)}`))
  expect(failed).toEqual([])
})

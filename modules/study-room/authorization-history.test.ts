import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type Answer, type Caller, type TestApp } from '../../core/testing/app.server.ts'
import { expectRefusal } from '../../core/testing/expect.server.ts'
import { CODE_STATUS } from '../code/module.ts'
import { activateCodeCall, activationCode, activationCodeGroup } from './authorization-code.ts'
import { codes as servedCodes } from './authorization-code.server.ts'
import { batchInput, codesOf, makeBatch, openCodeWorld, revealed, type CodeWorld } from './testing.server.ts'

/** The same histories each time; a longer search sets these. */
const SEED = Number(process.env['FUZZ_SEED'] ?? 20261122)
const RUNS = Number(process.env['FUZZ_RUNS'] ?? 12)
const DAY = 86_400
const REASON = { reason: '随机历史' }
const CODES = 3

let app: TestApp
let admin: Caller
let world: CodeWorld
beforeAll(async () => {
  app = await openTestApp()
  admin = await app.login()
  world = await openCodeWorld(app, 5000)
  await app.db.query(sql`insert into ledger (account_kind, account_id, amount, kind) select 'partner', id, 100000000, 'top_up' from partner`)
  await app.db.query(sql`update partner set balance = 100000000`)
})
afterAll(() => app.close())

const activate = (caller: Caller, code: string, student_id: number | undefined) => caller.post(activateCodeCall.path, { code, student_id })
const later = () => Math.floor(Date.now() / 1000) + 200 * DAY

/** One step of a history: which of the batch's codes, which student, what. */
type Step = { does: 'activate' | 'unbind' | 'cancel' | 'freeze' | 'unfreeze' | 'extend' | 'transfer' | 'overtake' | 'sweep' | 'append' | 'exchange'; code: number; student: number }
const step: fc.Arbitrary<Step> = fc.record({
  // Codes live long enough to be set free again and again.
  does: fc.oneof({ weight: 30, arbitrary: fc.constantFrom('activate', 'unbind') }, { weight: 20, arbitrary: fc.constantFrom('freeze', 'unfreeze', 'extend', 'transfer', 'overtake', 'sweep', 'append') }, { weight: 3, arbitrary: fc.constantFrom('cancel', 'exchange') }),
  code: fc.nat(CODES - 1), student: fc.nat(5),
})

interface Known {
  id: number
  whole: string
}

/** Time passes for one code: its ends lie behind it, and so does that of what it opened. */
async function overtake(id: number): Promise<undefined> {
  await app.db.query(sql`update activation_code set redeem_before = now() - interval '1 day', expire_at = case when expire_at is null then null else now() - interval '1 hour' end where id = ${id}`)
  await app.db.query(sql`update entitlement e set expire_at = c.expire_at from activation_code c where c.id = ${id} and c.expire_at is not null and e.source = 2 and e.ref = 'activation_code ' || c.id`)
}

async function take(group: number, known: readonly Known[], { does, code, student }: Step): Promise<Answer | undefined> {
  const target = known[code]
  if (!target) throw new Error('no such code')
  const act = (body: Record<string, unknown> = {}) => admin.post(`${activationCode.api.item}/${target.id}/${does}`, { ...REASON, ...body })
  if (does === 'activate') return activate(admin, target.whole, (student % 3 === 2 ? world.strangers : world.students)[student])
  if (does === 'extend') return act({ until: later() + code * DAY })
  if (does === 'transfer') return act({ owner: world.partners[student % 2] })
  if (does === 'overtake') return overtake(target.id)
  if (does === 'sweep') return void await servedCodes.sweeps(app.kernel)[0]?.run()
  if (does === 'append') return admin.post(`${activationCodeGroup.api.item}/${group}/append`, { count: 2 })
  if (does === 'exchange') return admin.post(`${activationCodeGroup.api.item}/${group}/exchange`, batchInput(world, { name: '置换', count: 1 }))
  return act()
}

/** What must hold after every step, whatever the history. */
async function expectSound(cancelled: ReadonlySet<number>): Promise<void> {
  const wrong = await app.db.query<{ what: string; id: number }>(sql`
    select 'batch numbers' as what, g.id from activation_code_group g left join activation_code c on c.group_id = g.id group by g.id
      having count(c.id) <> g.total or count(*) filter (where c.status = 0) <> g."left" or count(*) filter (where c.status = 2) <> g.cancelled or count(*) filter (where c.status = 4) <> g.frozen
        or count(*) filter (where c.status = 3 and c.activated_at is null) <> g.expired or count(*) filter (where c.status = 1 or (c.status = 3 and c.activated_at is not null)) <> g.used
        or least(g."left", g.used, g.cancelled, g.expired, g.frozen) < 0
    union all select 'quota', p.id from partner p where p.used_quota > p.code_quota or p.used_quota < 0 or p.used_quota <> (select count(*) from activation_code c where c.partner_id = p.id)
    union all select 'balance', p.id from partner p where p.balance <> (select sum(amount) from ledger where account_kind = 'partner' and account_id = p.id)
    union all select 'unbound too often', id from activation_code where unbind_count > 2
    union all select 'holder', id from activation_code where (activated_at is null) <> (user_id is null) or (activated_at is null) <> (student_id is null) or (status = 1 and activated_at is null) or (status = 0 and activated_at is not null)
    union all select 'entitlement', c.id from activation_code c left join entitlement e on e.source = 2 and e.ref = 'activation_code ' || c.id
      where (e.status = 1) is distinct from (case when c.activated_at is not null and c.status in (1, 3) then true when e.id is null then null else false end)
        or (e.status = 1 and (e.user_id <> c.user_id or e.expire_at <> c.expire_at))
    union all select 'used twice', entity_id from audit_log where entity = 'activation_code' group by entity_id
      having count(*) filter (where action = 'code_activate') - count(*) filter (where action = 'code_unbind') not in (0, 1)`)
  expect(wrong).toEqual([])
  if (cancelled.size === 0) return
  const risen = await app.db.query(sql`select id from activation_code where id = any(${sql.param([...cancelled])}::bigint[]) and status <> ${CODE_STATUS.cancelled}`)
  expect(risen, 'cancelled is final').toEqual([])
}

test('over random histories no code is used twice, none is set free a third time, quotas hold, cancelled is final', async () => {
  const done = new Map<string, number>()
  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 30, maxLength: 60 }), async (steps) => {
    const batch = await makeBatch(admin, world, { count: CODES })
    const known = await Promise.all((await codesOf(admin, batch.id)).map(async ({ id }) => ({ id, whole: await revealed(admin, id) })))
    const cancelled = new Set<number>()
    for (const one of steps) {
      const answer = await take(batch.id, known, one)
      if (answer && answer.status !== 200) expectRefusal(answer, [400, 409], `${one.does} ${JSON.stringify(answer.body)}`)
      if (!answer || answer.status === 200) done.set(one.does, (done.get(one.does) ?? 0) + 1)
      for (const { id } of await app.db.query<{ id: number }>(sql`select id from activation_code where status = ${CODE_STATUS.cancelled}`)) cancelled.add(id)
      await expectSound(cancelled)
    }
  }), { seed: SEED, numRuns: RUNS })
  // The histories went somewhere.
  for (const name of ['activate', 'unbind', 'cancel', 'freeze', 'unfreeze', 'extend', 'transfer', 'append', 'exchange']) expect(done.get(name) ?? 0, name).toBeGreaterThan(0)
}, 300_000)

test('of fifty who make batches at once as many succeed as the quota allows', async () => {
  await app.db.query(sql`update partner set code_quota = used_quota + 205 where id = ${world.partners[0]}`)
  const answers = await Promise.all(Array.from({ length: 50 }, (_unused, index) => admin.post(activationCodeGroup.api.item, batchInput(world, { name: `并发${index}`, count: 10 }))))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(20)
  for (const answer of answers.filter(({ status }) => status !== 200)) expect(answer.body['detail']).toBe('名额不足，剩余 5')
  await expectSound(new Set())
  const [distinct] = await app.db.query<{ n: number; all: number }>(sql`select count(distinct hash) as n, (select count(*) from activation_code) as "all" from code_secret where family = 'activation_code'`)
  expect(distinct?.n).toBe(distinct?.all)
})

test('of fifty who activate one code at once exactly one succeeds', async () => {
  await app.db.query(sql`update partner set code_quota = used_quota + 100 where id = ${world.partners[0]}`)
  const batch = await makeBatch(admin, world, { count: 3 })
  for (const { id } of await codesOf(admin, batch.id)) {
    const whole = await revealed(admin, id)
    const answers = await Promise.all(world.students.slice(0, 50).map((student) => activate(admin, whole, student)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const answer of answers.filter(({ status }) => status !== 200)) expect(answer.body['detail']).toBe('当前状态为「已激活」，不能激活')
  }
  await expectSound(new Set())
})

test('who activates, sets free and cancels at once leaves a code in one state', async () => {
  await app.db.query(sql`update partner set code_quota = used_quota + 100 where id = ${world.partners[0]}`)
  const batch = await makeBatch(admin, world, { count: 10 })
  for (const { id } of await codesOf(admin, batch.id)) {
    const whole = await revealed(admin, id)
    await Promise.all([
      activate(admin, whole, world.students[0]), activate(admin, whole, world.students[1]),
      ...['unbind', 'cancel', 'freeze', 'unbind'].map((name) => admin.post(`${activationCode.api.item}/${id}/${name}`, REASON)),
    ])
  }
  await expectSound(new Set())
})

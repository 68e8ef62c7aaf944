import { sql } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import { concerns } from '../../core/discussion/calls.ts'
import { standardId } from '../../core/grant/grant.ts'
import { openTestApp, type Caller } from '../../core/testing/app.server.ts'
import { expectFieldRefusal, expectRefusal, expectSuccess } from '../../core/testing/expect.server.ts'
import { openSamples } from '../../core/testing/sample.server.ts'
import type { ContactList, PartnerToCall } from './partner-contacts.ts'
import { LISTED_FROM, reasonsOf, urgencyOf, type ContactFacts } from './partner-reasons.ts'
import { PARTNER_STATUS, partner } from './partner.ts'

const DAY = 86_400
const NOW = Math.floor(Date.now() / 1000)
const app = await openTestApp()
const samples = await openSamples(app)
const a = samples.caller(partner)
afterAll(() => app.close())

const LIST = `${partner.api.list}/to_call`
const mark = (caller: Caller, id: number, body: Record<string, unknown>) => caller.post<PartnerToCall & Record<string, unknown>>(`${partner.api.item}/${id}/contacted`, body)
const listed = async (caller: Caller) => (await caller.get<ContactList & Record<string, unknown>>(LIST)).body.items
const find = async (id: number, caller = a) => (await listed(caller)).find((one) => one.id === id)
async function made(days: number): Promise<number> {
  const { id } = await samples.create(partner)
  await app.db.query(sql`update partner set status = ${PARTNER_STATUS.signed}, expire_at = now() + make_interval(days => ${days}), balance = 0 where id = ${id}`)
  return id
}

const calm: ContactFacts = { recent: 10, earlier: 10, unused: 5, pads: 0, online: 0, ended: 0, renewed: 0, status: PARTNER_STATUS.signed, expire_at: NOW + 200 * DAY, balance: 0, quota: 100, used: 20, last_at: NOW - DAY }

test('nobody is called without cause, and each cause says its figures and what to say', () => {
  expect(reasonsOf(calm, NOW)).toEqual([])
  const cases: [Partial<ContactFacts>, string, string][] = [
    [{ expire_at: NOW + 10 * DAY }, 'expiring', '还有 10 天'], [{ status: PARTNER_STATUS.expired, expire_at: NOW - DAY }, 'expired', '还没有续约'], [{ recent: 3 }, 'falling', '近 4 周激活 3 个，之前 4 周 10 个，少了 70%'],
    [{ balance: -12_345 }, 'debt', '-123.45'], [{ ended: 10, renewed: 2 }, 'renewal', '只续了 2 名（20%）'], [{ recent: 0, earlier: 0, unused: 50 }, 'unused', '50 个授权码'],
    [{ pads: 10, online: 2 }, 'pads', '10 台平板只有 2 台'], [{ used: 95 }, 'quota', '只剩 5 个'], [{ last_at: null }, 'silent', '还没有联系记录'],
  ]
  for (const [change, key, words] of cases) {
    const [reason, ...more] = reasonsOf({ ...calm, ...change }, NOW)
    expect([reason?.key, more], key).toEqual([key, []])
    expect(reason?.fact, key).toContain(words)
    expect(reason?.say, key).toMatch(/[？。]$/)
  }
  expect(urgencyOf(reasonsOf({ ...calm, last_at: null }, NOW))).toBeLessThan(LISTED_FROM)
  const all = reasonsOf({ ...calm, expire_at: NOW + DAY, recent: 1, balance: -1, ended: 9, pads: 9 }, NOW)
  expect(all.map(({ weight }) => weight)).toEqual(all.map(({ weight }) => weight).toSorted((one, other) => other - one))
  expect(urgencyOf(all)).toBe(100)
})

test('a partner is listed with the fact, called with a note and a follow-up of one’s own, and stays in sight this week', async () => {
  const [id, other] = [await made(10), await made(300)]
  expect(await find(id)).toMatchObject({ state: 'due', last: null, reasons: expect.arrayContaining([expect.objectContaining({ key: 'expiring' })]) })
  expect(await find(other)).toBeUndefined()
  const at = NOW + 3 * DAY
  const done = await mark(a, id, { outcome: 'done', note: '月底续约，寄合同', follow_up_at: at })
  expectSuccess(done)
  expect(done.body).toMatchObject({ state: 'done', last: { note: '月底续约，寄合同' } })
  expect(await find(id)).toMatchObject({ state: 'done' })
  const { body } = await a.get<{ follow_ups: { record_id: number; body: string; follow_up: { at: number } }[] }>(concerns.path)
  expect(body.follow_ups).toContainEqual(expect.objectContaining({ record_id: id, body: '联系：月底续约，寄合同', follow_up: expect.objectContaining({ at }) }))
  // A new week asks anew.
  await app.db.query(sql`update partner_contact set at = at - interval '8 days' where partner_id = ${id}`)
  expect(await find(id)).toMatchObject({ state: 'due' })
})

test('what is put off comes back on its day; the last word counts', async () => {
  const id = await made(5)
  expectSuccess(await mark(a, id, { outcome: 'later', until: NOW + 2 * DAY }))
  expect(await find(id)).toMatchObject({ state: 'later', last: { until: NOW + 2 * DAY } })
  await app.db.query(sql`update partner_contact set until = now() - interval '1 minute' where partner_id = ${id}`)
  expect(await find(id)).toMatchObject({ state: 'due' })
  expectSuccess(await mark(a, id, { outcome: 'done', note: '打通了，一切正常' }))
  expect(await find(id)).toMatchObject({ state: 'done' })
})

test('bad input says what is wrong; who may only look records nothing, and sees their own partners alone', async () => {
  const id = await made(5)
  for (const until of [NOW - DAY, NOW + 40 * DAY]) expectFieldRefusal(await mark(a, id, { outcome: 'later', until }), 400, 'until')
  expectFieldRefusal(await mark(a, id, { outcome: 'done', note: '好' }), 400, 'note')
  expectFieldRefusal(await mark(a, id, { outcome: 'done', note: '一切正常，下周再说', follow_up_at: NOW - DAY }), 400, 'follow_up_at')
  expectRefusal(await mark(a, id, { outcome: 'never' }), 400)
  const looker = await app.staff([partner.grant])
  expect((await find(id, looker))?.mobile).toMatch(/\*/)
  expectRefusal(await mark(looker, id, { outcome: 'later', until: NOW + DAY }), 403)
  expectRefusal(await (await app.staff([])).get(LIST), 403)
  const elsewhere = await app.staff([partner.grant, standardId(partner.grant, 'edit')], { scopes: { partner: [id + 100_000] } })
  expect(await listed(elsewhere)).toEqual([])
  expectRefusal(await mark(elsewhere, id, { outcome: 'later', until: NOW + DAY }), 404)
  const ended = await made(5)
  await app.db.query(sql`update partner set status = ${PARTNER_STATUS.ended} where id = ${ended}`)
  expectRefusal(await mark(a, ended, { outcome: 'later', until: NOW + DAY }), 404)
})

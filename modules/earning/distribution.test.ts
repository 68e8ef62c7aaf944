import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { standardId } from '../../core/grant/grant.ts'
import type { WireRow } from '../../core/resource/endpoints.ts'
import { insertMany, seedTransaction } from '../../core/setup/insert-many.server.ts'
import { openTestApp, type Caller, type TestApp } from '../../core/testing/app.server.ts'
import { expectFieldRefusal, expectRefusal, expectSuccess } from '../../core/testing/expect.server.ts'
import { agent } from '../agent/module.ts'
import { post } from '../order/door.server.ts'
import { partner } from '../study-room/module.ts'
import { writeLines } from './book.server.ts'
import { wrongEarnings } from './invariants.server.ts'
import { ACCOUNT } from './line.ts'
import { regionCheck, type Regions } from './region.ts'
import { agentAccount, passSettlement, settleAccount, type SettlementRow } from './settle.server.ts'
import { SETTLEMENT } from './settlement.ts'
import { agentStatement, makeStatements, STATEMENT, STATEMENT_RIGHTS, statementParts, type StatementParts, type StatementsMade } from './statement.ts'
import { makeStatement, statementChecks } from './statement.server.ts'
import { agentTarget } from './target.ts'

const AGENT = '/daoyuan/api/end/proxy_users'
const DAY = 86_400

let app: TestApp
let keeper: Caller
let people = 0
beforeAll(async () => {
  app = await openTestApp()
  keeper = await app.staff(app.servedGrants)
})
afterAll(() => app.close())

const sent = (more: Record<string, unknown> = {}) => ({ name: `代理${++people}`, mobile: `138${String(70_000_000 + people)}`, type: 1, level_id: 1, ...more })
async function newAgent(more: Record<string, unknown> = {}): Promise<WireRow> {
  const made = await keeper.post<WireRow>(AGENT, sent(more))
  expectSuccess(made)
  return made.body
}
/** A month so many before this one, and a moment in it. */
const monthBack = (back: number) => {
  const now = new Date(Date.now() + 8 * 3600_000)
  const first = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1))
  return { month: first.toISOString().slice(0, 7), at: first.getTime() / 1000 - 8 * 3600 }
}

describe('exclusive regions', () => {
  test('are one agent’s, and theirs who stand below them; an overlap is refused by name, however it would come about', async () => {
    const holder = await newAgent({ name: '苏州总代', region_code: '3205' })
    for (const region_code of ['3205', '320508', '32']) {
      const answer = await keeper.post<{ fields: Record<string, string> }>(AGENT, sent({ region_code }))
      expectFieldRefusal(answer, 400, 'region_code')
      expect(answer.body.fields['region_code']).toContain('「苏州总代」已独家代理江苏省')
    }
    const below = await newAgent({ region_code: '320508', parent_id: holder.id })
    const other = await newAgent({ region_code: '3201' })
    expectFieldRefusal(await keeper.put(`${AGENT}/${other.id}`, { region_code: '320583' }), 400, 'region_code')
    // Out of the branch the district would be held twice.
    expect((await keeper.put(`${AGENT}/${below.id}`, { parent_id: null })).status).toBe(400)
    expect((await keeper.put(`${AGENT}/${holder.id}`, { parent_id: below.id })).status).toBe(400)
    // Who has ended holds nothing; who comes back finds it taken.
    expectSuccess(await keeper.delete(`${AGENT}/${below.id}`))
    expectSuccess(await keeper.post(`${AGENT}/${holder.id}/end`, { reason: '合同到期' }))
    await newAgent({ region_code: '3205' })
    expect((await keeper.post(`${AGENT}/${below.id}/restore`)).status).toBe(400)
  })

  test('two people give the same region at once: one of them gets it', async () => {
    const answers = await Promise.all([0, 1, 2].map(() => keeper.post(AGENT, sent({ region_code: '3701' }))))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400])
  })

  test('show the partners and orders of other branches, not those of their own', async () => {
    const holder = await newAgent({ name: '杭州总代', region_code: '3301' })
    const below = await newAgent({ parent_id: holder.id })
    const stranger = await newAgent({ name: '外地代理' })
    const shop = (name: string, agent_id: number, region_code = '330106') => ({ name, contact: '周敏', mobile: `159${String(10_000_000 + ++people)}`, region_code, level: 1, type_id: 1, agent_id, status: 1, code_quota: 0, used_quota: 0, balance: 0, sign_at: 1_760_000_000, expire_at: 1_860_000_000 })
    await seedTransaction(app.db, (tx) => insertMany(tx, partner, [shop('西湖书房', stranger.id), shop('文三路书房', below.id), shop('外省书房', stranger.id, '110101')] as never))
    await app.db.query(sql`with o as (insert into orders (order_no, line, amount, total, paid, status, agent_id, paid_at, buyer_mobile) values ('X1', 'partner', 5000, 5000, 5000, 4, ${stranger.id}, now(), '13700000001'), ('X2', 'partner', 700, 700, 700, 5, ${below.id}, now(), '13700000002'), ('X3', 'partner', 900, 900, 900, 9, ${stranger.id}, now(), '13700000003') returning id)
      insert into order_receiver (order_id, name, mobile, region_code, address) select id, '林小满', '13700000001', '330106', '文三路 1 号' from o`)
    const { body } = await keeper.get<Regions>(regionCheck.path)
    const mine = body.foreign.filter(({ holder_id }) => holder_id === holder.id)
    expect(mine.map(({ kind, name, seller }) => [kind, name, seller]).sort()).toEqual([['order', 'X1', '外地代理'], ['partner', '西湖书房', '外地代理']])
    expect(body.holders.find(({ id }) => id === holder.id)).toMatchObject({ partners: 1, orders: 1, amount: 5000 })
    // Who is limited to some agents sees their regions alone, and no names of others.
    const limited = await app.staff([agent.grant], { scopes: { agent: [holder.id] } })
    const { body: own } = await limited.get<Regions>(regionCheck.path)
    expect([own.holders.length, own.foreign.map(({ seller }) => seller)]).toEqual([1, [null, null]])
    expectRefusal(await (await app.staff([])).get(regionCheck.path), 403)
  })
})

describe('targets', () => {
  test('say what the agent and everybody below them sold in the year, what is left, and who is behind', async () => {
    const top = await newAgent()
    const low = await newAgent({ parent_id: top.id })
    const year = new Date(Date.now() + 8 * 3600_000).getUTCFullYear()
    await app.db.query(sql`insert into orders (order_no, line, amount, total, paid, refunded, status, agent_id, paid_at, virtual) values ('T1', 'partner', 60000, 60000, 60000, 10000, 13, ${top.id}, now(), 0), ('T2', 'partner', 30000, 30000, 30000, 0, 4, ${low.id}, now(), 0),
      ('T3', 'partner', 90000, 90000, 90000, 0, 4, ${low.id}, now() - interval '2 years', 0), ('T4', 'partner', 90000, 90000, 90000, 0, 2, ${top.id}, now(), 1)`)
    const made = await keeper.post<WireRow>(agentTarget.api.item, { account_id: top.id, year, sales: 1_000_00, codes: 20 })
    expect(made.body).toMatchObject({ sales_done: 800_00, sales_left: 200_00, codes_done: 0, codes_left: 20 })
    expectRefusal(await keeper.post(agentTarget.api.item, { account_id: top.id, year, sales: 1, codes: 0 }), 409)
    const paces = async (pace: string) => (await keeper.get<{ items: WireRow[] }>(agentTarget.api.list, { account_id: String(top.id), pace })).body.items.length
    expect([await paces('done')]).toEqual([0])
    expectSuccess(await keeper.put(`${agentTarget.api.item}/${made.body.id}`, { sales: 100_000_00 }))
    expect([await paces('behind'), await paces('even')]).toEqual([1, 0])
    expectSuccess(await keeper.put(`${agentTarget.api.item}/${made.body.id}`, { sales: 700_00 }))
    expect([await paces('done'), await paces('behind')]).toEqual([1, 0])
    expectRefusal(await (await app.staff([agent.grant])).post(agentTarget.api.item, { account_id: top.id, year: year + 1, sales: 1, codes: 0 }), 403)
  })
})

describe('statements', () => {
  /** Something that happens to an account in a month. */
  type Move = { back: number; what: 'commission' | 'withdraw' | 'withdraw_back' | 'adjust'; amount: number }
  const move = fc.record({ back: fc.integer({ min: 1, max: 4 }), what: fc.constantFrom<Move['what']>('commission', 'withdraw', 'withdraw_back', 'adjust'), amount: fc.integer({ min: 1, max: 900_00 }) })
  let refs = 0

  async function happen(id: number, { back, what, amount }: Move): Promise<void> {
    const at = monthBack(back).at + DAY * 3
    await app.db.transaction({ staff_id: null, action: 'test' }, async (tx) => {
      if (what !== 'commission') return post(tx, null, agentAccount(id), [{ amount: what === 'withdraw' ? -amount : amount, kind: what, ref: { kind: `test ${what}`, id: ++refs }, at }])
      // Two lines and a deduction: the settlement is their sum.
      const line = { account_kind: ACCOUNT.agent, account_id: id, source_kind: 'adjust', source_id: ++refs, tier: 0, title: '奖励', base: amount, rate: 0, rate_id: null, words: '奖励', at: at - DAY, due_at: at - DAY } as const
      await writeLines(tx, [{ ...line, cause: 'a', amount: amount * 2 }, { ...line, cause: 'b', amount: -amount }, { ...line, cause: 'c', amount: 1 }])
      const made = await settleAccount(tx, ACCOUNT.agent, id, at, null)
      const [row] = await tx.query<SettlementRow & Record<string, unknown>>(sql`select * from settlement where id = ${made?.id ?? 0}`)
      if (!row) throw new Error('nothing was settled')
      await passSettlement(tx, row, null, at)
      await tx.query(sql`update settlement set status = ${SETTLEMENT.booked} where id = ${row.id}`)
    })
  }

  test('sum up to the fen: opening and moves are closing, commission is its settlements and their lines, closing is the next opening', async () => {
    await fc.assert(fc.asyncProperty(fc.array(move, { minLength: 1, maxLength: 12 }), async (moves) => {
      const { id } = await newAgent()
      // What comes in a month later is settled later: lines are taken up in the order of time.
      for (const one of moves.toSorted((a, b) => b.back - a.back)) await happen(id, one)
      for (const back of [4, 3, 2, 1]) await app.db.transaction({ staff_id: null, action: 'test' }, (tx) => makeStatement(tx, id, monthBack(back).month, null))
      for (const check of statementChecks) expect(await check.find(app.db)).toEqual([])
      const rows = await app.db.query<{ month: string; closing: number; commission: number; withdrawn: number }>(sql`select month, closing::float8 as closing, commission::float8 as commission, withdrawn::float8 as withdrawn from agent_statement where account_id = ${id} order by month`)
      const sumOf = (what: Move['what'], month: string) => moves.filter((one) => one.what === what && monthBack(one.back).month === month).reduce((sum, { amount }) => sum + amount + (what === 'commission' ? 1 : 0), 0)
      for (const { month, commission, withdrawn } of rows) expect({ month, commission, withdrawn }).toEqual({ month, commission: sumOf('commission', month), withdrawn: sumOf('withdraw', month) })
      const [held] = await app.db.query<{ balance: number }>(sql`select balance::float8 as balance from agent where id = ${id}`)
      if (rows.length > 0) expect(rows.at(-1)?.closing).toBe(held?.balance)
    }), { numRuns: 12 })
  }, 120_000)

  test('are made once for a month that is over, by who may, within what they see; two people at once make no second one', async () => {
    const { month } = monthBack(1)
    const { id } = await newAgent()
    await happen(id, { back: 1, what: 'commission', amount: 300_00 })
    await happen(id, { back: 1, what: 'withdraw', amount: 100_00 })
    expectRefusal(await (await app.staff([agent.grant])).post(makeStatements.path, { month }), 403)
    expectFieldRefusal(await keeper.post(makeStatements.path, { month: monthBack(0).month }), 400, 'month')
    expectFieldRefusal(await keeper.post(makeStatements.path, { month: '2026-13' }), 400, 'month')
    const limited = await app.staff([agent.grant, STATEMENT_RIGHTS.id('statement')], { scopes: { agent: [id] } })
    expect((await limited.post<StatementsMade>(makeStatements.path, { month })).body).toEqual({ made: 1, there: 0, quiet: 0 })
    expect((await limited.post<StatementsMade>(makeStatements.path, { month })).body).toEqual({ made: 0, there: 1, quiet: 0 })
    await Promise.all([keeper, limited].map((who) => who.post(makeStatements.path, { month })))
    const { body } = await limited.get<{ items: WireRow[] }>(agentStatement.api.list)
    expect(body.items).toHaveLength(1)
    expect(body.items[0]).toMatchObject({ account_id: id, month, opening: 0, commission: 300_01, withdrawn: 100_00, closing: 200_01, settlement_cnt: 1, line_cnt: 3, line_sum: 300_01, gap: 0, status: STATEMENT.open })
    const parts = await limited.get<StatementParts>(statementParts.path.replace('{id}', String(body.items[0]?.id)))
    expect(parts.body.settlements.map(({ amount, lines }) => [amount, lines])).toEqual([[300_01, 3]])
    expect(parts.body.entries.map(({ kind, amount, balance }) => [kind, amount, balance])).toEqual([['commission', 300_01, 300_01], ['withdraw', -100_00, 200_01]])
    const other = await app.staff([agent.grant, STATEMENT_RIGHTS.id('statement')], { scopes: { agent: [id + 100_000] } })
    expectRefusal(await other.get(statementParts.path.replace('{id}', String(body.items[0]?.id))), 404)
  })

  test('are confirmed, or disputed with what is wrong; a number that was changed is found every night', async () => {
    const { id } = await newAgent()
    await happen(id, { back: 2, what: 'commission', amount: 50_00 })
    expectSuccess(await keeper.post(makeStatements.path, { month: monthBack(2).month }))
    const [row] = (await keeper.get<{ items: WireRow[] }>(agentStatement.api.list, { account_id: String(id) })).body.items
    const at = `${agentStatement.api.item}/${row?.id}`
    expectRefusal(await keeper.post(`${at}/dispute`, {}), 400)
    expect((await keeper.post<WireRow>(`${at}/dispute`, { reason: '少一笔佣金' })).body).toMatchObject({ status: STATEMENT.disputed, answer: '少一笔佣金' })
    expect(JSON.stringify((await keeper.get('/daoyuan/api/end/waiting')).body)).toContain('agent_statement_disputed')
    expect((await keeper.post<WireRow>(`${at}/confirm`, {})).body).toMatchObject({ status: STATEMENT.confirmed })
    expectRefusal(await keeper.put(at, { commission: 1 }), [403, 404, 405])
    expectRefusal(await keeper.delete(at), [403, 404, 405])
    expectRefusal(await (await app.staff([agent.grant, standardId(agent.grant, 'edit')])).post(`${at}/dispute`, { reason: '试试' }), 403)
    await app.db.query(sql`update agent_statement set commission = commission + 1, closing = closing + 1 where id = ${row?.id}`)
    expect((await wrongEarnings(app.db)).join()).toContain('对账单与账目重算不一致')
    await app.db.query(sql`update agent_statement set commission = commission - 1, closing = closing - 1 where id = ${row?.id}`)
    expect((await wrongEarnings(app.db)).filter((text) => text.includes('对账单'))).toEqual([])
  })

})

import { glob } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Resource } from '../../core/resource/define.ts'
import { openTestApp, type Caller, type TestApp } from '../../core/testing/app.server.ts'
import { openTestDatabase } from '../../core/testing/database.server.ts'
import { CHINESE } from '../../core/testing/expect.server.ts'
import { lineResources } from './any-order.server.ts'
import { brokenBooks } from './money-books.server.ts'
import { historyActions } from './money-actions.server.ts'
import { traceLocks, type LockTrace } from './lock-trace.server.ts'
import { HISTORY_LIMIT, type Dice, type MoneyAction, type MoneyPart, type MoneyWorld } from './money-part.server.ts'

const SEED = Number(process.env['FUZZ_SEED'] ?? 20261123)
/** Histories of each part in a round. */
const RUNS = Number(process.env['HISTORY_RUNS'] ?? 14)
/** Further rounds in which a part may do what chance left out of its first histories. */
const ROUNDS = 6
const LIMIT = HISTORY_LIMIT

let app: TestApp
let trace: LockTrace
let worlds: { part: MoneyPart; world: MoneyWorld }[]
let actions: MoneyAction[]
/** What belongs together, by part: histories that keep to one line get further than such as do a little of everything. */
let groups: MoneyAction[][][]
let people: Caller[]

beforeAll(async () => {
  const database = await openTestDatabase()
  trace = traceLocks(database)
  app = await openTestApp({}, trace.database)
  const folder = join(import.meta.dirname, '../..')
  worlds = []
  for await (const path of glob('modules/*/money-testing.server.ts', { cwd: folder })) {
    const { default: part } = (await import(join(folder, path))) as { default: MoneyPart }
    worlds.push({ part, world: await part.open(app) })
  }
  groups = worlds.map(({ world }) => {
    const lines = world.lines.map((line) => ({ name: `${line.orders.name} `, own: historyActions(app, line) }))
    const besides = world.actions.filter(({ name }) => !lines.some((line) => name.startsWith(line.name)))
    return [...lines.map(({ name, own }) => [...own, ...world.actions.filter((action) => action.name.startsWith(name)), ...besides]), besides].filter((group) => group.length > 0)
  })
  actions = [...new Set(groups.flat(2))]
  const root = await app.login()
  for (const { api: { list } } of worlds.flatMap(({ world }) => [...world.lines.map(({ orders }) => orders), ...world.recorded])) {
    const { body } = await root.get(`${list}/setting`)
    await root.put(`${list}/setting`, { ...body, refund_second_from: LIMIT })
  }
  people = [await app.staff(app.servedGrants), await app.staff(app.servedGrants), await app.staff([]), await app.staff([])]
})
afterAll(async () => {
  for (const { world } of worlds) world.close?.()
  await app.close()
})

test('every line of orders takes part', () => {
  const lines = lineResources(app.kernel.registry)
  const known = new Set(worlds.flatMap(({ world }) => [...world.lines.map(({ orders }) => orders.name), ...world.recorded.map(({ name }: Resource) => name)]))
  expect(lines.filter(({ name }) => !known.has(name)).map(({ name }) => `${name} has no place in a money-testing.server.ts`)).toEqual([])
  expect(lines.length).toBeGreaterThan(0)
})

/** One step of a history: who does what, and the numbers by which the rest is decided. */
interface Step { what: number; astray: boolean; who: number; rolls: number[] }
const steps = fc.array(fc.record<Step>({ what: fc.nat(1_000_000), astray: fc.nat(9).map((n) => n === 0), who: fc.nat(3), rolls: fc.array(fc.nat(1_000_000), { minLength: 24, maxLength: 24 }) }), { minLength: 20, maxLength: 32 })
/** Which of all rights each of two people holds, two in three; the other two hold all. */
const rights = fc.array(fc.array(fc.nat(2), { minLength: 128, maxLength: 128 }), { minLength: 2, maxLength: 2 })

function diceOf(rolls: readonly number[]): Dice {
  let at = 0
  const roll = () => rolls[at++ % rolls.length] ?? 0
  const below = (count: number) => (count > 0 ? (roll() + at) % count : 0)
  return {
    below,
    pick: (list) => {
      if (list.length === 0) throw new Error('nothing to pick from')
      return list[below(list.length)] as (typeof list)[number]
    },
    one: (n) => below(n) === 0,
    amount: (right) => [right, right, right, right, right, right, right, right, right, Math.ceil(right / 2), Math.ceil(right / 3), 1, 0, right + 1, -right, -1, 10_000_000_000, 2 ** 53, 0.5, `${right}`, null][below(21)],
  }
}

/** Actions by how often they come. */
const weighted = (list: readonly MoneyAction[]) => list.flatMap((action) => Array.from({ length: action.often ?? 1 }, () => action))

const bookLines = () => worlds.flatMap(({ world }) => [...world.lines.map(({ line }) => line), ...world.books ?? []])

async function broken(): Promise<string[]> {
  const own = await Promise.all(worlds.map(({ world }) => world.check(app.db)))
  return [...await brokenBooks(app.db, bookLines(), LIMIT), ...own.flat(), ...trace.problems(worlds.flatMap(({ part }) => part.stock))]
}

test('whoever does whatever in whatever order, the books agree and nobody does what they have no right for', async () => {
  const seen = new Map<string, number>()
  let runs = 0
  const anything = weighted(actions)
  const all = [...new Set(actions.flatMap((action) => action.rights))].sort((a, b) => a - b)
  const walk = (parts: readonly MoneyAction[][][], seed: number) => fc.assert(fc.asyncProperty(fc.nat(1_000), rights, steps, async (focus, held, history) => {
    // What somebody let through on another day does not count today.
    await app.db.query(sql`update refund set asked_at = asked_at - interval '2 days'`)
    for (const { world } of worlds) await world.begin()
    const whole = new Set(app.servedGrants)
    const holds = [whole, whole, ...held.map((bits) => new Set(all.filter((id, index) => id < 10_000 || (bits[index % bits.length] ?? 0) > 0)))]
    // Each part has its share of the histories, however many lines it has.
    const lines = parts[runs % parts.length] ?? []
    const line = lines[focus % lines.length]
    for (const [index, person] of people.entries()) if (index > 1) await app.grant(person.staffId, [...(holds[index] ?? [])])
    for (const { what, astray, who, rolls } of history) {
      const choice = (astray ? undefined : line) ?? anything
      const [action, person] = [choice[what % choice.length], people[who]]
      if (!action || !person) throw new Error('nothing to do')
      const done = await action.run(person, diceOf(rolls))
      if (!done) continue
      const { answer, needs } = done
      const about = `${action.name}: ${JSON.stringify(answer.body).slice(0, 300)}`
      expect([200, 400, 403, 404, 409], about).toContain(answer.status)
      if (answer.status !== 200) {
        expect(answer.body['detail'], about).toMatch(CHINESE)
        continue
      }
      seen.set(action.name, (seen.get(action.name) ?? 0) + 1)
      expect(needs.filter((id) => !holds[who]?.has(id)), `${action.name} went without a right`).toEqual([])
    }
    runs++
    expect(await broken()).toEqual([])
  }), { seed, numRuns: RUNS * parts.length, endOnFailure: true })
  // What is done with every line of orders has to come about with one of them.
  const kind = ({ name }: Pick<MoneyAction, 'name'>) => name.replace(/^\w+_order /, '')
  const missing = () => {
    const kinds = new Set([...seen.keys()].map((name) => kind({ name })))
    return actions.filter((action) => !kinds.has(kind(action)))
  }
  await walk(groups.map((part) => part.map(weighted)), SEED)
  if (RUNS < 14) return
  for (let round = 1; round <= ROUNDS && missing().length > 0; round++) {
    const left = new Set(missing())
    await walk(groups.map((part) => part.filter((line) => line.some((action) => left.has(action))).map(weighted)).filter((part) => part.length > 0), SEED + round)
  }
  expect([...new Set(missing().map(kind))].map((name) => `${name} never came about`)).toEqual([])
}, 300_000)

test('the books are really looked at: each kind of wrong is found', async () => {
  const wrongs = [
    sql`insert into payment (order_id, at, amount, channel) select order_id, now(), 5, 'cash' from payment limit 1`,
    sql`insert into payment (order_id, at, amount, channel) select order_id, now(), 5, 'free' from payment limit 1`,
    sql`insert into ledger (account_kind, account_id, amount, kind, channel, order_id) select account_kind, account_id, -99, 'refund', 'offline', order_id from ledger where account_kind = 'room' limit 1`,
    sql`update partner set balance = coalesce(balance, 0) + 1 where id = (select account_id from ledger where account_kind = 'partner' limit 1)`,
    sql`update order_item set granted_qty = 0 where id = (select i.id from order_item i where granted_qty > 0 limit 1)`,
    sql`update refund set parts = '[{"from": "balance", "to": "cash", "amount": 77}]', decided_by = asked_by where id = (select id from refund where status = 2 and amount > 0 limit 1)`,
    sql`update order_item set net = net + 1 where id = (select id from order_item order by id limit 1)`,
    sql`insert into order_discount (order_id, kind, amount) select id, 'activity', 7 from orders limit 1`,
    sql`delete from watched where cause like 'payment%'`,
    sql`update orders set refunded = refunded + 1 where id = (select id from orders where paid > 0 limit 1)`,
  ]
  for (const wrong of wrongs) {
    const found = await app.db.transaction({ staff_id: null }, async (tx) => {
      await tx.query(wrong)
      const own = await Promise.all(worlds.map(({ world }) => world.check(tx)))
      throw Object.assign(new Error('undo'), { found: [...await brokenBooks(tx, bookLines(), LIMIT), ...own.flat()] })
    }).catch((error: unknown) => (error as { found?: string[] }).found ?? Promise.reject(error))
    expect(found, JSON.stringify(wrong.queryChunks[0])).not.toEqual([])
  }
  expect(await broken()).toEqual([])
})

import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type Caller, type TestApp } from '../testing/app.server.ts'
import { expectRefusal, expectSuccess } from '../testing/expect.server.ts'
import { openSamples } from '../testing/sample.server.ts'
import { startOfDay } from '../field/time.ts'
import { allTrends, type Trend } from './dashboard.server.ts'
import { cardKey, CARD_DAYS, readCardKey, trendOffers, trends, type CardDays, type TrendCard, type TrendOffer } from './dashboard.ts'

const DAY = 86_400
const DAYS = Object.keys(CARD_DAYS).map(Number) as CardDays[]
let app: TestApp
let root: Caller
let all: Trend[]
let samples: Awaited<ReturnType<typeof openSamples>>

const cards = async (who: Caller, card?: string[]) => (await who.get<{ trends: TrendCard[] }>(trends.path, card && { card })).body.trends

beforeAll(async () => {
  app = await openTestApp()
  root = await app.login()
  // Files of tests before this one may have served lines of their own.
  all = allTrends(app.modules).filter(({ resource }) => app.kernel.registry.has(resource.name))
  samples = await openSamples(app)
})
afterAll(() => app.close())

test('every card says what the list that it leads to says', async () => {
  const now = Math.floor(Date.now() / 1000)
  // Yesterday at this hour is before today's card; a week and a month ago, and the second before, are at the edges of the others.
  const moments = [now - 5, now - DAY, startOfDay(now) - 6 * DAY, startOfDay(now) - 6 * DAY - 1, startOfDay(now) - 29 * DAY, startOfDay(now) - 29 * DAY - 1]
  for (const { resource, at, value, query } of all) {
    for (const moment of moments) {
      const { id } = await samples.create(resource)
      const fixed = Object.entries(query ?? {}).map(([key, one]) => sql`, ${sql.identifier(key)} = ${String(one)}`)
      await app.db.transaction({ staff_id: null, silent: true }, async (tx) => {
        // Moves of stock are never changed, by a trigger.
        await tx.query(sql`set local session_replication_role = replica`)
        await tx.query(sql`update ${sql.identifier(resource.table)} set ${sql.identifier(at)} = to_timestamp(${moment}) ${value ? sql`, paid = ${100 + moments.indexOf(moment)}` : sql``} ${sql.join(fixed)} where id = ${id}`)
      })
    }
  }
  let compared = 0
  for (const days of DAYS) {
    for (const { resource, name, at } of all) {
      expect(resource.list.filters, name).toContain(at)
      const [card] = await cards(root, [cardKey({ name, days })])
      if (!card) throw new Error(`${name} is not offered`)
      const asked = Object.fromEntries(new URL(card.to, 'http://x').searchParams)
      delete asked['show']
      const list = await root.get<{ total: number }>(resource.api.list, asked)
      expectSuccess(list)
      const said = card.as === 'money' ? (await root.get<Record<string, number>>(`${resource.api.list}/summary`, asked)).body['paid'] : list.body.total
      expect([name, days, said]).toEqual([name, days, card.value])
      expect(card.value).toBe(card.values.reduce((sum, one) => sum + one, 0))
      expect(card.value, `${name} of ${days} days`).toBeGreaterThan(0)
      expect(card.before).toBe(card.before_values.reduce((sum, one) => sum + one, 0))
      compared++
    }
  }
  expect(compared).toBe(all.length * DAYS.length)
})

test('what is compared ends at the same hour of its day', async () => {
  const now = Math.floor(Date.now() / 1000)
  const user = all.find(({ name }) => name === 'new_user')
  if (!user) throw new Error('there is no such trend')
  const before = (await cards(root, ['new_user@1']))[0]?.before ?? 0
  for (const moment of [now - DAY - 60, now - DAY + 3600]) {
    const { id } = await samples.create(user.resource)
    await app.db.query(sql`update app_user set register_at = to_timestamp(${moment}) where id = ${id}`)
  }
  // Yesterday later than now is in no card of one day, unless that is today already.
  expect((await cards(root, ['new_user@1']))[0]?.before).toBe(before + (startOfDay(now) === startOfDay(now - 60) ? 1 : 0))
})

test('offered is what a person holds the list for; anything else is not read, whatever is asked for', async () => {
  const offers = async (who: Caller) => (await who.get<{ items: TrendOffer[] }>(trendOffers.path)).body.items
  expect((await offers(root)).map(({ name }) => name)).toEqual(all.map(({ name }) => name))
  const nobody = await app.staff([])
  expect([await offers(nobody), await cards(nobody), await cards(nobody, all.map(({ name }) => cardKey({ name, days: 7 })).slice(0, 16))]).toEqual([[], [], []])
  expectRefusal(await app.nobody().get(trends.path), 401)
  const [one] = all
  if (!one) throw new Error('there are no trends')
  const own = await app.staff([one.resource.grant])
  const allowed = all.filter(({ resource }) => resource.grant === one.resource.grant).map(({ name }) => name)
  expect((await offers(own)).map(({ name }) => name)).toEqual(allowed)
  expect((await cards(own, all.map(({ name }) => cardKey({ name, days: 7 })).slice(0, 16))).every(({ name }) => allowed.includes(name))).toBe(true)
})

test('the same card twice is one, odd ones are none, too many are refused', async () => {
  const answer = await cards(root, ['new_user@7', 'new_user@7', 'new_user@30', 'new_user@8', 'nothing@7', "x'; drop table staff@7", ''])
  expect(answer.map(cardKey)).toEqual(['new_user@7', 'new_user@30'])
  expect((await root.get<{ trends: TrendCard[] }>(trends.path, { card: 'new_user@7' })).body.trends).toHaveLength(1)
  expectRefusal(await root.get(trends.path, { card: Array.from({ length: 17 }, () => 'new_user@7') }), 400)
  expect([readCardKey('paid.partner:self@30'), readCardKey('a@2'), readCardKey('@7')]).toEqual([{ name: 'paid.partner:self', days: 30 }, undefined, undefined])
})

test('names stay apart, and what one begins with says several things', async () => {
  expect(all.length).toBe(new Set(all.map(({ name }) => name)).size)
  expect(all.every(({ name }) => readCardKey(cardKey({ name, days: 7 })) !== undefined)).toBe(true)
  const first = await cards(root)
  expect(first.length).toBeGreaterThan(3)
  expect(first.every(({ days }) => days === 30)).toBe(true)
  expect(Math.max(...[...Map.groupBy(first, ({ name }) => name.split('.')[0]).values()].map((of) => of.length))).toBeLessThanOrEqual(2)
})

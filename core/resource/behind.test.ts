import { sql } from 'drizzle-orm'
import { afterAll, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { behind } from '../field/behind.ts'
import { json } from '../field/json.ts'
import { mobile } from '../field/mobile.ts'
import { number } from '../field/number.ts'
import { reference } from '../field/reference.ts'
import { text } from '../field/text.ts'
import type { Fields } from '../field/field.ts'
import { openTestApp } from '../testing/app.server.ts'
import { sortedIds } from '../testing/list-model.ts'
import { openSamples } from '../testing/sample.server.ts'
import { api, defineResource } from './define.ts'
import type { WireRow } from './endpoints.ts'
import { forgetCounts } from './list.server.ts'
import { writableKeys } from './rules.ts'

const city = defineResource({
  name: 'test_city', label: '城市', grant: 101, api: api('/test', 'cities', 'city'), list: { columns: ['name'], filters: [] }, indexes: [['size', 'id']],
  fields: { name: text('名称', { required: true, unique: true, alias: 'title', initial: '无' }), size: number('大小'), phone: mobile('电话'), note: text('备注') },
})
const person = (fields: Fields) => defineResource({ name: 'test_person', label: '人', grant: 102, api: api('/test', 'people', 'person'), list: { columns: [], filters: [] }, fields: { name: text('姓名'), city_id: reference('城市', () => city), ...fields } })

describe('a field behind a reference', () => {
  test('is of the kind and the label that it has where it belongs, and nothing that is stored', () => {
    const { fields, actions } = person({ phone: behind('city_id', 'phone'), size: behind('city_id', 'size', { label: '城市大小' }), title: behind('city_id', 'name') })
    expect(fields['phone']).toMatchObject({ kind: 'mobile', label: '电话', column: null, readonly: true, filter: 'equals' })
    expect(fields['size']).toMatchObject({ kind: 'number', label: '城市大小', filter: 'range' })
    expect(fields['title']).toMatchObject({ unique: false, required: false })
    expect(Object.keys(fields['title'] ?? {})).not.toContain('alias')
    expect(writableKeys(person({ phone: behind('city_id', 'phone') }))).toEqual(['name', 'city_id'])
    expect(actions.reveal, 'what is hidden there can be revealed here').toBeDefined()
  })

  test('sorts only where an index gives the order', () => {
    const { fields } = person({ size: behind('city_id', 'size'), note: behind('city_id', 'note') })
    expect([fields['size']?.sortable, fields['note']?.sortable]).toEqual([true, false])
  })

  test('is refused at the start where it leads nowhere', () => {
    expect(() => person({ x: behind('town_id', 'name') })).toThrow('test_person has no reference town_id')
    expect(() => person({ x: behind('name', 'name') })).toThrow('test_person has no reference name')
    expect(() => person({ x: behind('city_id', 'nothing') })).toThrow('no field nothing')
    expect(() => person({ x: behind('city_id', 'created_by_name') })).toThrow('test_city keeps no created_by_name')
    expect(() => person({ city_name: behind('city_id', 'name') })).toThrow('test_person.city_name is the name of what another field refers to')
    expect(() => person({ x: json('x', z.unknown()), y: behind('x', 'name') })).toThrow('no reference x')
  })
})

const app = await openTestApp()
const samples = await openSamples(app)
afterAll(() => app.close())

const resource = app.kernel.registry.get('entitlement')?.resource
const user = app.kernel.registry.get('app_user')?.resource
if (!resource || !user) throw new Error('no learners')

test('records of one learner stay together in an order of their learners, those without a value at the end, page by page and whichever way', async () => {
  const caller = samples.caller(resource)
  for (const grade of [3, null, 3, 1]) {
    const { id } = await samples.create(user, { grade })
    await samples.insert(resource, 3, { user_id: id })
  }
  const all = await samples.living(resource)
  for (const sort of ['user_grade', '-user_grade']) {
    const order = sortedIds(all, sort, 'user_id')
    const found: number[] = []
    for (let cursor = ''; ;) {
      forgetCounts(resource.table)
      const { body } = await caller.get<{ items: WireRow[]; next?: string }>(resource.api.list, { sort, page_size: 2, ...(cursor && { cursor }) })
      found.push(...body.items.map(({ id }) => id))
      if (!body.next) break
      cursor = body.next
    }
    expect(found, sort).toEqual(order)
    const { body } = await caller.get<{ items: WireRow[] }>(resource.api.list, { sort, page_size: 2, page: 3 })
    expect(body.items.map(({ id }) => id)).toEqual(order.slice(6, 8))
    const narrowed = await caller.get<{ items: WireRow[] }>(resource.api.list, { sort, user_grade: 3 })
    expect(narrowed.body.items.map(({ id }) => id)).toEqual(order.filter((id) => all.find((row) => row.id === id)?.['user_grade'] === 3))
  }
})

test('a learner who was removed is still found by the number that their records show', async () => {
  const { id } = await samples.create(user)
  const [record] = await samples.insert(resource, 1, { user_id: id })
  await app.db.query(sql`update app_user set deleted_at = now() where id = ${id}`)
  const caller = samples.caller(resource)
  const { body } = await caller.post<{ value: string }>(`${resource.api.item}/${record?.id}/reveal`, { field: 'user_mobile' })
  for (const query of [{ user_mobile: body.value }, { keyword: body.value }]) {
    forgetCounts(resource.table)
    expect((await caller.get<{ items: WireRow[] }>(resource.api.list, query)).body.items.map((row) => row.id)).toEqual([record?.id])
  }
})

test('somebody without the right to reveal sees a hidden number in no answer', async () => {
  const caller = await app.staff([resource.grant])
  const { body } = await caller.get<{ items: WireRow[] }>(resource.api.list)
  const shown = body.items.flatMap((row) => row['user_mobile'] ?? [])
  expect(shown.length).toBeGreaterThan(0)
  for (const value of shown) expect(value).toMatch(/^\d{3}\*{4}\d{4}$/)
  expect((await caller.post(`${resource.api.item}/${body.items[0]?.id}/reveal`, { field: 'user_mobile' })).status).toBe(403)
})

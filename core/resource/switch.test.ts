import { sql } from 'drizzle-orm'
import { afterAll, describe, expect, test } from 'vitest'
import { choice, shelf, switchedWords, toggle } from '../field/choice.ts'
import { text } from '../field/text.ts'
import { openTestApp } from '../testing/app.server.ts'
import { expectFieldRefusal, expectRefusal, expectSuccess } from '../testing/expect.server.ts'
import { openSamples } from '../testing/sample.server.ts'
import { firstOfShape } from '../testing/shape.server.ts'
import { when } from '../testing/when.ts'
import { itemsTotal, defineResource, transitionGrant, type Resource } from './define.ts'
import type { Change, WireRow } from './endpoints.ts'
import { rowSwitch, shelfEdge } from './switch.ts'

const app = await openTestApp()
// What is tried here is what a call does; work in the background that follows from it would change states meanwhile.
await app.kernel.jobs.stop()
const samples = await openSamples(app)
const resources = [...app.kernel.registry.values()].map(({ resource }) => resource)
const first = firstOfShape(app.kernel.registry.values())
afterAll(() => app.close())

/** Everything that a list shows as a switch to somebody who may do everything. */
const switches = resources.filter(({ name }) => first.has(name)).flatMap((resource) => Object.keys(resource.fields).flatMap((key) => {
  const field = resource.fields[key]
  return field?.kind === 'toggle' && rowSwitch(resource, { can: ['edit'] }, key) ? [[resource.name, key, resource, field] as const] : []
}))
const path = (resource: Resource, id: number) => `${resource.api.item}/${id}`

test('there are switches of both kinds', () => {
  expect(switches.filter(([, , , field]) => !field.shelf).length).toBeGreaterThan(5)
  expect(switches.filter(([, , , field]) => field.shelf).length).toBeGreaterThan(5)
})

describe.each(switches.filter(([, , , field]) => !field.shelf))('%s.%s', (_name, key, resource) => {
  const caller = samples.caller(resource)

  test('a PUT of the new value alone switches it, without a revision (spec 4), and back', async () => {
    const { id, [key]: first } = await samples.create(resource)
    for (const value of [first === 1 ? 0 : 1, first === 1 ? 1 : 0]) {
      expectSuccess(await caller.put(path(resource, id), { [key]: value }))
      const { body } = await caller.get<WireRow>(path(resource, id))
      expect(body[key]).toBe(value)
      expect(rowSwitch(resource, body, key)).toMatchObject({ value })
      expect(rowSwitch(resource, body, key)?.refusal).toBeUndefined()
    }
    expectFieldRefusal(await caller.put(path(resource, id), { [key]: 2 }), 400, key)
  })

  test('whoever may only look is refused, and the console says so beforehand', async () => {
    if (!app.allGrants.includes(resource.grant)) return
    const { id } = await samples.create(resource)
    const reader = await app.staff([resource.grant])
    const { body } = await reader.get<WireRow>(path(resource, id))
    expect(rowSwitch(resource, body, key)?.refusal).toBe(`没有「${resource.label} · 新增和编辑」权限，请联系管理员开通`)
    expectRefusal(await reader.put(path(resource, id), { [key]: 0 }), 403)
  })
})

describe.each(switches.filter(([, , , field]) => field.shelf))('%s.%s, a switch of states', (_name, key, resource, field) => {
  const caller = samples.caller(resource)
  const { state, on, off } = field.shelf ?? { state: '', on: [0], off: 0 }
  const states = resource.fields[state]
  const edges = { 1: shelfEdge(resource, field, 1), 0: shelfEdge(resource, field, 0) }
  const setState = async (id: number, value: number) => app.db.query(sql`update ${sql.identifier(resource.table)} set ${sql.identifier(state)} = ${value} where id = ${id}`)

  test.each(states?.kind === 'choice' ? states.choices.map(({ value }) => Number(value)) : [])('state %i', async (value) => {
    const { id } = await samples.create(resource)
    await setState(id, value)
    const { body: row } = await caller.get<WireRow>(path(resource, id))
    const reading = on.includes(value) ? 1 : 0
    expect(row).toMatchObject({ [state]: value, [key]: reading })
    expect((await caller.get<{ items: WireRow[] }>(resource.api.list, { ids: id, [key]: reading })).body.items.map((one) => one.id)).toEqual([id])
    expect((await caller.get<{ items: WireRow[] }>(resource.api.list, { ids: id, [key]: 1 - reading })).body.items).toEqual([])
    const next = reading === 1 ? 0 : 1
    const shown = rowSwitch(resource, row, key)
    const answer = await caller.put<WireRow & { detail: string }>(path(resource, id), { [key]: next })
    if (reading === 0 && value !== off) {
      expectRefusal(answer, 409)
      // What the console says beforehand is what the server says.
      expect(answer.body.detail).toBe(shown?.refusal)
      return
    }
    expect(shown?.refusal).toBeUndefined()
    // The edge has conditions of its own, such as a paper that has questions.
    if (answer.status === 400) return expectRefusal(answer, 400)
    expectSuccess(answer)
    expect(answer.body).toMatchObject({ [key]: next, [state]: edges[next]?.to })
    const { body: log } = await caller.get<{ items: Change[] }>(`${path(resource, id)}/history`)
    expect(log.items[0]).toMatchObject({ action: edges[next]?.name, before: { [state]: value }, after: { [state]: edges[next]?.to } })
  })

  test('it stands as it should already: nothing happens; other values than 1 and 0 are refused', async () => {
    const { id } = await samples.create(resource)
    await setState(id, on[0])
    const { body: before } = await caller.get<WireRow>(path(resource, id))
    expectSuccess(await caller.put(path(resource, id), { [key]: 1 }))
    expect((await caller.get<WireRow>(path(resource, id))).body).toEqual(before)
    for (const wrong of [2, '1', true, null]) expectFieldRefusal(await caller.put(path(resource, id), { [key]: wrong }), 400, key, String(wrong))
  })

  // An edge without a right of its own is an edit like any other.
  when(edges[0]?.right !== undefined)('it asks for the right of the edge, not for the right to edit; and the right of the edge edits nothing', async () => {
    const { id, [resource.title]: title } = await samples.create(resource)
    await setState(id, on[0])
    const editor = await app.staff([resource.grant, resource.actions.update ?? 0])
    const approver = await app.staff([resource.grant, ...(edges[0] ? [transitionGrant(resource, edges[0])] : [])])
    const { body } = await editor.get<WireRow>(path(resource, id))
    expect(rowSwitch(resource, body, key)?.refusal).toBe(`没有「${resource.label} · ${edges[0]?.label}」权限，请联系管理员开通`)
    expectRefusal(await editor.put(path(resource, id), { [key]: 0 }), 403)
    for (const sent of [{ [resource.title]: '改名' }, { [resource.title]: '改名', [key]: 0 }, {}]) expectRefusal(await approver.put(path(resource, id), sent), 403)
    expectSuccess(await approver.put(path(resource, id), { [key]: 0 }))
    expect((await caller.get<WireRow>(path(resource, id))).body).toMatchObject({ [resource.title]: title, [key]: 0 })
  })
})

test('the words of a switch, of the toast too', () => {
  const field = toggle('状态', { on: '启用', off: '停用' })
  expect([switchedWords(field, 1), switchedWords(field, 0)]).toEqual(['启用成功', '停用成功'])
  expect(switchedWords(toggle('状态', { on: '在职', off: '离职', offDone: '已设为离职' }), 0)).toBe('已设为离职')
  expect(switchedWords(shelf('上架', { state: 'state', on: [1], off: 2 }), 1)).toBe('上架成功')
})

test('what nobody can set is no switch: read-only, fixed at creation, of a deleted record', () => {
  const resource = defineResource({
    name: 'switched', label: '示例', grant: 101, api: { list: '/a', item: '/b', reply: itemsTotal },
    fields: { name: text('名称', { required: true }), plain: toggle('一', { on: '开', off: '关' }), still: toggle('二', { on: '开', off: '关' }, { readonly: true }), once: toggle('三', { on: '开', off: '关' }, { createOnly: true }) },
    list: { columns: ['name'], filters: [] },
  })
  const shown = (row: Record<string, unknown>) => ['plain', 'still', 'once', 'name'].map((key) => rowSwitch(resource, { can: ['edit'], ...row }, key) !== undefined)
  expect(shown({})).toEqual([true, false, false, false])
  expect(shown({ deleted_at: 5 })).toEqual([false, false, false, false])
})

test('a switch of states without an edge each way, or with one that asks for a reason, does not start', () => {
  const define = (transitions: { name: string; label: string; field: 'state'; from: (1 | 2)[]; to: 1 | 2; reason?: true }[]) => () => defineResource({
    name: 'switched', label: '示例', grant: 101, api: { list: '/a', item: '/b', reply: itemsTotal },
    fields: { name: text('名称', { required: true }), state: choice('状态', [{ value: 1, label: '在售' }, { value: 2, label: '下架' }]), status: shelf('上架', { state: 'state', on: [1], off: 2 }) },
    list: { columns: ['name'], filters: [] }, transitions,
  })
  const up = { name: 'up', label: '上架', field: 'state' as const, from: [2 as const], to: 1 as const }
  const down = { name: 'down', label: '下架', field: 'state' as const, from: [1 as const], to: 2 as const }
  expect(define([up, down])).not.toThrow()
  expect(define([up])).toThrow('without an edge to 0')
  expect(define([up, { ...down, reason: true }])).toThrow('asks for a reason')
})

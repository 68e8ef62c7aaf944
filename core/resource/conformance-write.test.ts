import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestApp, type Caller } from '../testing/app.server.ts'
import { CHINESE, expectFieldRefusal, expectRefusal, expectSuccess } from '../testing/expect.server.ts'
import { openSamples } from '../testing/sample.server.ts'
import { firstOfShape } from '../testing/shape.server.ts'
import { pick, shown, shownRecord } from '../testing/shown.ts'
import { when } from '../testing/when.ts'
import { unclaimedFiles } from '../testing/files.server.ts'
import { MOVABLE } from '../testing/removable.ts'
import { NO_ID, wrongValues } from '../testing/wrong.ts'
import type { Resource } from './define.ts'
import type { Change, WireRow } from './endpoints.ts'
import { isEmpty } from '../field/check.ts'
import { writableKeys } from './rules.ts'
import { shelves } from './switch.ts'

const app = await openTestApp()
// What is tried here is what a call does; work in the background that follows from it would change records meanwhile.
await app.kernel.jobs.stop()
const samples = await openSamples(app)
const resources = [...app.kernel.registry.values()].map(({ resource }) => resource)
const first = firstOfShape(app.kernel.registry.values())
afterAll(() => app.close())

/** Fields that a person may still set on a record that exists. */
function editableKeys(resource: Resource): string[] {
  return writableKeys(resource).filter((key) => !resource.fields[key]?.createOnly)
}

/** Fields whose choice depends on another: they are emptied when it changes. */
function dependents(resource: Resource, on: string): Record<string, null> {
  return Object.fromEntries(Object.entries(resource.fields).flatMap(([key, field]) => ('within' in field && on in field.within && !field.required ? [[key, null]] : [])))
}

/** Valid input that differs from another in every field where that is possible. */
async function otherInput(resource: Resource, original: Readonly<Record<string, unknown>>): Promise<Record<string, unknown>> {
  // What was set once and for all narrows the rest.
  const fixed = Object.fromEntries(Object.entries(original).filter(([key]) => resource.fields[key]?.createOnly))
  const [first, second] = [await samples.input(resource, fixed), await samples.input(resource, fixed)]
  return Object.fromEntries(Object.entries(first).map(([key, value]) => [key, JSON.stringify(value) === JSON.stringify(original[key]) ? second[key] : value]))
}

const itemPath = (resource: Resource, id: number, action = '') => `${resource.api.item}/${id}${action && `/${action}`}`

async function one(caller: Caller, resource: Resource, id: number): Promise<WireRow> {
  const answer = await caller.get<WireRow>(itemPath(resource, id))
  expectSuccess(answer, resource.name)
  return answer.body
}

/** Changes of a record, newest first: all of them, page by page. */
async function history(caller: Caller, resource: Resource, id: number): Promise<Change[]> {
  const items: Change[] = []
  for (let page = 0, total = 1; items.length < total; page++) {
    const answer = await caller.get<{ items: Change[]; total: number }>(itemPath(resource, id, 'history'), { page })
    expectSuccess(answer, resource.name)
    expect(answer.body.items.length).toBeGreaterThan(0)
    items.push(...answer.body.items)
    total = answer.body.total
  }
  return items
}

/** With a further resource of a shape, what it reads as and what is hidden in it; that needs one or the other. */
const walked = resources.filter(({ name, actions, fields }) => first.has(name) || actions.create || Object.values(fields).some(({ hidden }) => hidden))

describe.each(walked.map((resource) => [resource.name, resource] as const))('record of %s', (_name, resource) => {
  const caller = samples.caller(resource)
  const { api, actions, fields } = resource
  const isFirst = first.has(resource.name)
  const writable = writableKeys(resource)
  const editable = editableKeys(resource)

  when(actions.create)('a valid one can be created and reads as it was sent', async () => {
    const input = await samples.input(resource)
    const created = await caller.post<WireRow>(api.item, input)
    expectSuccess(created)
    const row = await one(caller, resource, created.body.id)
    expect(row).toEqual(created.body)
    expect(pick(row, writable)).toEqual(shownRecord(resource, input))
    expect(row).toMatchObject({ rev: 1, created_by: caller.staffId, deleted_at: null })
    const { body } = await caller.get(api.list, { ids: [row.id] })
    expect((body[api.reply.items] as WireRow[])[0]).toEqual(row)
  })

  when(isFirst && actions.create)('the required fields are enough, each missing one is named', async () => {
    const input = await samples.input(resource)
    const least = Object.fromEntries(Object.entries(input).filter(([key]) => fields[key]?.required && isEmpty(fields[key]?.initial)))
    expectSuccess(await caller.post(api.item, least))
    for (const key of writable.filter((candidate) => fields[candidate]?.required)) {
      for (const nothing of ['', null, [], '   ']) {
        const answer = await caller.post(api.item, { ...input, [key]: nothing })
        if (nothing === '   ' && answer.status === 400) continue
        expectFieldRefusal(answer, 400, key, JSON.stringify(nothing))
        expect(answer.body['detail']).toBe(`${fields[key]?.ask}${fields[key]?.label}`)
      }
    }
    const nothing = await caller.post(api.item, {})
    expectRefusal(nothing, 400)
    expect(Object.keys(nothing.body['fields'] as object).sort()).toEqual(Object.keys(least).sort())
  })

  when(isFirst)('a wrong value is refused with one sentence at its field', async () => {
    const input = await samples.input(resource)
    const existing = editable.length > 0 && actions.update ? await samples.create(resource) : undefined
    for (const key of writable) {
      const field = fields[key]
      for (const value of field ? wrongValues(field) : []) {
        const context = `${key} = ${JSON.stringify(value)?.slice(0, 60)}`
        if (actions.create) expectFieldRefusal(await caller.post(api.item, { ...input, [key]: value }), 400, key, context)
        if (existing && editable.includes(key)) expectFieldRefusal(await caller.put(itemPath(resource, existing.id), { [key]: value }), 400, key, context)
      }
    }
    if (existing) expect(await one(caller, resource, existing.id), 'refused writes changed something').toEqual(existing)
  })

  when(isFirst && actions.update)('a change touches what was sent and nothing else', async () => {
    const original = await samples.input(resource)
    const before = await samples.create(resource, original)
    const input = await otherInput(resource, original)
    for (const key of editable) {
      const row = await one(caller, resource, before.id)
      const sent = { ...dependents(resource, key), [key]: input[key] }
      const answer = await caller.put<WireRow>(itemPath(resource, before.id), { ...sent, rev: row.rev })
      expectSuccess(answer, key)
      expect(answer.body.rev).toBe(row.rev + 1)
      expect(pick(answer.body, editable), key).toEqual({ ...pick(row, editable), ...shownRecord(resource, sent) })
      // The way back goes with the answer to a change, and with no other.
      const { undo: _undo, ...changed } = answer.body as WireRow & { undo?: number }
      expect(await one(caller, resource, before.id)).toEqual(changed)
    }
  })

  when(isFirst && actions.update)('what is sent empty is cleared, what is required cannot be', async () => {
    const row = await samples.create(resource)
    for (const key of editable) {
      for (const nothing of [null, '', []]) {
        const before = await one(caller, resource, row.id)
        const answer = await caller.put<WireRow>(itemPath(resource, row.id), { [key]: nothing })
        if (fields[key]?.required) {
          expectFieldRefusal(answer, 400, key)
          continue
        }
        // The rest of the record may need it, such as why a lesson collides with another: that is said at the field.
        if (answer.status === 400 && key in (answer.body['fields'] as object ?? {})) {
          expect(await one(caller, resource, row.id)).toEqual(before)
          continue
        }
        expectSuccess(answer, key)
        expect(pick(answer.body, editable)).toEqual({ ...pick(before, editable), [key]: null })
      }
    }
  })

  when(isFirst)('nobody sets what is not theirs to set', async () => {
    // A switch of states is no field of the record: what comes of it is tried by itself (switch.test.ts).
    const switches = new Set(shelves(resource).map(([key]) => key))
    const hidden = Object.keys(fields).filter((key) => !writable.includes(key) && !switches.has(key))
    const [other] = await samples.insert(resource, 1)
    const foreign = {
      ...Object.fromEntries(hidden.map((key) => [key, fields[key] && 'target' in fields[key] ? NO_ID : other?.[key] ?? 7])),
      id: NO_ID, created_by: NO_ID, created_at: 1, updated_by: NO_ID, deleted_at: 1, can: ['everything'], nothing: 'x', created_by_name: 'x',
    }
    const kept = [...hidden, 'id', 'created_by', 'deleted_at']
    if (actions.create) {
      const input = await samples.input(resource)
      // What is hidden may follow from the records that a record refers to: both refer to the same.
      const references = Object.fromEntries(writable.filter((key) => 'target' in (fields[key] ?? {}) && !fields[key]?.unique).map((key) => [key, input[key]]))
      const plain = await samples.create(resource, references)
      const answer = await caller.post<WireRow>(api.item, { ...input, ...foreign, rev: 50 })
      expectSuccess(answer)
      expect(answer.body.id).not.toBe(NO_ID)
      expect(answer.body.rev).toBe(1)
      // What the server works out from the rest of the record may differ, but is never what was sent.
      const own = kept.filter((key) => key !== 'id' && !fields[key]?.unique && answer.body[key] === (foreign as Record<string, unknown>)[key])
      expect(pick(answer.body, own)).toEqual(pick(plain, own))
    }
    if (actions.update) {
      const before = await samples.create(resource)
      const fixed = writable.filter((key) => fields[key]?.createOnly)
      const input = await samples.input(resource)
      const answer = await caller.put<WireRow>(itemPath(resource, before.id), { ...foreign, ...Object.fromEntries(fixed.map((key) => [key, input[key]])) })
      expectSuccess(answer)
      expect(pick(answer.body, [...kept, ...fixed])).toEqual(pick(before, [...kept, ...fixed]))
    }
  })

  const groups = [...Object.keys(fields).filter((key) => fields[key]?.unique).map((key) => [key]), ...resource.unique]
    .filter((keys) => keys.some((key) => writable.includes(key)) && keys.every((key) => fields[key]?.column && !(fields[key]?.readonly && fields[key]?.unique)))
  when(isFirst && groups.length > 0).each(groups)('what must be unique is refused the second time, by name (%s)', async (...keys: string[]) => {
    const named = keys.at(-1) ?? ''
    const [stored] = actions.create ? [] : await samples.insert(resource, 1)
    const first = stored ?? await samples.input(resource)
    const taken = Object.fromEntries(keys.map((key) => [key, first[key]]))
    if (actions.create) {
      expectSuccess(await caller.post(api.item, first))
      const answer = await caller.post(api.item, await samples.input(resource, taken))
      expectFieldRefusal(answer, 409, named)
      expect(answer.body['detail']).toContain(fields[named]?.label)
    }
    const changeable = keys.filter((key) => editable.includes(key))
    if (!actions.update || changeable.length === 0) return
    const second = await samples.create(resource, Object.fromEntries(keys.filter((key) => !changeable.includes(key)).map((key) => [key, taken[key]])))
    const cleared = Object.assign({}, ...changeable.map((key) => dependents(resource, key))) as Record<string, unknown>
    const answer = await caller.put(itemPath(resource, second.id), { ...cleared, ...Object.fromEntries(changeable.map((key) => [key, taken[key]])) })
    expectFieldRefusal(answer, 409, named)
    expect(await one(caller, resource, second.id)).toEqual(second)
  })

  when(isFirst && actions.update)('a write that started from an older state is refused, names the colleague and shows what they left', async () => {
    const row = await samples.create(resource)
    const colleague = await colleagueOf(caller)
    const [key = ''] = editable
    const [theirs, mine] = [await samples.input(resource), await samples.input(resource)]
    const cleared = dependents(resource, key)
    const saved = await colleague.caller.put<WireRow>(itemPath(resource, row.id), { ...cleared, [key]: theirs[key], rev: row.rev })
    expectSuccess(saved)
    for (const rev of [row.rev, 0, -1, 'x', {}, 1e300]) {
      const late = await caller.put(itemPath(resource, row.id), { ...cleared, [key]: mine[key], rev })
      expectRefusal(late, 409)
      expect(late.body['detail']).toBe(`该记录已被他人修改（${colleague.name}）`)
      expect(late.body['current']).toMatchObject({ id: row.id, rev: saved.body.rev, [key]: shown(resource, key, theirs[key]) })
    }
    if (actions.remove) expectRefusal(await caller.delete(itemPath(resource, row.id), { rev: row.rev }), 409)
    const now = await one(caller, resource, row.id)
    expect(now).toMatchObject({ rev: saved.body.rev, updated_by: colleague.caller.staffId, updated_by_name: colleague.name, [key]: shown(resource, key, theirs[key]) })
    expectSuccess(await caller.put(itemPath(resource, row.id), { ...cleared, [key]: mine[key], rev: now.rev }), 'with the state that was shown')
  })

  when(isFirst && actions.remove)('what is removed lies in the recycle bin until it is restored', async () => {
    const row = await samples.create(resource)
    const listed = async (query: Record<string, unknown>) => (await caller.get(api.list, { ...query, ids: [row.id] })).body[api.reply.items] as WireRow[]
    expectSuccess(await caller.delete(itemPath(resource, row.id), { rev: row.rev }))
    expect(await listed({})).toEqual([])
    const [binned] = await listed({ deleted: 1 })
    expect(binned).toMatchObject({ id: row.id, can: ['restore'] })
    expect(binned?.deleted_at).toEqual(expect.any(Number))
    expect((await caller.get<{ items: unknown[] }>(resource.optionsPath, { ids: [row.id] })).body.items).toEqual([])
    for (const again of [
      await caller.delete(itemPath(resource, row.id)),
      ...(actions.update ? [await caller.put(itemPath(resource, row.id), {})] : []),
      ...(await Promise.all(resource.transitions.map(({ name }) => caller.post(itemPath(resource, row.id, name), { reason: '测试原因' })))),
    ]) expectRefusal(again, 404)
    const restored = await caller.post<WireRow>(itemPath(resource, row.id, 'restore'))
    expectSuccess(restored)
    expect(await listed({ deleted: 1 })).toEqual([])
    const own = Object.keys(fields)
    expect(pick(await one(caller, resource, row.id), own)).toEqual(pick(row, own))
    expectRefusal(await caller.post(itemPath(resource, row.id, 'restore')), 404)
  })

  when(isFirst && actions.remove && actions.create && groups.length > 0)('what would collide is not restored', async () => {
    const input = await samples.input(resource)
    const { body: row } = await caller.post<WireRow>(api.item, input)
    expectSuccess(await caller.delete(itemPath(resource, row.id)))
    expectSuccess(await caller.post(api.item, input), 'the place is free')
    expectRefusal(await caller.post(itemPath(resource, row.id, 'restore')), [400, 409])
  })

  when(isFirst && resource.audit && actions.update)('history says who changed what, and a change can be taken back', async () => {
    const original = await samples.input(resource)
    const row = await samples.create(resource, original)
    const colleague = await colleagueOf(caller)
    const input = await otherInput(resource, original)
    // What depends on another field has to fit the record as it is, because every change is taken back.
    const parents = Object.values(fields).flatMap((field) => ('within' in field ? Object.keys(field.within) : []))
    const fitting = await samples.input(resource, Object.fromEntries(parents.map((key) => [key, original[key]])))
    let changed = 0
    for (const key of editable) {
      const before = await one(caller, resource, row.id)
      const field = fields[key]
      const source = field && 'within' in field && Object.keys(field.within).length > 0 ? fitting : input
      const sent = { ...dependents(resource, key), [key]: source[key] }
      if (JSON.stringify(pick(before, [key])) === JSON.stringify(pick(shownRecord(resource, sent), [key]))) continue
      expectSuccess(await colleague.caller.put(itemPath(resource, row.id), sent), key)
      const [change] = await history(caller, resource, row.id)
      changed++
      expect(change, key).toMatchObject({ staff_name: colleague.name, action: 'update', ip: '127.0.0.1', before: { [key]: before[key] ?? null }, after: { [key]: shown(resource, key, sent[key]) } })
      expect(Object.keys(change?.after ?? {}).filter((other) => !(other in sent) && writable.includes(other))).toEqual([])
      const reverted = await caller.post<WireRow>(itemPath(resource, row.id, 'revert'), { change_id: change?.id })
      expectSuccess(reverted, key)
      expect(pick(reverted.body, editable), key).toEqual(pick(before, editable))
    }
    const changes = await history(caller, resource, row.id)
    expect(changed).toBeGreaterThan(0)
    expect(changes.length).toBe(1 + 2 * changed)
    expect(changes.at(-1)).toMatchObject({ action: 'create', before: null })
    for (const change_id of [0, -1, NO_ID, changes.at(-1)?.id]) expectRefusal(await caller.post(itemPath(resource, row.id, 'revert'), { change_id }), [400, 404], String(change_id))
  })

  when(isFirst)('a record that does not exist is 404, whatever is asked', async () => {
    for (const id of ['0', '-1', 'x', '1.5', '1e3', '9007199254740993', String(NO_ID), '%00', '1;drop table staff']) {
      const path = `${api.item}/${encodeURIComponent(id)}`
      expectRefusal(await caller.get(path), 404, id)
      expectRefusal(await caller.get(`${path}/history`), 404, id)
      if (actions.update) expectRefusal(await caller.put(path, {}), 404, id)
      if (actions.remove) expectRefusal(await caller.delete(path), 404, id)
      if (actions.remove) expectRefusal(await caller.post(`${path}/restore`), 404, id)
      for (const { name } of resource.transitions) expectRefusal(await caller.post(`${path}/${name}`, { reason: '测试原因' }), 404, id)
    }
  })

  const mobiles = Object.keys(fields).filter((key) => fields[key]?.hidden)
  when(mobiles.length > 0)('what is hidden is shown whole only when it is revealed, and that is written down', async () => {
    const [raw] = await samples.insert(resource, 1)
    const id = raw?.id ?? 0
    const path = itemPath(resource, id, 'reveal')
    for (const key of mobiles) {
      const value = raw?.[key]
      expect((await one(caller, resource, id))[key]).toBe(shown(resource, key, value))
      const answer = await caller.post(path, { field: key })
      expectSuccess(answer)
      expect(answer.body).toEqual({ value: value ?? '' })
      const [logged] = await app.db.query<{ staff_id: number; action: string; after: unknown }>(
        sql`select staff_id, action, after from audit_log where entity = ${resource.table} and entity_id = ${id} order by id desc limit 1`,
      )
      expect(logged).toEqual({ staff_id: caller.staffId, action: 'reveal', after: { field: key } })
    }
    for (const field of ['id', 'nothing', '__proto__', 'constructor', '', ...Object.keys(fields).filter((key) => !fields[key]?.hidden).slice(0, 2)]) {
      expectRefusal(await caller.post(path, { field }), 400, field)
    }
  })

  when(isFirst && resource.transitions.length > 0).each(resource.transitions.map((transition) => [transition.name, transition] as const))('%s is possible from its states only', async (_transition, transition) => {
    const field = fields[transition.field]
    const states = field?.kind === 'choice' ? field.choices.map((choice) => choice.value) : field?.kind === 'toggle' ? [1, 0] : []
    expect(states.length).toBeGreaterThan(1)
    expect(states).toContain(transition.to)
    const reason = transition.reason ? { reason: '测试原因' } : {}
    const made: number[] = []
    for (const state of states) {
      // Only one of a kind may stand in some states: what was moved before is out of the way.
      await app.db.query(sql`update ${sql.identifier(resource.table)} set deleted_at = now() where id = any(${sql.param(made)}::bigint[])`)
      const { id } = await samples.create(resource, MOVABLE[resource.name])
      made.push(id)
      // What a policy asks of other fields stands aside here: asked for is what the states decide.
      const asked = resource.policies.flatMap((policy) => (policy.policy === 'while' && policy.of.includes(transition.name) && policy.field !== transition.field ? [[policy.field, policy.values[0]] as const] : []))
      for (const [key, value] of [...asked, [transition.field, state] as const]) await app.db.query(sql`update ${sql.identifier(resource.table)} set ${sql.identifier(key)} = ${value} where id = ${id}`)
      const path = itemPath(resource, id, transition.name)
      const before = await one(caller, resource, id)
      const possible = transition.from.includes(state)
      expect(before.can.includes(transition.name), `${state}`).toBe(possible)
      if (possible && transition.reason) {
        for (const wrong of [{}, { reason: '' }, { reason: '短' }, { reason: '长'.repeat(201) }, { reason: 5 }]) expectFieldRefusal(await caller.post(path, wrong), 400, 'reason', JSON.stringify(wrong))
      }
      if (possible) expectRefusal(await caller.post(path, { ...reason, rev: before.rev + 1 }), 409)
      expect((await one(caller, resource, id)).rev).toBe(before.rev)
      const answer = await caller.post<WireRow>(path, { ...reason, rev: before.rev })
      if (!possible) {
        expectRefusal(answer, 409, `from ${state}`)
        continue
      }
      // A side effect may have a condition of its own, such as a paper that has questions; nothing is changed then.
      if (answer.status === 400) {
        expectRefusal(answer, 400, `from ${state}`)
        expect((await one(caller, resource, id))[transition.field]).toBe(state)
        continue
      }
      expectSuccess(answer, `from ${state}`)
      expect(answer.body[transition.field]).toBe(transition.to)
      if (!resource.audit) continue
      // A side effect may write more of the same record, as a line of its own.
      const change = (await history(caller, resource, id)).find((candidate) => candidate.action === transition.name && transition.field in (candidate.after ?? {}))
      expect(change, `from ${state}`).toMatchObject({ reason: transition.reason ? '测试原因' : null, before: { [transition.field]: state }, after: { [transition.field]: transition.to } })
    }
  })
})

/** Somebody else with the same rights, whose name is shown when two collide. */
async function colleagueOf(caller: Caller): Promise<{ caller: Caller; name: string }> {
  const [person] = await app.db.query<{ role: string }>(sql`select role from staff where id = ${caller.staffId}`)
  const role = person?.role ?? ''
  let known = colleagues.get(role)
  if (!known) {
    known = app.staff(role === 'super' ? [] : app.servedGrants, { role }).then(async (colleague) => {
      const [row] = await app.db.query<{ name: string }>(sql`select name from staff where id = ${colleague.staffId}`)
      return { caller: colleague, name: row?.name ?? '' }
    })
    colleagues.set(role, known)
  }
  return known
}
const colleagues = new Map<string, Promise<{ caller: Caller; name: string }>>()

test('every file that was saved with a record is claimed by it', async () => {
  expect(await unclaimedFiles(app.db)).toEqual([])
})

test('sentences are Chinese', () => {
  for (const { label, fields } of resources) for (const text of [label, ...Object.values(fields).map((field) => field.label)]) expect(text, label).toMatch(CHINESE)
})
beforeAll(() => expect(resources.length).toBeGreaterThan(5))

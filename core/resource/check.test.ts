import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { choice, shelf } from '../field/choice.ts'
import { computed } from '../field/json.ts'
import { number } from '../field/number.ts'
import { reference } from '../field/reference.ts'
import { segment } from '../field/segment.ts'
import { text } from '../field/text.ts'
import { defineRights } from '../grant/rights.ts'
import { checkDefinition, checkRules } from './check.server.ts'
import { api, defineResource, type Resource, type ResourceSpec } from './define.ts'
import type { WireRow } from './endpoints.ts'
import { present } from './present.tsx'
import { serve, type ResourceService } from './serve.server.ts'

const partner = defineResource({
  name: 'partner', label: '合伙人', grant: 100, api: api('/test', 'partners', 'partner'), fields: { name: text('名称', { required: true }) }, list: { columns: ['name'], filters: [] },
})
const course = defineResource({
  name: 'course', label: '课程', grant: 101, api: api('/test', 'courses', 'course'),
  fields: { name: text('名称', { required: true }), partner_id: reference('合伙人', () => partner) },
  list: { columns: ['name'], filters: [] },
})

const fields = {
  name: text('名称', { required: true }),
  course_id: reference('课程', () => course, { required: true }),
  price: number('价格'),
  state: choice('状态', [{ value: 1, label: '进行中' }, { value: 2, label: '已完成' }, { value: 3, label: '已取消' }], { required: true }),
  student_cnt: computed('学生数'),
  payer: segment('付费', [{ value: 'paid', label: '已付费' }, { value: 'unpaid', label: '未付费' }]),
}
const lesson = defineResource({
  name: 'lesson', label: '课', grant: 102, api: api('/test', 'lessons', 'lesson'), fields,
  list: { columns: ['name', 'course_id', 'created_by_name'], filters: ['state', 'payer'] },
  rights: defineRights(102, { close: [11, '结课'] }),
  transitions: [{ name: 'finish', label: '完成', field: 'state', from: [1], to: 2, right: 'close' }],
  logged: [{ name: 'move_lesson', label: '调课' }],
  scope: { partner: 'course_id.partner_id' },
})

/** The same definition as a family makes it: from data, of which the compiler knows nothing. */
const made = (more: object): Resource => defineResource({
  name: 'lesson', label: '课', grant: 102, api: api('/test', 'lessons', 'lesson'), fields, list: { columns: ['name'], filters: [] },
  ...(more as Partial<ResourceSpec<typeof fields, never, string, string>>),
})
const starts = (more: object) => () => checkDefinition(made(more))
const edge = { name: 'finish', label: '完成', field: 'state', from: [1], to: 2 }

test('what is right starts', () => {
  expect(() => checkDefinition(lesson)).not.toThrow()
  const segments = { payer: { paid: sql`true`, unpaid: sql`false` } }
  expect(() => checkRules(serve(lesson)({ computed: { student_cnt: sql`1` }, segments, effects: { async finish() {} } }))).not.toThrow()
})

// Each of these mistakes is refused by the compiler: without its error the next line does not compile. Nothing of it runs.
describe('a mistake in a half does not compile', () => {
  const never = (_work: () => unknown) => undefined

  test('an effect, a refusal, a computed field or a group that the definition does not have', () => {
    never(() => [
      // @ts-expect-error the transition is called finish
      serve(lesson)({ effects: { async finnish() {} } }),
      // @ts-expect-error a resource without transitions has no effects
      serve(course)({ effects: { async finish() {} } }),
      // @ts-expect-error the field is called student_cnt
      serve(lesson)({ computed: { studnet_cnt: sql`1` } }),
      // @ts-expect-error a group is missing
      serve(lesson)({ segments: { payer: { paid: sql`true` } } }),
      // @ts-expect-error nothing is called finnish
      serve(lesson)({ refusals: async () => () => ({ finnish: '不能完成' }) }),
      serve(lesson)({ refusals: async () => ({ state }) => (state === 1 ? { finish: '不能完成', move_lesson: '不能调课' } : {}) }),
    ])
  })

  test('a cell, an input or a row action that nothing answers', () => {
    never(() => [
      // @ts-expect-error the field is called student_cnt
      present(lesson)({ cells: { studnet_cnt: () => null } }),
      present(lesson)({ cells: { student_cnt: ({ row }) => row.course_name, price: ({ value }) => value?.toFixed(2), created_by_name: () => null } }),
      // @ts-expect-error a segment has no value to show
      present(lesson)({ cells: { payer: () => null } }),
      // @ts-expect-error the field is called price
      present(lesson)({ inputs: { prize: () => null } }),
      // @ts-expect-error the dialog is called move
      present(lesson)({ rowActions: [{ key: 'moove', label: '调课' }], dialogs: { move: () => null } }),
      present(lesson)({ rowActions: [{ key: 'copy', label: '复制', run: () => undefined }, { key: 'move', label: '调课' }], dialogs: { move: () => null } }),
      // @ts-expect-error a row has no such field
      present(lesson)({ rowActions: [{ key: 'copy', label: '复制', visible: (row) => row.prize === 1, run: () => undefined }] }),
      // @ts-expect-error 99 is no state, so the comparison is always false
      present(lesson)({ rowActions: [{ key: 'copy', label: '复制', visible: (row) => row.state === 99, run: () => undefined }] }),
    ])
  })

  test('a right that the screen does not have', () => {
    never(() => [
      lesson.rights.id('close'), lesson.rights.id('edit'),
      // @ts-expect-error the right is called close
      lesson.rights.id('cloze'),
    ])
  })

  test('a row has the types of its definition, its twins, and what can be done with it', () => {
    never(() => (row: WireRow<typeof lesson>) => {
      const known: [string, number, number | null, 1 | 2 | 3, string | null, string | null] = [row.name, row.course_id, row.price, row.state, row.course_name, row.created_by_name]
      // @ts-expect-error the transition is called finish
      const wrong = row.can.includes('finnish')
      return [known, wrong, row.can.includes('finish'), row.cannot?.move_lesson]
    })
  })
})

describe('a mistake in a definition does not compile', () => {
  const base = { name: 'lesson', label: '课', grant: 102, api: api('/test', 'lessons', 'lesson'), list: { columns: ['name'], filters: [] } } as const
  const never = (_work: () => unknown) => undefined

  test('states that no choice has, keys that no field has, scopes that begin nowhere', () => {
    never(() => [
      // @ts-expect-error 99 is no state
      defineResource({ ...base, fields, transitions: [{ name: 'finish', label: '完成', field: 'state', from: [1], to: 99 }] }),
      // @ts-expect-error 98 is no state
      defineResource({ ...base, fields, transitions: [{ name: 'finish', label: '完成', field: 'state', from: [1, 98], to: 2 }] }),
      // @ts-expect-error the field is called state
      defineResource({ ...base, fields, transitions: [{ name: 'finish', label: '完成', field: 'status', from: [1], to: 2 }] }),
      // @ts-expect-error 99 is no state
      defineResource({ ...base, fields, where: { state: 99 } }),
      // @ts-expect-error 99 is no state
      defineResource({ ...base, fields, fresh: { state: [99] } }),
      // @ts-expect-error 99 is no state
      defineResource({ ...base, fields, pick: { offered: { state: 99 } } }),
      // @ts-expect-error a name leads nowhere
      defineResource({ ...base, fields, scope: { partner: 'name.partner_id' } }),
      // @ts-expect-error the field is called course_id
      defineResource({ ...base, fields, responsible: ['coures_id.partner_id'] }),
      // @ts-expect-error the field is called name
      defineResource({ ...base, fields, form: [{ fields: ['nmae'] }] }),
    ])
  })
})

test.each([
  ['a scope', { scope: { partner: 'course_id.no_such_column' } }, 'scope names course_id.no_such_column, which leads to no column of one value'],
  ['a scope through what is no reference', { scope: { partner: 'name.partner_id' } }, 'scope names name.partner_id'],
  ['who is responsible', { responsible: ['course_id.teacher_id'] }, 'responsible names course_id.teacher_id'],
  ['a column of the list', { list: { columns: ['nmae'], filters: [] } }, 'list.columns names nmae, which is no field'],
  ['a name that every object has', { list: { columns: ['toString'], filters: [] } }, 'list.columns names toString'],
  ['a filter', { list: { columns: [], filters: ['student_cnt'] } }, 'list.filters names student_cnt, which is nothing that a list can be narrowed by'],
  ['an order', { list: { columns: [], filters: [], sort: '-student_cnt' } }, 'list.sort names student_cnt'],
  ['a sum', { list: { columns: [], filters: [], summary: ['name'] } }, 'list.summary names name, which is no number'],
  ['the title', { title: 'titel' }, 'title names titel, which is no field of its own'],
  ['the form', { form: [{ fields: ['nmae'] }] }, 'form names nmae'],
  ['an import', { import: { columns: ['name', 'student_cnt'], key: ['name'] } }, 'import.columns names student_cnt, which is no column'],
  ['the key of an import', { import: { columns: ['name'], key: ['no'] } }, 'import.key names no'],
  ['an index', { indexes: [['state', 'crated_at']] }, 'indexes names crated_at, which is no column'],
  ['what is unique', { unique: [['course_id', 'student_cnt']] }, 'unique names student_cnt'],
  ['what words are looked for within', { searchedWithin: ['subject_id'] }, 'searchedWithin names subject_id'],
  ['how pickers narrow', { pick: { within: ['subject_id'] } }, 'pick.within names subject_id'],
  ['what is offered', { pick: { offered: { state: 99 } } }, 'pick.offered names 99, which is no value of state'],
  ['a state to go to', { transitions: [{ ...edge, to: 99 }] }, 'transition finish names 99, which is no value of state'],
  ['a state to come from', { transitions: [{ ...edge, from: [1, 98] }] }, 'transition finish names 98'],
  ['the field of a state', { transitions: [{ ...edge, field: 'status' }] }, 'transitions names status, which is no column'],
  ['two edges of one name', { transitions: [edge, { ...edge, to: 3 }] }, 'two transitions are called finish'],
  ['an edge called as what every record can do', { transitions: [{ ...edge, name: 'remove' }] }, 'remove is an action that every resource has'],
  ['what its records have', { where: { state: 99 } }, 'where names 99'],
  ['what takes a fresh proof', { fresh: { state: [99] } }, 'fresh names 99'],
  ['when a reference is needed', { fields: { ...fields, course_id: reference('课程', () => course, { neededWhile: { state: [98, 99] } }) } }, 'course_id.neededWhile names 98, which is no value of state'],
  ['what a reference is narrowed by', { fields: { ...fields, course_id: reference('课程', () => course, { within: { subject_id: 'partner_id' } }) } }, 'course_id.within names subject_id'],
  ['by what a target is narrowed', { fields: { ...fields, course_id: reference('课程', () => course, { within: { price: 'prize' } }) } }, 'course_id.within names prize, by which course cannot be narrowed'],
])('a definition made from data that is wrong in %s does not start', (_what, more, sentence) => {
  expect(starts(more)).toThrow(`lesson: ${sentence}`)
})

test('the states of a switch are states of its field', () => {
  const on = shelf('上架', { state: 'state', on: [1, 98], off: 2 })
  const transitions = [edge, { ...edge, name: 'again', from: [2], to: 1 }]
  expect(starts({ fields: { ...fields, status: on }, transitions })).toThrow('status.shelf names 98, which is no value of state')
})

test.each([
  ['an effect without its transition', { effects: { finnish: async () => undefined } }, 'the rules have an effect finnish, which is no transition'],
  ['a computed field that is none', { computed: { student_cnt: sql`1`, studnet_cnt: sql`1` } }, 'the rules have computed studnet_cnt'],
  ['a computed field that nobody works out', { computed: {} }, 'the rules do not say what computed student_cnt is'],
  ['a segment that nobody explains', { segments: {} }, 'the rules do not say what segments payer is'],
  ['a group that nobody explains', { segments: { payer: { paid: sql`true` } } }, 'the rules do not say what segments.payer unpaid is'],
])('rules with %s do not start', (_what, more, sentence) => {
  const rules = { computed: { student_cnt: sql`1` }, segments: { payer: { paid: sql`true`, unpaid: sql`false` } }, ...more }
  expect(() => checkRules({ resource: lesson, rules } as ResourceService)).toThrow(`lesson: ${sentence}`)
})

import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { reference } from '../field/reference.ts'
import { text } from '../field/text.ts'
import { number } from '../field/number.ts'
import { defineResource } from '../resource/define.ts'
import type { ResourceService, Rules } from '../resource/serve.server.ts'
import { firstOfShape } from './shape.server.ts'

let made = 0
const before = () => {}

/** A resource of a family, each with a name, a path, a right and a row of its own. */
function member(options: { max?: number; pattern?: RegExp; without?: readonly 'remove'[]; target?: ResourceService; rules?: object } = {}): ResourceService {
  const n = ++made
  const { target } = options
  const resource = defineResource({
    name: `member_${n}`, table: 'member', label: `成员${n}`, grant: 1000 + n,
    api: { list: `/m/${n}s`, item: `/m/${n}`, reply: { items: 'items', total: 'total' } },
    where: { line: `line_${n}` },
    fields: {
      name: text('名称', { required: true, max: options.max ?? 20, ...(options.pattern && { pattern: [options.pattern, '不对'] }) }),
      count: number('数量'),
      ...(target && { owner_id: reference('归属', () => target.resource) }),
    },
    list: { columns: ['name'], filters: ['name'] },
    ...(options.without && { without: options.without }),
  } as never)
  return { resource, rules: (options.rules ?? {}) as Rules<never, never> } as unknown as ResourceService
}

const isOne = (...services: ResourceService[]) => firstOfShape(services).size === 1

test('members of a family that differ by name, path, right and row are one shape, shown by the first', () => {
  const [one, two, three] = [member(), member(), member()]
  expect([...firstOfShape([one, two, three])]).toEqual([one.resource.name])
})

test('an option of a field, a pattern, an action that is left out and a target make a shape', () => {
  expect(isOne(member(), member({ max: 21 }))).toBe(false)
  expect(isOne(member({ pattern: /^a/ }), member({ pattern: /^b/ }))).toBe(false)
  expect(isOne(member(), member({ without: ['remove'] }))).toBe(false)
  const [plain, other] = [member(), member({ max: 5 })]
  const found = firstOfShape([plain, other, member({ target: plain }), member({ target: other }), member({ target: plain })])
  expect(found.size).toBe(4)
})

test('functions and SQL of its own make a shape, shared ones do not', () => {
  expect(isOne(member(), member({ rules: { before } }))).toBe(false)
  expect(isOne(member({ rules: { before: () => {} } }), member({ rules: { before: () => {} } }))).toBe(false)
  expect(isOne(member({ rules: { computed: { n: sql`1` } } }), member({ rules: { computed: { n: sql`1` } } }))).toBe(false)
  expect(isOne(member({ rules: { before, effects: { close: before } } }), member({ rules: { before, effects: { close: before } } }))).toBe(true)
})

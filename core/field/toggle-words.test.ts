import { expect, test } from 'vitest'
import { findModules, registryOf } from '../module/assemble.server.ts'

test('a toggle\'s label is no claim that one of its words answers: 虚拟单 is 是 or 否, never 真实', async () => {
  const fields = [...registryOf(await findModules()).values()].flatMap(({ resource }) => Object.entries(resource.fields).map(([key, field]) => ({ of: `${resource.name}.${key}`, field })))
  // A shelf is shown as a switch, whose label says what it is when it is on.
  const toggles = fields.flatMap(({ of, field }) => (field.kind === 'toggle' && !field.shelf ? [{ of, label: field.label, words: [field.on, field.off] }] : []))
  expect(toggles.length).toBeGreaterThan(10)
  expect(toggles.filter(({ label, words }) => words.some((word) => label.includes(word)))).toEqual([])
})

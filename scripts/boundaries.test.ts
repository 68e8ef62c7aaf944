import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { findBreaches, LAYERS, overlooked } from './boundaries.ts'

const folder = mkdtempSync(join(tmpdir(), 'daoyuan-rules-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A house in which each rule is broken once, and what each may do is done once. */
const house: Record<string, string> = {
  'tsconfig.json': '{"compilerOptions": {"allowImportingTsExtensions": true, "noEmit": true, "module": "preserve", "moduleResolution": "bundler"}}',
  'core/plain.ts': 'export const plain = 1; export type Plain = number',
  'core/half.ts': "export { plain } from './plain.ts'",
  'core/half.server.ts': "import { readFileSync } from 'node:fs'; import { plain } from './plain.ts'; export const half = [plain, readFileSync]; export type Half = number",
  'core/half.tsx': "import { plain } from './plain.ts'; import type { Half } from './half.server.ts'; export const View = (props: { half: Half }) => [plain, props]",
  'core/typed.ts': "import type { Half } from './half.server.ts'; export type Typed = Half",
  'core/testing/app.server.ts': "import door from '../../modules/school/module.ts'; export default door",
  'modules/screens.ts': 'export const screens = 1',
  'modules/school/module.ts': "export { school as default } from './school.ts'",
  'modules/school/school.ts': "import { screens } from '../screens.ts'; export const school = screens",
  'modules/student/module.ts': 'export default 1',
  'modules/student/student.ts': "import school from '../school/module.ts'; export const student = school",
  'modules/school/door.server.ts': "export const enrol = 1",
  'modules/school/door.tsx': "export const Card = () => null",
  'modules/student/uses.server.ts': "import { enrol } from '../school/door.server.ts'; export const uses = enrol",
  'modules/student/uses.tsx': "import { Card } from '../school/door.tsx'; export const Uses = () => Card",
  'modules/one/module.ts': 'export default 1',
  'modules/two/module.ts': 'export default 2',

  'core/bad-server.ts': "import { half } from './half.server.ts'; export const bad = half",
  'core/bad-browser.ts': "import { View } from './half.tsx'; export const bad = View",
  'core/bad-node.ts': "import { join } from 'node:path'; export const bad = join",
  'core/bad.server.ts': "import { View } from './half.tsx'; export const bad = View",
  'core/bad.tsx': "import { half } from './half.server.ts'; export const Bad = () => half",
  'core/bad-node.tsx': "import { join } from 'node:path'; export const Bad = () => join",
  'core/bad-module.ts': "import type door from '../modules/school/module.ts'; export type Bad = typeof door",
  'core/bad-nowhere.ts': "import { nothing } from './nowhere.ts'; export const bad = nothing",
  'core/circle-a.ts': "import { b } from './circle-b.ts'; export const a = () => b",
  'core/circle-b.ts': "import { a } from './circle-a.ts'; export const b = () => a",
  'core/field/low.ts': 'export const low = 1',
  'core/list/high.ts': "import { low } from '../field/low.ts'; export const high = low",
  'core/field/beside.test.ts': "import { high } from '../list/high.ts'; export const beside = high",
  'core/field/bad-above.ts': "import type { high } from '../list/high.ts'; export type Bad = typeof high",
  'core/sheet/circle.ts': "import type { other } from '../transfer/circle.ts'; export type One = typeof other",
  'core/transfer/circle.ts': "import { one } from '../sheet/other.ts'; export const other = one",
  'core/sheet/other.ts': 'export const one = 1',
  'core/homeless/file.ts': 'export const homeless = 1',
  'modules/student/bad.ts': "import { school } from '../school/school.ts'; export const bad = school",
  'modules/student/bad.server.ts': "import { secret } from '../school/secret.server.ts'; export const bad = secret",
  'modules/school/secret.server.ts': 'export const secret = 1',
  // No circle of files, but neither module can be understood without the other.
  'modules/one/uses.ts': "import two from '../two/module.ts'; export const uses = two",
  'modules/two/uses.ts': "import one from '../one/module.ts'; export const uses = one",
}
for (const [path, text] of Object.entries(house)) {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

test('each rule finds its breach, and nothing else is one', () => {
  const { files, breaches } = findBreaches(folder)
  expect(overlooked(folder, files)).toEqual([])
  expect(breaches.map(({ rule, from, to }) => `${rule}: ${from} → ${to}`).sort()).toEqual([
    'browser-without-node: core/bad-node.tsx → path',
    'browser-without-server: core/bad.tsx → core/half.server.ts',
    'core-in-layers: core/field/bad-above.ts → core/list/high.ts',
    'core-in-layers: core/homeless → LAYERS',
    'core-knows-no-module: core/bad-module.ts → modules/school/module.ts',
    'core-without-cycle: core/field/bad-above.ts → core/list/high.ts',
    'core-without-cycle: core/list/high.ts → core/field/low.ts',
    'core-without-cycle: core/sheet/circle.ts → core/transfer/circle.ts',
    'core-without-cycle: core/transfer/circle.ts → core/sheet/other.ts',
    'module-by-its-door: modules/student/bad.server.ts → modules/school/secret.server.ts',
    'module-by-its-door: modules/student/bad.ts → modules/school/school.ts',
    'modules-without-cycle: modules/one → modules/two',
    'modules-without-cycle: modules/two → modules/one',
    'no-file-cycle: core/circle-a.ts → core/circle-b.ts',
    'pure-runs-anywhere: core/bad-browser.ts → core/half.tsx',
    'pure-runs-anywhere: core/bad-server.ts → core/half.server.ts',
    'pure-without-node: core/bad-node.ts → path',
    'resolvable: core/bad-nowhere.ts → ./nowhere.ts',
    'server-without-browser: core/bad.server.ts → core/half.tsx',
  ])
  for (const { comment } of breaches) expect(comment.length).toBeGreaterThan(20)
})

test('files that nobody looked at are missed', () => {
  expect(overlooked(folder, [])).toContain('core/plain.ts')
})

test('the map of core names each folder in its layer', () => {
  const text = readFileSync(join(import.meta.dirname, '../ARCHITECTURE.md'), 'utf8')
  // A layer is a word by itself, its folders stand below it.
  const [, map = ''] = /^core\/.*\n([\s\S]*?)^modules\//m.exec(text) ?? []
  const shown = new Map<string, string[]>()
  let layer = ''
  for (const line of map.split('\n')) {
    layer = /^ +(\w+)$/.exec(line)?.[1] ?? layer
    shown.set(layer, [...shown.get(layer) ?? [], ...[...line.slice(0, 34).matchAll(/([\w-]+)\//g)].map(([, name = '']) => name)])
  }
  const { testing, ...layers } = LAYERS
  expect(Object.fromEntries([...shown].map(([name, folders]) => [name, folders.toSorted()]))).toEqual(Object.fromEntries(
    Object.entries(layers).map(([name, folders]) => [name, [...folders, ...(name === 'shell' ? testing : [])].toSorted()])))
})

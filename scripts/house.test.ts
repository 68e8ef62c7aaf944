import { execFileSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
// What begins with _ is somebody's scratch paper and not kept.
const files = globSync('{core,modules,scripts,e2e,bench}/**/*.{ts,tsx,mjs,css}', { cwd: root }).map((path) => path.replaceAll('\\', '/')).filter((path) => !basename(path).startsWith('_')).sort()
const read = (path: string) => readFileSync(join(root, path), 'utf8')

/** Longest file, in lines. */
const LONGEST = 400
/** Files that may be longer, each with its reason: tables of data only. */
const LONGER: Readonly<Record<string, string>> = {
  'modules/promotion/promotion.test.ts': 'one world in which links, sales, coupons, groups and shares meet',
}

test('there are files to look at', () => expect(files.length).toBeGreaterThan(300))

test(`no file has more than ${LONGEST} lines`, () => {
  const long = files.filter((path) => !(path in LONGER) && read(path).split('\n').length - 1 > LONGEST)
  expect(long).toEqual([])
  expect(Object.keys(LONGER).filter((path) => !files.includes(path)), 'an exception for no file').toEqual([])
})

test('the type check reads every file: of `a.ts` and `a.tsx` it takes only the first by itself', () => {
  const read = new Set(execFileSync(process.execPath, [join(root, 'node_modules/typescript-native/bin/tsc'), '-p', '.', '--listFilesOnly'], { cwd: root, encoding: 'utf8' }).split('\n').map((path) => relative(root, path).replaceAll('\\', '/')))
  expect(files.filter((path) => /\.tsx?$/.test(path) && !read.has(path))).toEqual([])
})

/** The files by which other modules use a module. */
const DOORS = new Set(['module.ts', 'door.server.ts', 'door.tsx'])

test('every name says what is in the file: kebab-case, no index, no barrel', () => {
  expect(files.filter((path) => !/^[a-z0-9]+(-[a-z0-9]+)*(\.(server|browser|test|d))?\.(ts|tsx|mjs|css)$/.test(basename(path)))).toEqual([])
  expect(files.filter((path) => basename(path).startsWith('index.'))).toEqual([])
  // Only the door of a module passes on what other files declare.
  const passing = files.filter((path) => /\.tsx?$/.test(path) && !DOORS.has(basename(path)) && path !== 'core/testing/app.server.ts' && /^export (\*|\{[^}]*\}) from /m.test(read(path)))
  expect(passing).toEqual([])
  expect(files.filter((path) => /^export \*/m.test(read(path)))).toEqual([])
})

test('tests stand beside what they look at, under one name', () => {
  expect(files.filter((path) => path.includes('__tests__') || /\.spec\./.test(path))).toEqual([])
})

/**
 * `for update` waits for transactions that refer to a record, and they for it: it is for removals. What only changes a record locks it
 * `for no key update` (docs/adr/0026-removal-asks.md). Rows that no record refers to may be locked either way.
 */
const LOCKED_WHOLE: Readonly<Record<string, string>> = {
  'core/resource/write.server.ts': 'removal', 'core/resource/remove.server.ts': 'removal', 'core/transfer/import-undo.server.ts': 'removal', 'modules/system/recycle.server.ts': 'removal',
  'modules/practice/label/change.server.ts': 'merge', 'modules/practice/outline/outline.server.ts': 'removal', 'core/job/queue.server.ts': 'jobs', 'core/preference/calls.server.ts': 'views',
  'modules/room/device/agent.server.ts': 'commands', 'modules/order/draft.server.ts': 'drafts', 'modules/order/refund.server.ts': 'refunds', 'modules/practice/selected/calls.server.ts': 'sets',
  'modules/practice/compare/calls.server.ts': 'pairs', 'modules/practice/stat/compute.server.ts': 'what is due', 'modules/practice/import/jobs.server.ts': 'rows of an import', 'modules/practice/import/calls.server.ts': 'rows of an import',
}

test('records are locked against removal alone by whoever removes them', () => {
  const whole = files.filter((path) => path.endsWith('.server.ts') && /(?<!no key )for update\b(?! skip locked\)? )/.test(read(path).replaceAll(/\/\/.*|^ \*.*/gm, '')))
  expect(whole.filter((path) => !(path in LOCKED_WHOLE))).toEqual([])
})

test('no effect gives back what scrolling gives back: newer browsers give a promise, which React would call', () => {
  expect(files.filter((path) => path.endsWith('.tsx') && /Effect\(\(\) => [^{\n]*\.scroll\w*\(/.test(read(path)))).toEqual([])
})

test('what acts by itself in a screen does not act while the screen is behind another', () => {
  // core/shell is the frame, but for its pages; the rest of core that listens belongs to no page.
  const screens = files.filter((path) => /^(modules|core\/(list|record|tree|form|field|job|transfer|chart))\/.+\.tsx$/.test(path) || /^core\/shell\/.+-page\.tsx$/.test(path))
  const acting = screens.filter((path) => /\bsetInterval\(|refetchInterval:|(window|document)\.addEventListener\('key/.test(read(path).replaceAll(/\/\/.*/g, '')))
  expect(acting.length).toBeGreaterThan(5)
  expect(acting.filter((path) => !/\buse(Is)?Front\(\)/.test(read(path)))).toEqual([])
})

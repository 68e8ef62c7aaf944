import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
// What begins with _ is somebody's scratch paper and not kept.
const files = globSync('{core,modules,scripts,e2e,bench}/**/*.{ts,tsx,mjs,css}', { cwd: root }).map((path) => path.replaceAll('\\', '/')).filter((path) => !basename(path).startsWith('_')).sort()
const read = (path: string) => readFileSync(join(root, path), 'utf8')

/** Longest file, in lines. */
const LONGEST = 400
/** Files that may be longer, each with its reason: tables of data only. */
const LONGER: Readonly<Record<string, string>> = {}

test('there are files to look at', () => expect(files.length).toBeGreaterThan(300))

test(`no file has more than ${LONGEST} lines`, () => {
  const long = files.filter((path) => !(path in LONGER) && read(path).split('\n').length - 1 > LONGEST)
  expect(long).toEqual([])
  expect(Object.keys(LONGER).filter((path) => !files.includes(path)), 'an exception for no file').toEqual([])
})

/** The files by which other modules use a module. */
const DOORS = new Set(['module.ts', 'door.server.ts', 'door.tsx'])

test('every name says what is in the file: kebab-case, no index, no barrel', () => {
  expect(files.filter((path) => !/^[a-z0-9]+(-[a-z0-9]+)*(\.(server|test|d))?\.(ts|tsx|mjs|css)$/.test(basename(path)))).toEqual([])
  expect(files.filter((path) => basename(path).startsWith('index.'))).toEqual([])
  // Only the door of a module passes on what other files declare.
  const passing = files.filter((path) => /\.tsx?$/.test(path) && !DOORS.has(basename(path)) && path !== 'core/testing/app.server.ts' && /^export (\*|\{[^}]*\}) from /m.test(read(path)))
  expect(passing).toEqual([])
  expect(files.filter((path) => /^export \*/m.test(read(path)))).toEqual([])
})

test('tests stand beside what they look at, under one name', () => {
  expect(files.filter((path) => path.includes('__tests__') || /\.spec\./.test(path))).toEqual([])
})

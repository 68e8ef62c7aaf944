import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findResources } from '../module/schema.server.ts'

const root = join(import.meta.dirname, '../..')

/**
 * Statements that change records without `touch` or `setDerived`, each with why: what keeps revision, actor and counts in step
 * is written once, and everything else goes through it.
 */
const SHORT_CUTS: Readonly<Record<string, string>> = {
  'core/resource/touch.server.ts': 'the mechanism itself',
  'core/resource/write.server.ts': 'writes and reads back with names in one statement',
  'core/tree/change.server.ts': 'moves a node with everything below it in one statement; only the node itself gets a revision',
  'core/login/login.server.ts': 'each login writes when it was, outside of any list',
  'core/audit/security.server.ts': 'counts how often an event came; the core does not know the resource that shows it',
  'modules/paper/content.server.ts': 'counts the versions of a paper whose kind is not known there, and the revision of its body, which is no record',
  'modules/order/draft.server.ts': 'a draft is no record; it has a revision of its own',
  'modules/order/ledger.server.ts': 'adds to a balance whose table the account names, and reads back what it is then',
  'modules/order/place.server.ts': 'columns that are fields of no line, written right after the order',
  'modules/user/entitlement.server.ts': 'opens and opens again in one statement: thousands with an order of codes',
}

/** Demo data and tests stand before or beside the product. */
const BESIDE = /(^|\/)demo[\w-]*(\.server)?\.ts$|\/demo\/|\.test\.ts$|testing/

/** Hand-written changes of records in a text: of a table by name, or of one that is put in; and a revision that is counted by hand. */
function handWritten(text: string, tables: ReadonlySet<string>): string[] {
  const updates = [...text.matchAll(/\bupdate\s+(?:"?(\w+)"?|\$\{[^}]*\})(?:\s+\w+)?\s+set\b/g)].filter(([, table]) => table === undefined || tables.has(table))
  return [...updates, ...text.matchAll(/\brev = (?:\w+\.)?rev \+ 1/g)].map(([found]) => found)
}

const tables = new Set((await findResources()).map(({ table }) => table))

test('records are changed through touch, setDerived or the operations', () => {
  const found = globSync('{core,modules}/**/*.ts', { cwd: root }).filter((path) => !BESIDE.test(path) && !(path in SHORT_CUTS))
    .flatMap((path) => handWritten(readFileSync(join(root, path), 'utf8'), tables).map((what) => `${path}: ${what}`))
  expect(found, 'use touch or setDerived of core/resource/touch.server.ts, or say here why not').toEqual([])
})

test('nobody forgets counts by hand: what writes says so with its transaction', () => {
  const found = globSync('{core,modules}/**/*.ts', { cwd: root }).filter((path) => !BESIDE.test(path) && readFileSync(join(root, path), 'utf8').includes('forgetCounts'))
  expect(found, 'use touch, setDerived or recordsWritten').toEqual(['core/resource/list.server.ts'])
})

test('every short cut is still one', () => {
  for (const path of Object.keys(SHORT_CUTS)) expect(handWritten(readFileSync(join(root, path), 'utf8'), tables), path).not.toEqual([])
})

test('a statement by hand is found, whichever way it is written', () => {
  const of = (text: string) => handWritten(text, new Set(['pad']))
  expect(of('update pad set x = 1')).toHaveLength(1)
  expect(of('update pad p\n   set x = 1')).toHaveLength(1)
  // eslint-disable-next-line no-template-curly-in-string
  expect(of('update ${table} t set x = 1, rev = t.rev + 1')).toHaveLength(2)
  expect(of('update job set x = 1; insert into pad (id) values (1) on conflict do update set id = 2; for no key update')).toEqual([])
})

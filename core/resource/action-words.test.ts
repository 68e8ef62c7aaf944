import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findModules, kindsOf } from '../module/assemble.server.ts'
import { actionWords } from './action-words.server.ts'

const root = join(import.meta.dirname, '../..')

/** How a source names an action for the log: with its transaction, or in a row that it writes into the log itself. */
const NAMED = [/transaction\([^;]*?\}, \{ action: '(\w+)'/gs, /transaction\(\{[^}]*action: '(\w+)'/g, /audit_log[^`]*?requestId\}, '(\w+)', /gs]

test('every action that the product can log has a word', async () => {
  const words = actionWords(kindsOf(await findModules()))
  const nameless: string[] = []
  let seen = 0
  for await (const path of glob('{core,modules}/**/*.server.ts', { cwd: root })) {
    const source = readFileSync(join(root, path), 'utf8')
    for (const [, action = ''] of NAMED.flatMap((pattern) => [...source.matchAll(pattern)])) {
      seen++
      if (words.find('', action) === undefined) nameless.push(`${action} (${path})`)
    }
  }
  expect(seen).toBeGreaterThan(40)
  expect([...new Set(nameless)].sort()).toEqual([])
})

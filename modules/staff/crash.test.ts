import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { Change, WireRow } from '../../core/resource/endpoints.ts'
import { openTestDatabase, type TestDatabase } from '../../core/testing/database.server.ts'
import { loginTo, startProduct, type Product, type Remote } from '../../core/testing/process.server.ts'
import { roleTemplate } from './role-template.ts'

const { api } = roleTemplate
const ACCOUNT = { ADMIN_ACCOUNT: 'admin', ADMIN_PASSWORD: 'Admin-pass1' }
const WRITERS = 4
/** Writes that are acknowledged before the power is cut. */
const WRITES = 200

const dataDir = mkdtempSync(join(tmpdir(), 'daoyuan-crash-'))
const open: (Product | TestDatabase)[] = []
afterAll(async () => {
  for (const one of open.reverse()) await ('kill' in one ? one.kill() : one.close())
  rmSync(dataDir, { recursive: true, force: true })
})

/** All records whose names begin like this. */
async function allNames(call: Remote, prefix: string): Promise<Map<string, number>> {
  const found = new Map<string, number>()
  let cursor = ''
  do {
    const { body } = await call<{ items: WireRow[]; next?: string }>('GET', `${api.list}?page_size=200&sort=id&keyword=${prefix}${cursor && `&cursor=${cursor}`}`)
    for (const row of body.items) {
      expect(found.has(String(row['name'])), `${row['name']} is there twice`).toBe(false)
      found.set(String(row['name']), row.id)
    }
    cursor = body.next ?? ''
  } while (cursor)
  return found
}

test('kill -9 in the middle of writing loses nothing that was acknowledged, and nothing is there twice', async () => {
  const env: Record<string, string> = { ...ACCOUNT, DATA_DIR: dataDir }
  if (process.env['TEST_DATABASE_URL']) {
    const db = await openTestDatabase()
    open.push(db)
    env['DATABASE_URL'] = db.url ?? ''
  }
  const product = await startProduct(env)
  open.push(product)
  const call = await loginTo(product, ACCOUNT.ADMIN_ACCOUNT, ACCOUNT.ADMIN_PASSWORD)

  const sent: { name: string; key: string }[] = []
  const acknowledged = new Set<string>()
  const write = async (writer: number): Promise<void> => {
    for (let i = 0; ; i++) {
      const request = { name: `断电${writer}_${i}`, key: `key ${writer} ${i}` }
      sent.push(request)
      const answer = await call('POST', api.item, { name: request.name, modules: [101] }, { 'idempotency-key': request.key })
      expect(answer.status, JSON.stringify(answer.body)).toBe(200)
      acknowledged.add(request.name)
      // The others are on their way at this moment.
      if (acknowledged.size === WRITES) product.child.kill('SIGKILL')
    }
  }
  // Each writer ends when its connection breaks.
  await Promise.allSettled(Array.from({ length: WRITERS }, (_, writer) => write(writer)))
  await product.kill()
  expect(acknowledged.size).toBeGreaterThanOrEqual(WRITES)
  expect(sent.length).toBeGreaterThan(acknowledged.size)

  const again = await startProduct(env)
  open.push(again)
  const back = await loginTo(again, ACCOUNT.ADMIN_ACCOUNT, ACCOUNT.ADMIN_PASSWORD)
  const kept = await allNames(back, '断电')
  expect([...acknowledged].filter((name) => !kept.has(name)), 'acknowledged and lost').toEqual([])
  expect([...kept.keys()].filter((name) => !sent.some((request) => request.name === name))).toEqual([])

  // What was on its way is sent again under its key, as the console does: afterwards each is there once.
  for (const { name, key } of sent.filter((request) => !acknowledged.has(request.name))) {
    expect((await back('POST', api.item, { name, modules: [101] }, { 'idempotency-key': key })).status).toBe(200)
  }
  const complete = await allNames(back, '断电')
  expect([...complete.keys()].sort()).toEqual(sent.map((request) => request.name).sort())
  // A record and what is known of its making come together or not at all.
  for (const id of [...complete.values()].filter((_, i) => i % 20 === 0)) {
    const { body } = await back<{ items: Change[] }>('GET', `${api.item}/${id}/history`)
    expect(body.items.map((change) => change.action)).toEqual(['create'])
  }
})

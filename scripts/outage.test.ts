/** What the product does while the database is gone, and while the disk is full: real servers and a real disk. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, expect, test, vi } from 'vitest'
import { DatabaseGone } from '../core/database/database.server.ts'
import { openEmbedded } from '../core/database/embedded.server.ts'
import { openPostgres } from '../core/database/postgres.server.ts'
import { unavailable } from '../core/database/unavailable.server.ts'
import { ADMIN } from '../core/testing/app.server.ts'
import { linesOfText } from '../core/field/rich-text.ts'
import { loginTo, startProduct, type Product, type Remote } from '../core/testing/process.server.ts'
import { withPostgres } from './postgres.ts'

const ENV = { ADMIN_ACCOUNT: ADMIN.account, ADMIN_PASSWORD: ADMIN.password }
const GONE = '数据库暂时没有响应，请稍后重试'
const FULL = '服务器磁盘空间不足，暂时不能保存，请联系管理员'
const NEWS = '/daoyuan/api/end/announcement'

const health = async ({ url }: Product) => {
  const answer = await fetch(`${url}/healthz`)
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
}
/** What another process needs a moment for is waited for. */
const soon = <T>(check: () => T | Promise<T>) => vi.waitFor(check, { timeout: 60_000, interval: 250 })
let names = 0
const add = (remote: Remote, key?: string) => remote('POST', NEWS, { title: `公告 ${++names}`, body: linesOfText('字'.repeat(1000)), level: 1 }, key ? { 'idempotency-key': key } : {})

const folders: string[] = []
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })))
function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'daoyuan-outage-'))
  folders.push(folder)
  return folder
}

test('a database that goes away and comes back: one sentence meanwhile, nothing to be started anew', async ({ skip }) => {
  await withPostgres(async (databaseUrl, server) => {
    const product = await startProduct({ ...ENV, DATABASE_URL: databaseUrl, DATA_DIR: newFolder() })
    try {
      const remote = await loginTo(product, ADMIN.account, ADMIN.password)
      expect((await add(remote)).status).toBe(200)
      for (const mode of ['fast', 'immediate'] as const) {
        // Requests of every moment: before, while it goes, and after.
        const during = Array.from({ length: 60 }, async (_, n) => {
          await new Promise((resolve) => setTimeout(resolve, n * 10))
          return add(remote, `${mode} ${n}`)
        })
        await new Promise((resolve) => setTimeout(resolve, 200))
        server.stop(mode)
        for (const { status, body } of await Promise.all(during)) if (status !== 200) expect([status, body]).toEqual([503, { detail: GONE }])
        // Nobody is logged out for it, a read fails like a write, and who is not logged in is told the same.
        for (const ask of [remote('GET', `${NEWS}s`), add(remote)]) expect(await ask).toEqual({ status: 503, body: { detail: GONE } })
        const login = await fetch(`${product.url}/daoyuan/api/end_access_token`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ account: 'admin', pwd: 'x' }) })
        expect([login.status, await login.json()]).toEqual([503, { detail: GONE }])
        expect(await health(product)).toEqual({ status: 503, body: { detail: GONE, ok: false, database: 'failing', disk: 'ok' } })
        server.start()
        await soon(async () => expect(await health(product)).toEqual({ status: 200, body: { ok: true, database: 'ok', disk: 'ok' } }))
        // The same session, and what was refused is sent again under its own name.
        expect((await add(remote, `${mode} 59`)).status).toBe(200)
      }
      expect(product.child.exitCode).toBeNull()
      // Sessions are remembered again only when messages of other processes arrive again.
      await soon(async () => expect((await remote('GET', `${NEWS}s`)).status).toBe(200))
    } finally {
      await product.kill()
    }
  }, skip)
})

test('a connection that breaks in a transaction while nothing is asked of it fails that transaction alone', async ({ skip }) => {
  await withPostgres(async (databaseUrl) => {
    const db = await openPostgres(databaseUrl)
    const failure = await db.transaction({ staff_id: null }, async (tx) => {
      const [own] = await tx.query<{ pid: number }>(sql`select pg_backend_pid() as pid`)
      await db.query(sql`select pg_terminate_backend(${own?.pid})`)
      await new Promise((resolve) => setTimeout(resolve, 300))
      await tx.query(sql`select 1`)
    }).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(DatabaseGone)
    expect(await db.query(sql`select 1 as one`)).toEqual([{ one: 1 }])
    await db.close()
  }, skip)
})

/** A small disk of its own; undefined where this machine lets nobody make one. */
function smallDisk(megabytes: number): { folder: string; remove(): void } | undefined {
  const folder = newFolder()
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder])
  return mounted.status === 0 ? { folder, remove: () => void spawnSync('umount', ['-l', folder]) } : undefined
}

/** Takes all room of a disk but so many bytes. */
function fill(folder: string, left: number): string {
  const { bavail, bsize } = statfsSync(folder)
  const path = join(folder, 'filler')
  const piece = Buffer.alloc(1024 * 1024)
  writeFileSync(path, '')
  for (let room = bavail * bsize - left; room > 0; room -= piece.length) writeFileSync(path, piece.subarray(0, Math.min(piece.length, room)), { flag: 'a' })
  return path
}

const picture = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')
const PADDING = 1024 * 1024
function sendPicture(remote: Remote): ReturnType<Remote> {
  const form = new FormData()
  form.append('file', new Blob([picture, new Uint8Array(PADDING)]), 'a.png')
  return remote('POST', '/daoyuan/api/end/files?kind=image', form)
}

test('a full disk beside a database server: what needs the disk says so, all else goes on', async ({ skip }) => {
  const disk = smallDisk(300)
  if (!disk) return skip('nobody may mount a disk here')
  await withPostgres(async (databaseUrl) => {
    const product = await startProduct({ ...ENV, DATABASE_URL: databaseUrl, DATA_DIR: disk.folder })
    try {
      const remote = await loginTo(product, ADMIN.account, ADMIN.password)
      expect((await sendPicture(remote)).status).toBe(200)
      for (const left of [50 * 1024 * 1024, 0]) {
        const filler = fill(disk.folder, left)
        expect(await sendPicture(remote)).toEqual({ status: 503, body: { detail: FULL } })
        expect(await health(product)).toEqual({ status: 503, body: { detail: FULL, ok: false, database: 'ok', disk: 'failing' } })
        expect((await add(remote)).status).toBe(200)
        rmSync(filler)
        expect((await sendPicture(remote)).status).toBe(200)
        expect(await health(product)).toEqual({ status: 200, body: { ok: true, database: 'ok', disk: 'ok' } })
      }
    } finally {
      await product.kill()
    }
  }, skip)
  disk.remove()
})

test('a full disk under the embedded database: what cannot be kept says so, and what was answered is kept', async ({ skip }) => {
  const disk = smallDisk(400)
  if (!disk) return skip('nobody may mount a disk here')
  const env = { ...ENV, DATA_DIR: disk.folder }
  let product = await startProduct(env)
  try {
    let remote = await loginTo(product, ADMIN.account, ADMIN.password)
    const filler = fill(disk.folder, 100_000)
    const kept: unknown[] = []
    // What lies in memory can still be written for a while.
    const refused = await soon(async () => {
      const answers = []
      for (let n = 0; n < 40; n++) answers.push(await add(remote))
      kept.push(...answers.flatMap(({ status, body }) => (status === 200 ? [body['id']] : [])))
      const failed = answers.filter(({ status }) => status !== 200)
      expect(failed.length).toBeGreaterThan(0)
      return failed
    })
    for (const { status, body } of refused) expect([status, body]).toEqual([503, { detail: FULL }])
    expect((await health(product)).status).toBe(503)
    rmSync(filler)
    await soon(async () => expect((await add(remote)).status).toBe(200))
    await product.kill()
    product = await startProduct(env)
    remote = await loginTo(product, ADMIN.account, ADMIN.password)
    for (const id of kept) expect((await remote('GET', `${NEWS}/${id}`)).status).toBe(200)
  } finally {
    await product.kill()
    disk.remove()
  }
})

test('an embedded database whose log finds no room stops, says so, and goes on by itself with what was committed', async ({ skip }) => {
  const disk = smallDisk(200)
  if (!disk) return skip('nobody may mount a disk here')
  try {
    const db = await openEmbedded(disk.folder)
    await db.script('create table t (id integer primary key, text text, n integer not null) with (fillfactor = 20)')
    await db.query(sql`insert into t select i, repeat(md5(i::text), 10), 0 from generate_series(1, 2000) i`)
    const heard: string[] = []
    await db.listen('outage', (payload) => heard.push(payload))
    const filler = fill(disk.folder, 100_000)
    let committed = 0
    let failure: unknown
    // Old rows make room for new ones, so that nothing but the log grows.
    for (; failure === undefined; await db.script('vacuum t').catch(() => {})) {
      failure = await db.transaction({ staff_id: null }, (tx) => tx.query(sql`update t set n = n + 1, text = reverse(text)`)).then(() => void committed++, (error: unknown) => error)
    }
    for (const error of [failure, await db.query(sql`select 1`).catch((again: unknown) => again)]) expect(unavailable(error)).toMatchObject({ status: 503, message: FULL })
    rmSync(filler)
    expect(await soon(() => db.query(sql`select min(n) as least, max(n) as most, count(*) as rows from t`))).toEqual([{ least: committed, most: committed, rows: 2000 }])
    await db.query(sql`update t set n = 0`)
    await db.notify('outage', 'heard')
    expect(heard).toEqual(['heard'])
    await db.close()
  } finally {
    disk.remove()
  }
})

import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '../config.server.ts'
import type { Database } from '../database/database.server.ts'
import { openTestDatabase } from '../testing/database.server.ts'
import { openSecrets, secretsOf } from './secret.server.ts'

let db: Database
let dataDir: string
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'daoyuan-secret-'))
  db = await openTestDatabase()
})
afterAll(async () => {
  await db.close()
  rmSync(dataDir, { recursive: true, force: true })
})

test('what is encrypted opens only whole, with the same secret and about the same thing', () => {
  const secrets = secretsOf('one secret')
  const sealed = secrets.encrypt('密钥 abc', 'totp 7')
  expect(sealed).not.toContain('abc')
  expect(secrets.encrypt('密钥 abc', 'totp 7')).not.toBe(sealed)
  expect(secretsOf('one secret').decrypt(sealed, 'totp 7')).toBe('密钥 abc')
  expect(() => secrets.decrypt(sealed, 'totp 8')).toThrow('authenticate')
  expect(() => secretsOf('another').decrypt(sealed, 'totp 7')).toThrow('authenticate')
  for (let i = 3; i < sealed.length; i += 7) {
    const changed = sealed.slice(0, i) + (sealed[i] === 'A' ? 'B' : 'A') + sealed.slice(i + 1)
    expect(() => secrets.decrypt(changed, 'totp 7')).toThrow('authenticate')
  }
  // A shortened tag would be easier to forge.
  expect(() => secrets.decrypt(sealed.slice(0, 3 + 32), 'totp 7')).toThrow('tag length')
  expect(secrets.key('captcha').equals(secrets.key('encryption'))).toBe(false)
})

test('the secret stays with the installation, and another one is noticed at the start', async () => {
  const sealed = (await openSecrets({ dataDir, secretKey: undefined }, db)).encrypt('text')
  expect((await openSecrets({ dataDir, secretKey: undefined }, db)).decrypt(sealed)).toBe('text')
  await db.query(sql`update installation set value = '"of another secret"' where key = 'secret_proof'`)
  await expect(openSecrets({ dataDir, secretKey: undefined }, db)).rejects.toThrow('密钥与数据库不匹配')
  await db.query(sql`delete from installation where key = 'secret_proof'`)
})

test('beside the embedded database it is a file for its owner alone', async (context) => {
  if (db.kind === 'postgres') return context.skip('PostgreSQL keeps it in a table or outside')
  const path = join(dataDir, 'secret')
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(readFileSync(path, 'utf8')).toMatch(/^[0-9a-f]{64}\n$/)
  expect(await db.query(sql`select 1 from installation where key = 'secret'`)).toEqual([])
  await openSecrets({ dataDir, secretKey: undefined }, db)
  writeFileSync(path, 'f'.repeat(64))
  await expect(openSecrets({ dataDir, secretKey: undefined }, db)).rejects.toThrow(path)
})

test('on PostgreSQL the administrator may keep it outside the database', async (context) => {
  if (db.kind === 'embedded') return context.skip('the embedded database has it beside itself')
  await db.query(sql`delete from installation`)
  const secretKey = 'k'.repeat(32)
  const sealed = (await openSecrets({ dataDir, secretKey }, db)).encrypt('text')
  expect(await db.query(sql`select 1 from installation where key = 'secret'`)).toEqual([])
  expect((await openSecrets({ dataDir, secretKey }, db)).decrypt(sealed)).toBe('text')
  await expect(openSecrets({ dataDir, secretKey: undefined }, db)).rejects.toThrow('SECRET_KEY')
  // One that the installation made up is taken outside: it does not stay beside what it encrypts.
  await db.query(sql`delete from installation`)
  const made = (await openSecrets({ dataDir, secretKey: undefined }, db)).encrypt('text')
  const [row] = await db.query<{ value: string }>(sql`select value #>> '{}' as value from installation where key = 'secret'`)
  expect((await openSecrets({ dataDir, secretKey: row?.value }, db)).decrypt(made)).toBe('text')
  expect(await db.query(sql`select 1 from installation where key = 'secret'`)).toEqual([])
})

test('a short SECRET_KEY, and one that would not be used, are refused at the start', () => {
  const DATABASE_URL = 'postgres://localhost/daoyuan'
  expect(readConfig({ DATABASE_URL, SECRET_KEY: 'k'.repeat(32) }).secretKey).toBe('k'.repeat(32))
  expect(() => readConfig({ DATABASE_URL, SECRET_KEY: 'k'.repeat(31) })).toThrow('SECRET_KEY 至少 32 位')
  expect(() => readConfig({ SECRET_KEY: 'k'.repeat(32) })).toThrow('SECRET_KEY 只在设置了 DATABASE_URL 时使用')
})

import { createCipheriv, createDecipheriv, createHmac, createSecretKey, hkdfSync, randomBytes } from 'node:crypto'
import { chmod, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import type { Config } from '../config.server.ts'
import type { Database } from '../database/database.server.ts'

/** Keeps texts secret at rest, with keys that belong to this installation alone. */
export interface Secrets {
  /** A key of 32 bytes for one purpose; the same in every process of the installation. */
  key(purpose: string): Buffer
  /**
   * Encrypts a text (AES-256-GCM).
   * @param about what it belongs to; only the same words open it again, so that it cannot be moved to another record
   */
  encrypt(text: string, about?: string): string
  /**
   * Decrypts what `encrypt` gave.
   * @throws Error when it was changed, belongs to something else or to another installation
   */
  decrypt(sealed: string, about?: string): string
}

/** Says how a text was encrypted, so that a later way can stand beside it. */
const VERSION = 'v1.'
const NONCE = 12
const TAG = 16

/**
 * Derives all keys from one secret text.
 * @example secretsOf(text).encrypt('JBSWY3DP', 'totp 7')
 */
export function secretsOf(secret: string): Secrets {
  const key = (purpose: string) => Buffer.from(hkdfSync('sha256', secret, '', `daoyuan ${purpose}`, 32))
  // A key object is imported once; bytes would be with every text, which takes several times as long as encrypting it.
  const storage = createSecretKey(key('encryption'))
  return {
    key,
    encrypt(text, about = '') {
      const nonce = randomBytes(NONCE)
      const cipher = createCipheriv('aes-256-gcm', storage, nonce).setAAD(Buffer.from(about))
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return VERSION + Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')
    },
    decrypt(sealed, about = '') {
      if (!sealed.startsWith(VERSION)) throw new Error('unknown kind of encrypted text')
      const bytes = Buffer.from(sealed.slice(VERSION.length), 'base64url')
      const decipher = createDecipheriv('aes-256-gcm', storage, bytes.subarray(0, NONCE), { authTagLength: TAG })
      decipher.setAAD(Buffer.from(about)).setAuthTag(bytes.subarray(NONCE, NONCE + TAG))
      return Buffer.concat([decipher.update(bytes.subarray(NONCE + TAG)), decipher.final()]).toString('utf8')
    },
  }
}

/**
 * Opens the secrets of this installation. Beside the embedded database the secret is the file `secret` of the data folder;
 * with PostgreSQL it is SECRET_KEY, or a row of the database when that is not set.
 * @throws Error with a sentence for the administrator, when the secret is not the one that this database was used with
 */
export async function openSecrets(config: Pick<Config, 'dataDir' | 'secretKey'>, db: Database): Promise<Secrets> {
  const secrets = secretsOf(db.kind === 'embedded' ? await secretFile(config.dataDir) : config.secretKey ?? await kept(db, 'secret', randomBytes(32).toString('hex')))
  // A wrong secret would otherwise show only when somebody's second factor fails.
  const proof = createHmac('sha256', secrets.key('proof')).update('installation').digest('base64url')
  if (await kept(db, 'secret_proof', proof) !== proof) {
    throw new Error(`密钥与数据库不匹配：请恢复原来的 ${db.kind === 'embedded' ? `${join(config.dataDir, 'secret')} 文件` : 'SECRET_KEY（从未设置过的，原密钥在 installation 表的 secret 记录里）'}。`
      + '如果原密钥已丢失，请删除 installation 表中 key 为 secret_proof 的记录，再为员工清除两步验证')
  }
  // A key beside what it encrypts protects nothing: what was made up once goes when it is set from outside.
  if (config.secretKey && db.kind !== 'embedded') await db.query(sql`delete from installation where key = 'secret'`)
  return secrets
}

/** A value of the table `installation`, which this one becomes when there is none; the same for processes that start together. */
async function kept(db: Database, key: string, value: string): Promise<string> {
  await db.query(sql`insert into installation (key, value) values (${key}, ${JSON.stringify(value)}::jsonb) on conflict do nothing`)
  const [row] = await db.query<{ value: string }>(sql`select value from installation where key = ${key}`)
  return row?.value ?? value
}

/** The secret of a data folder, made on first use. The folder belongs to this process alone. */
async function secretFile(dataDir: string): Promise<string> {
  const path = join(dataDir, 'secret')
  const known = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (known?.trim()) return known.trim()
  const secret = randomBytes(32).toString('hex')
  // Renamed into place, so that a crash leaves no half of a secret behind.
  await writeFile(`${path}.new`, `${secret}\n`, { mode: 0o600 })
  await chmod(`${path}.new`, 0o600)
  await rename(`${path}.new`, path)
  return secret
}

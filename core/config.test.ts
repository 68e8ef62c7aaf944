import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ConfigError, readConfig } from './config.server.ts'

function problemsOf(env: Record<string, string>): string {
  try {
    readConfig(env)
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
  return ''
}

const POSTGRES = 'postgres://user:secret@db.example:5432/daoyuan'
const S3 = { S3_ENDPOINT: 'https://s3.example', S3_BUCKET: 'files', S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: 'key' }

/** For each variable: values that are refused, and what the sentence says should stand there. */
const wrong: Record<string, readonly [value: string, expected: string, others?: Record<string, string>][]> = {
  PORT: [['x', '整数'], ['-1', '0 到 65535'], ['65536', '0 到 65535'], ['80.5', '整数']],
  DATABASE_URL: [['db.example', 'postgres://'], ['mysql://db.example/x', 'postgres://'], ['postgres//db', 'postgres://']],
  ADMIN_ACCOUNT: [['a b', '4 到 32 位'], ['管理员', '4 到 32 位'], ['abc', '4 到 32 位']],
  ADMIN_PASSWORD: [['short', '至少 8 位']],
  DEMO: [['maybe', '1 或 0'], ['2', '1 或 0']],
  PUBLIC_URL: [['console.example', 'https://'], ['ftp://console.example', 'https://']],
  LEGACY_URL: [['old.example', 'https://'], ['javascript:alert(1)', 'https://']],
  OIDC_ISSUER: [['issuer.example', 'https://', { OIDC_CLIENT_ID: 'console' }], ['https://issuer.example', 'OIDC_CLIENT_ID']],
  OIDC_CLIENT_ID: [['console', 'OIDC_ISSUER']],
  S3_ENDPOINT: [['s3.example', 'https://', { ...S3, S3_ENDPOINT: 's3.example' }], ['https://s3.example', 'S3_BUCKET']],
  S3_BUCKET: [['files', 'S3_ENDPOINT、S3_ACCESS_KEY_ID、S3_SECRET_ACCESS_KEY']],
  S3_ACCESS_KEY_ID: [['id', 'S3_ENDPOINT']],
  S3_SECRET_ACCESS_KEY: [['key', 'S3_ENDPOINT']],
  UPLOAD_DAILY_FILES: [['0', '1 到'], ['many', '整数']],
  UPLOAD_DAILY_MB: [['0', '1 到'], ['1.5', '整数']],
  CLAMD_ADDRESS: [['localhost', '主机:端口'], ['localhost:0', '主机:端口'], ['localhost:99999', '主机:端口'], ['http://localhost:3310', '主机:端口'], ['::1:3310', '主机:端口']],
  SENTRY_DSN: [['dsn', 'https://']],
  OUTGOING_ALLOW: [['intranet.example', 'https://'], ['https://a.example, b', '「b」']],
  SECRET_KEY: [['short', '至少 32 位', { DATABASE_URL: POSTGRES }], ['x'.repeat(32), 'DATABASE_URL'], ['', '必须设置', { DATABASE_URL: POSTGRES, PUBLIC_URL: 'https://console.example' }]],
  PASSWORD_POLICY: [['strict', 'asvs 或 dengbao']],
  LOG_FORMAT: [['xml', 'text 或 json']],
  RATE_LIMIT: [['x', '整数'], ['-1', '0 到 100000']],
  TRUST_PROXY: [['true', '整数'], ['11', '0 到 10']],
}
/** Variables that take any text. */
const FREE = ['HOST', 'DATA_DIR', 'OIDC_NAME', 'OIDC_CLIENT_SECRET', 'OIDC_ACCOUNT_CLAIM', 'S3_REGION', 'METRICS_TOKEN']

test('every variable that is read is looked at here', () => {
  const source = readFileSync(join(import.meta.dirname, 'config.server.ts'), 'utf8')
  const read = new Set([...source.matchAll(/'([A-Z][A-Z0-9_]{2,})'/g)].map((match) => match[1] ?? ''))
  expect([...read].sort()).toEqual([...Object.keys(wrong), ...FREE].sort())
})

test.each(Object.entries(wrong).flatMap(([name, cases]) => cases.map(([value, expected, others = {}]) => [name, value, expected, others] as const)))(
  '%s=%s is refused with a sentence that says what it should be',
  (name, value, expected, others) => {
    const message = problemsOf({ [name]: value, ...others })
    expect(message).toMatch(/^配置有误：\n {2}- /)
    const line = message.split('\n').find((candidate) => candidate.includes(name))
    expect(line, message).toContain(expected)
    expect(line).toMatch(/[\u4e00-\u9fff]/)
  },
)

test('all that is wrong is said at once', () => {
  const message = problemsOf({ PORT: 'x', DEMO: 'maybe', PUBLIC_URL: 'x', TRUST_PROXY: '-1' })
  expect(message.split('\n').length).toBe(5)
})

test('no sentence repeats a password', () => {
  for (const value of ['postgress://user:secret@db.example/x', 'user:secret@db.example', 'mysql://root:secret@db/x']) expect(problemsOf({ DATABASE_URL: value })).not.toContain('secret')
  expect(problemsOf({ ADMIN_PASSWORD: 'secret' })).not.toContain('secret')
  expect(problemsOf({ SECRET_KEY: 'secret' })).not.toContain('「secret')
  expect(problemsOf({ SENTRY_DSN: 'key:secret@sentry.example/1' })).not.toContain('secret')
})

test('nothing has to be set', () => {
  const config = readConfig({})
  expect(config).toMatchObject({ port: 5800, host: '127.0.0.1', databaseUrl: undefined, demo: true, publicUrl: undefined, oidc: undefined, s3: undefined, passwordPolicy: 'asvs', production: false, rateLimit: 120, trustProxy: 0 })
  expect(config.dataDir).toMatch(/\/data$/)
  expect(readConfig({ PORT: '', DEMO: ' ', PUBLIC_URL: '' }), 'empty is not set').toEqual(config)
})

test('what is set is taken', () => {
  expect(readConfig({ DATABASE_URL: POSTGRES, SECRET_KEY: 'k'.repeat(32) })).toMatchObject({ databaseUrl: POSTGRES, demo: false })
  expect(readConfig({ DATABASE_URL: POSTGRES, PUBLIC_URL: 'https://console.example', SECRET_KEY: 'k'.repeat(32) }).production).toBe(true)
  expect(readConfig({ DATABASE_URL: POSTGRES, PUBLIC_URL: 'http://console.example' }).production).toBe(false)
  expect(readConfig({ PUBLIC_URL: 'https://console.example' }).production).toBe(false)
  expect(readConfig({ DEMO: 'off' }).demo).toBe(false)
  expect(readConfig({ DATABASE_URL: POSTGRES, DEMO: 'yes' }).demo).toBe(true)
  expect(readConfig({}).uploadsPerDay).toEqual({ files: 2000, bytes: 20 * 1024 ** 3 })
  expect(readConfig({ UPLOAD_DAILY_MB: '5' }).uploadsPerDay.bytes).toBe(5 * 1024 ** 2)
  expect(readConfig({ CLAMD_ADDRESS: '/run/clamav/clamd.ctl' }).clamd).toEqual({ path: '/run/clamav/clamd.ctl' })
  expect(readConfig({ CLAMD_ADDRESS: 'scanner:3310' }).clamd).toEqual({ host: 'scanner', port: 3310 })
  expect(readConfig({ CLAMD_ADDRESS: '[::1]:3310' }).clamd).toEqual({ host: '::1', port: 3310 })
  expect(readConfig(S3).s3).toMatchObject({ bucket: 'files', region: 'us-east-1' })
  expect(readConfig({ OIDC_ISSUER: 'https://issuer.example', OIDC_CLIENT_ID: 'console' }).oidc).toMatchObject({ clientId: 'console', name: '统一登录' })
  expect(readConfig({ PUBLIC_URL: 'https://console.example' }).publicUrl?.origin).toBe('https://console.example')
  expect(readConfig({ ADMIN_PASSWORD: ' 8 spaces ' }).adminPassword, 'a password is taken as it is').toBe(' 8 spaces ')
})

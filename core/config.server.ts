import { resolve } from 'node:path'

/** Everything that can be configured, read from the environment once. */
export interface Config {
  port: number
  host: string
  /** Absolute folder of the embedded database, uploaded files and demo accounts. */
  dataDir: string
  /** PostgreSQL to use; undefined means the embedded database. */
  databaseUrl: string | undefined
  adminAccount: string | undefined
  adminPassword: string | undefined
  demo: boolean
  /** Address that users type, when a proxy stands in front; decides Secure cookies and sign-in redirects. */
  publicUrl: URL | undefined
  legacyUrl: string | undefined
  oidc: { issuer: URL; name: string; clientId: string; clientSecret: string | undefined; accountClaim: string } | undefined
  s3: { endpoint: URL; bucket: string; region: string; accessKeyId: string; secretAccessKey: string } | undefined
  /** What one person may upload in a day. */
  uploadsPerDay: { files: number; bytes: number }
  /** A clamd that looks at what is uploaded; undefined: nobody does. */
  clamd: { path: string } | { host: string; port: number } | undefined
  sentryDsn: URL | undefined
  /** Origins that requests may leave for although they are private or without TLS; the provider of sign-in is among them. */
  outgoingAllow: ReadonlySet<string>
  /** Who sends it may read /metrics from anywhere; undefined: only this machine may. */
  metricsToken: string | undefined
  /** Text that keys are derived from, on a PostgreSQL database; undefined: the installation makes one up and keeps it. */
  secretKey: string | undefined
  /** Password rules: `asvs` asks for eight characters with a letter and something else, `dengbao` (等保 2.0) for ten of three kinds and a change every 90 days. */
  passwordPolicy: 'asvs' | 'dengbao'
  /** Others reach it: under https, on a database server. Stricter rules hold then. */
  production: boolean
  /** How often one address may make each call that anyone may make, per minute; 0: without limit. */
  rateLimit: number
  /** How many reverse proxies stand in front of this server; each writes who called it into X-Forwarded-For. */
  trustProxy: number
  /** `json`: what happens is written to standard output as lines of JSON, for whatever collects them. */
  logFormat: 'text' | 'json'
}

/** Raised with every problem of the environment at once, in words an administrator can act on. */
export class ConfigError extends Error {}

type Environment = Record<string, string | undefined>

/**
 * Reads and checks the environment.
 * @throws ConfigError naming each variable that is wrong and what it should be
 */
export function readConfig(env: Environment = process.env): Config {
  const problems: string[] = []
  const text = (name: string) => env[name]?.trim() || undefined
  const url = (name: string, protocols: string[]) => {
    const value = text(name)
    if (!value) return undefined
    if (URL.canParse(value) && protocols.includes(new URL(value).protocol)) return new URL(value)
    // What stands before the @ is a password more often than not, and the sentence ends up in a log.
    const shown = value.replace(/^(.*:\/\/)?.*@/, '$1***@')
    problems.push(`${name} 应是以 ${protocols.map((protocol) => `${protocol}//`).join(' 或 ')} 开头的地址，现在是「${shown}」`)
    return undefined
  }
  const integer = (name: string, fallback: number, low: number, high: number) => {
    const value = text(name)
    if (value === undefined) return fallback
    const number = Number(value)
    if (Number.isInteger(number) && number >= low && number <= high) return number
    problems.push(`${name} 应是 ${low} 到 ${high} 之间的整数，现在是「${value}」`)
    return fallback
  }
  const toggle = (name: string, fallback: boolean) => {
    const value = text(name)?.toLowerCase()
    if (value === undefined) return fallback
    if (['1', 'true', 'yes', 'on'].includes(value)) return true
    if (['0', 'false', 'no', 'off'].includes(value)) return false
    problems.push(`${name} 应是 1 或 0，现在是「${value}」`)
    return fallback
  }
  /** A group of variables that only make sense together. */
  const group = <Name extends string>(names: readonly Name[]): Record<Name, string> | undefined => {
    const missing = names.filter((name) => !text(name))
    if (missing.length === names.length) return undefined
    if (missing.length > 0) {
      problems.push(`设置了 ${names.filter((name) => text(name)).join('、')}，还需要设置 ${missing.join('、')}`)
      return undefined
    }
    return Object.fromEntries(names.map((name) => [name, text(name)])) as Record<Name, string>
  }

  /** A unix socket, or host and port. */
  const socket = (name: string): Config['clamd'] => {
    const value = text(name)
    if (!value) return undefined
    if (value.startsWith('/')) return { path: value }
    const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^:/\s]+)):(\d{1,5})$/.exec(value) ?? []
    const host = bracketed ?? plain
    if (host && Number(port) > 0 && Number(port) < 65536) return { host, port: Number(port) }
    problems.push(`${name} 应是 /路径/到/套接字 或 主机:端口，现在是「${value}」`)
    return undefined
  }

  /** Origins, separated by commas. */
  const origins = (name: string): string[] => (text(name) ?? '').split(',').map((one) => one.trim()).filter(Boolean).flatMap((value) => {
    const url = URL.canParse(value) ? new URL(value) : undefined
    if (url && ['http:', 'https:'].includes(url.protocol)) return [url.origin]
    if (url?.protocol === 'smtp:' && url.port) return [`smtp://${url.host}`]
    problems.push(`${name} 应是以逗号分隔、以 https://、http:// 或 smtp:// 开头的地址，smtp:// 要写端口，现在有「${value.replace(/^(.*:\/\/)?.*@/, '$1***@')}」`)
    return []
  })

  const databaseUrl = url('DATABASE_URL', ['postgres:', 'postgresql:'])?.href
  const publicUrl = url('PUBLIC_URL', ['https:', 'http:'])
  const production = databaseUrl !== undefined && publicUrl?.protocol === 'https:'
  const issuer = url('OIDC_ISSUER', ['https:', 'http:'])
  const oidc = group(['OIDC_ISSUER', 'OIDC_CLIENT_ID'] as const)
  const s3Endpoint = url('S3_ENDPOINT', ['https:', 'http:'])
  const s3 = group(['S3_ENDPOINT', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const)
  const adminAccount = text('ADMIN_ACCOUNT')
  if (adminAccount && !/^[A-Za-z0-9_]{4,32}$/.test(adminAccount)) problems.push(`ADMIN_ACCOUNT 应为 4 到 32 位字母、数字或下划线，现在是「${adminAccount}」`)
  const adminPassword = env['ADMIN_PASSWORD'] || undefined
  if (adminPassword && adminPassword.length < 8) problems.push('ADMIN_PASSWORD 至少 8 位')
  const secretKey = text('SECRET_KEY')
  if (secretKey && secretKey.length < 32) problems.push('SECRET_KEY 至少 32 位，可以用 openssl rand -hex 32 生成')
  if (secretKey && !databaseUrl) problems.push('SECRET_KEY 只在设置了 DATABASE_URL 时使用；内置数据库的密钥在 DATA_DIR/secret 文件里')
  if (!secretKey && production) {
    problems.push('SECRET_KEY 必须设置，因为 PUBLIC_URL 是 https 且使用 DATABASE_URL；可以用 openssl rand -hex 32 生成，已在使用的数据库请填写 installation 表中 secret 记录的值')
  }
  const passwordPolicy = text('PASSWORD_POLICY') ?? 'asvs'
  if (passwordPolicy !== 'asvs' && passwordPolicy !== 'dengbao') {
    problems.push(`PASSWORD_POLICY 应是 asvs 或 dengbao，现在是「${passwordPolicy}」`)
  }
  const logFormat = text('LOG_FORMAT') ?? 'text'
  if (logFormat !== 'text' && logFormat !== 'json') problems.push(`LOG_FORMAT 应是 text 或 json，现在是「${logFormat}」`)

  const config: Config = {
    port: integer('PORT', 5800, 0, 65535),
    host: text('HOST') ?? '127.0.0.1',
    dataDir: resolve(text('DATA_DIR') ?? './data'),
    databaseUrl,
    adminAccount,
    adminPassword,
    demo: toggle('DEMO', databaseUrl === undefined),
    publicUrl,
    production,
    rateLimit: integer('RATE_LIMIT', 120, 0, 100_000),
    legacyUrl: url('LEGACY_URL', ['https:', 'http:'])?.href,
    oidc: oidc && issuer && {
      issuer,
      name: text('OIDC_NAME') ?? '统一登录',
      clientId: oidc.OIDC_CLIENT_ID,
      clientSecret: text('OIDC_CLIENT_SECRET'),
      accountClaim: text('OIDC_ACCOUNT_CLAIM') ?? 'preferred_username',
    },
    s3: s3 && s3Endpoint && {
      endpoint: s3Endpoint,
      bucket: s3.S3_BUCKET,
      region: text('S3_REGION') ?? 'us-east-1',
      accessKeyId: s3.S3_ACCESS_KEY_ID,
      secretAccessKey: s3.S3_SECRET_ACCESS_KEY,
    },
    uploadsPerDay: { files: integer('UPLOAD_DAILY_FILES', 2000, 1, 1_000_000), bytes: integer('UPLOAD_DAILY_MB', 20_480, 1, 100_000_000) * 1024 ** 2 },
    clamd: socket('CLAMD_ADDRESS'),
    sentryDsn: url('SENTRY_DSN', ['https:', 'http:']),
    outgoingAllow: new Set([...origins('OUTGOING_ALLOW'), ...(oidc && issuer ? [issuer.origin] : [])]),
    metricsToken: text('METRICS_TOKEN'),
    secretKey,
    passwordPolicy: passwordPolicy === 'dengbao' ? 'dengbao' : 'asvs',
    trustProxy: integer('TRUST_PROXY', 0, 0, 10),
    logFormat: logFormat === 'json' ? 'json' : 'text',
  }
  if (problems.length > 0) throw new ConfigError(`配置有误：\n${problems.map((problem) => `  - ${problem}`).join('\n')}`)
  return config
}

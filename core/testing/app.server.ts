import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import type { Config } from '../config.server.ts'
import { readConfig } from '../config.server.ts'
import type { Method } from '../endpoint/define.ts'
import { assemble, type App } from '../module/assemble.server.ts'
import { createAccount, seed } from '../module/seed.server.ts'
import { sessionCookie } from '../http/server.server.ts'
import { csrfToken, hashToken } from '../session/session.server.ts'
import { screenGroups } from '../../modules/screens.ts'
import { openTestDatabase, type TestDatabase } from './database.server.ts'

/** Ids of screens, for tests of the core, which knows no module. */
export { screenId } from '../../modules/screens.ts'

/** An answer, with its body as parsed JSON. */
export interface Answer<Body = Record<string, unknown>> {
  status: number
  body: Body
  headers: Record<string, string | string[] | number | undefined>
}

/** A logged-in person or nobody, making calls as the console does. */
export class Caller {
  private readonly app: App
  private cookies = new Map<string, string>()
  readonly staffId: number

  constructor(app: App, staffId = 0) {
    this.app = app
    this.staffId = staffId
  }

  /** Makes a call. `body` is the JSON body or, for GET and DELETE, the query. */
  async call<Body = Record<string, unknown>>(
    method: Method, path: string, body?: Record<string, unknown>, headers: Record<string, string> = {},
  ): Promise<Answer<Body>> {
    const bare = method === 'GET' || method === 'DELETE'
    const query = new URLSearchParams()
    if (bare) for (const [key, value] of Object.entries(body ?? {})) for (const one of [value].flat()) query.append(key, String(one))
    const answer = await this.app.http.inject({
      method,
      url: bare && query.size > 0 ? `${path}${path.includes('?') ? '&' : '?'}${query}` : path,
      ...(!bare && { payload: body ?? {} }),
      headers: {
        cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        'x-csrf-token': this.cookies.get('csrf') ?? '',
        ...headers,
      },
    })
    for (const cookie of answer.cookies) {
      if (cookie.value === '' || (cookie.expires && cookie.expires.getTime() < Date.now())) this.cookies.delete(cookie.name)
      else this.cookies.set(cookie.name, cookie.value)
    }
    const text = answer.body
    return { status: answer.statusCode, body: (text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : {}) as Body, headers: answer.headers }
  }

  get = <Body = Record<string, unknown>>(path: string, query?: Record<string, unknown>) => this.call<Body>('GET', path, query)
  post = <Body = Record<string, unknown>>(path: string, body?: Record<string, unknown>, headers?: Record<string, string>) => this.call<Body>('POST', path, body, headers)
  put = <Body = Record<string, unknown>>(path: string, body?: Record<string, unknown>, headers?: Record<string, string>) => this.call<Body>('PUT', path, body, headers)
  delete = <Body = Record<string, unknown>>(path: string, query?: Record<string, unknown>) => this.call<Body>('DELETE', path, query)

  /** Value of a cookie that this caller holds. */
  cookie(name: string): string | undefined {
    return this.cookies.get(name)
  }

  setCookie(name: string, value: string): void {
    this.cookies.set(name, value)
  }
}

/** A whole product for one test file, with an administrator `admin` / `Admin-pass1`. */
export interface TestApp extends App {
  config: Config
  /** Somebody who is not logged in. */
  nobody(): Caller
  /** Logs in; the administrator by default. */
  login(account?: string, password?: string): Promise<Caller>
  /** Creates a staff member who holds exactly these ids, and logs in as them. */
  staff(modules: readonly number[], options?: { account?: string; role?: string; scopes?: Record<string, number[]> }): Promise<Caller>
  /** Gives a caller a fresh session of a staff member without the cost of a password. */
  enter<C extends Caller>(caller: C): Promise<C>
  /** Makes a staff member hold exactly these ids, from the next call on. */
  grant(staffId: number, modules: readonly number[]): Promise<void>
  /** Every screen that there will be, with its id. */
  screens: readonly { id: number; path: string; title: string }[]
  /** All ids that can be granted. */
  allGrants: number[]
  /** All ids that any call asks for or looks at, those of screens that do not exist yet too. */
  servedGrants: number[]
  db: TestDatabase
  close(): Promise<void>
}

export const ADMIN = { account: 'admin', password: 'Admin-pass1' } as const
const PASSWORD = 'Staff-pass1'
let people = 0

/** Actions in the log that nobody has given a word, with the tables that they changed. */
async function namelessActions({ kernel }: Pick<App, 'kernel'>): Promise<string[]> {
  const logged = await kernel.db.query<{ entity: string; action: string }>(sql`select distinct entity, action from audit_log order by action, entity`)
  return logged.filter(({ entity, action }) => kernel.words.find(entity, action) === undefined).map(({ entity, action }) => `${action} (${entity})`)
}

/**
 * Puts the product together on a fresh database.
 * @param env overrides the configuration
 * @param database one that is open already: a second process of the same product
 */
export async function openTestApp(env: Record<string, string> = {}, database?: TestDatabase): Promise<TestApp> {
  const dataDir = mkdtempSync(join(tmpdir(), 'daoyuan-'))
  // A test file logs in more often than an office.
  const config = readConfig({ DATA_DIR: dataDir, DEMO: '0', ADMIN_ACCOUNT: ADMIN.account, ADMIN_PASSWORD: ADMIN.password, PORT: '0', RATE_LIMIT: '0', ...env })
  const db = database ?? await openTestDatabase()
  const app = await assemble(config, db, { groups: screenGroups })
  await seed(config, app.kernel, app.modules, app.kernel.grantTree, () => {})
  await app.http.ready()
  /** A test file takes longer than a proof of who is there is fresh; tests of that let it grow old. */
  const keepFresh = (caller: Caller) =>
    db.query(sql`update session set verified_at = now() + interval '1 hour' where hash = ${hashToken(caller.cookie(sessionCookie(config)) ?? '')}`)
  const login = async (account: string = ADMIN.account, password: string = ADMIN.password): Promise<Caller> => {
    const [row] = await db.query<{ id: number }>(sql`select id from staff where account = ${account}`)
    const caller = new Caller(app, row?.id)
    const answer = await caller.post('/daoyuan/api/end_access_token', { account, pwd: password })
    if (answer.status !== 200) throw new Error(`login failed: ${JSON.stringify(answer.body)}`)
    await keepFresh(caller)
    return caller
  }
  const allGrants = app.kernel.grantTree.flatMap((group) => group.screens.flatMap((screen) => [screen.id, ...(screen.children ?? []).map((child) => child.id)]))
  return {
    ...app,
    config,
    nobody: () => new Caller(app),
    login,
    db,
    async enter(caller) {
      const token = await app.kernel.sessions.begin(db, caller.staffId, { ip: '127.0.0.1', userAgent: 'test' })
      caller.setCookie(sessionCookie(config), token)
      caller.setCookie('csrf', csrfToken(token))
      await keepFresh(caller)
      return caller
    },
    async grant(staffId, modules) {
      await db.query(sql`delete from staff_module where staff_id = ${staffId}`)
      await db.query(sql`insert into staff_module (staff_id, module_id) select ${staffId}, unnest(${sql.param([...modules])}::int[])`)
      await app.kernel.sessions.changed(staffId)
    },
    servedGrants: [...new Set([...app.served.flatMap(({ endpoint }) => (typeof endpoint.grant === 'string' ? [] : endpoint.grant)), ...allGrants])],
    async staff(modules, options = {}) {
      const account = options.account ?? `staff_${++people}`
      const mobile = `137${String(10_000_000 + ++people)}`
      await db.transaction({ staff_id: null }, async (tx) => {
        const id = await createAccount(tx, { account, name: account, mobile, role: options.role ?? 'operator' }, PASSWORD, modules)
        for (const [kind, ids] of Object.entries(options.scopes ?? {})) {
          await tx.query(sql`insert into staff_scope (staff_id, kind, ref_id) select ${id}, ${kind}, unnest(${sql.param(ids)}::bigint[])`)
        }
      })
      return login(account, PASSWORD)
    },
    screens: screenGroups.flatMap((group) => group.screens),
    allGrants,
    async close() {
      // Whatever a test did is in the log now, so that every test file finds an action that has no word.
      const nameless = database ? [] : await namelessActions(app)
      await app.http.close()
      await db.close()
      rmSync(dataDir, { recursive: true, force: true })
      if (nameless.length > 0) throw new Error(`actions of the log without words: ${nameless.join(', ')}`)
    },
  }
}

/** Makes a learners' app that may make the calls of these scopes. @returns its key */
export async function makeAppKey(app: TestApp, scopes: readonly string[], more: Record<string, unknown> = {}): Promise<string> {
  const admin = await app.login()
  const { body } = await admin.post<{ id: number }>('/daoyuan/api/end/app_client', { name: `应用 ${++people}`, scopes, ...more })
  const { body: made } = await admin.post<{ key: string }>(`/daoyuan/api/end/app_client/${body.id}/key`)
  return made.key
}

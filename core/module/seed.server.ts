import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import type { Config } from '../config.server.ts'
import type { Actor, Database, Queryable } from '../database/database.server.ts'
import { DemoFilling } from './demo.server.ts'
import { makePart, partsDone, SILENT } from './parts.server.ts'
import { commonProblem, hashPassword, randomPassword } from '../login/password.server.ts'
import { SUPER_ROLE } from '../session/session.server.ts'
import type { GrantGroup } from '../grant/grant-tree.ts'
import type { Kernel } from '../kernel/kernel.server.ts'
import type { ServerModule } from './serve.server.ts'

/** An account that is printed at start. */
export interface Account {
  account: string
  password: string
  /** What it can do, for people who try the demo. */
  note: string
}

const SYSTEM: Actor = { staff_id: null, action: 'setup' }

/** Creates a staff member with a password that may be used as it is. */
export async function createAccount(
  tx: Queryable, person: { account: string; name: string; mobile: string; role: string; department?: string; mustChange?: boolean }, password: string, modules: readonly number[],
): Promise<number> {
  const [row] = await tx.query<{ id: number }>(sql`insert into staff (account, name, mobile, role, department, status)
    values (${person.account}, ${person.name}, ${person.mobile}, ${person.role}, ${person.department ?? null}, 1) returning id`)
  if (!row) throw new Error('staff was not created')
  await tx.query(sql`insert into credential (staff_id, password_hash, must_change) values (${row.id}, ${await hashPassword(password)}, ${person.mustChange ?? false})`)
  await tx.query(sql`insert into staff_module (staff_id, module_id) select ${row.id}, unnest(${sql.param([...modules])}::int[])`)
  return row.id
}

/**
 * Sets up an empty database: the first administrator, the accounts of the demo, what modules need. A module that comes with
 * a later release gets its own part then.
 * @returns accounts to print; passwords only of accounts that were made here
 */
export async function install(
  config: Config, { db }: Pick<Kernel, 'db'>, modules: readonly ServerModule[], grantTree: readonly GrantGroup[], report: (text: string) => void,
): Promise<Account[]> {
  let accounts: Account[] = []
  await db.exclusive('seed', async () => {
    const done = await partsDone(db)
    let filled = false
    const once = async (key: string, actor: Actor, work: (joined: Database) => Promise<void>) => {
      if (done.has(key)) return
      await makePart(db, actor, key, work)
      filled = true
    }
    /** Written before they count: an account whose password nobody knows is none. */
    const keep = async (made: Account) => {
      accounts.push(made)
      if (config.demo) await rememberAccounts(config, accounts)
    }
    await once('admin', SYSTEM, async (joined) => {
      const [existing] = await joined.query(sql`select id from staff limit 1`)
      if (existing) return
      const account = config.adminAccount ?? 'admin'
      const password = config.adminPassword ?? randomPassword()
      const problem = await commonProblem(password)
      if (problem) throw new Error(`ADMIN_PASSWORD：${problem}`)
      // A password that was generated and printed is a first password; one that was configured is the administrator's own.
      const mustChange = !config.adminPassword && !config.demo
      await createAccount(joined, { account, name: '超级管理员', mobile: '13900000000', role: SUPER_ROLE, mustChange }, password, [])
      if (config.adminPassword) report(`已创建超级管理员 ${account}`)
      else await keep({ account, password, note: '超级管理员，拥有全部权限' })
    })
    for (const { door, base } of modules) if (base) await once(`base ${door.name}`, SILENT, (joined) => base(joined, grantTree))
    for (const module of modules) await module.renew?.(db, grantTree)
    if (config.demo) {
      await once('demo accounts', SYSTEM, async (joined) => {
        for (const person of demoStaff(grantTree)) {
          const password = randomPassword()
          await createAccount(joined, person, password, person.modules)
          await keep({ account: person.account, password, note: person.note })
        }
      })
      accounts = await rememberAccounts(config, accounts)
    }
    // Tables that were empty a moment ago: without counts of what they hold now, joins are planned as if they still were.
    if (filled) await db.script('analyze')
  })
  return accounts
}

/** Sets up an empty database and makes the demo, where one is asked for, before anybody is answered: for tests. */
export async function seed(
  config: Config, kernel: Pick<Kernel, 'db'>, modules: readonly ServerModule[], grantTree: readonly GrantGroup[], report: (text: string) => void,
): Promise<Account[]> {
  const accounts = await install(config, kernel, modules, grantTree, report)
  const demo = new DemoFilling()
  if (await demo.prepare(config, kernel.db, modules)) await demo.run(config, kernel.db, report)
  return accounts
}

/** Demo passwords are random, so they are kept beside the data and printed at each start. */
async function rememberAccounts(config: Config, made: readonly Account[]): Promise<Account[]> {
  const file = join(config.dataDir, 'demo-accounts.json')
  const known = JSON.parse(await readFile(file, 'utf8').catch(() => '[]')) as Account[]
  if (made.length === 0) return known
  const all = [...known.filter((account) => !made.some((other) => other.account === account.account)), ...made]
  await mkdir(config.dataDir, { recursive: true })
  await writeFile(file, JSON.stringify(all, null, 2), { mode: 0o600 })
  return all
}

/** Two people beside the administrator, so that the demo shows what grants do. */
function demoStaff(tree: readonly GrantGroup[]) {
  const screens = (title: string) => tree.flatMap((group) => group.screens.filter((screen) => title === group.title || title === screen.title))
  const view = (title: string) => screens(title).map((screen) => screen.id)
  const edit = (title: string) => screens(title).flatMap((screen) => [screen.id, ...(screen.children ?? []).map((child) => child.id)])
  return [
    { account: 'qudao', name: '陈渠', mobile: '13900000001', role: 'operator', department: '渠道部', note: '渠道运营：合伙自习室可增删改，用户只能查看', modules: [...edit('合伙自习室'), ...view('用户总中心')] },
    { account: 'chakan', name: '李观', mobile: '13900000002', role: 'service', department: '客服部', note: '客服：合伙自习室只能查看，用户可修改和合并', modules: [...view('合伙自习室'), ...edit('用户总中心')] },
  ]
}

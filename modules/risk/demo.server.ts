import { sql } from 'drizzle-orm'
import type { Database, Queryable } from '../../core/database/database.server.ts'
import { setDerived, touch } from '../../core/resource/touch.server.ts'
import { seedTransaction } from '../../core/setup/insert-many.server.ts'
import { seededRandom, type Random } from '../../core/setup/random.ts'
import { appUser } from '../user/module.ts'
import { accountMonitor, MONITOR_STATUS as S } from './account-monitor.ts'
import { keepAction, LIMIT_SECONDS, QUIET_SECONDS, scoreUsers } from './scoring.server.ts'
import { keepSessions, type Told } from './session.server.ts'

const DAY = 86_400
const HOUR = 3600
/** Cities with where they are. */
const CITIES = { suzhou: ['320508', 31.3, 120.58], beijing: ['110108', 39.96, 116.3], chengdu: ['510107', 30.64, 104.04], guangzhou: ['440106', 23.13, 113.36], nanjing: ['320104', 32.04, 118.8], shenzhen: ['440306', 22.56, 113.88] } as const
type City = keyof typeof CITIES
const DEVICES = ['iPhone 15', 'iPad Air', '华为 MatePad', '小米 14', 'Windows 电脑', '荣耀 X50', 'OPPO Reno', 'Mac 电脑'] as const

/** Who they are, as their sessions say it: what is told of a day, and what becomes of the account. */
type Plot = (day: number) => readonly { city: City; device: number; from: number; hours: number; pages?: number; answers?: number; fast?: number; network?: Told['network'] }[]
const at = (city: City, device: number, from: number, hours: number, more: Partial<ReturnType<Plot>[number]> = {}) => ({ city, device, from, hours, ...more })

const sharers: Plot[] = [
  (day) => [at('suzhou', 0, 18, 2.5), at('beijing', 3, 19, 2), ...(day % 2 === 0 ? [at('chengdu', 5, 21.4, 1.2)] : [])],
  (day) => [at('guangzhou', 1, 17, 3), at('nanjing', 2, 18.5, 2), ...(day % 3 === 0 ? [at('beijing', 6, 20.8, 1)] : [])],
  (day) => (['suzhou', 'beijing', 'chengdu', 'guangzhou', 'shenzhen'] as const).map((city, n) => at(city, (n + day) % 8, 17 + n * 0.8, 1.4)),
]
const family: Plot = (day) => [0, 1, 2, 3].map((device) => at('suzhou', device, 16 + device * 0.5 + (day % 3), 4))
const farmer: Plot = () => [at('nanjing', 4, 9, 11, { pages: 3200, answers: 900, fast: 760 }), at('nanjing', 4, 21, 2, { pages: 2800, answers: 300, fast: 250 })]
const crawler: Plot = () => [at('shenzhen', 4, 1, 5, { pages: 9800, answers: 60, fast: 55 }), at('shenzhen', 7, 2, 4, { pages: 8800 })]
const commuter: Plot = (day) => (day % 5 === 0 ? [at('nanjing', 0, 9, 2), at('suzhou', 2, 9.5, 2)] : [at('suzhou', 0, 19, 2)])
const traveller: Plot = (day) => (day % 4 === 0 ? [at('nanjing', 0, 9, 1), at('beijing', 1, 9.6, 2)] : [at('nanjing', 0, 19, 1)])
const learner: Plot = (day) => (day % 2 === 0 ? [at('suzhou', 0, 19, 1.2, { answers: 30, fast: 2 })] : [at('suzhou', 1, 20, 0.8, { network: 'school' })])

/** What a person made of an account, and how long ago they did, in days. */
const CASES = [
  { plot: sharers[0], fate: 'wait' }, { plot: sharers[1], fate: 'freeze' }, { plot: sharers[2], fate: 'appeal' }, { plot: family, fate: 'none' }, { plot: farmer, fate: 'wait' }, { plot: crawler, fate: 'limit' }, { plot: sharers[0], fate: 'clear' }, { plot: sharers[1], fate: 'family' },
  ...Array.from({ length: 6 }, () => ({ plot: commuter, fate: 'none' as const })), ...Array.from({ length: 5 }, () => ({ plot: traveller, fate: 'none' as const })), ...Array.from({ length: 40 }, () => ({ plot: learner, fate: 'none' as const })),
] as const

function told(random: Random, plot: Plot, user: number, n: number, now: number): Told[] {
  const start = Math.floor((now + 8 * HOUR) / DAY) * DAY - 8 * HOUR
  return Array.from({ length: 13 }, (_, back) => plot(back).map(({ city, device, from, hours, pages, answers, fast, network }, part): Told => {
    const [region_code, lat, lng] = CITIES[city]
    const began_at = Math.round(start - (back + 1) * DAY + from * HOUR + random.int(0, 900))
    return {
      user_id: user, session_key: `demo ${n} ${back} ${part}`, device_id: `demo-${n}-${device}`, device_name: DEVICES[device % DEVICES.length] ?? '手机', network: network ?? 'home', region_code, lat, lng,
      began_at, ended_at: Math.round(began_at + hours * HOUR), pages: pages ?? random.int(20, 120), answers: answers ?? random.int(5, 40), fast: fast ?? 0,
    }
  })).flat()
}

/** Brings an account where a person brought it. */
async function decide(tx: Queryable, user: number, fate: (typeof CASES)[number]['fate'], [doer = 0, other = 0]: readonly number[], now: number): Promise<void> {
  const [row] = await tx.query<{ id: number }>(sql`select id from account_monitor where user_id = ${user}`)
  if (!row || fate === 'none') return
  await setDerived(tx, accountMonitor, { alarm_at: now - (fate === 'wait' ? 1 : 4) * DAY }, row.id)
  if (fate === 'wait') return
  if (fate === 'clear' || fate === 'family') {
    await setDerived(tx, accountMonitor, { status: S.cleared, quiet_until: now + QUIET_SECONDS - 3 * DAY, ...(fate === 'family' && { family: 1, homes: ['3201', '4401'] }) }, row.id)
    return keepAction(tx, row.id, fate, { staffId: doer, reason: fate === 'family' ? '电话核实：父母在广州，孩子在南京上学，两地各一台' : '电话核实：本人出差，设备均为本人所有' })
  }
  const limit = fate === 'limit'
  await setDerived(tx, accountMonitor, { status: limit ? S.limited : S.frozen, acted_by: doer, acted_at: now - 3 * DAY }, row.id)
  await keepAction(tx, row.id, limit ? 'limit' : 'freeze', { staffId: doer, reason: limit ? '短时间大量翻页，疑似抓取题目' : '多地同时登录，多次提醒后仍在继续', until: limit ? now - 3 * DAY + LIMIT_SECONDS : null })
  if (limit) return
  await touch(tx, appUser, { status: 2, sessions_ended_at: now - 3 * DAY }, user)
  if (fate !== 'appeal') return
  await touch(tx, appUser, { status: 1 }, user)
  await setDerived(tx, accountMonitor, { status: S.appealed, appeal: '我在外地集训，教练和我共用平板，不是借给别人。', appeal_due: now + DAY }, row.id)
  await keepAction(tx, row.id, 'appeal', { staffId: other, reason: '我在外地集训，教练和我共用平板，不是借给别人。', until: now + DAY })
}

/** Sessions of a fortnight: three who share, a family that does not, some who are fast, and many who just learn. */
export async function insertRiskDemo(db: Database, report: (text: string) => void): Promise<void> {
  const [random, now] = [seededRandom(1915), Math.floor(Date.now() / 1000)]
  const users = (await db.query<{ id: number }>(sql`select id from app_user where status = 1 and role = 1 and last_login_at > now() - interval '40 days' order by id limit ${CASES.length}`)).map(({ id }) => id)
  const staff = (await db.query<{ id: number }>(sql`select id from staff where status = 1 order by id limit 4`)).map(({ id }) => id)
  await seedTransaction(db, async (tx) => {
    await keepSessions(tx, CASES.flatMap(({ plot }, n) => (users[n] === undefined || !plot ? [] : told(random, plot, users[n], n, now))))
    await scoreUsers(tx, users)
    for (const [n, { fate }] of CASES.entries()) if (users[n] !== undefined) await decide(tx, users[n], fate, [staff[1] ?? 0, staff[2] ?? 0], now)
    // What the score was on the days before.
    await tx.query(sql`insert into risk_score (monitor_id, day, score, parts) select s.monitor_id, s.day - d, greatest(0, round(s.score * (1 - d * 0.07)))::int, s.parts from risk_score s, generate_series(1, 12) d on conflict do nothing`)
  })
  const [sum] = await db.query<{ n: number }>(sql`select count(*)::int as n from account_monitor where score >= 60`)
  report(`已生成 ${CASES.length} 个账号的学习会话，${sum?.n ?? 0} 个超过预警线`)
}

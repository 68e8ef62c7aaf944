import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { insertMany } from '../../core/setup/insert-many.server.ts'
import type { Random } from '../../core/setup/random.ts'
import { COMMAND_STATUS } from './device/command.ts'
import { padPolicy } from './device/policy.ts'

const DAY = 86_400

/** A policy as pads name it. */
export interface DemoPolicy {
  id: number
  version: number
}

const POLICIES = [
  { name: '工作日晚自习', apps: ['com.daoyuan.study', 'com.daoyuan.reader', 'com.daoyuan.dictionary'], weekdays: [1, 2, 3, 4, 5], hours: '16:30-21:30', version: 4 },
  { name: '周末全天', apps: ['com.daoyuan.study', 'com.daoyuan.reader', 'com.daoyuan.dictionary', 'com.daoyuan.listening'], weekdays: [6, 7], hours: '08:00-21:00', version: 2 },
  { name: '考前集训', apps: ['com.daoyuan.study', 'com.daoyuan.exam'], weekdays: [], hours: '08:00-22:00', version: 7 },
] as const

/** What pads may do, in the wording of a region's rooms. */
export async function insertPolicies(tx: Queryable, now: number): Promise<DemoPolicy[]> {
  const rows = POLICIES.map(({ apps, weekdays, ...policy }, n) => ({ ...policy, apps: apps.join('\n'), weekdays: [...weekdays], allow_install: 0, status: 1, created_at: now - (300 - n * 60) * DAY }))
  const ids = await insertMany(tx, padPolicy, rows)
  return rows.map(({ version }, n) => ({ id: ids[n] ?? 0, version }))
}

/** What is known of a pad that was online: when it was connected, what it obeys, how much room is on it. */
export function connectionOf(random: Random, policies: readonly DemoPolicy[], createdAt: number, online: number | null) {
  if (online === null) return {}
  const policy = random.chance(0.85) ? policies[random.weighted([[0, 6], [1, 3], [2, 2]])] : undefined
  return {
    connected_at: createdAt + 5 * DAY + 3600, free_gb: random.int(6, 60),
    policy_id: policy?.id ?? null, policy_version: policy ? policy.version - (random.chance(0.1) ? 1 : 0) : null,
  }
}

/** What pads were told in the last weeks, with what came of it; those that obey an old version still have its command before them. */
export async function insertCommands(tx: Queryable, now: number): Promise<number> {
  // Written out: a number that is only given has no type where it stands alone.
  const [waiting, done, failed, late] = [COMMAND_STATUS.waiting, COMMAND_STATUS.done, COMMAND_STATUS.failed, COMMAND_STATUS.timed_out].map((status) => sql.raw(String(status)))
  const moment = sql`to_timestamp(${now}::float8)`
  await tx.query(sql`insert into pad_command (pad_id, school_id, kind, detail, expire_at, sent_at, sent_cnt, done_at, answer, status, created_at)
    select p.id, p.school_id, x.kind, x.detail, x.at + x.lives, case when x.status in (${done}, ${failed}) then x.at + interval '2 minutes' end, case when x.status in (${done}, ${failed}) then 1 else 0 end,
      case x.status when ${done} then x.at + interval '3 minutes' when ${failed} then x.at + interval '3 minutes' when ${late} then x.at + x.lives end, case x.status when ${failed} then '存储空间不足' end, x.status, x.at
    from pad p join pad_policy y on y.id = p.policy_id cross join lateral (values
      ('policy', jsonb_build_object('policy_id', y.id, 'version', y.version), ${moment} - make_interval(secs => 3600 + p.id % 40 * 7200), interval '7 days', case when p.policy_version = y.version then ${done} else ${waiting} end),
      ('update', '{"app_version": "5.2.1", "app_url": "https://example.com/daoyuan-study-5.2.1.apk"}'::jsonb, ${moment} - make_interval(secs => 1728000 + p.id % 20 * 3600), interval '7 days',
        case when p.app_version = '5.2.1' then ${done} when p.id % 3 = 0 then ${failed} else ${late} end)
    ) x (kind, detail, at, lives, status) where p.connected_at < x.at order by x.at, p.id`)
  const [made] = await tx.query<{ n: number }>(sql`select count(*)::int as n from pad_command`)
  return made?.n ?? 0
}

import { sql } from 'drizzle-orm'
import type { Database } from '../../core/database/database.server.ts'
import { handle, type Served } from '../../core/endpoint/serve.server.ts'
import { badRequest, notFound, wrongState } from '../../core/error/error.ts'
import { formatTime, startOfDay } from '../../core/field/time.ts'
import type { WaitingCount, WaitingKind } from '../../core/inbox/waiting.server.ts'
import { defineJob, type JobDefinition } from '../../core/job/define.server.ts'
import type { DailyFigure } from '../../core/kernel/figure.server.ts'
import type { Kernel } from '../../core/kernel/kernel.server.ts'
import { questionChecks, type SelfCheck } from '../../core/kernel/self-check.server.ts'
import { listChecks, repairCheck, runChecks, type CheckRow } from './alert-calls.ts'
import { countDays, wrongDays } from './compute.server.ts'
import { MONITOR_PATH, MONITOR_RIGHTS } from './rights.ts'

const DAY = 86_400
/** Days that are counted again every night. */
const RECOUNT_DAYS = 35
/** Wrong records that are kept to look at. */
const SAMPLES = 20
/** Hour of China's clock from which on everything is looked at, once a day. */
const NIGHT_HOUR = 3
export const CHECK_JOB = 'self check'

/** What the module itself promises: stored days are a recount of the sources, and an alert is open once (operations 1.10, 14 and 16). */
export const ownChecks = (figures: () => readonly DailyFigure[]): SelfCheck[] => [
  {
    name: 'stat_recount', area: '数据中心', title: '指标的每日数值与重新统计不一致',
    async find(db) {
      const today = startOfDay(Date.now() / 1000)
      const wrong: { id: number; words: string }[] = []
      for (const figure of figures().filter(({ ripens }) => ripens === undefined)) {
        for (const { day, stored, now } of await wrongDays(db, figure, today - RECOUNT_DAYS * DAY, today)) wrong.push({ id: day, words: `${figure.title} ${formatTime(day).slice(0, 10)} 存为 ${stored}，应为 ${now}` })
      }
      return wrong
    },
    repair: {
      label: '按来源重新统计',
      run: async (db, found) => {
        for (const day of new Set(found.flatMap(({ id }) => id ?? []))) {
          for (const figure of figures()) await db.transaction({ staff_id: null, silent: true }, (tx) => countDays(tx, figure, day, day + DAY))
        }
      },
    },
  },
  ...questionChecks('监控', [['alert_once', '同一告警同时打开多条', sql`select rule_id as id, dim, key, count(*)::int as n from alert where state in (1, 2, 4) and deleted_at is null group by 1, 2, 3 having count(*) > 1`]]),
]

/** Looks at one thing that must hold and keeps what it found. @returns how many */
async function look(db: Database, { name, find }: SelfCheck): Promise<number> {
  const began = performance.now()
  const outcome = await find(db).then((found) => ({ found, problem: null }), (error: unknown) => ({ found: [], problem: error instanceof Error ? error.message.slice(0, 200) : '未知错误' }))
  const samples = outcome.found.slice(0, SAMPLES).map(({ words }) => words.slice(0, 200))
  const wrong = outcome.found.length > 0
  await db.query(sql`insert into check_result (name, checked_at, found, samples, since, ms, problem) values (${name}, now(), ${outcome.found.length}, ${JSON.stringify(samples)}::jsonb, ${wrong ? sql`now()` : sql`null`}, ${Math.round(performance.now() - began)}, ${outcome.problem})
    on conflict (name) do update set checked_at = excluded.checked_at, found = excluded.found, samples = excluded.samples, ms = excluded.ms, problem = excluded.problem,
      since = case when excluded.found > 0 then coalesce(check_result.since, excluded.since) when excluded.problem is not null then check_result.since end`)
  return outcome.found.length
}

/** Looks at everything that must hold, one after the other, so that others are answered in between. */
export async function lookAtAll(db: Database, checks: readonly SelfCheck[], done: (n: number) => void = () => undefined): Promise<{ checks: number; wrong: number }> {
  let wrong = 0
  for (const [at, check] of checks.entries()) {
    if (await look(db, check) > 0) wrong++
    done(at + 1)
  }
  return { checks: checks.length, wrong }
}

/** Every night, whichever process comes first. */
export async function nightly(db: Database, checks: readonly SelfCheck[], now = Math.floor(Date.now() / 1000)): Promise<void> {
  const today = startOfDay(now)
  if (now < today + NIGHT_HOUR * 3600) return
  const [last] = await db.query<{ at: number | null }>(sql`select extract(epoch from max(checked_at))::float8 as at from check_result`)
  if ((last?.at ?? 0) < today + NIGHT_HOUR * 3600) await lookAtAll(db, checks)
}

export const checkJobs = ({ checks }: Pick<Kernel, 'checks'>): JobDefinition[] => [
  defineJob({
    kind: CHECK_JOB,
    grants: () => [MONITOR_RIGHTS.id('check')],
    async run({ db, signal, progress }) {
      progress(0, checks.length)
      return lookAtAll(db, checks, (n) => {
        signal.throwIfAborted()
        progress(n, checks.length)
      })
    },
  }),
]

/** The calls of 数据自检. */
export const checkCalls = ({ checks, jobs }: Pick<Kernel, 'checks' | 'jobs'>): Served[] => [
  handle(listChecks, async ({ db, staff }) => {
    const rows = await db.query<{ name: string; checked_at: number; found: number; samples: string[]; since: number | null; ms: number; problem: string | null }>(sql`select name, extract(epoch from checked_at)::float8 as checked_at, found, samples, extract(epoch from since)::float8 as since, ms, problem from check_result`)
    const known = new Map(rows.map((row) => [row.name, row]))
    const [running] = await db.query<{ id: number }>(sql`select id from job where kind = ${CHECK_JOB} and staff_id = ${staff.id} and status in ('waiting', 'running') order by id desc limit 1`)
    const items = checks.map(({ name, area, title, repair }): CheckRow => ({ name, area, title, repair: repair?.label ?? null, checked_at: null, found: 0, samples: [], since: null, ms: null, problem: null, ...known.get(name) }))
    items.sort((a, b) => Number(b.found > 0) - Number(a.found > 0) || Number(b.problem !== null) - Number(a.problem !== null))
    return { items, total: items.length, job_id: running?.id ?? null }
  }),
  handle(runChecks, (call) => call.transaction(async (tx) => {
    const [running] = await tx.query<{ status: string }>(sql`select status from job where kind = ${CHECK_JOB} and status in ('waiting', 'running') limit 1`)
    if (running) throw wrongState('运行自检', '正在运行')
    return { job_id: await jobs.add(tx, { staff: call.staff, ip: call.ip, requestId: call.requestId }, { kind: CHECK_JOB, title: '数据自检', input: {} }) }
  })),
  handle(repairCheck, async (call) => {
    const check = checks.find(({ name }) => name === call.input.name)
    if (!check) throw notFound('检查')
    if (!check.repair) throw badRequest('这项检查没有可以自动修复的办法，请按样例逐条处理')
    const found = await check.find(call.db)
    if (found.length > 0) await check.repair.run(call.db, found)
    const left = await look(call.db, check)
    return call.transaction(async (tx) => {
      await tx.query(sql`insert into audit_log (staff_id, ip, request_id, action, reason, entity, entity_id, after) values (${call.staff.id}, ${call.ip}, ${call.requestId}, 'repair', ${call.input.reason}, 'alert', 0, ${JSON.stringify({ check: check.name, found: found.length })}::jsonb)`)
      return { found: left }
    })
  }),
]

const failing = sql`check_result where found > 0`

/** What does not hold waits for those who may mend it. */
export const checkWaiting = (checks: () => readonly SelfCheck[]): WaitingKind => ({
  name: 'self_check', title: '未通过的数据自检', group: 'failed', verb: '查看', grants: [MONITOR_RIGHTS.id('repair')],
  to: () => `${MONITOR_PATH}?show=checks`,
  async count({ db }) {
    const [row] = await db.query<WaitingCount>(sql`select count(*)::int as count, 0 as late, 0 as today from ${failing}`)
    return row ?? { count: 0, late: 0, today: 0 }
  },
  async items({ db }, limit) {
    const rows = await db.query<{ name: string; found: number; since: number }>(sql`select name, found, extract(epoch from coalesce(since, checked_at))::float8 as since from ${failing} order by since limit ${limit}`)
    return rows.map(({ name, found, since }, at) => ({ id: at + 1, title: checks().find((one) => one.name === name)?.title ?? name, note: `${found} 条`, amount: null, since: Math.floor(since), due: null, to: `${MONITOR_PATH}?show=checks`, resource: null, record: at + 1, done: null, pass: null, refuse: null }))
  },
})

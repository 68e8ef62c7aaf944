import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { handle, idParam, type Call, type Served } from '../../core/endpoint/serve.server.ts'
import { invalid, notFound, wrongState } from '../../core/error/error.ts'
import { choiceLabel } from '../../core/field/choice.ts'
import { listWaiting, type WaitingKind } from '../../core/inbox/waiting.server.ts'
import type { OverviewSection } from '../../core/kernel/overview.server.ts'
import type { RowType } from '../../core/resource/define.ts'
import { readOne } from '../../core/resource/list.server.ts'
import { serve } from '../../core/resource/serve.server.ts'
import { setDerived, touch } from '../../core/resource/touch.server.ts'
import { listCondition } from '../../core/resource/where.server.ts'
import { lockRow } from '../../core/resource/write.server.ts'
import { setFrozen, suspendFreeze } from '../user/door.server.ts'
import { appUser } from '../user/module.ts'
import { accountMonitor, APPEALED, MONITOR_PATH, MONITOR_RIGHTS, MONITOR_STATES, MONITOR_STATUS } from './account-monitor.ts'
import { appealMonitor, kickMonitor, monitorRules, monitorStory, reportSession, rescoreMonitor, type MonitorStory, type RuleFigures, type SessionAnswer } from './calls.ts'
import { RULES, WINDOW_DAYS, type Evidence, type Part } from './score.ts'
import { keepAction, LIMIT_SECONDS, QUIET_SECONDS, scoreUsers } from './scoring.server.ts'
import { cityName, factsOf, keepSessions } from './session.server.ts'

const S = MONITOR_STATUS
const DAY = 86_400
/** An appeal is answered within so many seconds: two days. */
const ANSWER_WITHIN = 2 * DAY
/** Days within which somebody looks at an account that came over the line. */
const LOOK_WITHIN_DAYS = 2
const NOTICE = '您的账号近期在多台设备、多个城市登录。账号仅限本人使用，如非本人操作请立即修改密码；如有疑问可提交申诉。'

type Row = { id: number; user_id: number }
const now = () => Math.floor(Date.now() / 1000)

/** What a person did to an account, from now on. */
async function measure(tx: Queryable, staffId: number, row: Row, kind: 'limit' | 'freeze', reason: string | undefined): Promise<void> {
  await setDerived(tx, accountMonitor, { acted_by: staffId, acted_at: now() }, row.id)
  await keepAction(tx, row.id, kind, { staffId, reason, until: kind === 'limit' ? now() + LIMIT_SECONDS : null })
}

/** Lets an account go: nothing more is said of it for a while. */
async function letGo(tx: Queryable, staffId: number, row: Row, kind: string, reason: string | undefined): Promise<void> {
  await setDerived(tx, accountMonitor, { quiet_until: now() + QUIET_SECONDS, appeal_due: null }, row.id)
  await keepAction(tx, row.id, kind, { staffId, reason })
}

/** An appeal suspends what was done until somebody else has answered it. */
async function takeAppeal(tx: Queryable, row: Row, words: string, staffId: number | null): Promise<number> {
  const due = now() + ANSWER_WITHIN
  await suspendFreeze(tx, row.user_id)
  await setDerived(tx, accountMonitor, { appeal: words, appeal_due: due }, row.id)
  await keepAction(tx, row.id, 'appeal', { staffId, reason: words, until: due })
  return due
}

export const accountMonitors = serve(accountMonitor)({
  effects: {
    limit: ({ tx, staff, row, reason }) => measure(tx, staff.id, row, 'limit', reason),
    async freeze({ tx, staff, row, reason }) {
      await setFrozen(tx, staff, row.user_id, true)
      await measure(tx, staff.id, row, 'freeze', reason)
    },
    clear: ({ tx, staff, row, reason }) => letGo(tx, staff.id, row, 'clear', reason),
    async mark_family({ tx, staff, row, reason }) {
      const cities = new Set((await factsOf(tx, [row.user_id])).get(row.user_id)?.flatMap(({ region }) => region?.slice(0, 4) ?? []))
      await setDerived(tx, accountMonitor, { family: 1, homes: [...cities].toSorted() }, row.id)
      await letGo(tx, staff.id, row, 'family', reason)
      await scoreUsers(tx, [row.user_id])
    },
    async appeal({ tx, staff, row, reason }) {
      await takeAppeal(tx, row, reason ?? '', staff.id)
    },
    async appeal_limit({ tx, staff, row, reason }) {
      await takeAppeal(tx, row, reason ?? '', staff.id)
    },
    accept: ({ tx, staff, row, reason }) => letGo(tx, staff.id, row, 'accept', reason),
    async keep_frozen({ tx, staff, row, reason }) {
      await setFrozen(tx, staff, row.user_id, true)
      await setDerived(tx, accountMonitor, { appeal_due: null }, row.id)
      await keepAction(tx, row.id, 'keep', { staffId: staff.id, reason })
    },
    async keep_limited({ tx, staff, row, reason }) {
      await setDerived(tx, accountMonitor, { appeal_due: null, acted_at: now() }, row.id)
      await keepAction(tx, row.id, 'keep', { staffId: staff.id, reason, until: now() + LIMIT_SECONDS })
    },
    async release({ tx, staff, row, reason }) {
      if (row.status === S.frozen) await setFrozen(tx, staff, row.user_id, false)
      await letGo(tx, staff.id, row, 'release', reason)
    },
  },
})

async function find(call: Pick<Call, 'db' | 'staff' | 'params'>): Promise<RowType<typeof accountMonitor>> {
  const row = await readOne(call.db, accountMonitor, call.staff, idParam(call as Call), {})
  if (!row) throw notFound(accountMonitor.label)
  return row
}

async function storyOf(db: Queryable, row: { id: number; user_id: number }): Promise<MonitorStory> {
  const sessions = (await factsOf(db, [row.user_id])).get(row.user_id) ?? []
  const devices = Map.groupBy(sessions, ({ device }) => device)
  const actions = await db.query<{ id: number; at: number; kind: string; staff_name: string | null; reason: string | null; until: number | null; score: number | null; evidence: Evidence[] | null }>(sql`select a.id, extract(epoch from a.at)::float8 as at, a.kind, s.name as staff_name, a.reason, extract(epoch from a.until)::float8 as until, a.score, a.evidence
    from risk_action a left join staff s on s.id = a.staff_id where a.monitor_id = ${row.id} order by a.id desc limit 50`)
  const [user] = await db.query<{ status: number }>(sql`select status from app_user where id = ${row.user_id}`)
  return {
    from: now() - WINDOW_DAYS * DAY, to: now(),
    lanes: [...devices].map(([device, own]) => ({ device, name: own[0]?.device_name ?? device, bars: own.map(({ id, began, ended, region, network }) => ({ id, began_at: began, ended_at: ended, city: region === null ? null : cityName(region), network })) })),
    scores: (await db.query<{ day: string; score: number }>(sql`select to_char(day, 'YYYY-MM-DD') as day, score from risk_score where monitor_id = ${row.id} order by day desc limit 30`)).toReversed(),
    actions: actions.map(({ evidence, ...one }) => ({ ...one, evidence: (evidence ?? []).map(({ words }) => words) })),
    frozen: user?.status === 2,
  }
}

/** What somebody said afterwards of the cases that a rule raised. */
async function ruleFigures(db: Queryable, condition: ReturnType<typeof sql>): Promise<RuleFigures[]> {
  const rows = await db.query<Omit<RuleFigures, 'rule'> & { rule: RuleFigures['rule'] } & Record<string, unknown>>(sql`select r as rule, count(*)::int as raised, count(*) filter (where o.kind in ('limit', 'freeze', 'keep', 'release'))::int as confirmed, count(*) filter (where o.kind in ('clear', 'family', 'accept'))::int as dismissed, count(*) filter (where o.kind is null or o.kind = 'appeal')::int as open
    from risk_action a cross join unnest(a.rules) r join (select * from account_monitor where ${condition}) m on m.id = a.monitor_id
    left join lateral (select b.kind from risk_action b where b.monitor_id = a.monitor_id and b.id > a.id and b.kind not in ('remind', 'kick') order by b.id desc limit 1) o on true
    where a.kind = 'remind' and a.at > now() - interval '90 days' group by 1`)
  return RULES.map(({ value }) => rows.find(({ rule }) => rule === value) ?? { rule: value, raised: 0, confirmed: 0, dismissed: 0, open: 0 })
}

/** What an app is to tell somebody after a session, and to do. */
async function answerOf(db: Queryable, userId: number, began: number): Promise<SessionAnswer> {
  const [row] = await db.query<{ status: number; ended_at: number | null; monitor: number | null; acted_at: number | null; reminded_at: number | null }>(sql`select u.status, extract(epoch from u.sessions_ended_at)::float8 as ended_at, m.status as monitor, extract(epoch from m.acted_at)::float8 as acted_at, extract(epoch from m.reminded_at)::float8 as reminded_at
    from app_user u left join account_monitor m on m.user_id = u.id and m.deleted_at is null where u.id = ${userId} order by m.id limit 1`)
  const limited = row?.monitor === S.limited && row.acted_at !== null ? Math.floor(row.acted_at) + LIMIT_SECONDS : null
  const reminded = row?.reminded_at != null && (row.monitor === S.waiting || row.monitor === S.limited)
  return { notice: reminded ? NOTICE : null, limited_until: limited !== null && limited > now() ? limited : null, ended: row === undefined || row.status !== 1 || (row.ended_at !== null && row.ended_at > began) }
}

/** The calls of the screen and of learners' apps. */
export const riskCalls = (): Served[] => [
  handle(monitorStory, async (call) => storyOf(call.db, await find(call))),
  handle(monitorRules, async ({ db, staff }) => ({ items: await ruleFigures(db, listCondition(accountMonitor, staff, {})) })),
  handle(rescoreMonitor, async (call) => {
    const { id, user_id } = await find(call)
    return call.transaction(async (tx) => {
      await scoreUsers(tx, [user_id])
      const [row] = await tx.query<{ score: number; parts: Record<Part, number> }>(sql`select score::int as score, parts from account_monitor where id = ${id}`)
      if (!row) throw notFound(accountMonitor.label)
      return row
    }, { action: 'rescore' })
  }),
  handle(kickMonitor, (call) => call.transaction(async (tx) => {
    const row = await lockRow(tx, accountMonitor, call.staff, idParam(call))
    await touch(tx, appUser, { sessions_ended_at: now() }, row.user_id)
    await keepAction(tx, row.id, 'kick', { staffId: call.staff.id, reason: call.input.reason })
    return {}
  }, { action: 'kick', reason: call.input.reason })),
  handle(reportSession, (call) => call.transaction(async (tx) => {
    const told = call.input
    if (told.ended_at < told.began_at || told.ended_at - told.began_at > DAY) throw invalid({ ended_at: '结束时间应在开始之后一天之内' })
    if (told.ended_at > now() + 300) throw invalid({ ended_at: '结束时间不能晚于现在' })
    if ((told.fast ?? 0) > (told.answers ?? 0)) throw invalid({ fast: '过快作答不能多于作答' })
    const [user] = await tx.query(sql`select 1 from app_user where id = ${told.user_id} and deleted_at is null`)
    if (!user) throw notFound(appUser.label)
    await keepSessions(tx, [told])
    return answerOf(tx, told.user_id, told.began_at)
  }, { action: 'open_session' })),
  handle(appealMonitor, (call) => call.transaction(async (tx) => {
    const { user_id, words } = call.input
    const [row] = await tx.query<Row & { status: number } & Record<string, unknown>>(sql`select id, user_id, status from account_monitor where user_id = ${user_id} and deleted_at is null order by id limit 1 for no key update`)
    if (!row) throw notFound('处置记录')
    if (row.status !== S.limited && row.status !== S.frozen) throw wrongState('申诉', choiceLabel(MONITOR_STATES, row.status))
    await touch(tx, accountMonitor, { status: row.status === S.frozen ? S.appealed : S.limitAppealed }, row.id)
    return { due: await takeAppeal(tx, row, words, null) }
  }, { action: 'appeal_device' })),
]

/** Accounts that somebody has to look at, and what their owners say. */
export const riskWaiting: WaitingKind[] = [
  listWaiting(accountMonitor, { name: 'account_monitor', title: '待处理的风险账号', group: 'act', verb: '处理', path: MONITOR_PATH, query: () => ({ status: String(S.waiting) }), grant: MONITOR_RIGHTS.id('act'), due: { days: LOOK_WITHIN_DAYS }, since: sql`alarm_at`, notes: ['rules', 'score'] }),
  listWaiting(accountMonitor, { name: 'account_appeal', title: '待答复的账号申诉', group: 'decide', verb: '答复', path: MONITOR_PATH, query: () => ({ status: APPEALED.map(String) }), grant: MONITOR_RIGHTS.id('appeal'), due: { at: 'appeal_due' }, notes: ['appeal'] }),
]

/** How somebody's account looks, in the view that gathers everything about them. */
export const riskOverview: OverviewSection = {
  name: 'account_monitor', title: '账号风险', grant: MONITOR_RIGHTS.screen,
  async load(db, staff, { id }) {
    const [row] = await db.query<{ score: number; status: number; devices: number; cities: number; hours: number; alarm_at: number | null }>(sql`select score::int as score, status, devices::int as devices, cities::int as cities, hours::float8 as hours, alarm_at from account_monitor where ${listCondition(accountMonitor, staff, {})} and user_id = ${id} order by id limit 1`)
    const sessions = (await factsOf(db, [id])).get(id) ?? []
    return { stats: [
      { label: '风险分', value: row?.score ?? null, as: 'number' }, { label: '状态', value: row ? choiceLabel(MONITOR_STATES, row.status) : '没有异常', as: 'text' }, { label: '14 天设备', value: row?.devices ?? new Set(sessions.map(({ device }) => device)).size, as: 'number' },
      { label: '14 天城市', value: row?.cities ?? new Set(sessions.flatMap(({ region }) => region?.slice(0, 4) ?? [])).size, as: 'number' }, { label: '14 天会话', value: sessions.length, as: 'number' }, { label: '预警时间', value: row?.alarm_at ?? null, as: 'time' },
    ] }
  },
}

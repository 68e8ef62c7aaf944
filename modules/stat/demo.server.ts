import { sql } from 'drizzle-orm'
import type { Database, Queryable } from '../../core/database/database.server.ts'
import { startOfDay } from '../../core/field/time.ts'
import { setDerived } from '../../core/resource/touch.server.ts'
import { insertMany, seedTransaction } from '../../core/setup/insert-many.server.ts'
import { demoOutage } from '../../core/setup/outage.ts'
import { alert, ALERT_STATE, alertRule, alertSilence, LEVEL } from './alert.ts'
import { lookAtAll } from './check.server.ts'
import { countDays, PAST_DAYS } from './compute.server.ts'
import { allFigures, figureOf, knownChecks } from './figures.server.ts'
import { COMPARE } from './firing.ts'
import { rowsFor } from './summary.server.ts'
import { startOfHour } from './stretch.ts'
import { ruleColumns, say, watchRule, type RuleRow } from './watch.server.ts'

const DAY = 86_400
const HOUR = 3600
/** Days of the past whose alerts the demo has. */
const ALERT_DAYS = 60
/** The same of rules about one line, which fire more often. */
const LINE_DAYS = 30
const S = ALERT_STATE

/** Rules as an operator would have set them. */
const RULES = [
  { name: '激活授权码骤降', figure: 'code_activated', figure_name: '激活授权码', compare: COMPARE.dropped, limit_value: 80, recover_value: 40, window_hours: 4, for_n: 2, min_base: 8, level: LEVEL.grave, runbook: '1. 用测试码在学习端激活一次，看报错\n2. 查看系统状态和前端错误\n3. 接口正常时联系渠道确认是否停课\n4. 超过 2 小时在数据中心记一笔，并通知客服统一口径' },
  { name: '付款订单偏少', figure: 'orders', figure_name: '付款订单', compare: COMPARE.dropped, limit_value: 40, recover_value: 20, window_hours: 24, for_n: 3, min_base: 40, level: LEVEL.warning, runbook: '先看是哪条产品线，再看支付渠道是否有故障公告。' },
  { name: '反馈激增', figure: 'new_ticket', figure_name: '新增反馈', compare: COMPARE.above, limit_value: 9, recover_value: 5, window_hours: 12, for_n: 1, min_base: 0, level: LEVEL.warning, runbook: '按类型筛选反馈，同一问题合并后统一回复。' },
  { name: '单渠道线索突增', figure: 'new_clue', figure_name: '新增线索', group_by: 'channel', compare: COMPARE.above, limit_value: 4, recover_value: 2, window_hours: 24, for_n: 2, min_base: 0, level: LEVEL.hint, runbook: '核对是否重复导入，或渠道正在做活动。' },
  { name: '伴学停单', figure: 'orders', figure_name: '付款订单', line: 'accompany', compare: COMPARE.below, limit_value: 1, recover_value: 1, window_hours: 24, for_n: 24, min_base: 0, level: LEVEL.warning, runbook: '看是否停止售卖，再看支付链接是否失效。' },
  { name: '尖子班停单', figure: 'orders', figure_name: '付款订单', line: 'tptrain', compare: COMPARE.below, limit_value: 1, recover_value: 1, window_hours: 24, for_n: 24, min_base: 0, level: LEVEL.hint, runbook: '满班时属于正常，忽略到下一期开放。' },
  { name: '自营房间停单', figure: 'orders', figure_name: '付款订单', line: 'room:self', compare: COMPARE.below, limit_value: 1, recover_value: 1, window_hours: 24, for_n: 24, min_base: 0, level: LEVEL.hint, runbook: '联系店长核对收款。' },
  { name: '新增用户偏少', figure: 'new_user', figure_name: '新增用户', compare: COMPARE.below, limit_value: 1, recover_value: 2, window_hours: 24, for_n: 6, min_base: 0, level: LEVEL.hint, runbook: '检查注册短信是否正常发送。' },
  { name: '实收偏高（旧）', figure: 'paid', figure_name: '实收', compare: COMPARE.risen, limit_value: 300, recover_value: 100, window_hours: 24, for_n: 2, min_base: 5000, level: LEVEL.hint, status: 0, runbook: '活动期间误报多，已停用。' },
] as const

/** Parts of the business of which everything is looked at in a moment. */
const QUICK: ReadonlySet<string> = new Set(['数据中心', '监控', '线索', '反馈', '入驻申请'])

const NOTES = [[-24, '秋季续费提醒短信', false], [-15, '双十一：课程直降，客单价低', false], [-3, '客服系统升级，21 点后停机', false]] as const

/** What people did about the alerts of the demo: each state has some. */
async function handleAlerts(tx: Queryable, now: number, staff: readonly number[]): Promise<void> {
  const past = await tx.query<{ id: number; began: number; recovered: number | null; level: number }>(sql`select id, extract(epoch from began_at)::float8 as began, extract(epoch from recovered_at)::float8 as recovered, level from alert order by began_at desc`)
  for (const [at, { id, began, recovered, level }] of past.entries()) {
    const who = staff[at % staff.length] ?? null
    // Some were over before anybody came to it.
    if (recovered === null || (at % 3 === 2 && level !== LEVEL.grave)) continue
    await setDerived(tx, alert, { owner_id: who }, id)
    await say(tx, id, 'ack', '开始处理', { staffId: who, at: Math.min(began + 1500, recovered) })
    await say(tx, id, 'note', level === LEVEL.grave ? '激活接口的证书过期，运维已换新，队列里的请求补发完成。' : '与渠道确认过，属于正常波动。', { staffId: who, at: Math.min(began + 5400, recovered + HOUR) })
  }
  // Lines that sell nothing at the moment are still open, each in another state.
  const open = await tx.query<{ id: number }>(sql`select a.id from alert a join alert_rule r on r.id = a.rule_id where a.fingerprint is not null and r.line is not null order by a.rule_id`)
  for (const [at, { id }] of open.entries()) {
    const who = staff[at % staff.length] ?? null
    // How many lines stand still depends on the hour; the first of them nobody has looked at.
    const state = [undefined, S.doing, S.ignored][at]
    if (state === undefined) continue
    await setDerived(tx, alert, { state, owner_id: who, ignored_until: state === S.ignored ? now + 3 * DAY : null }, id)
    await say(tx, id, state === S.doing ? 'ack' : 'ignore', state === S.doing ? '开始处理' : '忽略三天：本期班已满，新一期周末开放报名', { staffId: who, at: now - 2 * HOUR })
  }
}

/** Days that were counted of what the other modules made, rules, their alerts of two months, notes, a subscription, and a look at everything. */
export async function insertStatDemo(db: Database, report: (text: string) => void): Promise<void> {
  const now = Math.floor(Date.now() / 1000)
  const today = startOfDay(now)
  const staff = (await db.query<{ id: number }>(sql`select id from staff where status = 1 order by id limit 4`)).map(({ id }) => id)
  const [admin = 0] = staff
  await seedTransaction(db, async (tx) => {
    for (const figure of allFigures()) {
      await countDays(tx, figure, today - (PAST_DAYS - 1) * DAY, today + DAY)
      await tx.query(sql`insert into stat_state (figure, counted_at, looked_at) values (${figure.name}, to_timestamp(${now}), to_timestamp(${now})) on conflict do nothing`)
    }
    await insertMany(tx, alertRule, RULES.map((rule) => ({ notify_id: admin, repeat_hours: 6, quiet_from: 22, quiet_to: 7, status: 1, created_by: admin, created_at: now - 90 * DAY, ...rule, ...('line' in rule && { line_name: figureOf(rule.figure)?.lists().find(({ line }) => line === rule.line)?.title ?? null }) })))
  })
  const until = startOfHour(now)
  for (const rule of await db.query<RuleRow & Record<string, unknown>>(sql`select ${ruleColumns} from alert_rule where status = 1 order by id`)) await watchRule(db, rule, until, until - (rule.line === null ? ALERT_DAYS : LINE_DAYS) * DAY)
  const outage = demoOutage(now)
  await seedTransaction(db, async (tx) => {
    await handleAlerts(tx, now, staff)
    const rows = [...NOTES.map(([days, body, bad]) => ({ day: today + days * DAY, body, bad })), { day: startOfDay(outage.from), body: '激活接口中断 5 小时', bad: true }]
    await tx.query(sql`insert into stat_note (day, body, bad, staff_id) select day, body, bad, ${admin}::bigint from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (day bigint, body text, bad boolean)`)
    const [clues] = await tx.query<{ id: number }>(sql`select id from alert_rule where figure = 'new_clue'`)
    await insertMany(tx, alertSilence, [
      { rule_id: clues?.id ?? 0, until: now + 2 * DAY, reason: '地推活动周，线索会集中录入', created_by: admin, created_at: now - DAY },
      { rule_id: clues?.id ?? 0, until: now - 20 * DAY, reason: '国庆活动', created_by: admin, created_at: now - 30 * DAY },
    ])
    await tx.query(sql`insert into stat_subscription (staff_id, hour, line, sent_day) values (${admin}, 8, '', ${today}) on conflict do nothing`)
  })
  const everybody = { modules: { has: () => true } as unknown as ReadonlySet<number>, scopes: {} }
  for (const days of [1, 2, 3]) {
    const rows = await rowsFor(db, everybody, today - days * DAY, '')
    await db.query(sql`insert into stat_summary (staff_id, day, line, rows, at, read_at) values (${admin}, ${today - days * DAY}, '', ${JSON.stringify(rows ?? [])}::jsonb, to_timestamp(${today - (days - 1) * DAY + 8 * HOUR}), ${days === 1 ? null : sql`to_timestamp(${today - (days - 1) * DAY + 9 * HOUR})`})`)
  }
  // A day of long ago that was counted wrong: the check finds it, and a recount mends it.
  await db.query(sql`update stat_daily set value = value + 2 where (figure, grain, line, dim, day) in (select figure, grain, line, dim, day from stat_daily where figure = 'new_ticket' and grain = 1 and line = '' and dim = '' and day < ${today - 31 * DAY} order by day desc limit 1)`)
  // What reads all orders takes its time: it comes in the first night, or when somebody asks.
  await lookAtAll(db, knownChecks().filter(({ area }) => QUICK.has(area)))
  report(`已统计 ${PAST_DAYS} 天的 ${allFigures().length} 项指标，${RULES.length} 条告警规则`)
}

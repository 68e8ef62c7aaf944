import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { badRequest, invalid } from '../../core/error/error.ts'
import { listWaiting } from '../../core/inbox/waiting.server.ts'
import { serve } from '../../core/resource/serve.server.ts'
import { setDerived } from '../../core/resource/touch.server.ts'
import { alert, ALERT_STATE, alertRule, alertSilence, isRelative } from './alert.ts'
import { figureOf, shownFigures } from './figures.server.ts'
import { COMPARE } from './firing.ts'
import { MONITOR_PATH, MONITOR_RIGHTS } from './rights.ts'
import { endAlerts, say } from './watch.server.ts'

const S = ALERT_STATE

interface RuleValues { figure?: string | null; line?: string | null; group_by?: string | null; compare?: number | null; limit_value?: number | null; recover_value?: number | null; quiet_from?: number | null; quiet_to?: number | null }

/** What of a rule contradicts itself, or speaks of what is not counted; sentences by field. */
export function ruleProblems(rule: RuleValues): Record<string, string> {
  const errors: Record<string, string> = {}
  const figure = shownFigures().find(({ name }) => name === rule.figure)
  if (!figure) return { figure: '没有该指标，请重新选择' }
  if (rule.line && !figure.lists().some(({ line }) => line === rule.line)) errors['line'] = `「${figure.title}」没有该产品线`
  if (rule.group_by === 'line' && !figure.line) errors['group_by'] = `「${figure.title}」不分产品线`
  else if (rule.group_by === 'line' && rule.line) errors['group_by'] = '已选一条产品线，不能再按产品线分别判断'
  else if ((rule.group_by === 'channel' || rule.group_by === 'province') && !figure.dimensions?.[rule.group_by]) errors['group_by'] = `「${figure.title}」不能这样分`
  const [limit, recover, compare] = [rule.limit_value ?? 0, rule.recover_value ?? 0, rule.compare ?? COMPARE.dropped]
  if (compare === COMPARE.dropped && limit > 100) errors['limit_value'] = '最多低 100%'
  if (isRelative(compare) && recover >= limit) errors['recover_value'] = '恢复值应小于触发值'
  if (compare === COMPARE.below && recover < limit) errors['recover_value'] = '恢复值不能低于触发值'
  if (compare === COMPARE.above && recover > limit) errors['recover_value'] = '恢复值不能高于触发值'
  if ((rule.quiet_from == null) !== (rule.quiet_to == null)) errors[rule.quiet_from == null ? 'quiet_from' : 'quiet_to'] = '免打扰的开始和结束要一起填'
  return errors
}

const KEYS = ['figure', 'line', 'group_by', 'compare', 'limit_value', 'recover_value', 'quiet_from', 'quiet_to'] as const

const openAlerts = (id: ReturnType<typeof sql>) => sql`select count(*)::int from alert a where a.rule_id = ${id} and a.fingerprint is not null and a.deleted_at is null`

export const alertRules = serve(alertRule)({
  computed: {
    open_cnt: openAlerts(sql`t.id`),
    fired_cnt: sql`select count(*)::int from alert a where a.rule_id = t.id and a.began_at > now() - interval '30 days' and a.deleted_at is null`,
  },
  before({ values, row }) {
    const all: RuleValues = Object.fromEntries(KEYS.map((key) => [key, key in values ? values[key] : row?.[key]]))
    const problems = ruleProblems(all)
    if (Object.keys(problems).length > 0) throw invalid(problems)
    const figure = figureOf(all.figure ?? '')
    Object.assign(values, { figure_name: figure?.title ?? null, line_name: all.line ? figure?.lists().find(({ line }) => line === all.line)?.title ?? null : null })
  },
  async after({ tx, staff, row, saved }) {
    if (row?.status === 1 && saved.status === 0) await endAlerts(tx, saved.id, '规则已停用', staff.id)
    // Another question is asked of other hours: what was read before says nothing about it.
    if (row && (row.figure !== saved.figure || row.line !== saved.line || row.group_by !== saved.group_by)) await endAlerts(tx, saved.id, '规则改看别的指标', staff.id)
    if (row?.status === 0 && saved.status === 1) await setDerived(tx, alertRule, { read_until: null }, saved.id)
  },
  async beforeRemove({ tx, row }) {
    const [open] = await tx.query<{ count: number }>(openAlerts(sql`${row.id}::bigint`))
    if ((open?.count ?? 0) > 0) throw badRequest(`还有 ${open?.count ?? 0} 条未恢复的告警，停用规则后才能删除`)
  },
})

const noted = (kind: string, words: string) => async ({ tx, staff, row }: { tx: Queryable; staff: { id: number }; row: { id: number } }) => void await say(tx, row.id, kind, words, { staffId: staff.id })

export const alerts = serve(alert)({
  segments: {
    view: {
      living: sql`alert.fingerprint is not null`,
      loud: sql`(alert.fingerprint is not null and coalesce(alert.silenced_until, '-infinity') <= now())`,
      silent: sql`(alert.fingerprint is not null and alert.silenced_until > now())`,
    },
  },
  effects: {
    async ack({ tx, staff, row }) {
      await setDerived(tx, alert, { owner_id: staff.id }, row.id)
      await say(tx, row.id, 'ack', '开始处理', { staffId: staff.id })
    },
    async reopen(change) {
      await setDerived(change.tx, alert, { ignored_until: null }, change.row.id)
      await noted('reopen', '取消忽略')(change)
    },
  },
})

export const alertSilences = serve(alertSilence)({
  segments: { view: { now: sql`(alert_silence.until > now() and alert_silence.ended_at is null)`, over: sql`(alert_silence.until <= now() or alert_silence.ended_at is not null)` } },
})

const kind = { path: MONITOR_PATH, grant: MONITOR_RIGHTS.id('handle'), due: { days: 0 }, since: sql`began_at`, notes: ['level', 'rule_id'] } as const

/** Alerts that nobody looks after, and those that somebody began with. */
export const alertWaiting = [
  listWaiting(alert, { ...kind, name: 'alert_open', title: '未处理的告警', group: 'act', verb: '处理', query: () => ({ state: String(S.open), view: 'loud' }), pass: 'ack' }),
  listWaiting(alert, { ...kind, name: 'alert_mine', title: '我在处理的告警', group: 'act', verb: '继续', query: ({ staff }) => ({ state: String(S.doing), owner_id: String(staff.id) }) }),
]

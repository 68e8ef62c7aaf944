import * as z from 'zod/mini'
import { defineEndpoint } from '../../core/endpoint/define.ts'
import { reasonSchema, type WireRow } from '../../core/resource/endpoints.ts'
import { alert, alertRule, alertSilence } from './alert.ts'
import type { Episode } from './firing.ts'
import type { Note } from './calls.ts'
import { DETAIL_SCREEN, MONITOR_RIGHTS } from './rights.ts'

const { api: { list, item } } = alert
const look = [DETAIL_SCREEN, MONITOR_RIGHTS.screen]
const handles = [MONITOR_RIGHTS.id('handle')]
const moment = (words: string) => z.int(words).check(z.positive(words), z.lte(7_258_118_400, words))

/** A figure that rules can watch. */
export interface FigureChoice { name: string; title: string; as: 'number' | 'money'; lines: { key: string; title: string }[]; by: ('line' | 'channel' | 'province')[] }
export const figureChoices = defineEndpoint<{ items: FigureChoice[]; total: number }>()({ method: 'GET', path: `${alertRule.api.list}/figures`, summary: '可以设告警的指标', grant: [MONITOR_RIGHTS.screen] })

const value = (words: string) => z.number(words).check(z.gte(0, words), z.lte(99_999_999, words))
/** What a rule would have done in the last 60 days, before it is saved. */
export const tryRule = defineEndpoint<{ days: number; times: number; groups: number; episodes: (Episode & { title: string | null })[]; as: 'number' | 'money' }>()({
  method: 'POST', path: `${alertRule.api.list}/try`, summary: '试算告警规则', grant: [alertRule.actions.edit ?? alertRule.grant],
  input: z.object({
    figure: z.string('请选择指标').check(z.minLength(1, '请选择指标'), z.maxLength(40, '请选择指标')), line: z.optional(z.nullable(z.string('产品线有误').check(z.maxLength(60, '产品线有误')))),
    group_by: z.optional(z.nullable(z.enum(['line', 'channel', 'province'], '分组有误'))), compare: z.union([z.literal(1), z.literal(2), z.literal(3), z.literal(4)], '请选择判断方式'),
    limit_value: value('请填写触发值'), recover_value: value('请填写恢复值'), window_hours: z.union([z.literal(1), z.literal(2), z.literal(4), z.literal(12), z.literal(24)], '请选择统计时长'),
    for_n: z.int('请填写连续次数').check(z.gte(1, '连续次数为 1 到 24'), z.lte(24, '连续次数为 1 到 24')), min_base: z.optional(z.nullable(value('同期至少有误'))),
  }),
})

/** An alert with everything that its screen shows. Values of money are in fen. */
export interface AlertDetail {
  row: WireRow<typeof alert>
  rule: { id: number; name: string; runbook: string | null; words: string; status: number } | null
  as: 'number' | 'money'
  figure_title: string
  /** By the hour from a day before it began until a day after it was over: the value of the rule's window, and the median of the same weekday. */
  points: { at: number; value: number; expected: number | null }[]
  window_hours: number
  notes: Note[]
  events: { id: number; at: number; kind: string; staff_name: string | null; body: string }[]
  similar: { id: number; title: string; began_at: number; recovered_at: number | null; worst: number; expected: number | null; state: number }[]
  /** How much less or more there was than at the same time of the weeks before, while it lasted. */
  gap: number | null
  /** The lists that show the records of the day on which it began. */
  behind: { title: string; to: string }[]
}

export interface AlertChoice { id: number; title: string; state: number; level: number; began_at: number; last_at: number; owner_name: string | null }

export const alertDetail = defineEndpoint<AlertDetail>()({ method: 'GET', path: `${item}/{id}/detail`, summary: '告警详情', grant: look })
/** Alerts to choose one from: those that are open first. */
export const alertChooser = defineEndpoint<{ items: AlertChoice[]; total: number }>()({ method: 'GET', path: `${list}/chooser`, summary: '选择告警', grant: look })
export const assignAlert = defineEndpoint<Record<string, never>>()({ method: 'POST', path: `${item}/{id}/assign`, summary: '指派告警', grant: handles, input: z.object({ owner_id: z.int('请选择处理人').check(z.positive('请选择处理人')) }) })
export const ignoreAlert = defineEndpoint<Record<string, never>>()({ method: 'POST', path: `${item}/{id}/ignore`, summary: '忽略告警', grant: handles, input: z.object({ until: moment('请选择忽略到什么时候'), reason: reasonSchema }) })
export const noteAlert = defineEndpoint<{ id: number }>()({ method: 'POST', path: `${item}/{id}/notes`, summary: '记录告警的处理', grant: handles, input: z.object({ body: z.string('请填写内容').check(z.trim(), z.minLength(2, '内容至少 2 个字'), z.maxLength(300, '内容最多 300 个字')) }) })
export const silenceAlert = defineEndpoint<{ id: number }>()({
  method: 'POST', path: `${item}/{id}/silence`, summary: '静默告警', grant: [MONITOR_RIGHTS.id('silence')],
  input: z.object({ until: moment('请选择静默到什么时候'), reason: reasonSchema, whole_rule: z._default(z.boolean('范围有误'), false) }),
})
export const endSilence = defineEndpoint<Record<string, never>>()({ method: 'POST', path: `${alertSilence.api.item}/{id}/end`, summary: '提前结束静默', grant: [MONITOR_RIGHTS.id('silence')] })

/** Something that must hold, and what the last look has found. */
export interface CheckRow { name: string; area: string; title: string; checked_at: number | null; found: number; samples: string[]; since: number | null; ms: number | null; problem: string | null; repair: string | null }
const CHECKS = '/daoyuan/api/end/monitor/checks'
export const listChecks = defineEndpoint<{ items: CheckRow[]; total: number; job_id: number | null }>()({ method: 'GET', path: CHECKS, summary: '数据自检的结果', grant: [MONITOR_RIGHTS.screen] })
export const runChecks = defineEndpoint<{ job_id: number }>()({ method: 'POST', path: `${CHECKS}/run`, summary: '运行数据自检', grant: [MONITOR_RIGHTS.id('check')] })
export const repairCheck = defineEndpoint<{ found: number }>()({ method: 'POST', path: `${CHECKS}/repair`, summary: '修复自检发现的问题', grant: [MONITOR_RIGHTS.id('repair')], input: z.object({ name: z.string('请选择检查').check(z.minLength(1, '请选择检查'), z.maxLength(60, '请选择检查')), reason: reasonSchema }) })

import * as z from 'zod/mini'
import { defineAppScope } from '../../core/endpoint/app-scope.ts'
import { defineEndpoint } from '../../core/endpoint/define.ts'
import { reasonSchema } from '../../core/resource/endpoints.ts'
import { accountMonitor, MONITOR_RIGHTS } from './account-monitor.ts'
import type { Part, Rule } from './score.ts'
import { NETWORKS } from './session.ts'

/** A session as a bar of its device's lane. Moments in unix seconds. */
export interface LaneBar { id: number; began_at: number; ended_at: number; city: string | null; network: string }

/** What an account's sessions were, what was made of them, and what was done. */
export interface MonitorStory {
  from: number
  to: number
  lanes: { device: string; name: string; bars: LaneBar[] }[]
  scores: { day: string; score: number }[]
  actions: { id: number; at: number; kind: string; staff_name: string | null; reason: string | null; until: number | null; score: number | null; evidence: string[] }[]
  /** The account is frozen now, by whomever. */
  frozen: boolean
}

/** How often a rule was right: what people made of the cases that it raised in ninety days. */
export interface RuleFigures { rule: Rule; raised: number; confirmed: number; dismissed: number; open: number }

const { api: { list, item }, grant } = accountMonitor
const one = `${item}/{id}`

export const monitorStory = defineEndpoint<MonitorStory>()({ method: 'GET', path: `${one}/story`, summary: '账号的会话和处置', grant: [grant] })
export const monitorRules = defineEndpoint<{ items: RuleFigures[] }>()({ method: 'GET', path: `${list}/rules`, summary: '各规则的误报', grant: [grant] })
export const rescoreMonitor = defineEndpoint<{ score: number; parts: Record<Part, number> }>()({ method: 'POST', path: `${one}/rescore`, summary: '重新评分', grant: [MONITOR_RIGHTS.id('act')] })
export const kickMonitor = defineEndpoint<Record<string, never>>()({ method: 'POST', path: `${one}/kick`, summary: '强制下线', grant: [MONITOR_RIGHTS.id('act')], input: z.object({ reason: reasonSchema }) })

/** For learners' apps: sessions, what is to be said about them, and what their owners say. */
export const SESSION_APP = defineAppScope('session', '上报会话和申诉')
const id = z.int('用户有误').check(z.positive('用户有误'))
const words = (label: string, most: number) => z.string(`${label}有误`).check(z.trim(), z.minLength(1, `${label}有误`), z.maxLength(most, `${label}最多 ${most} 个字`))
const count = (label: string) => z.optional(z.int(`${label}有误`).check(z.gte(0, `${label}有误`), z.lte(100_000, `${label}有误`)))
const moment = (label: string) => z.int(`${label}有误`).check(z.gte(1_600_000_000, `${label}有误`), z.lte(4_102_416_000, `${label}有误`))

/** What an app tells somebody, and does, after a session was told: nothing where all is well. */
export interface SessionAnswer { notice: string | null; limited_until: number | null; ended: boolean }

export const reportSession = defineEndpoint<SessionAnswer>()({
  method: 'POST', path: '/daoyuan/api/device/sessions', summary: '上报学习会话', grant: 'device', app: SESSION_APP,
  input: z.object({
    user_id: id, session_key: words('会话标识', 60), device_id: words('设备标识', 80), device_name: words('设备', 60), network: z.enum(NETWORKS.map(({ value }) => value), '网络有误'),
    region_code: z.optional(z.string('城市有误').check(z.regex(/^\d{6}$/, '城市有误'))), lat: z.optional(z.number('位置有误').check(z.gte(-90, '位置有误'), z.lte(90, '位置有误'))), lng: z.optional(z.number('位置有误').check(z.gte(-180, '位置有误'), z.lte(180, '位置有误'))),
    began_at: moment('开始时间'), ended_at: moment('结束时间'), pages: count('翻页数'), answers: count('作答数'), fast: count('过快作答数'),
  }),
})
export const appealMonitor = defineEndpoint<{ due: number }>()({
  method: 'POST', path: '/daoyuan/api/device/appeals', summary: '账号申诉', grant: 'device', app: SESSION_APP,
  input: z.object({ user_id: id, words: z.string('请填写申诉内容').check(z.trim(), z.minLength(5, '申诉内容至少 5 个字'), z.maxLength(500, '申诉内容最多 500 个字')) }),
})

import * as z from 'zod/mini'
import { behind } from '../../core/field/behind.ts'
import { choice, multiChoice, toggle } from '../../core/field/choice.ts'
import { json } from '../../core/field/json.ts'
import { number } from '../../core/field/number.ts'
import { reference } from '../../core/field/reference.ts'
import { text } from '../../core/field/text.ts'
import { time } from '../../core/field/time.ts'
import { defineRights } from '../../core/grant/rights.ts'
import { api, defineResource } from '../../core/resource/define.ts'
import { screenId } from '../screens.ts'
import { staff } from '../staff/module.ts'
import { appUser } from '../user/module.ts'
import { RULES, type Evidence, type Part } from './score.ts'

export const MONITOR_PATH = '/operate/accountMonitoring'

export const MONITOR_RIGHTS = defineRights(screenId(MONITOR_PATH), { act: [11, '限速、排除和强制下线'], freeze: [12, '冻结和解除'], appeal: [13, '登记和裁定申诉'] })

export const MONITOR_STATUS = { watched: 1, waiting: 2, limited: 3, frozen: 4, appealed: 5, cleared: 6, limitAppealed: 7 } as const

const S = MONITOR_STATUS

export const MONITOR_STATES = [
  { value: S.watched, label: '观察中', tone: 'idle' }, { value: S.waiting, label: '待处理', tone: 'warning' }, { value: S.limited, label: '已限速', tone: 'processing' },
  { value: S.frozen, label: '已冻结', tone: 'error' }, { value: S.appealed, label: '冻结申诉中', tone: 'warning' }, { value: S.limitAppealed, label: '限速申诉中', tone: 'warning' }, { value: S.cleared, label: '已排除', tone: 'success' },
] as const

/** States in which somebody waits for an answer to what they say. */
export const APPEALED: readonly number[] = [S.appealed, S.limitAppealed]

/** What the machine found of an account, and what people made of it. The machine reminds; everything else is a person's. */
export const accountMonitor = defineResource({
  name: 'account_monitor',
  label: '账号监控',
  measure: '个',
  title: 'user_no',
  grant: MONITOR_RIGHTS.screen,
  rights: MONITOR_RIGHTS,
  api: api('/daoyuan/api/end', 'account_monitors', 'account_monitor'),
  fields: {
    user_id: reference('用户', () => appUser, { required: true, readonly: true }),
    /** As the user centre counts them: a name may be hidden, this is not. */
    user_no: text('用户编号', { required: true, readonly: true, max: 20, search: true }),
    user_mobile: behind<string>('user_id', 'mobile'),
    user_agent_id: behind<number>('user_id', 'agent_id'),
    user_status: behind<number>('user_id', 'status', { label: '账号状态' }),
    score: number('风险分', { required: true, readonly: true, max: 100 }),
    rules: multiChoice('疑似', RULES, { readonly: true }),
    devices: number('设备', { readonly: true, unit: '台' }),
    cities: number('城市', { readonly: true, unit: '个' }),
    together: number('同时在线', { readonly: true, unit: '台' }),
    hours: number('每天小时', { readonly: true, digits: 1 }),
    parts: json('分项', z.record(z.string(), z.number()) as unknown as z.ZodMiniType<Record<Part, number>>, { readonly: true }),
    evidence: json('证据', z.array(z.unknown()) as unknown as z.ZodMiniType<Evidence[]>, { readonly: true }),
    /** Cities that somebody confirmed to be one family's. */
    homes: json('家庭城市', z.array(z.string()) as unknown as z.ZodMiniType<string[]>, { readonly: true }),
    family: toggle('家庭关系', { on: '一家人', off: '未确认' }, { readonly: true, initial: 0 }),
    scored_at: time('评分时间', { readonly: true, audit: false }),
    reminded_at: time('提醒时间', { readonly: true }),
    alarm_at: time('预警时间', { readonly: true }),
    acted_by: reference('处置人', () => staff, { readonly: true, onRemove: 'keep' }),
    acted_at: time('处置时间', { readonly: true }),
    appeal: text('申诉内容', { readonly: true, max: 500 }),
    appeal_due: time('申诉答复期限', { readonly: true }),
    /** Before then the machine says nothing more. */
    quiet_until: time('静默至', { readonly: true }),
    status: choice('状态', MONITOR_STATES, { required: true, readonly: true, initial: S.watched }),
  },
  list: {
    columns: ['user_no', 'status', 'score', 'rules', 'user_mobile', 'devices', 'cities', 'together', 'hours', 'alarm_at', 'user_id', 'user_status', 'family', 'acted_by', 'acted_at', 'appeal_due', 'scored_at', 'quiet_until', 'appeal'],
    filters: ['status', 'score', 'rules', 'user_mobile', 'family', 'devices', 'cities', 'together', 'acted_by', 'alarm_at', 'acted_at', 'user_agent_id'],
    under: ['user_id'],
    sort: '-score',
  },
  transitions: [
    { name: 'limit', label: '限速 7 天', field: 'status', from: [S.waiting], to: S.limited, right: 'act', reason: true, instead: '处置错了，解除处置' },
    { name: 'freeze', label: '冻结账号', field: 'status', from: [S.waiting, S.limited], to: S.frozen, right: 'freeze', reason: true, danger: true, confirm: '冻结后用户不能登录，证据随处置留存，确认冻结？', instead: '处置错了，解除处置' },
    { name: 'clear', label: '误报，排除', field: 'status', from: [S.waiting], to: S.cleared, right: 'act', reason: true, instead: '排除错了，再有异常时系统会重新提示' },
    { name: 'mark_family', label: '是一家人', field: 'status', from: [S.waiting], to: S.cleared, right: 'act', reason: true, instead: '标错了，再有异常时系统会重新提示' },
    { name: 'appeal', label: '登记冻结申诉', field: 'status', from: [S.frozen], to: S.appealed, right: 'appeal', reason: true },
    { name: 'appeal_limit', label: '登记限速申诉', field: 'status', from: [S.limited], to: S.limitAppealed, right: 'appeal', reason: true },
    { name: 'accept', label: '申诉成立', field: 'status', from: [S.appealed, S.limitAppealed], to: S.cleared, right: 'appeal', reason: true, instead: '处理错了，再有异常时系统会重新提示' },
    { name: 'keep_frozen', label: '维持冻结', field: 'status', from: [S.appealed], to: S.frozen, right: 'appeal', reason: true, danger: true, instead: '处理错了，解除处置' },
    { name: 'keep_limited', label: '维持限速', field: 'status', from: [S.limitAppealed], to: S.limited, right: 'appeal', reason: true, danger: true, instead: '处理错了，解除处置' },
    { name: 'release', label: '解除处置', field: 'status', from: [S.limited, S.frozen], to: S.cleared, right: 'freeze', reason: true, instead: '解除错了，再有异常时系统会重新提示' },
  ],
  logged: [{ name: 'rescore', label: '重新评分' }, { name: 'kick', label: '强制下线' }, { name: 'remind', label: '自动提醒' }, { name: 'open_session', label: '上报会话' }, { name: 'appeal_device', label: '用户申诉' }],
  policies: [{ of: ['accept', 'keep_frozen', 'keep_limited'], policy: 'another', field: 'acted_by', why: '申诉由处置人以外的人裁定' }],
  scope: { agent: 'user_id.agent_id' },
  indexes: [['status', 'score'], ['score', 'id']],
  without: ['create', 'update', 'edit', 'remove'],
})

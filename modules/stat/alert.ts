import { choice, toggle } from '../../core/field/choice.ts'
import { computed } from '../../core/field/json.ts'
import { number } from '../../core/field/number.ts'
import { reference } from '../../core/field/reference.ts'
import { segment } from '../../core/field/segment.ts'
import { longText, text } from '../../core/field/text.ts'
import { time } from '../../core/field/time.ts'
import { api, defineResource } from '../../core/resource/define.ts'
import { staff } from '../staff/module.ts'
import { COMPARE } from './firing.ts'
import { MONITOR_RIGHTS } from './rights.ts'

export const ALERT_STATE = { open: 1, doing: 2, recovered: 3, ignored: 4 } as const
const S = ALERT_STATE

export const ALERT_STATES = [
  { value: S.open, label: '未处理', tone: 'error' }, { value: S.doing, label: '处理中', tone: 'processing' }, { value: S.recovered, label: '已恢复', tone: 'success' }, { value: S.ignored, label: '忽略', tone: 'default' },
] as const

export const LEVEL = { hint: 1, warning: 2, grave: 3 } as const
export const LEVELS = [{ value: LEVEL.hint, label: '提示', tone: 'idle' }, { value: LEVEL.warning, label: '警告', tone: 'warning' }, { value: LEVEL.grave, label: '严重', tone: 'error' }] as const

export const COMPARES = [
  { value: COMPARE.dropped, label: '比同期低（%）' }, { value: COMPARE.risen, label: '比同期高（%）' }, { value: COMPARE.below, label: '低于数值' }, { value: COMPARE.above, label: '高于数值' },
] as const

/** Whether a rule holds a reading against the median of the same weekday. */
export const isRelative = (compare: number | null | undefined): boolean => compare === COMPARE.dropped || compare === COMPARE.risen

const HOURS = Array.from({ length: 24 }, (_, hour) => ({ value: hour, label: `${String(hour).padStart(2, '0')}:00` }))

const BASE = '/daoyuan/api/end/monitor'

/** When somebody is to be told that a figure is unusual. */
export const alertRule = defineResource({
  name: 'alert_rule',
  label: '告警规则',
  measure: '条',
  grant: MONITOR_RIGHTS.screen,
  rights: MONITOR_RIGHTS,
  api: api(BASE, 'rules', 'rule'),
  fields: {
    name: text('名称', { required: true, max: 40, search: true, example: '激活授权码骤降' }),
    figure: text('指标', { required: true, max: 40 }),
    figure_name: text('指标名称', { readonly: true, max: 40 }),
    line: text('产品线', { max: 60 }),
    line_name: text('产品线名称', { readonly: true, max: 60 }),
    group_by: choice('分别判断', [{ value: 'line', label: '各产品线' }, { value: 'channel', label: '各渠道' }, { value: 'province', label: '各省份' }]),
    compare: choice('判断方式', COMPARES, { required: true, initial: COMPARE.dropped }),
    limit_value: number('触发值', { required: true, min: 0, max: 99_999_999, digits: 2, help: '金额以元为单位' }),
    recover_value: number('恢复值', { required: true, min: 0, max: 99_999_999, digits: 2, help: '连续 3 次回到这里才算恢复' }),
    window_hours: choice('统计时长', [{ value: 1, label: '1 小时' }, { value: 2, label: '2 小时' }, { value: 4, label: '4 小时' }, { value: 12, label: '12 小时' }, { value: 24, label: '24 小时' }], { required: true, initial: 4 }),
    for_n: number('连续次数', { required: true, min: 1, max: 24, initial: 2, unit: '次', help: '每小时判断一次' }),
    min_base: number('同期至少', { min: 0, max: 99_999_999, digits: 2, initial: 0, help: '同期太小时不判断' }),
    level: choice('级别', LEVELS, { required: true, initial: LEVEL.warning }),
    notify_id: reference('通知', () => staff, { required: true }),
    repeat_hours: number('重复通知', { required: true, min: 1, max: 72, initial: 6, unit: '小时' }),
    quiet_from: choice('免打扰从', HOURS),
    quiet_to: choice('免打扰到', HOURS, { help: '「严重」不受影响' }),
    runbook: longText('处理办法', { max: 1000 }),
    open_cnt: computed('未恢复'),
    fired_cnt: computed('30 天触发'),
    read_until: time('判断到', { readonly: true, audit: false }),
    status: toggle('规则状态', { on: '启用', off: '停用' }, { required: true, initial: 1 }),
  },
  list: {
    columns: ['name', 'status', 'level', 'figure_name', 'compare', 'limit_value', 'window_hours', 'open_cnt', 'fired_cnt', 'notify_id', 'line_name', 'group_by', 'recover_value', 'for_n', 'min_base', 'repeat_hours', 'quiet_from', 'quiet_to', 'read_until', 'created_at'],
    filters: ['status', 'level', 'figure', 'notify_id', 'created_at'],
  },
  form: [
    { title: '看什么', fields: ['name', 'figure', 'line', 'group_by'] },
    { title: '怎样算异常', fields: ['compare', 'limit_value', 'recover_value', 'window_hours', 'for_n', 'min_base'] },
    { title: '告诉谁', fields: ['level', 'notify_id', 'repeat_hours', 'quiet_from', 'quiet_to', 'runbook'] },
  ],
  unique: [['name']],
})

/** Something unusual, from when it began until it was over. What happened to it stands beside it (`alert_event`). */
export const alert = defineResource({
  name: 'alert',
  label: '告警',
  measure: '条',
  title: 'title',
  grant: MONITOR_RIGHTS.screen,
  rights: MONITOR_RIGHTS,
  api: api(BASE, 'alerts', 'alert'),
  fields: {
    title: text('告警', { required: true, readonly: true, max: 120, search: true }),
    rule_id: reference('规则', () => alertRule, { required: true, readonly: true, onRemove: 'keep' }),
    level: choice('级别', LEVELS, { required: true, readonly: true }),
    figure: text('指标', { required: true, readonly: true, max: 40 }),
    unit: choice('单位', [{ value: 'number', label: '个' }, { value: 'money', label: '分' }], { required: true, readonly: true, initial: 'number' }),
    line: text('产品线', { readonly: true, max: 60 }),
    dim: text('维度', { readonly: true, max: 20 }),
    key: text('维度值', { readonly: true, max: 60 }),
    // What tells it from others while it is open; empty afterwards, so that there is one at a time.
    fingerprint: text('指纹', { readonly: true, max: 160, unique: true }),
    value: number('当前值', { readonly: true, audit: false, max: 99_999_999_999 }),
    expected: number('同期', { readonly: true, audit: false, max: 99_999_999_999 }),
    worst: number('最差值', { readonly: true, audit: false, max: 99_999_999_999 }),
    reading_cnt: number('异常次数', { readonly: true, audit: false, initial: 0, unit: '次' }),
    began_at: time('开始', { required: true, readonly: true }),
    last_at: time('最近异常', { required: true, readonly: true, audit: false }),
    recovered_at: time('恢复', { readonly: true }),
    owner_id: reference('处理人', () => staff, { readonly: true, onRemove: 'keep' }),
    ignored_until: time('忽略至', { readonly: true }),
    silenced_until: time('静默至', { readonly: true }),
    noticed_at: time('最近通知', { readonly: true, audit: false }),
    view: segment('视图', [{ value: 'living', label: '未恢复' }, { value: 'loud', label: '未静默' }, { value: 'silent', label: '静默中' }]),
    state: choice('状态', ALERT_STATES, { required: true, readonly: true, initial: S.open }),
  },
  list: {
    columns: ['title', 'state', 'level', 'value', 'expected', 'reading_cnt', 'began_at', 'last_at', 'owner_id', 'worst', 'recovered_at', 'rule_id', 'ignored_until', 'silenced_until', 'noticed_at'],
    filters: ['state', 'view', 'level', 'rule_id', 'owner_id', 'began_at', 'recovered_at'],
    sort: '-began_at',
  },
  transitions: [
    { name: 'ack', label: '开始处理', field: 'state', from: [S.open], to: S.doing, right: 'handle', instead: '接错了，在处理中说明即可' },
    { name: 'reopen', label: '取消忽略', field: 'state', from: [S.ignored], to: S.open, right: 'handle', instead: '取消错了，再忽略一次' },
  ],
  logged: [{ name: 'fire', label: '触发' }, { name: 'recover', label: '恢复' }, { name: 'assign', label: '指派' }, { name: 'ignore', label: '忽略' }, { name: 'silence', label: '静默' }, { name: 'note', label: '记录' }],
  indexes: [['state', 'level', 'id'], ['rule_id', 'id'], ['began_at', 'id']],
  without: ['create', 'update', 'edit', 'remove'],
})

/** That nobody is told of a rule's alerts until a moment. */
export const alertSilence = defineResource({
  name: 'alert_silence',
  label: '静默',
  measure: '条',
  title: 'reason',
  grant: MONITOR_RIGHTS.screen,
  rights: MONITOR_RIGHTS,
  api: api(BASE, 'silences', 'silence'),
  fields: {
    rule_id: reference('规则', () => alertRule, { required: true, readonly: true, onRemove: 'cascade' }),
    key: text('只对', { readonly: true, max: 60 }),
    key_name: text('对象', { readonly: true, max: 60 }),
    until: time('到', { required: true, readonly: true }),
    reason: text('原因', { required: true, readonly: true, max: 200, search: true }),
    ended_at: time('提前结束', { readonly: true }),
    view: segment('视图', [{ value: 'now', label: '生效中' }, { value: 'over', label: '已结束' }]),
  },
  list: { columns: ['reason', 'rule_id', 'key_name', 'until', 'ended_at', 'created_by_name', 'created_at'], filters: ['view', 'rule_id', 'until'] },
  logged: [{ name: 'summary', label: '生成日报' }, { name: 'silence', label: '静默' }, { name: 'end_silence', label: '提前结束' }],
  indexes: [['rule_id', 'until']],
  without: ['create', 'update', 'edit', 'remove'],
})

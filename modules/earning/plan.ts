import { choice } from '../../core/field/choice.ts'
import { number } from '../../core/field/number.ts'
import { text } from '../../core/field/text.ts'
import { date } from '../../core/field/time.ts'
import { defineRights } from '../../core/grant/rights.ts'
import { api, defineResource } from '../../core/resource/define.ts'
import { PRODUCT_LINES } from '../reference/module.ts'
import { screenId } from '../screens.ts'

/** Of whatever line: a plan of the line itself comes before it. */
export const ANY_LINE = 'any'

/** Lines whose orders may earn a commission. */
export const EARNING_LINES = [
  { value: ANY_LINE, label: '全部业务' },
  ...PRODUCT_LINES.map(({ code, name }) => ({ value: code, label: name })),
  { value: 'accompany', label: '伴学' }, { value: 'tptrain', label: '尖子班' },
  { value: 'partner', label: '合伙人' }, { value: 'room', label: '自习室设备' }, { value: 'school', label: '学习权益' }, { value: 'member', label: '会员卡' },
]

/** Levels of agents, as their records have them. */
export const AGENT_LEVELS = [{ value: 1, label: '一级' }, { value: 2, label: '二级' }, { value: 3, label: '三级' }] as const

export const EARNING_RIGHTS = defineRights(screenId('/distribution/order'), { settle: [11, '生成和提交结算单'], audit: [12, '审核结算单'], attribute: [13, '改归属'] })

/** Most of each tier; that both together take no more than half is a rule of its own. */
const percent = (label: string, max: number) => number(label, { required: true, createOnly: true, max, digits: 2, unit: '%' })

/** What agents get of a line's orders from a day on. What was paid before keeps the rates that held then: a plan is made, never changed. */
export const ratePlan = defineResource({
  name: 'rate_plan',
  label: '佣金费率',
  measure: '条',
  grant: EARNING_RIGHTS.screen,
  rights: EARNING_RIGHTS,
  api: api('/daoyuan/api/end/distribution', 'rate_plans', 'rate_plan'),
  fields: {
    name: text('版本', { required: true, createOnly: true, max: 30, search: true }),
    line: choice('业务', EARNING_LINES, { required: true, createOnly: true, initial: ANY_LINE }),
    level: choice('代理等级', AGENT_LEVELS, { required: true, createOnly: true, initial: 1 }),
    first: percent('直接佣金', 40),
    second: percent('上级佣金', 20),
    hold_days: number('结算等待', { required: true, createOnly: true, max: 180, initial: 7, unit: '天' }),
    valid_from: date('生效日期', { required: true, createOnly: true }),
  },
  list: {
    columns: ['name', 'line', 'level', 'first', 'second', 'hold_days', 'valid_from', 'created_by_name', 'created_at'],
    filters: ['line', 'level', 'valid_from', 'created_at'], sort: '-valid_from',
  },
  unique: [['line', 'level', 'valid_from']],
  without: ['update'],
})

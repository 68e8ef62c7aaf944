import { computed } from '../../core/field/json.ts'
import { money, number } from '../../core/field/number.ts'
import { reference } from '../../core/field/reference.ts'
import { segment } from '../../core/field/segment.ts'
import { text } from '../../core/field/text.ts'
import { api, defineResource } from '../../core/resource/define.ts'
import { agent } from '../agent/module.ts'
import { MAX_SUM } from '../order/module.ts'
import { screenId } from '../screens.ts'

/** What a target is called. */
export const targetName = (agentName: string, year: number): string => `${agentName.slice(0, 45)} ${year} 年`

/** 年度任务和配额: what an agent, with everybody below them, is to sell in a year, and how many codes they are given for it. */
export const agentTarget = defineResource({
  name: 'agent_target',
  label: '年度任务',
  measure: '项',
  grant: screenId('/distribution/account/proxy'),
  api: api('/daoyuan/api/end/distribution', 'agent_targets', 'agent_target'),
  fields: {
    /** Whose, and of which year. */
    name: text('任务', { readonly: true, max: 60, search: true }),
    account_id: reference('代理', () => agent, { required: true, createOnly: true }),
    year: number('年度', { required: true, createOnly: true, min: 2020, max: 2100 }),
    sales: money('销售任务', { required: true, min: 1, max: MAX_SUM }),
    sales_done: computed('已完成', 'money'),
    sales_rate: computed('完成率'),
    sales_left: computed('还差', 'money'),
    pace: segment('进度', [{ value: 'done', label: '已完成' }, { value: 'behind', label: '落后于时间' }, { value: 'even', label: '正常' }]),
    codes: number('授权码配额', { required: true, max: 1_000_000, initial: 0, unit: '个' }),
    codes_done: computed('已用配额'),
    codes_left: computed('剩余配额'),
    remark: text('备注', { max: 100 }),
  },
  list: {
    columns: ['name', 'sales', 'sales_done', 'sales_rate', 'sales_left', 'codes', 'codes_done', 'codes_left', 'account_id', 'year', 'remark', 'updated_at'], under: ['remark'],
    filters: ['year', 'account_id', 'pace', 'sales', 'created_at'], sort: '-year', summary: ['sales', 'codes'],
  },
  form: [{ fields: ['account_id', 'year', 'sales', 'codes', 'remark'] }],
  import: { columns: ['account_id', 'year', 'sales', 'codes', 'remark'], key: ['account_id', 'year'] },
  unique: [['account_id', 'year']],
  scope: { agent: 'account_id' },
})

import { computed } from '../../core/field/json.ts'
import { number } from '../../core/field/number.ts'
import { reference } from '../../core/field/reference.ts'
import { segment } from '../../core/field/segment.ts'
import { text } from '../../core/field/text.ts'
import { defineRights } from '../../core/grant/rights.ts'
import { api, defineResource } from '../../core/resource/define.ts'
import { screenId } from '../screens.ts'
import { staff } from '../staff/module.ts'

/** Where the calls of openings stand. */
export const BASE = '/daoyuan/api/end/practice_book'

/** Most openings that one person is given for a month. */
export const MOST_QUOTA = 1000

export const MARKET_USER_RIGHTS = defineRights(screenId('/practiceBook/marketUser'), { recall: [11, '收回'], quota: [12, '分配名额'] })

/** A month as people write it: 2026-11. */
export const MONTH = /^20\d{2}-(0[1-9]|1[0-2])$/

/** The month of a moment, in Shanghai. */
export const monthOf = (seconds: number): string => new Date((seconds + 8 * 3600) * 1000).toISOString().slice(0, 7)

/** The month before. */
export function monthBefore(month: string): string {
  const [year = 0, nth = 1] = month.split('-').map(Number)
  return nth === 1 ? `${year - 1}-12` : `${year}-${String(nth - 1).padStart(2, '0')}`
}

/** How many people somebody may have opened for their customers in a month. What is used is counted, never kept. */
export const marketQuota = defineResource({
  name: 'market_quota',
  label: '市场名额',
  measure: '份',
  grant: MARKET_USER_RIGHTS.screen,
  rights: MARKET_USER_RIGHTS,
  api: api(BASE, 'market_quotas', 'market_quota'),
  fields: {
    name: text('名额', { required: true, readonly: true, max: 60, search: true }),
    staff_id: reference('市场人员', () => staff, { required: true, readonly: true, onRemove: 'keep' }),
    month: text('月份', { required: true, readonly: true, max: 7 }),
    quota: number('名额数', { required: true, readonly: true, min: 0, max: MOST_QUOTA, unit: '个' }),
    used: computed('在用'),
    left: computed('剩余'),
    opened: computed('累计开通'),
    won: computed('已转化'),
    when: segment('时间', [{ value: 'now', label: '本月' }, { value: 'last', label: '上月' }]),
    full: segment('余量', [{ value: 'none', label: '已用完' }, { value: 'some', label: '还有剩余' }]),
  },
  list: {
    columns: ['staff_id', 'month', 'used', 'quota', 'left', 'opened', 'won', 'updated_by_name', 'updated_at'],
    filters: ['when', 'staff_id', 'month', 'full'],
  },
  logged: [{ name: 'set_quota', label: '分配名额' }],
  unique: [['staff_id', 'month']],
  without: ['create', 'update', 'edit', 'remove'],
})

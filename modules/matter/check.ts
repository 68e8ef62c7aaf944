import { choice } from '../../core/field/choice.ts'
import { computed } from '../../core/field/json.ts'
import { reference } from '../../core/field/reference.ts'
import { text } from '../../core/field/text.ts'
import { time } from '../../core/field/time.ts'
import { api, defineResource, type RowType } from '../../core/resource/define.ts'
import { staff } from '../staff/module.ts'
import { BASE, MATTER_RIGHTS } from './rights.ts'
import { warehouse } from './warehouse.ts'

export const CHECK_STATE = { open: 1, waiting: 2, booked: 3, void: 4 } as const

const S = CHECK_STATE

export const CHECK_KINDS = [{ value: 'count', label: '盘点' }, { value: 'loss', label: '报损' }] as const

/**
 * What makes stock differ without anything coming or going: a count, or what was lost and spoilt. Somebody else looks at it
 * before it is booked, so that nobody explains away what they took.
 */
export const matterCheck = defineResource({
  name: 'matter_check',
  label: '盘点单',
  measure: '张',
  grant: MATTER_RIGHTS.screen,
  rights: MATTER_RIGHTS,
  api: api(BASE, 'matter_checks', 'matter_check'),
  fields: {
    kind: choice('类型', CHECK_KINDS, { required: true, createOnly: true, initial: 'count' }),
    warehouse_id: reference('仓库', () => warehouse, { required: true, createOnly: true }),
    name: text('事由', { required: true, max: 60, search: true, example: '11 月末盘点' }),
    line_cnt: computed('物料'),
    diff_cnt: computed('有差异'),
    diff_qty: computed('差异数量'),
    diff_cost: computed('差异金额', 'money'),
    submitted_by: reference('提交人', () => staff, { readonly: true, onRemove: 'keep' }),
    approved_by: reference('审核人', () => staff, { readonly: true, onRemove: 'keep' }),
    booked_at: time('入账时间', { readonly: true }),
    verdict: text('审核意见', { readonly: true, max: 200 }),
    state: choice('状态', [
      { value: S.open, label: '清点中', tone: 'processing' }, { value: S.waiting, label: '待审核', tone: 'warning' }, { value: S.booked, label: '已入账', tone: 'success' }, { value: S.void, label: '已作废', tone: 'default' },
    ], { readonly: true, initial: S.open }),
  },
  list: {
    columns: ['name', 'state', 'kind', 'warehouse_id', 'line_cnt', 'diff_cnt', 'diff_qty', 'diff_cost', 'submitted_by', 'approved_by', 'booked_at', 'verdict', 'created_at', 'created_by_name'],
    filters: ['state', 'kind', 'warehouse_id', 'created_at'],
  },
  form: [{ fields: ['kind', 'warehouse_id', 'name'] }],
  transitions: [
    { name: 'submit', label: '提交审核', field: 'state', from: [S.open], to: S.waiting, right: 'count' },
    { name: 'approve', label: '审核入账', field: 'state', from: [S.waiting], to: S.booked, right: 'approve', confirm: '入账后按差异改库存，不能撤回，只能再盘一次。', instead: '入账不能撤销，再盘一次' },
    { name: 'reject', label: '退回重盘', field: 'state', from: [S.waiting], to: S.open, right: 'approve', reason: true, danger: true },
    { name: 'void', label: '作废', field: 'state', from: [S.open, S.waiting], to: S.void, right: 'count', reason: true, danger: true, instead: '作废不能撤销，再盘一次' },
  ],
  logged: [{ name: 'lines', label: '清点' }],
  policies: [
    { of: ['approve'], policy: 'another', field: 'submitted_by', why: '提交人不能审核自己提交的盘点单' },
    { of: ['edit'], policy: 'while', field: 'state', values: [S.open], why: '盘点单已提交，要改先退回' },
    { of: ['remove'], policy: 'while', field: 'state', values: [S.open, S.void], why: '已提交和已入账的盘点单不能删除' },
  ],
  indexes: [['warehouse_id', 'state']],
})

/** A count or a list of losses as stored. */
export type CheckRow = RowType<typeof matterCheck>

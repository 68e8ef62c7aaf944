import { choice } from '../../core/field/choice.ts'
import { computed } from '../../core/field/json.ts'
import { mobile } from '../../core/field/mobile.ts'
import { number } from '../../core/field/number.ts'
import { personName } from '../../core/field/person-name.ts'
import { reference } from '../../core/field/reference.ts'
import { text } from '../../core/field/text.ts'
import { api, defineResource } from '../../core/resource/define.ts'
import { appUser } from '../user/module.ts'
import { matter, MOST } from './matter.ts'
import { BASE, MATTER_RIGHTS } from './rights.ts'
import { warehouse } from './warehouse.ts'

/** Why stock changes. */
export const MOVE_KINDS = [
  { value: 'in', label: '入库', tone: 'success' }, { value: 'out', label: '出库', tone: 'processing' }, { value: 'transfer', label: '调拨', tone: 'idle' },
  { value: 'back', label: '退回', tone: 'success' }, { value: 'count', label: '盘点', tone: 'warning' }, { value: 'loss', label: '报损', tone: 'error' },
] as const

export type MoveKind = (typeof MOVE_KINDS)[number]['value']

/** What somebody who got something wanted it for. */
export const PURPOSES = [
  { value: 'order', label: '订单发货' }, { value: 'sample', label: '样书' }, { value: 'agent', label: '代理领用' }, { value: 'event', label: '活动' }, { value: 'gift', label: '赠送用户' }, { value: 'own', label: '内部领用' },
] as const

/** A line of the stock book. Lines are never changed: a wrong one is reversed by another. */
export const matterMove = defineResource({
  name: 'matter_move',
  label: '出入库流水',
  measure: '条',
  title: 'doc',
  grant: MATTER_RIGHTS.screen,
  rights: MATTER_RIGHTS,
  api: api(BASE, 'matter_moves', 'matter_move'),
  fields: {
    // Lines that were written together; a transfer is two of them.
    doc: text('单号', { required: true, readonly: true, max: 24, search: true }),
    matter_id: reference('物料', () => matter, { required: true, readonly: true }),
    warehouse_id: reference('仓库', () => warehouse, { required: true, readonly: true }),
    kind: choice('类型', MOVE_KINDS, { required: true, readonly: true }),
    qty: number('数量', { required: true, readonly: true, min: -MOST, max: MOST }),
    balance: number('结存', { required: true, readonly: true, max: MOST * 10 }),
    peer_id: reference('对方仓库', () => warehouse, { readonly: true, onRemove: 'keep' }),
    purpose: choice('用途', PURPOSES, { readonly: true }),
    receiver: personName('领用人', { readonly: true }),
    mobile: mobile('领用人手机号', { readonly: true }),
    user_id: reference('领用用户', () => appUser, { readonly: true, onRemove: 'keep' }),
    order_no: text('订单号', { readonly: true, max: 24, search: true }),
    print_no: number('印次', { readonly: true, max: 999 }),
    check_no: number('盘点单', { readonly: true, grouped: false }),
    note: text('说明', { readonly: true, max: 200 }),
    reverse_of: number('冲销流水', { readonly: true, grouped: false }),
    reversed: computed('已冲销', 'text'),
  },
  list: {
    columns: ['doc', 'matter_id', 'kind', 'qty', 'balance', 'warehouse_id', 'receiver', 'purpose', 'created_at', 'created_by_name', 'mobile', 'peer_id', 'order_no', 'print_no', 'note', 'reversed'],
    filters: ['matter_id', 'warehouse_id', 'kind', 'purpose', 'mobile', 'order_no', 'user_id', 'created_at', 'created_by'],
  },
  without: ['create', 'update', 'edit', 'remove'],
  logged: [{ name: 'reverse', label: '冲正' }],
  unscoped: { agent: 'Stock belongs to the warehouse, whoever the goods went to.' },
  // The book is its own log.
  audit: false,
  indexes: [['matter_id', 'created_at'], ['order_no', 'matter_id'], ['reverse_of', 'id']],
})

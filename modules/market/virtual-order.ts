import { computed } from '../../core/field/json.ts'
import { segment } from '../../core/field/segment.ts'
import type { Fields } from '../../core/field/field.ts'
import { defineRights } from '../../core/grant/rights.ts'
import { api, defineResource } from '../../core/resource/define.ts'
import { bookLine } from '../book/module.ts'
import { screenId } from '../screens.ts'
import { BASE } from './quota.ts'

export const VIRTUAL_PATH = '/practiceBook/order/virtual'

const { orders } = bookLine

/** Fields of the line's orders by name: a virtual order is one of them. */
const own = Object.fromEntries(['order_no', 'line', 'self_run', 'goods', 'goods_kind', 'goods_ref_id', 'buyer_name', 'buyer_mobile', 'user_id', 'agent_id', 'total', 'amount', 'paid', 'virtual', 'remark', 'status'].flatMap((key) => {
  const field = orders.fields[key]
  return field ? [[key, field]] : []
}))

/** Orders of books that cost nothing because somebody opened them so: who did, for whom and why. They are the line's own orders. */
export const virtualOrder = defineResource<Fields, 'recall', string, 'recall'>({
  name: 'book_virtual_order',
  table: 'orders',
  label: '虚拟订单',
  measure: '笔',
  title: 'order_no',
  grant: screenId(VIRTUAL_PATH),
  rights: defineRights(screenId(VIRTUAL_PATH), { recall: [11, '收回'] }),
  api: api(BASE, 'virtual_orders', 'virtual_order'),
  fields: {
    ...own,
    source: computed('来源', 'text'),
    org: computed('客户单位', 'text'),
    until: computed('权益到期', 'time'),
    from: segment('来源', [{ value: 'market', label: '市场开通' }, { value: 'staff', label: '后台录单' }]),
    force: segment('权益', [{ value: 'running', label: '生效中' }, { value: 'over', label: '已到期' }, { value: 'back', label: '已收回' }]),
  },
  list: {
    columns: ['order_no', 'status', 'buyer_name', 'buyer_mobile', 'source', 'org', 'total', 'until', 'created_by_name', 'created_at', 'remark', 'user_id', 'agent_id'],
    under: ['goods'],
    filters: ['force', 'from', 'goods_ref_id', 'buyer_mobile', 'goods', 'user_id', 'status', 'created_at'],
  },
  logged: [{ name: 'recall', label: '收回' }],
  indexes: [['created_at']],
  indexesLiving: true,
  where: { ...orders.where, virtual: 1 },
  isView: true,
  scope: orders.scope,
  unscoped: orders.unscoped,
  without: ['create', 'update', 'edit', 'remove', 'import'],
})

import type { AnyField } from '../../core/field/any-field.ts'
import { choice } from '../../core/field/choice.ts'
import { number } from '../../core/field/number.ts'
import { reference } from '../../core/field/reference.ts'
import { text } from '../../core/field/text.ts'
import { defineResource, type Resource } from '../../core/resource/define.ts'
import { orderRight } from './flow.ts'
import type { OrderLine } from './line.ts'

/** Carriers that parcels go with. */
const CARRIERS = ['顺丰速运', '中通快递', '圆通速递', '申通快递', '韵达快递', '极兔速递', '京东物流', '邮政EMS', '德邦快递'] as const

export const carrierField = choice('快递公司', CARRIERS.map((name) => ({ value: name, label: name })), { required: true })
export const trackingField = text('快递单号', { required: true, max: 30, search: true, scanned: true, pattern: [/^[\w-]{6,30}$/, '应为 6 到 30 位字母或数字'], example: 'SF1234567890123' })

/**
 * Parcels of a line's orders. They come in one by one from the order, or as a sheet of tracking numbers from the warehouse:
 * the sheet is an import like any other.
 */
export function defineShipments(line: OrderLine, orders: Resource): Resource {
  const { list, item } = line.api
  const fields: Record<string, AnyField> = {
    order_id: reference('订单号', () => orders, { required: true, createOnly: true, onRemove: 'cascade' }),
    company: { ...carrierField, createOnly: true },
    no: { ...trackingField, createOnly: true },
    line: choice('业务', [{ value: line.code, label: line.label }], { required: true, readonly: true }),
    self_run: number('经营方式', { required: true, readonly: true }),
  }
  const resource = defineResource<Record<string, AnyField>, never, string, string>({
    name: `${line.name}_shipment`,
    table: 'shipment',
    label: '发货记录',
    measure: '条',
    title: 'no',
    grant: line.grant,
    api: { list: `${list}/shipments`, item: `${item}_shipment`, reply: line.api.reply },
    fields,
    list: { columns: ['order_id', 'company', 'no', 'created_by_name', 'created_at'], filters: ['order_id', 'company', 'created_at'] },
    import: { columns: ['order_id', 'company', 'no'], key: ['order_id', 'no'] },
    unique: [['order_id', 'no']],
    where: { line: line.code, self_run: Number(line.selfRun ?? false) },
    scope: Object.fromEntries(Object.entries(line.scope).map(([kind, key]) => [kind, `order_id.${key}`])),
    without: ['create', 'update', 'edit', 'remove'],
  })
  // A person who may send goods may import what was sent.
  return { ...resource, actions: { ...resource.actions, import: orderRight(line, 'ship') } }
}

import { useQuery } from '@tanstack/react-query'
import { Alert, Form, Input, Radio, Switch, type FormInstance } from 'antd'
import { agent } from '../agent/module.ts'
import { channel } from '../reference/module.ts'
import { call } from '../../core/endpoint/call.tsx'
import { reference } from '../../core/field/reference.ts'
import { region } from '../../core/field/region.ts'
import type { Resource } from '../../core/resource/define.ts'
import { orderEndpoints } from './calls.ts'
import { draftShips, type DraftBody } from './draft-body.ts'
import { EntryGoods } from './entry-goods.tsx'
import { BIZ_TYPES } from './flow.ts'
import { FieldInput, MoneyInput, PaidAtInput, VoucherInput } from './inputs.tsx'
import { inputFields, wireName, type OrderLine, type OrderParty } from './line.ts'
import { takenChannels } from './money-rules.ts'
import type { OrderPart } from './new-order.ts'
import { useRights } from './use-rights.tsx'

export interface PartProps {
  line: OrderLine
  orders: Resource
  form: FormInstance
  body: DraftBody
  onChanged: () => void
  /** Whose turn it is, where the page leads along: a field of the buyer, or the goods. */
  turn: string | undefined
}

/** What `turn` says of the goods. */
export const GOODS_TURN = 'order_info'

const agentField = reference('代理', () => agent)
const channelField = reference('渠道', () => channel)
const regionField = region('收货地区')

/** The records that a person names for an order of the line: where it is booked, and who buys. */
export const partiesOf = (line: OrderLine): OrderParty[] => {
  const asked = new Set(Object.values(inputFields(line)))
  return [line.place, line.buyer].flatMap((party) => (party && asked.has(party.field) ? [party] : []))
}

const idOf = (party: OrderParty, body: DraftBody) => {
  const value = body.user_info?.[wireName('', party.field)]
  return typeof value === 'number' ? value : undefined
}

/** Names of the fields of {@link partiesOf} that are still empty, in the order in which they are asked. */
export const emptyParties = (line: OrderLine, body: DraftBody): string[] => partiesOf(line).flatMap((party) => (idOf(party, body) === undefined ? [wireName('', party.field)] : []))

/** How whom the order names stands, and what speaks against it. */
function Regarded({ orders, party, id }: { orders: Resource; party: OrderParty; id: number }) {
  const { data } = useQuery({ queryKey: ['order-party', orders.name, party.kind, id], queryFn: ({ signal }) => call(orderEndpoints(orders).regard, { kind: party.kind, ref_id: String(id) }, { signal, quiet: true }), staleTime: 30_000 })
  if (!data) return null
  const facts = [...data.facts, { label: '往来', text: data.orders === 0 ? '首单' : `${data.orders} 单${data.unpaid > 0 ? `，待付款 ${data.unpaid} 单` : ''}` }]
  return (
    <>
      <dl className="entry-regard" aria-label={`${party.field.label}情况`}>{facts.map(({ label, text }) => <div key={label}><dt>{label}</dt><dd className="figure">{text}</dd></div>)}</dl>
      {data.warnings.map((words) => <Alert key={words} className="entry-warning" type="warning" showIcon title={words} />)}
    </>
  )
}

function Buyer({ line, orders, body, turn }: PartProps) {
  const values = body.user_info ?? {}
  return (
    <>
      <div className="order-fields">
        {Object.entries(inputFields(line)).map(([key, field]) => {
          const name = wireName(key, field)
          return <Form.Item key={key} name={['user_info', name]} label={field.label} required={field.required} extra={field.help}><FieldInput field={field} values={values} ready={turn === name} /></Form.Item>
        })}
        <Form.Item name={['user_info', 'mobile']} label="手机号"><Input inputMode="tel" maxLength={20} autoComplete="off" placeholder={partiesOf(line).length > 0 ? '不填则按买家的' : '11 位手机号'} /></Form.Item>
        <Form.Item name={['user_info', 'name']} label="联系人"><Input maxLength={40} autoComplete="off" placeholder={partiesOf(line).length > 0 ? '不填则按买家的' : ''} /></Form.Item>
      </div>
      {partiesOf(line).map((party) => {
        const id = idOf(party, body)
        return id === undefined ? null : <Regarded key={party.kind} orders={orders} party={party} id={id} />
      })}
    </>
  )
}

function Goods({ line, orders, form, onChanged, body, turn }: PartProps) {
  return (
    <>
      <Form.Item name={['order_info', 'biz_type']} label="订单类型" layout="horizontal"><Radio.Group options={BIZ_TYPES.map(({ value, label }) => ({ value, label }))} /></Form.Item>
      <EntryGoods line={line} orders={orders} form={form} onChanged={onChanged} ready={turn === GOODS_TURN} bizType={Number(body.order_info?.['biz_type'] ?? 1)} />
    </>
  )
}

function Receiver({ line, body }: PartProps) {
  if (!draftShips(line, body)) return null
  return (
    <div className="order-fields">
      <Form.Item name={['receiving_info', 'name']} label="收货人" required><Input maxLength={20} autoComplete="off" /></Form.Item>
      <Form.Item name={['receiving_info', 'mobile']} label="收货人手机号" required><Input inputMode="tel" maxLength={20} autoComplete="off" placeholder="11 位手机号" /></Form.Item>
      <Form.Item name={['receiving_info', 'region_code']} label="收货地区" required><FieldInput field={regionField} /></Form.Item>
      <Form.Item name={['receiving_info', 'address']} label="详细地址" required className="whole"><Input maxLength={100} showCount autoComplete="off" /></Form.Item>
    </div>
  )
}

function Payment({ line, orders, body }: PartProps) {
  const rights = useRights(orders)
  const virtual = body.order_info?.['virtual'] === true
  const takes = !virtual && rights.has('pay')
  return (
    <>
      {(rights.has('virtual') || virtual) && <Form.Item name={['order_info', 'virtual']} label="虚拟单" layout="horizontal" valuePropName="checked" extra="没有实际收款，只开通内容，不计入实收"><Switch checkedChildren="是" unCheckedChildren="否" /></Form.Item>}
      <div className="order-fields">
        {!virtual && <Form.Item name={['package_price', 'discount']} label="优惠金额" extra={rights.has('reprice') ? undefined : '需要优惠时，由有「改价」权限的同事在订单中改价'}><MoneyInput disabled={!rights.has('reprice')} /></Form.Item>}
        {takes && (
          <>
            <Form.Item name={['package_price', 'paid']} label="已到账金额" extra="只到一部分时填写"><MoneyInput /></Form.Item>
            <Form.Item name={['package_price', 'pay_channel']} label="支付方式" className="whole"><Radio.Group optionType="button" options={takenChannels(line)} /></Form.Item>
            <Form.Item name={['package_price', 'paid_at']} label="支付时间"><PaidAtInput /></Form.Item>
            <Form.Item name={['package_price', 'trade_no']} label="交易单号"><Input maxLength={64} autoComplete="off" /></Form.Item>
            <Form.Item name={['package_price', 'voucher']} label="付款凭证"><VoucherInput /></Form.Item>
          </>
        )}
        <Form.Item name={['order_info', 'remark']} label="备注" className="whole"><Input.TextArea rows={2} maxLength={200} showCount /></Form.Item>
      </div>
    </>
  )
}

function Referrer() {
  return (
    <div className="order-fields">
      <Form.Item name={['referrer_info', 'mobile']} label="推荐人手机号"><Input inputMode="tel" maxLength={20} autoComplete="off" placeholder="没有可以不填" /></Form.Item>
      <Form.Item name={['referrer_info', 'agent_id']} label="代理"><FieldInput field={agentField} /></Form.Item>
      <Form.Item name={['referrer_info', 'channel_id']} label="渠道"><FieldInput field={channelField} /></Form.Item>
    </div>
  )
}

/** What each part of an order asks on the page; a part that has nothing to ask is not there. */
export const PART_VIEWS: Readonly<Record<OrderPart, (props: PartProps) => React.ReactNode>> = {
  user_info: Buyer, order_info: Goods, receiving_info: Receiver, package_price: Payment, referrer_info: Referrer,
}

const LABELS: Readonly<Record<string, string>> = {
  'order_info.items': '商品', ref_id: '商品', price: '单价', qty: '数量', months: '月数', kind: '类型', 'order_info.remark': '备注', 'order_info.virtual': '虚拟单', 'order_info.biz_type': '订单类型',
  'receiving_info.name': '收货人', 'receiving_info.mobile': '收货人手机号', 'receiving_info.region_code': '收货地区', 'receiving_info.address': '详细地址',
  'package_price.discount': '优惠金额', 'package_price.paid': '已到账金额', 'package_price.pay_channel': '支付方式', 'package_price.paid_at': '支付时间', 'package_price.trade_no': '交易单号', 'package_price.voucher': '付款凭证',
  'referrer_info.mobile': '推荐人手机号', 'referrer_info.agent_id': '代理', 'referrer_info.channel_id': '渠道', 'user_info.mobile': '手机号', 'user_info.name': '联系人',
}

/** What a field of the page is called. @param path part and field, such as `order_info.items.0.price` */
export function labelOf(line: OrderLine, path: string): string {
  const [, index, key] = /^order_info\.items\.(\d+)\.(\w+)$/.exec(path) ?? []
  if (index !== undefined) return `第 ${Number(index) + 1} 项${LABELS[key ?? ''] ?? '商品'}`
  const own = Object.entries(inputFields(line)).find(([name, field]) => path === `user_info.${wireName(name, field)}`)
  return own?.[1].label ?? LABELS[path] ?? '订单'
}

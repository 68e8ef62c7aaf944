import { Alert, Form, Input, Radio, Select, Switch, type FormInstance } from 'antd'
import { agent } from '../agent/module.ts'
import { channel } from '../reference/module.ts'
import { reference } from '../../core/field/reference.ts'
import { region } from '../../core/field/region.ts'
import { formatMoney } from '../../core/field/number.ts'
import type { Resource } from '../../core/resource/define.ts'
import { draftShips, draftSums, type DraftBody } from './draft-body.ts'
import { BIZ_TYPES } from './flow.ts'
import { FieldInput, MoneyInput, PaidAtInput, VoucherInput } from './inputs.tsx'
import { ItemsEditor } from './items-editor.tsx'
import { inputFields, wireName, type OrderLine } from './line.ts'
import { takenChannels } from './money-rules.ts'
import type { OrderPart } from './new-order.ts'
import { useRights } from './use-rights.tsx'

export interface StepProps {
  line: OrderLine
  orders: Resource
  form: FormInstance
  body: DraftBody
  onChanged: () => void
}

const agentField = reference('代理', () => agent)
const channelField = reference('渠道', () => channel)
const regionField = region('收货地区')

function OrderInfo({ line, orders, form, onChanged, body }: StepProps) {
  const { total } = draftSums(body)
  const rights = useRights(orders)
  return (
    <>
      <ItemsEditor line={line} orders={orders} form={form} onChanged={onChanged} />
      <div className="order-total">合计 <b className="figure">{formatMoney(total)}</b></div>
      <div className="order-fields">
        <Form.Item name={['order_info', 'biz_type']} label="订单类型"><Radio.Group options={BIZ_TYPES.map(({ value, label }) => ({ value, label }))} /></Form.Item>
        {(rights.has('virtual') || body.order_info?.['virtual'] === true) && <Form.Item name={['order_info', 'virtual']} label="虚拟单" valuePropName="checked" extra="没有实际收款，只开通内容，不计入实收"><Switch checkedChildren="是" unCheckedChildren="否" /></Form.Item>}
        <Form.Item name={['order_info', 'remark']} label="备注" className="whole"><Input.TextArea rows={2} maxLength={200} showCount /></Form.Item>
      </div>
    </>
  )
}

function ReceivingInfo({ line, body }: StepProps) {
  if (!draftShips(line, body)) return <Alert type="info" showIcon title="所选商品不需要发货，这一步可以跳过。" />
  return (
    <div className="order-fields">
      <Form.Item name={['receiving_info', 'name']} label="收货人" required><Input maxLength={20} autoComplete="off" /></Form.Item>
      <Form.Item name={['receiving_info', 'mobile']} label="收货人手机号" required><Input inputMode="tel" maxLength={20} autoComplete="off" placeholder="11 位手机号" /></Form.Item>
      <Form.Item name={['receiving_info', 'region_code']} label="收货地区" required><FieldInput field={regionField} /></Form.Item>
      <Form.Item name={['receiving_info', 'address']} label="详细地址" required className="whole"><Input maxLength={100} showCount autoComplete="off" /></Form.Item>
    </div>
  )
}

function PackagePrice({ line, orders, body }: StepProps) {
  const rights = useRights(orders)
  const { total, amount } = draftSums(body)
  const virtual = body.order_info?.['virtual'] === true
  return (
    <>
      <div className="order-total"><span>原价 <b className="figure">{formatMoney(total)}</b></span><span>应付 <b className="figure">{formatMoney(Math.max(0, amount))}</b></span></div>
      {virtual && <Alert type="info" showIcon title="虚拟单不收款，优惠等于原价。" />}
      {!virtual && (
        <div className="order-fields">
          <Form.Item name={['package_price', 'discount']} label="优惠金额" extra={rights.has('reprice') ? undefined : '需要优惠时，请有「改价」权限的同事在订单中改价'}><MoneyInput disabled={!rights.has('reprice')} /></Form.Item>
        </div>
      )}
      {!virtual && !rights.has('pay') && <Alert className="form-alert" type="info" showIcon title="付款后，由有「确认到账」权限的同事在订单中确认。" />}
      {!virtual && rights.has('pay') && (
        <div className="order-fields">
          <Form.Item name={['package_price', 'paid']} label="已到账金额" extra="还没有付款就不填，付款后在列表中确认到账"><MoneyInput /></Form.Item>
          <Form.Item name={['package_price', 'pay_channel']} label="支付方式"><Select allowClear placeholder="请选择支付方式" options={takenChannels(line)} /></Form.Item>
          <Form.Item name={['package_price', 'paid_at']} label="支付时间"><PaidAtInput /></Form.Item>
          <Form.Item name={['package_price', 'trade_no']} label="交易单号"><Input maxLength={64} autoComplete="off" /></Form.Item>
          <Form.Item name={['package_price', 'voucher']} label="付款凭证"><VoucherInput /></Form.Item>
        </div>
      )}
      {!virtual && total > 0 && amount === 0 && <Alert type="warning" showIcon title="应付为 0，提交后免费开通。" />}
    </>
  )
}

function ReferrerInfo() {
  return (
    <div className="order-fields">
      <Form.Item name={['referrer_info', 'mobile']} label="推荐人手机号"><Input inputMode="tel" maxLength={20} autoComplete="off" placeholder="11 位手机号，没有可以不填" /></Form.Item>
      <Form.Item name={['referrer_info', 'agent_id']} label="代理"><FieldInput field={agentField} /></Form.Item>
      <Form.Item name={['referrer_info', 'channel_id']} label="渠道"><FieldInput field={channelField} /></Form.Item>
    </div>
  )
}

function UserInfo({ line, body }: StepProps) {
  const values = body.user_info ?? {}
  return (
    <div className="order-fields">
      {Object.entries(inputFields(line)).map(([key, field]) => (
        <Form.Item key={key} name={['user_info', wireName(key, field)]} label={field.label} required={field.required} extra={field.help}><FieldInput field={field} values={values} /></Form.Item>
      ))}
      <Form.Item name={['user_info', 'name']} label="联系人"><Input maxLength={40} autoComplete="off" /></Form.Item>
      <Form.Item name={['user_info', 'mobile']} label="手机号"><Input inputMode="tel" maxLength={20} autoComplete="off" placeholder="11 位手机号" /></Form.Item>
    </div>
  )
}

/** What each step of writing an order down shows. */
export const STEP_VIEWS: Readonly<Record<OrderPart, (props: StepProps) => React.ReactNode>> = {
  order_info: OrderInfo, receiving_info: ReceivingInfo, package_price: PackagePrice, referrer_info: ReferrerInfo, user_info: UserInfo,
}

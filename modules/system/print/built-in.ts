import { paragraph, type Cell, type Inline, type RichDoc } from '../../../core/rich-text/rich-doc.ts'
import type { Paper } from '../../../core/print/calls.ts'

/** A template that the product brings along. */
interface BuiltIn { readonly name: string; readonly resource: string; readonly label: string; readonly paper: Paper; readonly doc: RichDoc }

const f = (path: string, label: string, b = false): Inline => ({ t: 'field', path, label, ...(b && { b: true }) })
const bold = (text: string): Inline => ({ t: 'text', text, b: true })
const title = (text: string) => paragraph([bold(text)], { align: 'center' })
const line = (...c: Inline[]) => paragraph(c)
const cell = (...c: Inline[]): Cell => ({ c: [paragraph(c)] })
const head = (text: string): Cell => ({ c: [paragraph([text])], head: true })
const doc = (...c: RichDoc['c']): RichDoc => ({ t: 'doc', v: 1, c })

const GOODS = [[head('商品'), head('单价'), head('数量'), head('金额')], [cell(f('items:name', '商品')), cell(f('items:price', '单价')), cell(f('items:qty', '数量')), cell(f('items:net', '金额'))]]

const receipt = (payer: Inline): RichDoc => doc(
  title('收  据'),
  line('订单号：', f('order_no', '订单号'), '　　日期：', f('paid_at', '支付时间')),
  line('今收到：', payer),
  { t: 'table', rows: [...GOODS, [cell(bold('优惠')), cell(), cell(), cell(f('discount', '优惠'))], [cell(bold('实收')), cell(), cell(), cell(f('paid', '实付', true))]] },
  line('支付方式：', f('pay_channel', '支付方式')),
  line('备注：', f('remark', '备注')),
  line('收款人（签字）：________________　　收款单位（盖章）：'),
)

const small = (payer: Inline): RichDoc => doc(
  title('收  据'), line(f('order_no', '订单号')), line(f('paid_at', '支付时间')), line('交款人：', payer),
  { t: 'table', rows: [[head('商品'), head('数量'), head('金额')], [cell(f('items:name', '商品')), cell(f('items:qty', '数量')), cell(f('items:net', '金额'))], [cell(bold('实收')), cell(), cell(f('paid', '实付', true))]] },
  line('支付方式：', f('pay_channel', '支付方式')), paragraph(['谢谢惠顾，请妥善保管'], { align: 'center' }),
)

/** What is there from the start; names and texts are the company's to change. */
export const BUILT_IN: readonly BuiltIn[] = [
  { name: '收据', resource: 'partner_order', label: '合伙人订单', paper: 'a5', doc: receipt(f('buyer_ref_id', '合伙人')) },
  { name: '收据', resource: 'room_order', label: '自习室订单', paper: 'a5', doc: receipt(f('buyer_ref_id', '合伙人')) },
  { name: '收据', resource: 'self_room_order', label: '自营自习室订单', paper: 'a5', doc: receipt(f('place_ref_id', '自习室')) },
  { name: '小票', resource: 'user_order', label: '用户订单', paper: 'receipt', doc: small(f('buyer_name', '姓名')) },
  { name: '小票', resource: 'self_user_order', label: '自营用户订单', paper: 'receipt', doc: small(f('buyer_name', '姓名')) },
  {
    name: '送货单', resource: 'partner_order', label: '合伙人订单', paper: 'a4',
    doc: doc(
      title('送 货 单'),
      line('订单号：', f('order_no', '订单号'), '　　下单时间：', f('created_at', '创建时间')),
      line('收货单位：', f('buyer_ref_id', '合伙人')),
      line('收货人：', f('buyer_ref_id.contact', '合伙人 · 联系人'), '　　电话：', f('buyer_ref_id.mobile', '合伙人 · 手机号')),
      line('地址：', f('buyer_ref_id.region_code', '合伙人 · 所在地区'), ' ', f('buyer_ref_id.address', '合伙人 · 详细地址')),
      line('快递单号：', f('express', '快递单号')),
      { t: 'table', rows: [[head('商品'), head('数量'), head('实收数量'), head('备注')], [cell(f('parcels:name', '商品')), cell(f('parcels:qty', '数量')), cell(), cell()]] },
      line('备注：', f('remark', '备注')),
      line('发货人：________________　　收货人：________________　　日期：________________'),
    ),
  },
  {
    name: '对账单', resource: 'agent_statement', label: '对账单', paper: 'a4',
    doc: doc(
      title('代理对账单'),
      line('代理：', f('account_id', '代理', true), '　　账期：', f('month', '账期'), '　　单号：', f('no', '对账单号')),
      { t: 'table', rows: [[head('期初余额'), head('佣金入账'), head('提现'), head('提现退回'), head('其他'), head('期末余额')], [cell(f('opening', '期初余额')), cell(f('commission', '佣金入账')), cell(f('withdrawn', '提现')), cell(f('returned', '提现退回')), cell(f('other', '其他')), cell(f('closing', '期末余额', true))]] },
      line('收支明细'),
      { t: 'table', rows: [[head('日期'), head('类型'), head('金额'), head('单号')], [cell(f('entries:at', '日期')), cell(f('entries:kind', '类型')), cell(f('entries:amount', '金额')), cell(f('entries:note', '单号'))]] },
      line('佣金明细：', f('line_cnt', '佣金明细'), '，合计 ', f('line_sum', '明细合计')),
      { t: 'table', rows: [[head('内容'), head('订单号'), head('金额'), head('结算单')], [cell(f('lines:title', '内容')), cell(f('lines:order_no', '订单号')), cell(f('lines:amount', '金额')), cell(f('lines:settlement', '结算单'))]] },
      line('如有异议，请于收到之日起七日内提出。'),
      line('公司（盖章）：________________　　　　代理（签字）：________________'),
    ),
  },
  {
    name: '合同', resource: 'partner', label: '合伙人', paper: 'a4',
    doc: doc(
      title('自习室合作合同'),
      paragraph(['合同编号：', f('contract_no', '合同编号')], { align: 'right' }),
      line('甲方：________________________'),
      line('乙方：', f('name', '合伙人名称', true)),
      line('乙方联系人：', f('contact', '联系人'), '　　联系电话：', f('mobile', '手机号')),
      line('乙方地址：', f('region_code', '所在地区'), ' ', f('address', '详细地址')),
      paragraph(['甲、乙双方就乙方以甲方品牌经营自习室一事，经平等协商，达成如下约定：'], { indent: 2 }),
      { t: 'list', style: 'decimal', items: [
        [paragraph(['合作级别：', f('level', '级别'), '；自习室类型：', f('type_id', '自习室类型'), '。'])],
        [paragraph(['合作期限：自 ', f('sign_at', '签约日期'), ' 起至 ', f('expire_at', '到期日期'), ' 止。'])],
        [paragraph(['乙方应于签约之日向甲方交纳保证金 ', f('deposit', '保证金'), '，服务费 ', f('service_fee', '服务费'), '。'])],
        [paragraph(['平板数量：', f('pad_cnt', '平板数'), ' 台。'])],
        [paragraph(['其他约定：', f('remark', '备注')])],
      ] },
      line('甲方（盖章）：________________　　　　乙方（签字或盖章）：________________'),
      line('日期：________________　　　　　　　　日期：________________'),
    ),
  },
]

import { DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Button, Form, InputNumber, Select, type FormInstance } from 'antd'
import { useEffect, useEffectEvent } from 'react'
import { call } from '../../core/endpoint/call.tsx'
import { MOBILE } from '../../core/field/mobile.ts'
import { formatMoney } from '../../core/field/number.ts'
import { Picker } from '../../core/field/reference.tsx'
import type { Resource } from '../../core/resource/define.ts'
import { orderEndpoints } from './calls.ts'
import { MoneyInput } from './inputs.tsx'
import type { Good, OrderLine } from './line.ts'
import { useRights } from './use-rights.tsx'

interface Item {
  kind?: string
  ref_id?: number | null
  price?: number | null
  qty?: number | null
  months?: number | null
}

const PATH = ['order_info', 'items']

/** What a kind or a record is called, costs by the list and brings; asked for once it is known which. */
const described = (orders: Resource, good: Good | undefined, refId: number | null | undefined, mobile: string | undefined) => ({
  queryKey: ['order-goods', orders.name, good?.kind, refId ?? null, mobile],
  queryFn: () => call(orderEndpoints(orders).describe, { kind: good?.kind ?? '', ...(refId && { ref_id: String(refId) }), ...(mobile !== undefined && { mobile }) }, { quiet: true }),
  enabled: good !== undefined && (!good.record || Boolean(refId)),
  staleTime: 60_000,
  retry: false,
})

function RecordInput({ good, value, onChange, onPick, id, ready }: {
  good: Good | undefined; value?: number | null; onChange?: (value: number | null) => void; onPick: (id: number | null) => void; id?: string; ready: boolean
}) {
  if (!good?.record) return <span className="note">{good ? `按${good.unit}计` : ''}</span>
  return <Picker target={good.record.target()} id={id} label={good.record.label} value={value ?? undefined} ready={ready} onChange={(next) => { onChange?.(next); onPick(next) }} />
}

/** List price, what it brings and what follows from it, below the line that it is of. */
function Follows({ orders, good, item, bizType, mobile }: { orders: Resource; good: Good | undefined; item: Item; bizType: number; mobile: string | undefined }) {
  const { data } = useQuery(described(orders, good, item.ref_id, mobile))
  const list = data?.price ?? null
  const below = list !== null && typeof item.price === 'number' && item.price < list ? list - item.price : 0
  const words = [list !== null && `标价 ${formatMoney(list)}`, data?.note, good?.gives?.(item.qty ?? 0, bizType)].filter(Boolean)
  if (words.length === 0 && below === 0) return null
  return <p className="entry-follows">{words.join(' · ')}{below > 0 && <span className="entry-below">{words.length > 0 && ' · '}低于标价 {formatMoney(below)}</span>}</p>
}

interface Props {
  line: OrderLine
  orders: Resource
  form: FormInstance
  onChanged: () => void
  /** It is the turn of the first line. */
  ready: boolean
  bizType: number
}

/** The goods of an order that is being written down. What is sold brings its price along; a person who may change prices changes it. */
export function EntryGoods({ line, orders, form, onChanged, ready, bizType }: Props) {
  const items = (Form.useWatch(PATH, form) as (Item | undefined)[] | undefined) ?? []
  const typed = Form.useWatch(['user_info', 'mobile'], form) as string | undefined
  const mobile = line.learners && typed !== undefined && MOBILE.test(typed.trim()) ? typed.trim() : undefined
  const free = useRights(orders).has('reprice')
  const client = useQueryClient()
  const itemAt = (index: number) => form.getFieldValue([...PATH, index]) as Item | undefined
  /** Fills in what is usual; without it a person who may says the price, as with goods that have none. */
  const fill = async (index: number, good: Good | undefined, refId: number | null) => {
    if (!good || (good.record && refId === null)) return
    const known = await client.fetchQuery(described(orders, good, refId, mobile)).catch(() => undefined)
    const item = itemAt(index)
    if (!known || item?.kind !== good.kind || (item.ref_id ?? null) !== refId) return
    form.setFieldValue([...PATH, index], { ...item, price: known.price ?? (free ? item.price : null) ?? null, months: known.months ?? item.months ?? null })
    onChanged()
    // What is left to say of this line: its price where nothing says it, else how many.
    const next = known.price === null && free && !item.price ? 'price' : 'qty'
    if (good.record) document.querySelector<HTMLInputElement>(`#${[...PATH, index, next].join('_')}`)?.focus()
  }
  const goodOf = (kind: string | undefined) => line.goods.find((good) => good.kind === kind)
  const [first] = line.goods
  const runs = line.goods.some(({ months }) => months)
  // The line that a new order begins with has its price as any other.
  const begin = useEffectEvent(() => {
    const item = itemAt(0)
    const good = goodOf(item?.kind)
    if (item && good && !good.record && (item.price ?? null) === null) void fill(0, good, null)
  })
  useEffect(() => begin(), [])
  return (
    <Form.List name={PATH}>
      {(rows, { add, remove }, { errors }) => (
        <div className="entry-goods" {...(runs && { 'data-months': '' })}>
          <div className="order-item order-item-head"><span>类型</span><span>商品</span><span>单价</span><span>数量</span>{runs && <span>月数</span>}<span className="order-item-sum">小计</span><span /></div>
          {rows.map(({ key, name }) => {
            const item = items[name] ?? {}
            const good = goodOf(item.kind)
            return (
              <div className="order-item" key={key}>
                <Form.Item name={[name, 'kind']}>
                  <Select aria-label={`第 ${name + 1} 项类型`} disabled={line.goods.length === 1} options={line.goods.map(({ kind, label }) => ({ value: kind, label }))}
                    onChange={(kind) => { form.setFieldValue([...PATH, name], { ...itemAt(name), kind, ref_id: null, price: null }); void fill(name, goodOf(kind), null) }} />
                </Form.Item>
                <Form.Item name={[name, 'ref_id']}><RecordInput good={good} ready={ready && name === 0} onPick={(refId) => void fill(name, good, refId)} /></Form.Item>
                <Form.Item name={[name, 'price']}><MoneyInput disabled={!free} /></Form.Item>
                <Form.Item name={[name, 'qty']}><InputNumber className="wide" min={1} max={100_000} precision={0} suffix={good?.unit} aria-label={`第 ${name + 1} 项数量`} onFocus={(event) => event.target.select()} /></Form.Item>
                {good?.months ? <Form.Item name={[name, 'months']}><InputNumber className="wide" min={1} max={120} precision={0} aria-label={`第 ${name + 1} 项月数`} /></Form.Item> : runs && <span />}
                <span className="order-item-sum figure">{formatMoney((item.price ?? 0) * (item.qty ?? 0))}</span>
                <Button type="text" icon={<DeleteOutlined />} aria-label={`移除第 ${name + 1} 项`} onClick={() => { remove(name); onChanged() }} />
                <Follows orders={orders} good={good} item={item} bizType={bizType} mobile={mobile} />
              </div>
            )
          })}
          <Form.ErrorList errors={errors} />
          {!free && <p className="note">单价为标价；没有标价的商品须由有「改价」权限的同事录单。</p>}
          <Button type="dashed" block icon={<PlusOutlined />} onClick={() => { add({ kind: first?.kind, qty: 1 }); void fill(rows.length, first, null) }}>添加商品</Button>
        </div>
      )}
    </Form.List>
  )
}

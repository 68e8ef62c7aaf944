import { DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import { Button, Form, InputNumber, Select, type FormInstance } from 'antd'
import { call } from '../../core/endpoint/call.tsx'
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

function RecordInput({ good, value, onChange, id }: { good: Good | undefined; value?: number | null; onChange?: (value: number | null) => void; id?: string }) {
  if (!good?.record) return <span className="note">{good ? `按${good.unit}计` : ''}</span>
  return <Picker target={good.record.target()} id={id} label={good.record.label} value={value ?? undefined} onChange={(next) => onChange?.(next)} />
}

/** The goods of an order that is being written down. What is sold brings its price along; a person who may change prices changes it. */
export function ItemsEditor({ line, orders, form, onChanged }: { line: OrderLine; orders: Resource; form: FormInstance; onChanged: () => void }) {
  const items = (Form.useWatch(PATH, form) as (Item | undefined)[] | undefined) ?? []
  const free = useRights(orders).has('reprice')
  const fill = async (index: number, kind: string, refId: number | null) => {
    if (refId === null && line.goods.find((good) => good.kind === kind)?.record) return
    // Only fills in what is usual: without it a person who may says the price, as with goods that have none.
    const known = await call(orderEndpoints(orders).describe, { kind, ...(refId !== null && { ref_id: String(refId) }) }, { quiet: true }).catch(() => undefined)
    const item = form.getFieldValue([...PATH, index]) as Item | undefined
    if (!known || item?.kind !== kind || (item.ref_id ?? null) !== refId) return
    form.setFieldValue([...PATH, index], { ...item, price: known.price ?? (free ? item.price : null) ?? null, months: known.months ?? item.months ?? null })
    onChanged()
  }
  const [first] = line.goods
  return (
    <Form.List name={PATH}>
      {(rows, { add, remove }, { errors }) => (
        <>
          <div className="order-item order-item-head"><span>类型</span><span>商品</span><span>单价</span><span>数量</span><span>月数</span><span className="order-item-sum">小计</span><span /></div>
          {rows.map(({ key, name }) => {
            const item = items[name] ?? {}
            const good = line.goods.find(({ kind }) => kind === item.kind)
            return (
              <div className="order-item" key={key}>
                <Form.Item name={[name, 'kind']}>
                  <Select aria-label={`第 ${name + 1} 项类型`} options={line.goods.map(({ kind, label }) => ({ value: kind, label }))} onChange={(kind) => { form.setFieldValue([...PATH, name, 'ref_id'], null); form.setFieldValue([...PATH, name, 'price'], null); void fill(name, kind, null) }} />
                </Form.Item>
                <Form.Item name={[name, 'ref_id']}><RecordInputWith good={good} onPick={(refId) => void fill(name, item.kind ?? '', refId)} /></Form.Item>
                <Form.Item name={[name, 'price']}><MoneyInput disabled={!free} /></Form.Item>
                <Form.Item name={[name, 'qty']}><InputNumber className="wide" min={1} max={100_000} precision={0} suffix={good?.unit} aria-label={`第 ${name + 1} 项数量`} /></Form.Item>
                <Form.Item name={[name, 'months']}><InputNumber className="wide" min={1} max={120} precision={0} disabled={!good?.months} placeholder={good?.months ? '' : '—'} aria-label={`第 ${name + 1} 项月数`} /></Form.Item>
                <span className="order-item-sum figure">{formatMoney((item.price ?? 0) * (item.qty ?? 0))}</span>
                <Button type="text" icon={<DeleteOutlined />} aria-label={`移除第 ${name + 1} 项`} onClick={() => remove(name)} />
              </div>
            )
          })}
          <Form.ErrorList errors={errors} />
          {!free && <p className="note">单价为标价；没有标价的商品须由有「改价」权限的同事录单。</p>}
          <Button type="dashed" block icon={<PlusOutlined />} onClick={() => { add({ kind: first?.kind, qty: 1 }); void fill(rows.length, first?.kind ?? '', null) }}>添加商品</Button>
        </>
      )}
    </Form.List>
  )
}

/** A record's picker that also tells what was picked. */
function RecordInputWith({ onPick, onChange, ...rest }: Parameters<typeof RecordInput>[0] & { onPick: (id: number | null) => void }) {
  return <RecordInput {...rest} onChange={(next) => { onChange?.(next); onPick(next) }} />
}

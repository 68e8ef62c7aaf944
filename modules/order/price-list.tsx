import { DeleteOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useId } from 'react'
import { Picker } from '../../core/field/reference.tsx'
import { MoneyInput } from './inputs.tsx'
import type { Good, OrderLine } from './line.ts'
import './order.css'

type Prices = Readonly<Record<string, number>>

interface Props {
  good: Good
  prices: Prices
  /** Null takes a price off the list. */
  onPrice: (key: string, price: number | null) => void
}

/** Prices of records that differ from that of their kind. */
function RecordPrices({ good, record, prices, onPrice }: Props & { record: NonNullable<Good['record']> }) {
  const keys = Object.keys(prices).filter((key) => key.startsWith(`${good.kind}:`))
  return (
    <>
      {keys.map((key) => (
        <div className="price-row" key={key}>
          <Picker target={record.target()} id={undefined} label={record.label} value={Number(key.split(':')[1])} onChange={() => undefined} disabled />
          <MoneyInput value={prices[key] ?? null} onChange={(price) => onPrice(key, typeof price === 'number' ? price : 0)} />
          <Button type="text" icon={<DeleteOutlined />} aria-label={`移除${record.label}的标价`} onClick={() => onPrice(key, null)} />
        </div>
      ))}
      <Picker target={record.target()} id={undefined} label={record.label} placeholder={`为某个${record.label}单独标价`} value={undefined}
        onChange={(id) => { if (id) onPrice(`${good.kind}:${id}`, prices[good.kind] ?? 0) }} />
    </>
  )
}

function GoodPrices({ good, prices, onPrice }: Props) {
  const id = useId()
  return (
    <div className="price-good">
      <label htmlFor={id}>{good.label}（每{good.months ? '月' : good.unit}）</label>
      <MoneyInput id={id} value={prices[good.kind] ?? null} onChange={(price) => onPrice(good.kind, typeof price === 'number' ? price : null)} />
      {good.record && <RecordPrices good={good} record={good.record} prices={prices} onPrice={onPrice} />}
    </div>
  )
}

/** List prices of what a line sells and what has none of its own. The form adds value and onChange. */
export function PriceList({ line, value = {}, onChange }: { line: OrderLine; value?: Prices; onChange?: (prices: Prices) => void }) {
  const set = (key: string, price: number | null) => onChange?.(Object.fromEntries([...Object.entries(value).filter(([known]) => known !== key || price !== null), ...(price === null ? [] : [[key, price] as const])]))
  const goods = line.goods.filter(({ record }) => !record?.priced)
  if (goods.length === 0) return <p className="note">商品自有售价，以售价为准。</p>
  return <div className="price-list">{goods.map((good) => <GoodPrices key={good.kind} good={good} prices={value} onPrice={set} />)}</div>
}

import { Button, Input, InputNumber, Select } from 'antd'
import { formatMoney } from '../../core/field/number.ts'
import { NONE } from '../../core/field/view.tsx'
import { SEAT_KINDS, type PriceRule, type SeatKind } from './price-rule.ts'
import { DEVICE_KINDS, type Device } from './room.ts'
import './room.css'

interface Props<Item> {
  value?: Item[] | null
  onChange?: (value: Item[]) => void
}

const PRICES = [['hour', '每小时'], ['day', '每天封顶'], ['week', '每周'], ['month', '每月']] as const

/** Prices of each kind of seat; typed in yuan, kept in fen. */
export function PriceRulesInput({ value, onChange }: Props<PriceRule>) {
  const rules = value ?? []
  const free = SEAT_KINDS.filter((kind) => !rules.some((rule) => rule.kind === kind.value))
  const set = (at: number, part: Partial<PriceRule>) => onChange?.(rules.map((rule, index) => (index === at ? { ...rule, ...part } : rule)))
  return (
    <div>
      {rules.map((rule, at) => {
        const name = SEAT_KINDS.find((kind) => kind.value === rule.kind)?.label ?? ''
        return (
          <div className="rule-row" key={rule.kind}>
            <div className="rule-part"><span>座位</span>
              <Select<SeatKind> value={rule.kind} aria-label="座位类型" onChange={(kind) => set(at, { kind })} options={SEAT_KINDS.filter((kind) => kind.value === rule.kind || free.includes(kind)).map(({ value: one, label }) => ({ value: one, label }))} />
            </div>
            {PRICES.map(([key, label]) => (
              <div className="rule-part" key={key}><span>{label}</span>
                <InputNumber className="wide" aria-label={`${name}${label}`} prefix="¥" min={0} max={99_999.99} precision={2} value={typeof rule[key] === 'number' ? rule[key] / 100 : null}
                  onChange={(next) => set(at, { [key]: next === null ? (key === 'hour' ? 0 : null) : Math.round(next * 100) })} />
              </div>
            ))}
            <div className="rule-part"><span>扣卡倍率</span>
              <InputNumber className="wide" aria-label={`${name}扣卡倍率`} min={0.5} max={10} step={0.5} value={rule.rate ?? 1} onChange={(next) => set(at, { rate: next ?? 1 })} />
            </div>
            <Button onClick={() => onChange?.(rules.filter((_rule, index) => index !== at))}>移除</Button>
          </div>
        )
      })}
      {free[0] && <Button onClick={() => onChange?.([...rules, { kind: free[0]?.value ?? 1, hour: 0, rate: 1 }])}>添加价格</Button>}
    </div>
  )
}

export function PriceRulesCell({ value }: { value: PriceRule[] | null }) {
  const rules = value ?? []
  if (rules.length === 0) return NONE
  const text = rules.map((rule) => `${SEAT_KINDS.find((kind) => kind.value === rule.kind)?.label ?? ''} ${formatMoney(rule.hour)}/时`).join('，')
  return <span title={text}>{text}</span>
}

/** Things in the room that can be switched or watched. */
export function DevicesInput({ value, onChange }: Props<Device>) {
  const devices = value ?? []
  const set = (at: number, part: Partial<Device>) => onChange?.(devices.map((device, index) => (index === at ? { ...device, ...part } : device)))
  return (
    <div>
      {devices.map((device, at) => (
        <div className="rule-row" key={at}>
          <div className="rule-part"><span>设备</span>
            <Select value={device.kind} aria-label={`第 ${at + 1} 台设备的类型`} onChange={(kind) => set(at, { kind })} options={DEVICE_KINDS.map(({ value: one, label }) => ({ value: one, label }))} />
          </div>
          <div className="rule-part"><span>名称</span>
            <Input value={device.name} maxLength={30} aria-label={`第 ${at + 1} 台设备的名称`} onChange={(event) => set(at, { name: event.target.value })} />
          </div>
          <div className="rule-part"><span>编号</span>
            <Input value={device.sn ?? ''} maxLength={40} aria-label={`第 ${at + 1} 台设备的编号`} onChange={(event) => set(at, { sn: event.target.value })} />
          </div>
          <Button onClick={() => onChange?.(devices.filter((_device, index) => index !== at))}>移除</Button>
        </div>
      ))}
      <Button onClick={() => onChange?.([...devices, { kind: 'door', name: '' }])}>添加设备</Button>
    </div>
  )
}

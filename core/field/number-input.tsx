import { InputNumber, Space } from 'antd'
import { toFen, type NumberField } from './number.ts'
import type { FilterProps, InputProps } from './view.tsx'

const asNumber = (value: unknown) => (typeof value === 'number' ? value : null)

/** Takes a number as it is kept. */
export function NumberInput({ field, value, onChange, id, disabled }: InputProps<NumberField>) {
  return (
    <InputNumber id={id} className="wide" value={asNumber(value)} min={field.min} max={field.max} precision={field.digits}
      onChange={(next) => onChange?.(next)} disabled={disabled} suffix={field.unit || undefined} />
  )
}

/** Typed in yuan, kept in fen. */
export function MoneyInput({ field, value, onChange, id, disabled }: InputProps<NumberField>) {
  const fen = asNumber(value)
  return (
    <InputNumber id={id} className="wide" value={fen === null ? null : fen / 100} min={field.min / 100} max={field.max / 100} precision={2} prefix="¥"
      onChange={(next) => onChange?.(next === null ? null : toFen(next))} disabled={disabled} />
  )
}

/** Two bounds of a range; `scale` turns what is typed into what the URL says. */
export function RangeFilter({ field, values, onChange, id, scale }: FilterProps<NumberField> & { scale: number }) {
  const at = (index: number) => (values[index] ? Number(values[index]) / scale : null)
  const set = (index: number, next: number | null) => {
    const both = [values[0] ?? '', values[1] ?? '']
    both[index] = next === null ? '' : String(Math.round(next * scale))
    onChange(both)
  }
  return (
    <Space.Compact className="wide">
      <InputNumber id={id} className="wide" placeholder={`${field.label} 从`} aria-label={`${field.label}下限`} value={at(0)} onChange={(next) => set(0, next)} />
      <InputNumber className="wide" placeholder="到" aria-label={`${field.label}上限`} value={at(1)} onChange={(next) => set(1, next)} />
    </Space.Compact>
  )
}

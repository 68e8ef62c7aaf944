import { Input } from 'antd'
import type { MobileField } from './mobile.ts'
import { NONE, type CellProps, type FieldView, type FilterProps, type InputProps } from './view.tsx'

function Cell({ value }: CellProps<MobileField>) {
  return typeof value === 'string' ? <span className="figure">{value}</span> : NONE
}

const asText = (value: unknown) => (typeof value === 'string' ? value : '')

function MobileInput({ value, onChange, id, disabled }: InputProps<MobileField>) {
  return <Input id={id} inputMode="tel" value={asText(value)} onChange={(event) => onChange?.(event.target.value)} disabled={disabled} autoComplete="off" placeholder="11 位手机号" />
}

/** Only a whole number finds somebody: a part of a hidden number must not be guessed digit by digit. */
function Filter({ field, values, onChange, id }: FilterProps<MobileField>) {
  return <Input id={id} allowClear inputMode="tel" value={values[0] ?? ''} placeholder={`${field.label}（完整号码）`} onChange={(event) => onChange(event.target.value ? [event.target.value] : [])} />
}

export const mobileView: FieldView<MobileField> = { Cell, Input: MobileInput, Filter }

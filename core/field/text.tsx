import { Input } from 'antd'
import type { TextField } from './text.ts'
import { NONE, type CellProps, type FieldView, type FilterProps, type InputProps } from './view.tsx'

function Cell({ value }: CellProps<TextField>) {
  if (typeof value !== 'string' || value === '') return NONE
  return <span title={value}>{value}</span>
}

const asText = (value: unknown) => (typeof value === 'string' ? value : '')

function LineInput({ field, value, onChange, id, disabled }: InputProps<TextField>) {
  return <Input id={id} value={asText(value)} onChange={(event) => onChange?.(event.target.value)} maxLength={field.max} showCount={field.max <= 100} disabled={disabled} autoComplete="off" />
}

function CellInput({ field, value, onChange, id }: InputProps<TextField>) {
  return <Input id={id} size="small" aria-label={field.label} value={asText(value)} onChange={(event) => onChange?.(event.target.value)} maxLength={field.max} autoComplete="off" />
}

function AreaInput({ field, value, onChange, id, disabled }: InputProps<TextField>) {
  return <Input.TextArea id={id} value={asText(value)} onChange={(event) => onChange?.(event.target.value)} maxLength={field.max} showCount autoSize={{ minRows: 2, maxRows: 8 }} disabled={disabled} />
}

function Filter({ field, values, onChange, id }: FilterProps<TextField>) {
  return <Input id={id} allowClear value={values[0] ?? ''} placeholder={field.label} onChange={(event) => onChange(event.target.value ? [event.target.value] : [])} />
}

export const textView: FieldView<TextField> = { Cell, Input: LineInput, inCell: { Input: CellInput }, Filter }
export const longTextView: FieldView<TextField> = { Cell, Input: AreaInput, Filter }

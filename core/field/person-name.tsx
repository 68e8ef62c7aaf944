import { Input } from 'antd'
import type { PersonNameField } from './person-name.ts'
import { NONE, type CellProps, type FieldView, type FilterProps, type InputProps } from './view.tsx'

function Cell({ value }: CellProps<PersonNameField>) {
  return typeof value === 'string' && value !== '' ? <span title={value}>{value}</span> : NONE
}

function NameInput({ field, value, onChange, id, disabled }: InputProps<PersonNameField>) {
  return <Input id={id} value={typeof value === 'string' ? value : ''} onChange={(event) => onChange?.(event.target.value)} maxLength={field.max} showCount disabled={disabled} autoComplete="off" />
}

/** Only a whole name finds somebody: what is hidden must not be guessed piece by piece. */
function Filter({ field, values, onChange, id }: FilterProps<PersonNameField>) {
  return <Input id={id} allowClear value={values[0] ?? ''} placeholder={`${field.label}（完整姓名）`} onChange={(event) => onChange(event.target.value ? [event.target.value] : [])} />
}

export const personNameView: FieldView<PersonNameField> = { Cell, Input: NameInput, Filter }

import { Radio, Select, Switch, Tag } from 'antd'
import type { AnyField } from './any-field.ts'
import { choiceLabel, choicesOf, type ChoiceField, type MultiChoiceField, type ToggleField } from './choice.ts'
import './choice.css'
import { NONE, type CellProps, type FieldView, type FilterProps, type FilterWordsProps, type InputProps } from './view.tsx'

const optionsOf = (field: Pick<ChoiceField | MultiChoiceField, 'choices'>) => field.choices.map(({ value, label }) => ({ value, label }))

/** A state as a dot and a word; a choice without a tone is a word alone. */
export function StateWord({ choices, value }: { choices: ChoiceField['choices']; value: unknown }) {
  const tone = choices.find((choice) => choice.value === value)?.tone
  const label = choiceLabel(choices, value)
  return tone ? <span className="state" data-tone={tone}>{label}</span> : <span>{label}</span>
}

function Cell({ field, value }: CellProps<ChoiceField>) {
  return value === null || value === undefined ? NONE : <StateWord choices={field.choices} value={value} />
}

function ChoiceInput({ field, value, onChange, id, disabled }: InputProps<ChoiceField>) {
  const offered = { choices: field.choices.filter((choice) => !choice.past || choice.value === value) }
  if (offered.choices.length <= 4) {
    return <Radio.Group id={id} value={value} onChange={(event) => onChange?.(event.target.value)} disabled={disabled} options={optionsOf(offered)} />
  }
  return (
    <Select id={id} value={value} onChange={(next: unknown) => onChange?.(next ?? null)} disabled={disabled} allowClear={!field.required}
      showSearch={{ optionFilterProp: 'label' }} options={optionsOf(offered)} placeholder={`请选择${field.label}`} />
  )
}

function ChoiceInCell({ field, value, onChange, id }: InputProps<ChoiceField>) {
  return (
    <Select id={id} size="small" className="wide" defaultOpen aria-label={field.label} value={value} onChange={(next: unknown) => onChange?.(next ?? null)} allowClear={!field.required}
      showSearch={{ optionFilterProp: 'label' }} popupMatchSelectWidth={false} options={optionsOf({ choices: field.choices.filter((choice) => !choice.past || choice.value === value) })} />
  )
}

/** The URL holds text; the field knows whether it means a number. */
function fromText(field: Pick<ChoiceField, 'choices'>, values: readonly string[]) {
  return values.flatMap((text) => field.choices.find((choice) => String(choice.value) === text)?.value ?? [])
}

function Filter({ field, values, onChange, id }: FilterProps<ChoiceField> | FilterProps<MultiChoiceField>) {
  return (
    <Select id={id} className="wide" mode="multiple" maxTagCount="responsive" allowClear value={fromText(field, values)} placeholder="全部"
      showSearch={{ optionFilterProp: 'label' }} onChange={(next) => onChange(next.map(String))} options={optionsOf(field)} />
  )
}

function MultiCell({ field, value }: CellProps<MultiChoiceField>) {
  if (!Array.isArray(value) || value.length === 0) return NONE
  return <>{value.map((item) => <Tag key={String(item)}>{choiceLabel(field.choices, item)}</Tag>)}</>
}

function MultiInput({ field, value, onChange, id, disabled }: InputProps<MultiChoiceField>) {
  return (
    <Select id={id} mode="multiple" value={Array.isArray(value) ? value : []} onChange={(next: unknown) => onChange?.(next)} disabled={disabled}
      showSearch={{ optionFilterProp: 'label' }} options={optionsOf(field)} placeholder={`请选择${field.label}`} />
  )
}

const toggleChoices = (field: ToggleField) => ({ choices: choicesOf(field) ?? [] })

const Words = ({ field, values }: FilterWordsProps<AnyField>) => {
  const choices = 'choices' in field ? field.choices : choicesOf(field) ?? []
  return values.map((text) => choices.find(({ value }) => String(value) === text)?.label ?? text).join('、')
}

function ToggleCell({ field, value }: CellProps<ToggleField>) {
  return value === null || value === undefined ? NONE : <StateWord choices={toggleChoices(field).choices} value={value} />
}

function ToggleInput({ field, value, onChange, id, disabled }: InputProps<ToggleField>) {
  return <Switch id={id} checked={value === 1} onChange={(on) => onChange?.(on ? 1 : 0)} checkedChildren={field.on} unCheckedChildren={field.off} disabled={disabled} />
}

function ToggleFilter({ field, values, onChange, id }: FilterProps<ToggleField>) {
  return (
    <Select id={id} className="wide" allowClear value={values[0] === undefined ? null : Number(values[0])} placeholder="全部"
      onChange={(next?: number) => onChange(next === undefined ? [] : [String(next)])} options={toggleChoices(field).choices.map(({ value, label }) => ({ value, label }))} />
  )
}

export const choiceView: FieldView<ChoiceField> = { Cell, Input: ChoiceInput, inCell: { Input: ChoiceInCell, picked: true }, Filter, FilterWords: Words }
export const multiChoiceView: FieldView<MultiChoiceField> = { Cell: MultiCell, Input: MultiInput, Filter, FilterWords: Words }
export const toggleView: FieldView<ToggleField> = { Cell: ToggleCell, Input: ToggleInput, Filter: ToggleFilter, FilterWords: Words }

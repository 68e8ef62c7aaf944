import { Input, Select, Tag } from 'antd'
import { useState } from 'react'
import type { ComputedField, JsonField, TagsField } from './json.ts'
import { formatMoney } from './number.ts'
import { formatTime } from './time.ts'
import { NONE, type CellProps, type FieldView, type FilterProps, type InputProps } from './view.tsx'

const asNumber = (show: (value: number) => string) => (value: unknown) => (typeof value === 'number' ? show(value) : String(value))
const shown: Record<ComputedField['as'], (value: unknown) => string> = {
  text: String,
  number: asNumber((value) => value.toLocaleString('zh-CN')),
  money: asNumber(formatMoney),
  time: asNumber((value) => formatTime(value).slice(0, 16)),
  percent: asNumber((value) => `${(value * 100).toFixed(1)}%`),
}

function ComputedCell({ field, value }: CellProps<ComputedField>) {
  return value === null || value === undefined ? NONE : <span className="figure">{shown[field.as](value)}</span>
}

function JsonCell({ value }: CellProps<JsonField>) {
  if (value === null || value === undefined) return NONE
  return <span>{Array.isArray(value) ? `${value.length} 项` : '已设置'}</span>
}

/** For structures without an editor of their own: the text, checked while typing. */
function JsonInput({ value, onChange, id, disabled }: InputProps<JsonField>) {
  const [text, setText] = useState(() => (value === null || value === undefined ? '' : JSON.stringify(value, null, 2)))
  return (
    <Input.TextArea id={id} value={text} disabled={disabled} autoSize={{ minRows: 3, maxRows: 16 }} onChange={(event) => {
      setText(event.target.value)
      try {
        onChange?.(event.target.value === '' ? null : JSON.parse(event.target.value))
      } catch {
        onChange?.(event.target.value)
      }
    }} />
  )
}

function TagsCell({ value }: CellProps<TagsField>) {
  if (!Array.isArray(value) || value.length === 0) return NONE
  return <span title={value.join('、')}>{value.slice(0, 3).map((tag) => <Tag key={String(tag)}>{String(tag)}</Tag>)}{value.length > 3 && `等 ${value.length} 个`}</span>
}

function TagsInput({ field, value, onChange, id, disabled }: InputProps<TagsField>) {
  return <Select id={id} mode="tags" value={Array.isArray(value) ? value : []} onChange={(next: unknown) => onChange?.(next)} disabled={disabled} tokenSeparators={[',', '，', '、']} open={false} suffixIcon={null} placeholder={`输入${field.label}后回车`} />
}

function TagsFilter({ field, values, onChange, id }: FilterProps<TagsField>) {
  return <Select id={id} className="wide" mode="tags" value={[...values]} onChange={onChange} open={false} suffixIcon={null} placeholder={field.label} />
}

export const computedView: FieldView<ComputedField> = { Cell: ComputedCell, Input: () => null, align: ({ as }) => (as === 'text' || as === 'time' ? undefined : 'right') }
export const jsonView: FieldView<JsonField> = { Cell: JsonCell, Input: JsonInput }
export const tagsView: FieldView<TagsField> = { Cell: TagsCell, Input: TagsInput, Filter: TagsFilter }

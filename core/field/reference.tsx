import { useQuery } from '@tanstack/react-query'
import { Select, Tag } from 'antd'
import { useDeferredValue, useEffect, useRef, useState, type ComponentRef } from 'react'
import { request } from '../endpoint/call.tsx'
import { displayKey, type ReferenceField, type ReferenceListField, type Target } from './reference.ts'
import { NONE, type CellProps, type FieldView, type FilterProps, type FilterWordsProps, type InputProps } from './view.tsx'

interface Option {
  id: number
  name: string
}

/** Records to pick from: those that match what is typed, and those that are chosen already. */
function useOptions(target: Target, keyword: string, chosen: readonly number[], narrow: Readonly<Record<string, unknown>>, open: boolean) {
  const found = useQuery({
    queryKey: ['options', target.name, keyword, narrow],
    queryFn: ({ signal }) => request<{ items: Option[] }>('GET', target.optionsPath, { keyword, ...narrow }, { signal }),
    enabled: open,
    staleTime: 30_000,
  })
  const named = useQuery({
    queryKey: ['options', target.name, 'ids', chosen],
    queryFn: ({ signal }) => request<{ items: Option[] }>('GET', target.optionsPath, { ids: chosen }, { signal }),
    enabled: chosen.length > 0,
    staleTime: 300_000,
  })
  const items = new Map([...(named.data?.items ?? []), ...(found.data?.items ?? [])].map((item) => [item.id, item]))
  return { options: [...items.values()].map(({ id, name }) => ({ value: id, label: name })), loading: found.isFetching }
}

interface PickerProps {
  target: Target
  id: string | undefined
  label: string
  narrow?: Readonly<Record<string, unknown>>
  disabled?: boolean | undefined
  placeholder?: string
  /** It is its turn: it gets the focus and shows what there is. */
  ready?: boolean | undefined
}

/** Picks one record of a resource. */
export function Picker({ target, id, label, narrow = {}, disabled, placeholder = `请选择${label}`, ready = false, value, onChange }: PickerProps & { value: number | undefined; onChange: (value: number | null) => void }) {
  const [keyword, setKeyword] = useState('')
  const [open, setOpen] = useState(false)
  const { options, loading } = useOptions(target, useDeferredValue(keyword), value ? [value] : [], narrow, open)
  const select = useRef<ComponentRef<typeof Select>>(null)
  useEffect(() => {
    if (!ready) return
    select.current?.focus()
    // What is open is shown in its own time, and is the person's to close.
    // oxlint-disable-next-line react/set-state-in-effect
    setOpen(true)
  }, [ready])
  return (
    <Select<number> ref={select} open={open} id={id} {...(id === undefined && { 'aria-label': placeholder })} className="wide" {...(value !== undefined && { value })} options={options} loading={loading} disabled={disabled} allowClear placeholder={placeholder}
      showSearch={{ filterOption: false, onSearch: setKeyword }} onOpenChange={setOpen} notFoundContent={loading ? '加载中…' : '没有匹配的记录'}
      onChange={(next?: number) => onChange(next ?? null)} />
  )
}

/** Picks several records of a resource. */
export function MultiPicker({ target, id, label, narrow = {}, disabled, placeholder = `请选择${label}`, value, onChange }: PickerProps & { value: readonly number[]; onChange: (value: number[]) => void }) {
  const [keyword, setKeyword] = useState('')
  const [open, setOpen] = useState(false)
  const { options, loading } = useOptions(target, useDeferredValue(keyword), value, narrow, open)
  return (
    <Select<number[]> id={id} className="wide" mode="multiple" maxTagCount="responsive" value={[...value]} options={options} loading={loading} disabled={disabled} allowClear placeholder={placeholder}
      showSearch={{ filterOption: false, onSearch: setKeyword }} onOpenChange={setOpen} notFoundContent={loading ? '加载中…' : '没有匹配的记录'} onChange={onChange} />
  )
}

const narrowBy = (field: ReferenceField | ReferenceListField, values: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(field.within).flatMap(([own, filter]) => (own in values ? [[filter, values[own]]] : [])))

/** A form that narrows by a field which is still empty asks for that first. */
const waitsFor = (field: ReferenceField | ReferenceListField, values: Readonly<Record<string, unknown>>) =>
  Object.keys(field.within).some((own) => values[own] === undefined || values[own] === null)

function Cell({ name, row }: CellProps<ReferenceField>) {
  const text = row[displayKey(name)]
  return typeof text === 'string' ? <span title={text}>{text}</span> : NONE
}

function One({ field, values, value, onChange, id, disabled, ready }: InputProps<ReferenceField>) {
  return (
    <Picker target={field.target()} id={id} label={field.label} narrow={narrowBy(field, values)} disabled={disabled || waitsFor(field, values)} ready={ready}
      value={typeof value === 'number' ? value : undefined} onChange={(next) => onChange?.(next)} />
  )
}

const toIds = (values: readonly string[]) => values.map(Number).filter(Number.isSafeInteger)

function Filter({ field, values, fixed = {}, onChange, id }: FilterProps<ReferenceField> | FilterProps<ReferenceListField>) {
  return <MultiPicker target={field.target()} id={id} label={field.label} narrow={narrowBy(field, fixed)} placeholder="全部" value={toIds(values)} onChange={(next) => onChange(next.map(String))} />
}

function Words({ field, values }: FilterWordsProps<ReferenceField> | FilterWordsProps<ReferenceListField>) {
  const chosen = toIds(values)
  const { options } = useOptions(field.target(), '', chosen, {}, false)
  return chosen.map((id) => options.find(({ value }) => value === id)?.label ?? '…').join('、')
}

function ListCell({ name, row }: CellProps<ReferenceListField>) {
  const names = row[displayKey(name)]
  if (!Array.isArray(names) || names.length === 0) return NONE
  return <span title={names.join('、')}>{names.slice(0, 2).map((text, index) => <Tag key={`${index} ${String(text)}`}>{String(text)}</Tag>)}{names.length > 2 && `等 ${names.length} 项`}</span>
}

function Many({ field, values, value, onChange, id, disabled }: InputProps<ReferenceListField>) {
  return (
    <MultiPicker target={field.target()} id={id} label={field.label} narrow={narrowBy(field, values)} disabled={disabled || waitsFor(field, values)}
      value={Array.isArray(value) ? value : []} onChange={(next) => onChange?.(next)} />
  )
}

export const referenceView: FieldView<ReferenceField> = { Cell, Input: One, Filter, FilterWords: Words }
export const referenceListView: FieldView<ReferenceListField> = { Cell: ListCell, Input: Many, Filter, FilterWords: Words }

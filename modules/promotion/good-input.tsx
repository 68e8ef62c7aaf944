import { useQuery } from '@tanstack/react-query'
import { Select } from 'antd'
import { useDeferredValue, useState } from 'react'
import { call } from '../../core/endpoint/call.tsx'
import { formatMoney } from '../../core/field/number.ts'
import { offeredGoods, type OfferedGood } from './calls.ts'
import { goodKey, type Good } from './good.ts'

/** What goods that were chosen cost now, by their keys. */
export function usePrices(goods: readonly Good[]): ReadonlyMap<string, OfferedGood> {
  const keys = [...new Set(goods.map(goodKey))].toSorted().join(',')
  const { data } = useQuery({ queryKey: ['promotion-goods', 'keys', keys], queryFn: ({ signal }) => call(offeredGoods, { q: '', keys }, { signal, quiet: true }), enabled: keys !== '', staleTime: 60_000 })
  return new Map((data?.items ?? []).map((good) => [goodKey(good), good]))
}

/** Chooses goods of whatever line by words of their name. */
export function GoodPicker({ id, value, onChange, label = '商品', disabled = false }: { id?: string | undefined; value: Good | null | undefined; onChange: (good: Good | null) => void; label?: string; disabled?: boolean }) {
  const [words, setWords] = useState('')
  const [open, setOpen] = useState(false)
  const q = useDeferredValue(words)
  const { data, isFetching } = useQuery({ queryKey: ['promotion-goods', q], queryFn: ({ signal }) => call(offeredGoods, { q }, { signal, quiet: true }), enabled: open, staleTime: 30_000 })
  const found = data?.items ?? []
  const options = [
    ...found.map((good) => ({ value: goodKey(good), label: `${good.name}（${good.group}）${formatMoney(good.price)}` })),
    ...(value && !found.some((one) => goodKey(one) === goodKey(value)) ? [{ value: goodKey(value), label: value.name }] : []),
  ]
  return (
    <Select<string> id={id} {...(id === undefined && { 'aria-label': label })} className="wide" value={value ? goodKey(value) : null} options={options} loading={isFetching} disabled={disabled} allowClear placeholder="搜索课程、图书、课时" onOpenChange={setOpen}
      showSearch={{ filterOption: false, onSearch: setWords }} notFoundContent={isFetching ? '加载中…' : '没有在售的商品'}
      onChange={(key?: string) => {
        const good = found.find((one) => goodKey(one) === key)
        onChange(good ? { line: good.line, kind: good.kind, ref_id: good.ref_id ?? null, name: good.name } : key === undefined ? null : value ?? null)
      }} />
  )
}

/** Goods in a form. */
export function GoodInput({ id, value, onChange }: { id?: string; value?: Good | null; onChange?: (good: Good | null) => void }) {
  const prices = usePrices(value ? [value] : [])
  const known = value && prices.get(goodKey(value))
  return (
    <>
      <GoodPicker id={id} value={value} onChange={(good) => onChange?.(good)} />
      {known && <p className="note">现价 {formatMoney(known.price)}{known.floor > 0 && `，底价 ${formatMoney(known.floor)}`}</p>}
    </>
  )
}

import { useQuery } from '@tanstack/react-query'
import { Button, Input, Segmented, Select } from 'antd'
import { useDeferredValue, useState } from 'react'
import { call } from '../../../core/endpoint/call.tsx'
import type { BlockTarget } from '../../outline/module.ts'
import { findSpotTargets } from '../calls.ts'
import { LAYERS, SPOT_KINDS, type Hotspot } from '../hotspot.ts'

type Kind = NonNullable<Hotspot['kind']>

interface Props {
  readonly bookId: number
  readonly spot: Hotspot
  readonly bound: BlockTarget | undefined
  readonly editable: boolean
  readonly onChange: (spot: Hotspot, brought?: BlockTarget) => void
  readonly onRemove: () => void
  readonly onNext: () => void
}

const wordsOf = ({ id, name, note }: BlockTarget) => [String(id), name, note].filter(Boolean).join(' · ')

/** What the chosen place is: its number as printed, its layer, what it leads to. */
export function SpotPanel({ bookId, spot, bound, editable, onChange, onRemove, onNext }: Props) {
  const [kind, setKind] = useState<Kind>(spot.kind ?? (spot.layer === 3 ? 'micro' : spot.layer === 4 ? 'audio' : 'practice'))
  const [words, setWords] = useState('')
  const keyword = useDeferredValue(words.trim())
  const { data, isFetching } = useQuery({
    queryKey: ['spot-targets', bookId, kind, keyword], enabled: editable, staleTime: 30_000,
    queryFn: ({ signal }) => call(findSpotTargets, { kind, book_id: String(bookId), ...(keyword !== '' && { keyword }) }, { signal, quiet: true }),
  })
  const items = data?.items ?? []
  const shown = spot.kind === kind && bound && !items.some(({ id }) => id === bound.id) ? [bound, ...items] : items
  return (
    <section className="spot-panel" aria-label="热区">
      <Segmented block size="small" aria-label="图层" disabled={!editable} value={spot.layer} onChange={(layer) => onChange({ ...spot, layer })} options={LAYERS.map(({ value, label }) => ({ value, label }))} />
      <Input aria-label="题号" prefix="题号" maxLength={20} disabled={!editable} value={spot.no} onChange={(event) => onChange({ ...spot, no: event.target.value })} onPressEnter={onNext} />
      <Segmented<Kind> block size="small" aria-label="内容类型" disabled={!editable} value={kind} onChange={setKind} options={SPOT_KINDS.map(({ value, label }) => ({ value, label }))} />
      <Select aria-label="绑定的内容" allowClear disabled={!editable} showSearch={{ filterOption: false, onSearch: setWords }} loading={isFetching} placeholder="名称、题号或编号" notFoundContent={isFetching ? '正在查找…' : '没有匹配的内容'}
        value={spot.kind === kind ? spot.ref_id : null} options={shown.map((target) => ({ value: target.id, label: wordsOf(target) }))}
        onChange={(id: number | null | undefined) => onChange({ ...spot, kind: id ? kind : null, ref_id: id ?? null }, shown.find((target) => target.id === id))} />
      {spot.ref_id !== null && spot.kind !== kind && <p className="note">现在绑定的是{SPOT_KINDS.find(({ value }) => value === spot.kind)?.label}「{bound?.name ?? '已被删除'}」</p>}
      {editable && <p className="spot-panel-line"><Button size="small" onClick={onNext}>下一个未绑定（N）</Button><Button size="small" danger onClick={onRemove}>删除热区</Button></p>}
    </section>
  )
}

import { PlusOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Checkbox, Empty, Input, Segmented, Skeleton } from 'antd'
import { useDeferredValue, useState } from 'react'
import { call } from '../../../core/endpoint/call.tsx'
import type { BlockTarget } from '../../outline/module.ts'
import { findContent } from '../calls.ts'
import type { CombinationItem } from '../items.ts'
import { dragContent } from './drag.ts'
import { targetKey, type CombinationEditing } from './use-combination.tsx'

type Kind = CombinationItem['kind']

/** Where content is taken from: kind by kind, found by words or number, dragged or added behind what is chosen. */
export function SourcePane({ editing, onAdd, onText }: { editing: CombinationEditing; onAdd: (target: BlockTarget) => void; onText: () => void }) {
  const { content: { row, kinds }, items } = editing
  const offered = kinds.filter(({ refers }) => refers)
  const [kind, setKind] = useState<Kind>((offered[0]?.kind ?? 'video') as Kind)
  const [words, setWords] = useState('')
  const [within, setWithin] = useState(true)
  const keyword = useDeferredValue(words.trim())
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['combination-targets', row.id, kind, keyword, within], staleTime: 30_000,
    queryFn: ({ signal }) => call(findContent, { kind, ...(keyword !== '' && { keyword }), ...(within && { subject: '1' as const }) }, { params: { id: row.id }, signal, quiet: true }),
  })
  const used = new Set(items.map((item) => targetKey(item.kind, item.ref_id)))
  const label = offered.find((one) => one.kind === kind)?.label ?? '内容'
  return (
    <section className="combination-source" aria-label="添加内容">
      <Segmented<Kind> block size="small" aria-label="内容类型" value={kind} onChange={setKind} options={offered.map((one) => ({ value: one.kind as Kind, label: one.label }))} />
      <Input.Search allowClear placeholder={`${label}名称或编号`} aria-label={`查找${label}`} maxLength={60} value={words} onChange={(event) => setWords(event.target.value)} />
      <p className="combination-source-line">
        <Checkbox checked={within} onChange={(event) => setWithin(event.target.checked)}>只看{row.subject_name ?? '本学科'}</Checkbox>
        <Button size="small" type="link" icon={<PlusOutlined />} onClick={onText}>写一段文字</Button>
      </p>
      {error && <Alert type="error" showIcon title={error.message} action={<Button size="small" onClick={() => void refetch()}>重试</Button>} />}
      {isPending && <Skeleton active />}
      {data && (
        <ul className="combination-targets">
          {data.items.map((target) => (
            <li key={target.id}>
              <button type="button" draggable onDragStart={({ dataTransfer }) => dragContent(dataTransfer, target)} onClick={() => onAdd(target)} title="点击添加，或拖到左侧">
                {target.cover && <img src={target.cover} alt="" loading="lazy" />}
                <span><b>{target.name}</b><small>{[String(target.id), target.note, ...(target.minutes > 0 ? [`${target.minutes} 分钟`] : [])].filter(Boolean).join(' · ')}</small></span>
                {used.has(targetKey(kind, target.id)) && <em>已添加</em>}
              </button>
            </li>
          ))}
          {data.items.length === 0 && <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={keyword === '' ? `还没有可以添加的${label}` : `没有匹配的${label}`} />}
        </ul>
      )}
    </section>
  )
}

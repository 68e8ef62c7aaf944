import { useQuery } from '@tanstack/react-query'
import { Alert, Empty, Input, Modal, Skeleton, type InputRef } from 'antd'
import { useDeferredValue, useRef, useState } from 'react'
import { call } from '../../../core/endpoint/call.tsx'
import { findTargets, type BlockTarget, type OfferedKind } from '../calls.ts'
import { targetKey } from './use-outline.tsx'

interface Props {
  outlineId: number
  kind: OfferedKind
  /** Whether one takes the place of another. */
  single: boolean
  title: string
  onPick: (targets: readonly BlockTarget[]) => void
  onClose: () => void
}

/** Chooses content: found by words or number, several at once unless one takes the place of another. */
export function PickDialog({ outlineId, kind, single, title, onPick, onClose }: Props) {
  const search = useRef<InputRef>(null)
  const [words, setWords] = useState('')
  const [chosen, setChosen] = useState<readonly BlockTarget[]>([])
  const keyword = useDeferredValue(words.trim())
  const { data, error, isPending } = useQuery({
    queryKey: ['outline-targets', outlineId, kind.kind, keyword], staleTime: 30_000,
    queryFn: ({ signal }) => call(findTargets, { kind: kind.kind, ...(keyword !== '' && { keyword }) }, { params: { id: outlineId }, signal, quiet: true }),
  })
  const toggle = (target: BlockTarget) => {
    if (single) return onPick([target])
    setChosen(chosen.some(({ id }) => id === target.id) ? chosen.filter(({ id }) => id !== target.id) : [...chosen, target])
  }
  return (
    <Modal open title={title} afterOpenChange={(shown) => shown && search.current?.focus()} onCancel={onClose} onOk={() => onPick(chosen)} okText={`放入 ${chosen.length} 个`} okButtonProps={{ disabled: chosen.length === 0 }} {...(single && { footer: null })}>
      <Input.Search ref={search} allowClear placeholder={`${kind.label}名称或编号`} aria-label={`查找${kind.label}`} maxLength={60} value={words} onChange={(event) => setWords(event.target.value)} />
      {error && <Alert type="error" showIcon title={error.message} />}
      {isPending ? <Skeleton active /> : (
        <ul className="outline-targets">
          {(data?.items ?? []).map((target) => (
            <li key={targetKey(target)}>
              <button type="button" aria-pressed={chosen.some(({ id }) => id === target.id)} onClick={() => toggle(target)}>
                <b>{target.name}</b><small>{target.id} · {target.note}{target.minutes > 0 && ` · ${target.minutes} 分钟`}</small>
              </button>
            </li>
          ))}
          {data?.items.length === 0 && <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={keyword === '' ? `还没有可以放入的${kind.label}` : `没有匹配的${kind.label}`} />}
        </ul>
      )}
    </Modal>
  )
}

import { useMutation, useQuery } from '@tanstack/react-query'
import { Alert, App, Empty, Input, Modal, Skeleton, type InputRef } from 'antd'
import { useDeferredValue, useRef, useState } from 'react'
import { call } from '../../../core/endpoint/call.tsx'
import { copyOutline, outlineSources, type OutlineSource } from '../calls.ts'

/** Chooses another outline, of whatever line, whose content an empty one begins with; it hears of its later changes. */
export function CopyDialog({ outlineId, onCopied, onClose }: { outlineId: number; onCopied: () => void; onClose: () => void }) {
  const { message } = App.useApp()
  const search = useRef<InputRef>(null)
  const [words, setWords] = useState('')
  const [from, setFrom] = useState<OutlineSource>()
  const keyword = useDeferredValue(words.trim())
  const { data, error, isPending } = useQuery({
    queryKey: ['outline-sources', outlineId, keyword], staleTime: 0,
    queryFn: ({ signal }) => call(outlineSources, { ...(keyword !== '' && { keyword }) }, { params: { id: outlineId }, signal, quiet: true }),
  })
  const copy = useMutation({
    mutationFn: ({ id }: OutlineSource) => call(copyOutline, { from_id: id }, { params: { id: outlineId }, quiet: true }),
    onSuccess: () => {
      void message.success('已复制，来源有更新时会在这里提示')
      onCopied()
    },
  })
  const problem = copy.error ?? error
  return (
    <Modal open title="从其他目录复制" afterOpenChange={(shown) => shown && search.current?.focus()} onCancel={onClose} onOk={() => from && copy.mutate(from)} confirmLoading={copy.isPending} okText={from ? `复制 ${from.lessons} 个课时` : '复制'} okButtonProps={{ disabled: !from }}>
      <Input.Search ref={search} allowClear placeholder="教材、课程或产品线" aria-label="查找目录" maxLength={60} value={words} onChange={(event) => setWords(event.target.value)} />
      {problem && <Alert type="error" showIcon title={problem.message} />}
      {isPending ? <Skeleton active /> : (
        <ul className="outline-targets">
          {(data?.items ?? []).map((source) => (
            <li key={source.id}>
              <button type="button" aria-pressed={from?.id === source.id} onClick={() => setFrom(source)}>
                <b>{source.title}</b><small>{source.label} · {source.note} · {source.lessons} 个课时 · {source.version_no > 0 ? `v${source.version_no}` : '未发布，复制草稿'}</small>
              </button>
            </li>
          ))}
          {data?.items.length === 0 && <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={keyword === '' ? '还没有可以复制的目录' : '没有匹配的目录'} />}
        </ul>
      )}
    </Modal>
  )
}

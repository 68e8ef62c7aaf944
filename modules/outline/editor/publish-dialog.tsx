import { useMutation, useQuery } from '@tanstack/react-query'
import { Alert, App, Button, Input, Modal, Skeleton } from 'antd'
import { useState } from 'react'
import { call } from '../../../core/endpoint/call.tsx'
import { outlineImpact, publishOutline } from '../calls.ts'
import { countMarks, MARKS, type Mark, type NodeDifference } from '../compare.ts'
import { Lines } from './node-panel.tsx'
import type { OutlineEditing } from './use-outline.tsx'

/** Marks with how many nodes carry each; without those that nothing carries. */
export function MarkCounts({ differences }: { differences: readonly NodeDifference[] }) {
  const counts = countMarks(differences)
  return <>{(Object.keys(MARKS) as Mark[]).filter((mark) => counts[mark] > 0).map((mark) => <span key={mark} className="outline-mark" data-mark={mark}>{MARKS[mark]} {counts[mark]}</span>)}</>
}

/** Publishing: what changes for learners, whom it touches, and a note of why. */
export function PublishDialog({ editing, differences, onGo, onClose }: { editing: OutlineEditing; differences: readonly NodeDifference[]; onGo: (key: string) => void; onClose: () => void }) {
  const { content, reload } = editing
  const { message } = App.useApp()
  const [note, setNote] = useState('')
  const impact = useQuery({ queryKey: ['outline-impact', content.id, content.rev], queryFn: ({ signal }) => call(outlineImpact, undefined, { params: { id: content.id }, signal, quiet: true }), staleTime: 0, gcTime: 0 })
  const publish = useMutation({
    mutationFn: () => call(publishOutline, { note: note.trim(), token: impact.data?.token ?? '' }, { params: { id: content.id }, quiet: true }),
    onSuccess: ({ no }) => {
      void message.success(`已发布 v${no}`)
      reload()
      onClose()
    },
    onError: () => void impact.refetch(),
  })
  const { data } = impact
  const first = content.version_no === 0
  return (
    <Modal open width={720} title={`发布 v${content.version_no + 1}`} onCancel={onClose} onOk={() => publish.mutate()} okText="发布" confirmLoading={publish.isPending} okButtonProps={{ disabled: !data || data.broken.length > 0 }}>
      {publish.error && <Alert type="error" showIcon title={publish.error.message} />}
      {impact.error && <Alert type="error" showIcon title={impact.error.message} action={<Button size="small" onClick={() => void impact.refetch()}>重试</Button>} />}
      {impact.isPending && <Skeleton active />}
      {data && data.broken.length > 0 && (
        <Alert type="error" showIcon title={`${data.broken.length} 处要先处理`} description={<ul className="outline-problems">{data.broken.slice(0, 10).map(({ key, name, words }) => {
          const node = editing.draft.blocks.get(key)?.node
          return <li key={key}>{node === undefined ? name : <Button type="link" size="small" onClick={() => { onGo(node); onClose() }}>{name}</Button>} {words}</li>
        })}</ul>} />
      )}
      {data && (
        <p className="outline-impact">
          {first && data.groups.length === 0 ? '首次发布，还没有学员看到' : data.groups.length === 0 && data.learners === 0 ? '没有在售课程和学过的学员受影响' : '发布后立即影响'}
          {data.groups.map(({ label, live, printed, rows }) => <span key={label}><b>{live + printed}</b> 个{label}{rows.length > 0 && `（${rows.slice(0, 3).map(({ title }) => title).join('、')}${rows.length > 3 ? ' 等' : ''}）`}</span>)}
          {data.learners > 0 && <span><b>{data.learners.toLocaleString('zh-CN')}</b> 名学过的学员</span>}
        </p>
      )}
      <h3 className="outline-title">变更 {differences.length} 处 <MarkCounts differences={differences} /></h3>
      <ul className="outline-changes">
        {differences.slice(0, 200).map((one) => (
          <li key={one.key}><span className="outline-mark" data-mark={one.mark}>{MARKS[one.mark]}</span><div><b>{one.name}</b><Lines lines={one.lines} /></div></li>
        ))}
      </ul>
      <Input.TextArea aria-label="发布说明" placeholder="这次改了什么、为什么（选填）" maxLength={200} rows={2} value={note} onChange={(event) => setNote(event.target.value)} />
    </Modal>
  )
}


import { useQuery } from '@tanstack/react-query'
import { Button, Checkbox, Form, Input, InputNumber, Modal, Select } from 'antd'
import { useDeferredValue, useState } from 'react'
import { call } from '../../../core/endpoint/call.tsx'
import type { BlockTarget } from '../../outline/module.ts'
import { findShown } from '../plan-calls.ts'
import { SHOWN_KINDS, TASK_KINDS, UNLOCKS, type PlanTask } from '../tasks.ts'
import { targetKey, type PlanEditing } from './use-plan.tsx'

const SHOWN_LABELS: Readonly<Record<(typeof SHOWN_KINDS)[number], string>> = { video: '视频', micro: '微课', combination: '素材组合', paper: '试卷' }

interface Props {
  editing: PlanEditing
  task: PlanTask
  fresh: boolean
  onSave: (task: PlanTask, brought: readonly BlockTarget[]) => void
  onRemove: () => void
  onClose: () => void
}

/** One task: what it asks for, what it shows, how long it takes. What is chosen gives it its name and minutes. */
export function TaskDialog({ editing, task, fresh, onSave, onRemove, onClose }: Props) {
  const [draft, setDraft] = useState(task)
  const kind = TASK_KINDS.find(({ value }) => value === draft.kind) ?? TASK_KINDS[0]
  const [from, setFrom] = useState<string>(draft.show?.kind ?? kind.shows[0] ?? 'video')
  const [words, setWords] = useState('')
  const keyword = useDeferredValue(words.trim())
  const shown = SHOWN_KINDS.find((one) => one === from)
  const { data, isFetching } = useQuery({
    queryKey: ['plan-targets', editing.row.id, from, keyword], enabled: kind.shows.length > 0 && shown !== undefined, staleTime: 30_000,
    queryFn: ({ signal }) => call(findShown, { kind: shown ?? 'video', ...(keyword !== '' && { keyword }) }, { params: { id: editing.row.id }, signal, quiet: true }),
  })
  const put = (more: Partial<PlanTask>) => setDraft((now) => ({ ...now, ...more }))
  const chosen = draft.show && editing.targets.get(targetKey(draft.show.kind, draft.show.ref_id))
  const offered = [...new Map([...(chosen ? [chosen] : []), ...data?.items ?? []].filter((one) => one.kind === from).map((one) => [one.id, one])).values()]
  const problem = draft.title.trim() === ''
  return (
    <Modal open title={`${fresh ? '新增' : '编辑'}任务 · 第 ${draft.day} 天`} okText={fresh ? '添加' : '保存'} okButtonProps={{ disabled: problem }} onCancel={onClose} width={520}
      onOk={() => onSave({ ...draft, title: draft.title.trim() }, offered.filter(({ id, kind: own }) => draft.show?.ref_id === id && draft.show.kind === own))}
      footer={(_, { OkBtn, CancelBtn }) => <>{!fresh && <Button danger onClick={onRemove}>删除</Button>}<CancelBtn /><OkBtn /></>}>
      <Form layout="vertical">
        <Form.Item label="类型" htmlFor="task-kind"><Select id="task-kind" value={draft.kind} options={TASK_KINDS.map(({ value, label }) => ({ value, label }))} onChange={(value) => {
          const shows: readonly string[] = TASK_KINDS.find((one) => one.value === value)?.shows ?? []
          put({ kind: value, ...(draft.show && !shows.includes(draft.show.kind) && { show: null }) })
          setFrom(shows[0] ?? 'video')
        }} /></Form.Item>
        {kind.shows.length > 0 && (
          <Form.Item label="内容" htmlFor="task-show">
            <div className="directories-bar">
              {kind.shows.length > 1 && <Select aria-label="内容类型" value={from} options={kind.shows.map((value) => ({ value, label: SHOWN_LABELS[value] }))} onChange={setFrom} popupMatchSelectWidth={false} />}
              <Select<number> id="task-show" className="wide" allowClear loading={isFetching} placeholder={`查找${shown ? SHOWN_LABELS[shown] : '内容'}`} {...(draft.show?.kind === from && { value: draft.show.ref_id })}
                showSearch={{ filterOption: false, onSearch: setWords }} notFoundContent="没有匹配的内容" options={offered.map(({ id, name, note }) => ({ value: id, label: [name, note].filter(Boolean).join(' · ') }))}
                onChange={(id?: number) => {
                  const target = offered.find((one) => one.id === id)
                  put(target && shown ? { show: { kind: shown, ref_id: target.id }, title: target.name.slice(0, 80), ...(target.minutes > 0 && { minutes: Math.min(600, target.minutes) }) } : { show: null })
                }} />
            </div>
          </Form.Item>
        )}
        <Form.Item label="标题" htmlFor="task-title" required><Input id="task-title" maxLength={80} value={draft.title} onChange={(event) => put({ title: event.target.value })} /></Form.Item>
        <Form.Item label="时长" htmlFor="task-minutes"><InputNumber id="task-minutes" className="wide" min={0} max={600} precision={0} suffix="分钟" value={draft.minutes} onChange={(value) => put({ minutes: value ?? 0 })} /></Form.Item>
        <Form.Item label="开放" htmlFor="task-unlock"><Select id="task-unlock" value={draft.unlock} options={[...UNLOCKS]} onChange={(value) => put({ unlock: value })} /></Form.Item>
        <Checkbox checked={draft.required} onChange={(event) => put({ required: event.target.checked })}>必做</Checkbox>
      </Form>
    </Modal>
  )
}

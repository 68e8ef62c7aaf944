import { useQuery } from '@tanstack/react-query'
import { Alert, Checkbox, Empty, Form, InputNumber, Modal, Select, Skeleton } from 'antd'
import { useState } from 'react'
import { call } from '../../../core/endpoint/call.tsx'
import type { BlockTarget } from '../../outline/module.ts'
import { planSources, sourceLessons } from '../plan-calls.ts'
import { generate, lastDay, WEEK, type PlanTask } from '../tasks.ts'
import type { PlanEditing } from './use-plan.tsx'

/** 按目录生成: the lessons of a course on days, with what that comes to before anything is taken over. */
export function GenerateDialog({ editing: { row, tasks }, onTake, onClose }: { editing: PlanEditing; onTake: (made: readonly PlanTask[], brought: readonly BlockTarget[]) => void; onClose: () => void }) {
  const [course, setCourse] = useState<number>()
  const [minutes, setMinutes] = useState(row.day_minutes ?? 60)
  const [practice, setPractice] = useState(true)
  const [review, setReview] = useState(true)
  const sources = useQuery({ queryKey: ['plan-sources', row.id], queryFn: ({ signal }) => call(planSources, undefined, { params: { id: row.id }, signal, quiet: true }) })
  const { data, error } = useQuery({ queryKey: ['plan-lessons', row.id, course], enabled: course !== undefined, queryFn: ({ signal }) => call(sourceLessons, { course_id: String(course) }, { params: { id: row.id }, signal, quiet: true }) })
  const from = lastDay(tasks) + 1
  const made = data ? generate(data.lessons, { minutes, practice, review, from }) : []
  const days = (row.weeks ?? 1) * WEEK
  return (
    <Modal open title="按目录生成任务" okText={`加入 ${made.length} 项`} okButtonProps={{ disabled: made.length === 0 }} onOk={() => onTake(made, data?.targets ?? [])} onCancel={onClose} width={520}>
      {(sources.error ?? error) && <Alert className="form-alert" type="error" showIcon title={(sources.error ?? error)?.message} />}
      {!sources.data && !sources.error ? <Skeleton active /> : sources.data?.items.length === 0 ? <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="本学科还没有发布过目录的课堂课程" /> : (
        <Form layout="vertical">
          <Form.Item label="课程" htmlFor="generate-course"><Select id="generate-course" placeholder="选择课程" value={course ?? null} options={(sources.data?.items ?? []).map(({ id, name, lessons }) => ({ value: id, label: `${name}（${lessons} 课时）` }))} onChange={(value: number | null) => setCourse(value ?? undefined)} /></Form.Item>
          <Form.Item label="每天" htmlFor="generate-minutes"><InputNumber id="generate-minutes" className="wide" min={5} max={600} precision={0} suffix="分钟" value={minutes} onChange={(value) => setMinutes(value ?? 60)} /></Form.Item>
          <Form.Item><Checkbox checked={practice} onChange={(event) => setPractice(event.target.checked)}>没有试卷的课时后加课后练习</Checkbox></Form.Item>
          <Form.Item><Checkbox checked={review} onChange={(event) => setReview(event.target.checked)}>每周第 7 天复盘</Checkbox></Form.Item>
        </Form>
      )}
      {made.length > 0 && <Alert type={lastDay(made) > days ? 'warning' : 'info'} showIcon title={`第 ${from} 天到第 ${lastDay(made)} 天，共 ${made.length} 项${lastDay(made) > days ? `，超过了计划的 ${row.weeks} 周` : ''}`} />}
      {data && made.length === 0 && <Alert type="warning" showIcon title="这门课程的目录里还没有可以安排的内容" />}
    </Modal>
  )
}

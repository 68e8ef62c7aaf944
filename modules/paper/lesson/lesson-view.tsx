import { DeleteOutlined, DownloadOutlined, HolderOutlined } from '@ant-design/icons'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Alert, App, Button, Drawer, Empty, InputNumber, QRCode, Skeleton, Space, Tooltip } from 'antd'
import { lazy, Suspense, useEffect, useId, useState } from 'react'
import { call } from '../../../core/endpoint/call.tsx'
import { Player } from '../../../core/field/video-player.tsx'
import { NONE } from '../../../core/field/view.tsx'
import { present, type InputProps } from '../../../core/resource/present.tsx'
import type { WireRow } from '../../../core/resource/endpoints.ts'
import { QuestionView } from '../../practice/door.tsx'
import { Picker } from '../editor/picker.tsx'
import { lessonPlays, lessonPractices, setLessonPractices } from './calls.ts'
import { LESSONS, LONGEST } from './lesson.ts'
import '../editor/paper.css'

type Lesson = (typeof LESSONS)[number]

const Chart = lazy(() => import('../../../core/chart/chart.tsx'))

/** Seconds as people read them: 3:05. */
const clock = (seconds: number) => `${Math.floor(seconds / 60)}:${String(Math.round(seconds % 60)).padStart(2, '0')}`

/** The length of a lesson, read from its video as soon as there is one. */
function DurationInput({ value, onChange, values, id }: InputProps<number, { readonly video?: string | null }>) {
  const [problem, setProblem] = useState<string>()
  const url = values.video
  useEffect(() => {
    if (typeof url !== 'string') return
    setProblem(undefined)
    const probe = document.createElement('video')
    probe.preload = 'metadata'
    probe.onloadedmetadata = () => {
      const seconds = Math.ceil(probe.duration)
      if (Number.isFinite(seconds)) onChange?.(seconds)
      if (seconds > LONGEST) setProblem(`视频长 ${clock(seconds)}，微课最长 15 分钟`)
    }
    probe.onerror = () => setProblem('浏览器不能播放这个视频，请用 H.264 编码重新导出')
    probe.src = url
    return () => probe.removeAttribute('src')
    // The form hands over a new function at every change; only another video is to be read.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [url])
  return (
    <Space>
      <InputNumber {...(id && { id })} min={1} max={LONGEST} precision={0} suffix="秒" value={typeof value === 'number' ? value : null} onChange={(seconds) => onChange?.(seconds)} />
      {typeof value === 'number' && <span className="note">{clock(value)}</span>}
      {problem && <span className="problem" role="alert">{problem}</span>}
    </Space>
  )
}

/** The questions that a lesson leads to, with the bank beside them to choose from. */
function Practices({ row }: { row: WireRow<Lesson> }) {
  const { message } = App.useApp()
  const client = useQueryClient()
  const [picking, setPicking] = useState(false)
  const key = ['lesson-practices', row.id]
  const { data, error, refetch } = useQuery({ queryKey: key, queryFn: ({ signal }) => call(lessonPractices, undefined, { params: { id: row.id }, signal, quiet: true }) })
  const save = useMutation({
    mutationFn: (practice_ids: number[]) => call(setLessonPractices, { practice_ids }, { params: { id: row.id } }),
    onSuccess: (saved) => client.setQueryData(key, saved),
  })
  const may = row.can.includes('edit')
  if (error) return <Alert type="error" showIcon title={error.message} action={<Button size="small" onClick={() => void refetch()}>重试</Button>} />
  if (!data) return <Skeleton active />
  const ids = data.items.map(({ id }) => id)
  const move = (from: number, to: number) => save.mutate(ids.toSpliced(from, 1).toSpliced(to, 0, ids[from] ?? 0))
  return (
    <>
      {may && <Button type="primary" onClick={() => setPicking(true)}>添加试题</Button>}
      {data.items.length === 0 && <Empty description="还没有关联试题" />}
      <ol className="paper-plain">
        {data.items.map((card, place) => (
          <li key={card.id} className="paper-pick">
            <QuestionView content={card.content} answer="folded" />
            {may && (
              <Space>
                <Tooltip title="上移"><Button size="small" icon={<HolderOutlined />} disabled={place === 0 || save.isPending} onClick={() => move(place, place - 1)} aria-label={`第 ${place + 1} 题上移`} /></Tooltip>
                <Button size="small" icon={<DeleteOutlined />} disabled={save.isPending} onClick={() => save.mutate(ids.filter((id) => id !== card.id))} aria-label={`移除第 ${place + 1} 题`}>移除</Button>
              </Space>
            )}
          </li>
        ))}
      </ol>
      <Drawer open={picking} size={640} title="添加关联试题" onClose={() => setPicking(false)} destroyOnHidden>
        <Picker subjectId={row.subject_id} level={row.level} paperId={0} taken={new Set(ids)} replacing={undefined} onCancelReplace={() => undefined}
          onPick={(card) => save.mutate([...ids, card.id], { onSuccess: () => void message.success('已添加') })} />
      </Drawer>
    </>
  )
}

/** How often a lesson was watched, and to the end. */
function Plays({ row }: { row: WireRow<Lesson> }) {
  const { data, error } = useQuery({ queryKey: ['lesson-plays', row.id], queryFn: ({ signal }) => call(lessonPlays, undefined, { params: { id: row.id }, signal, quiet: true }) })
  if (error) return <Alert type="error" showIcon title={error.message} />
  if (!data) return <Skeleton active />
  if (data.days.length === 0) return <Empty description="还没有播放记录" />
  const total = data.days.reduce((sum, { plays }) => sum + plays, 0)
  return (
    <Suspense fallback={<Skeleton active />}>
      <Chart height={280} label={`播放 ${total} 次`} option={{
        tooltip: { trigger: 'axis' }, legend: { top: 0 }, grid: { left: 40, right: 16, top: 40, bottom: 32 },
        xAxis: { type: 'category', data: data.days.map(({ day }) => day) }, yAxis: { type: 'value', minInterval: 1 },
        series: [{ name: '播放', type: 'bar', data: data.days.map(({ plays }) => plays) }, { name: '看完', type: 'line', data: data.days.map(({ finished }) => finished) }],
      }} />
    </Suspense>
  )
}

/** The code that learners scan, to be saved for print. */
function Code({ row }: { row: WireRow<Lesson> }) {
  const id = useId()
  const url = row.code_url
  if (typeof url !== 'string') return <Empty description="还没有填写二维码地址" />
  const save = () => {
    const drawing = document.getElementById(id)?.querySelector('svg')
    if (!drawing) return
    const link = document.createElement('a')
    link.href = URL.createObjectURL(new Blob([new XMLSerializer().serializeToString(drawing)], { type: 'image/svg+xml' }))
    link.download = `${row.name}.svg`
    link.click()
    URL.revokeObjectURL(link.href)
  }
  return (
    <Space orientation="vertical" id={id}>
      <QRCode value={url} type="svg" size={200} color="#000" bgColor="#fff" />
      <a href={url} target="_blank" rel="noopener noreferrer">{url}</a>
      <Button icon={<DownloadOutlined />} onClick={save}>下载 SVG</Button>
    </Space>
  )
}

/** Micro lessons: the length is read from the video; questions, plays and the code stand in the drawer. */
export default present(LESSONS[0])({
  cells: { duration: ({ value }) => (typeof value === 'number' ? clock(value) : NONE) },
  inputs: { duration: DurationInput },
  slots: {
    head: ({ row }) => (row.video !== null ? <Player url={row.video} /> : null),
    details: [
      { key: 'practices', label: '关联试题', Content: Practices },
      { key: 'plays', label: '播放统计', Content: Plays },
      { key: 'code', label: '二维码', Content: Code },
    ],
  },
})

import { DeleteOutlined, PlayCircleOutlined, PlusOutlined } from '@ant-design/icons'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Alert, App, Button, Empty, Input, Modal, Result, Select, Skeleton, Space, Tag } from 'antd'
import { useDeferredValue, useState } from 'react'
import { Link, useParams } from 'react-router'
import { call } from '../../core/endpoint/call.tsx'
import { useTabTitle } from '../../core/shell/tabs-context.tsx'
import { useCan } from '../../core/session/staff-context.tsx'
import { AssetPlayer } from '../asset/door.tsx'
import { addVideo, dropVideo, lessonSections, lessonVideos, setVideo, videosToAdd, type LessonSection, type LessonVideo, type VideoInput } from './calls.ts'
import { videoRights } from './lesson.ts'
import { matrixPath, sectionPath } from './paths.ts'
import { VIDEO_SLOTS } from './slots.ts'
import './lesson.css'

const TONES = { ok: 'success', wait: 'warning', bad: 'error' } as const
const MIME = 'application/x-lesson-video'
const length = (seconds: number | null) => (seconds === null ? '—' : `${Math.floor(seconds / 60)}:${String(Math.round(seconds % 60)).padStart(2, '0')}`)

/** Videos of the library that are chosen for a section. */
function AddDialog({ lessonId, section, onAdd, onClose }: { lessonId: number; section: LessonSection | undefined; onAdd: (input: VideoInput) => Promise<boolean>; onClose: () => void }) {
  const [keyword, setKeyword] = useState('')
  const [type, setType] = useState(1)
  const [busy, setBusy] = useState<number>()
  const words = useDeferredValue(keyword.trim())
  const { data, error } = useQuery({ queryKey: ['lesson-videos-to-add', lessonId, words], queryFn: ({ signal }) => call(videosToAdd, words === '' ? {} : { keyword: words }, { params: { id: lessonId }, signal, quiet: true }) })
  const add = async (id: number) => {
    setBusy(id)
    await onAdd({ asset_id: id, type, section_id: section?.id ?? null })
    setBusy(undefined)
  }
  return (
    <Modal open title={`添加视频到「${section?.name ?? '未分节'}」`} footer={<Button onClick={onClose}>完成</Button>} onCancel={onClose}>
      <Space className="wide" wrap>
        <Input.Search aria-label="搜索素材库" placeholder="搜索素材库的视频" allowClear value={keyword} onChange={(event) => setKeyword(event.target.value)} />
        <Select<number> aria-label="视频类型" value={type} onChange={setType} options={VIDEO_SLOTS.map(({ value, label }) => ({ value, label }))} />
      </Space>
      {error && <Alert type="warning" showIcon title={error.message} />}
      <ul className="video-choice">
        {data?.items.map(({ id, name, note }) => <li key={id}><span>{name}<small>{note}</small></span><Button size="small" icon={<PlusOutlined />} loading={busy === id} onClick={() => void add(id)}>添加</Button></li>)}
        {data?.items.length === 0 && <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={<>没有可用的视频，请先 <Link to="/material/store/video">上传到素材库</Link></>} />}
      </ul>
    </Modal>
  )
}

/** A video in its section: what it is for, where it stands, how far learners came. */
function VideoRow({ video, sections, may, onChange, onDrop, onPlay }: { video: LessonVideo; sections: readonly LessonSection[]; may: boolean; onChange: (input: VideoInput, words: string) => void; onDrop: () => void; onPlay: () => void }) {
  const share = video.begun === 0 ? null : Math.round((video.finished / video.begun) * 100)
  return (
    <li><div className="video-row" draggable={may} onDragStart={(event) => event.dataTransfer.setData(MIME, String(video.id))}>
      <Button type="text" icon={<PlayCircleOutlined />} aria-label={`播放 ${video.title}`} onClick={onPlay} />
      <span className="video-name">{video.title}<small>{length(video.duration)}{video.trial ? ' · 可试看' : ''}</small></span>
      {video.health.tone !== 'ok' && <Tag color={TONES[video.health.tone]}>{video.health.words}</Tag>}
      <span className="video-share" title={share === null ? '还没有学员学习' : `${video.begun} 人学过，${video.finished} 人学完`}>{share === null ? '无人学习' : `完播 ${share}%`}</span>
      <Select<number> size="small" aria-label={`${video.title} 的类型`} disabled={!may} value={video.type} onChange={(type) => onChange({ type }, '已修改类型')} options={VIDEO_SLOTS.map(({ value, label }) => ({ value, label }))} />
      <Select<number> size="small" aria-label={`${video.title} 的章节`} className="video-section" disabled={!may} value={video.section_id ?? 0} onChange={(section) => onChange({ section_id: section === 0 ? null : section }, '已移动')} options={[{ value: 0, label: '未分节' }, ...sections.map(({ id, name }) => ({ value: id, label: name }))]} />
      {may && <Button type="text" danger icon={<DeleteOutlined />} aria-label={`移除 ${video.title}`} onClick={onDrop} />}
    </div></li>
  )
}

/** The videos of one course, section by section. */
function Videos({ id }: { id: number }) {
  const client = useQueryClient()
  const { message, modal } = App.useApp()
  const may = useCan()(videoRights.id('edit'))
  const [adding, setAdding] = useState<{ section: LessonSection | undefined }>()
  const [playing, setPlaying] = useState<LessonVideo>()
  const [waits, setWaits] = useState<string | null>(null)
  const videos = useQuery({ queryKey: ['lesson-videos', id], queryFn: ({ signal }) => call(lessonVideos, {}, { params: { id }, signal, quiet: true }) })
  const sections = useQuery({ queryKey: ['lesson-sections', id], queryFn: ({ signal }) => call(lessonSections, undefined, { params: { id }, signal, quiet: true }) })
  const error = videos.error ?? sections.error
  if (error) return <Alert type="warning" showIcon title={error.message} />
  if (!videos.data || !sections.data) return <Skeleton active paragraph={{ rows: 10 }} />
  const after = async (work: Promise<{ waits?: string | null }>, words: string): Promise<boolean> => {
    try {
      setWaits((await work).waits ?? null)
      void message.success(words)
      await client.invalidateQueries({ queryKey: ['lesson-videos', id] })
      await client.invalidateQueries({ queryKey: ['lesson-sections', id] })
      return true
    } catch {
      return false
    }
  }
  const change = (videoId: number, input: VideoInput, words: string) => void after(call(setVideo, input, { params: { id, videoId } }), words)
  const drop = (video: LessonVideo) => modal.confirm({ title: `从课程移除「${video.title}」？`, content: '素材库里的视频不受影响。', okText: '移除', okButtonProps: { danger: true }, onOk: () => after(call(dropVideo, undefined, { params: { id, videoId: video.id } }), '已移除').then(() => undefined) })
  const groups: { section: LessonSection | undefined; own: LessonVideo[] }[] = [
    ...sections.data.items.map((section) => ({ section, own: videos.data.items.filter((one) => one.section_id === section.id) })),
    { section: undefined, own: videos.data.items.filter((one) => one.section_id === null) },
  ]
  return (
    <>
      {waits !== null && <Alert type="warning" showIcon title={waits} action={<Link to={sectionPath(id)}>去发布</Link>} />}
      {groups.map(({ section, own }) => (section === undefined && own.length === 0 && groups.length > 1 ? null : (
        <div key={section?.id ?? 0} className="video-group" onDragOver={(event) => { if (may && event.dataTransfer.types.includes(MIME)) event.preventDefault() }}
          onDrop={(event) => { const moved = Number(event.dataTransfer.getData(MIME)); if (moved) change(moved, { section_id: section?.id ?? null }, '已移动') }}>
          <h2 data-below={section?.parent_id !== null && section !== undefined}>{section?.name ?? '未分节'} <small>{own.length} 个视频</small>{may && <Button size="small" type="link" icon={<PlusOutlined />} onClick={() => setAdding({ section })}>添加视频</Button>}</h2>
          <ul>{own.map((video) => <VideoRow key={video.id} video={video} sections={sections.data.items} may={may} onChange={(input, words) => change(video.id, input, words)} onDrop={() => drop(video)} onPlay={() => setPlaying(video)} />)}</ul>
        </div>
      )))}
      {adding && <AddDialog lessonId={id} section={adding.section} onAdd={(input) => after(call(addVideo, input, { params: { id } }), '已添加')} onClose={() => setAdding(undefined)} />}
      {playing && <Modal open title={playing.title} footer={null} width={760} onCancel={() => setPlaying(undefined)} destroyOnHidden><AssetPlayer url={playing.url} kind="video" poster={playing.cover ?? undefined} /></Modal>}
    </>
  )
}

/** 视频管理: what stands in which section; what is changed is before learners at once. */
export default function VideoScreen() {
  const id = Number(useParams()['courseId'])
  useTabTitle('视频管理')
  if (!id) return <Result status="warning" title="课程不存在" extra={<Link to="/course/list">返回课程列表</Link>} />
  return (
    <section className="lesson-page">
      <nav className="lesson-ways" aria-label="课程"><h1>视频管理</h1><Link to={sectionPath(id)}>章节</Link><Link to={matrixPath(id)}>试卷</Link><Link to="/course/list">课程列表</Link></nav>
      <Videos key={id} id={id} />
    </section>
  )
}

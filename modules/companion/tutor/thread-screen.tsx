import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Badge, Button, Empty, Input, InputNumber, Modal, Popover, Space, Upload } from 'antd'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { Link, useParams, useSearchParams } from 'react-router'
import { call, request } from '../../../core/endpoint/call.tsx'
import { useAttempt } from '../../../core/form/use-attempt.tsx'
import { useLive } from '../../../core/live/use-live.tsx'
import { useTabTitle } from '../../../core/shell/tabs-context.tsx'
import { useIsFront } from '../../../core/ui/front.tsx'
import { usePageKeys } from '../../../core/ui/use-page-keys.tsx'
import { companionEndpoints, todayEndpoints, type Message, type NewMessage, type OwnTask, type Thread } from '../calls.ts'
import type { Companion } from '../companion.ts'
import { threadMoved } from '../live.ts'
import { PROGRESS, PROGRESS_EDGES, type Marks, type Stroke } from '../progress.ts'
import { MarkBoard, MarkedPicture } from './mark-board.tsx'
import { minute, ProgressWord, Waiting } from './tutor-parts.tsx'
import '../companion.css'

const IMAGES = 'image/png,image/jpeg,image/webp'
const SOUNDS = 'audio/mpeg,audio/mp4,audio/wav,audio/webm'

/** Strokes on each picture of a thread, by the message and the picture's place in it. */
function strokesOf(items: readonly Message[]): ReadonlyMap<string, readonly Stroke[]> {
  const found = new Map<string, Stroke[]>()
  for (const { marks } of items) if (marks) found.set(`${marks.message_id}:${marks.picture}`, [...found.get(`${marks.message_id}:${marks.picture}`) ?? [], ...marks.strokes])
  return found
}

function MessageLine({ message, strokes, onMark }: { message: Message; strokes: ReadonlyMap<string, readonly Stroke[]>; onMark: (picture: number, src: string) => void }) {
  const { side, kind, body, files, staff_name, at, seconds, id } = message
  if (kind === 'marks') return <li className="said" data-side="system">{staff_name ?? '教师'} 批注了图片 · {minute(at)}</li>
  if (kind === 'state' || kind === 'score') return <li className="said" data-side="system">{side === 'student' ? '学生' : staff_name ?? '系统'}：{body} · {minute(at)}</li>
  return (
    <li className="said" data-side={side}>
      <small className="note">{side === 'student' ? '学生' : staff_name ?? '教师'} · {minute(at)}</small>
      {body && <p>{body}</p>}
      {kind === 'image' && <div className="pictures">{files.map((src, index) => <MarkedPicture key={src} src={src} strokes={strokes.get(`${id}:${index}`) ?? []} {...(side === 'student' && { onClick: () => onMark(index, src) })} />)}</div>}
      {kind === 'voice' && files.map((src) => <audio key={src} controls preload="none" src={src} aria-label={`语音 ${seconds ?? 0} 秒`}><track kind="captions" /></audio>)}
      {kind === 'file' && files.map((src, index) => <a key={src} href={src} target="_blank" rel="noreferrer">附件 {index + 1}</a>)}
    </li>
  )
}

/** Remarks that somebody says often; the one that is chosen comes into what is written. */
function Phrases({ companion, words, onPick }: { companion: Companion; words: string; onPick: (words: string) => void }) {
  const calls = todayEndpoints(companion)
  const { data, refetch } = useQuery({ queryKey: ['phrases', companion.kind.value], queryFn: ({ signal }) => call(calls.phrases, undefined, { signal, quiet: true }) })
  const { busy, attempt } = useAttempt()
  return (
    <div className="phrases">
      {(data?.items ?? []).length === 0 && <p className="note">还没有常用评语</p>}
      {data?.items.map(({ id, body }) => <button key={id} type="button" className="link" onClick={() => onPick(body)}>{body}</button>)}
      <Button size="small" loading={busy} disabled={words.trim() === ''} onClick={() => void attempt(async () => { await call(calls.keepPhrase, { body: words.trim() }, { quiet: true }); await refetch() })}>把当前内容存为常用</Button>
    </div>
  )
}

/** One task of one learner: what was said, marks on pictures, the mark itself. */
function ThreadPane({ companion, taskId, studentId, onMoved, onNext }: { companion: Companion; taskId: number; studentId: number; onMoved: () => void; onNext: () => void }) {
  const calls = companionEndpoints(companion)
  const params = { id: taskId, student: studentId }
  const key = ['thread', companion.kind.value, taskId, studentId]
  const { data, error, refetch } = useQuery({ queryKey: key, queryFn: ({ signal }) => call(calls.thread, {}, { params, signal, quiet: true }) })
  const draftKey = `thread-draft ${companion.kind.value} ${taskId} ${studentId}`
  const [words, setWords] = useState(() => sessionStorage.getItem(draftKey) ?? '')
  const [score, setScore] = useState<number | null>(null)
  const [marking, setMarking] = useState<{ message_id: number; picture: number; src: string }>()
  const [returning, setReturning] = useState<string>()
  const [phrases, setPhrases] = useState(false)
  const { busy, attempt } = useAttempt()
  const isFront = useIsFront()
  const end = useRef<HTMLLIElement>(null)
  useLive(threadMoved, (ids) => { if (ids === 'all' || ids.includes(studentId)) void refetch() })
  const newest = data?.items.at(-1)?.id ?? 0
  // What is read is what stood there when the page was in front: the newest message that was seen.
  const seen = useEffectEvent((upTo: number) => {
    if (upTo === 0 || !isFront() || document.hidden) return
    void call(calls.changeTask, { student_ids: [studentId], read_to: upTo }, { params: { id: taskId }, quiet: true }).then(onMoved, () => undefined)
  })
  useEffect(() => {
    end.current?.scrollIntoView({ block: 'nearest' })
    seen(newest)
  }, [newest])
  const write = (text: string) => { setWords(text); sessionStorage.setItem(draftKey, text) }
  const send = (message: Partial<NewMessage>) => attempt(async () => {
    await call(calls.say, { client_key: crypto.randomUUID(), kind: 'text', body: '', files: [], ...message }, { params, quiet: true })
    await refetch()
  })
  const set = (thread: Thread, row: { status: number; score?: number | null; reason?: string }) => attempt(async () => {
    await call(calls.changeTask, { student_ids: [studentId], seen_mark_at: thread.graded_at, ...row }, { params: { id: taskId }, quiet: true })
    await refetch()
    onMoved()
    if (row.status === PROGRESS.marked) onNext()
  })
  const canMark = data !== undefined && PROGRESS_EDGES.mark.from.includes(data.status)
  const pass = () => { if (data && canMark) void set(data, { status: PROGRESS.marked, score: score ?? data.score ?? data.task.full }) }
  usePageKeys({
    p: pass, q: () => setPhrases(!phrases), r: () => { if (canMark) setReturning('') },
    ...Object.fromEntries(Array.from({ length: 10 }, (_, digit) => [String(digit), () => setScore((now) => (now === null ? digit : Math.min(data?.task.full ?? 100, Number(`${Math.floor(now)}${digit}`))))])), backspace: () => setScore(null),
  })
  if (!data) return <Waiting error={error} />
  const strokes = strokesOf(data.items)
  const upload = (kind: 'image' | 'voice', file: File) => attempt(async () => {
    if (/\.(heic|heif)$/i.test(file.name)) throw new Error('请转为 JPG 后上传')
    if (/\.amr$/i.test(file.name)) throw new Error('不支持该音频格式')
    const body = new FormData()
    body.append('file', file)
    const { url } = await request<{ url: string }>('POST', `/daoyuan/api/end/files?kind=${kind === 'image' ? 'image' : 'audio'}`, body)
    await send({ kind, files: [url], ...(kind === 'voice' && { seconds: await lengthOf(file) }) })
  })
  if (marking) return <MarkBoard src={marking.src} before={strokes.get(`${marking.message_id}:${marking.picture}`) ?? []} target={marking} busy={busy} onClose={() => setMarking(undefined)} onSave={({ strokes: drawn }: Marks) => void send({ kind: 'marks', marks: { message_id: marking.message_id, picture: marking.picture, strokes: drawn.map(({ points, ...stroke }) => ({ ...stroke, points: points.map(([x, y]): [number, number] => [x, y]) })) } }).then(() => setMarking(undefined))} />
  return (
    <div className="thread">
      <header><h2>{data.task.title}</h2><ProgressWord status={data.status} due={data.task.due_at} /> {data.score !== null && <b>{data.score} / {data.task.full} 分</b>} <span className="note">{minute(data.task.due_at)} 截止</span>{data.task.body && <p className="note">{data.task.body}</p>}</header>
      <ol className="messages" aria-label="消息" aria-live="polite">
        {data.items.length === 0 && <li><Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="还没有消息" /></li>}
        {data.items.map((message) => <MessageLine key={message.id} message={message} strokes={strokes} onMark={(picture, src) => setMarking({ message_id: message.id, picture, src })} />)}
        <li ref={end} aria-hidden />
      </ol>
      <footer>
        <Input.TextArea aria-label="消息" autoSize={{ minRows: 2, maxRows: 6 }} maxLength={500} value={words} placeholder="写给学生，Ctrl + Enter 发送" onChange={(event) => write(event.target.value)} onKeyDown={(event) => { if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && words.trim() !== '') { event.preventDefault(); void send({ body: words.trim() }).then(() => write('')) } }} />
        <Space wrap>
          <Button type="primary" loading={busy} disabled={words.trim() === ''} onClick={() => void send({ body: words.trim() }).then(() => write(''))}>发送</Button>
          <Upload accept={IMAGES} showUploadList={false} beforeUpload={(file) => { void upload('image', file); return false }}><Button>图片</Button></Upload>
          <Upload accept={SOUNDS} showUploadList={false} beforeUpload={(file) => { void upload('voice', file); return false }}><Button>语音</Button></Upload>
          <Popover open={phrases} onOpenChange={setPhrases} trigger="click" content={<Phrases companion={companion} words={words} onPick={(text) => { write(words === '' ? text : `${words}\n${text}`); setPhrases(false) }} />}><Button title="快捷键 Q">常用评语</Button></Popover>
        </Space>
        {canMark && <Space wrap className="mark-bar">
          <InputNumber aria-label="分数" min={0} max={data.task.full} value={score ?? data.score} placeholder={`满分 ${data.task.full}`} onChange={setScore} />
          <Button type="primary" loading={busy} title="快捷键 P" onClick={pass}>{data.status === PROGRESS.marked ? '重新批改' : '批改完成'}</Button>
          <Button danger title="快捷键 R" onClick={() => setReturning('')}>退回重做</Button>
        </Space>}
      </footer>
      <Modal open={returning !== undefined} title="退回重做" okText="退回" confirmLoading={busy} okButtonProps={{ disabled: (returning ?? '').trim().length < 2 }} onCancel={() => setReturning(undefined)} onOk={() => void set(data, { status: PROGRESS.returned, reason: (returning ?? '').trim() }).then(() => setReturning(undefined))} destroyOnHidden>
        <Input.TextArea aria-label="原因" rows={3} maxLength={200} showCount value={returning} onChange={(event) => setReturning(event.target.value)} placeholder="告诉学生要改什么" />
      </Modal>
    </div>
  )
}

/** Seconds of a sound file, at least one. */
function lengthOf(file: File): Promise<number> {
  return new Promise((resolve, reject) => {
    const sound = new Audio(URL.createObjectURL(file))
    sound.addEventListener('loadedmetadata', () => (sound.duration > 60.5 ? reject(new Error('语音最长 60 秒')) : resolve(Math.max(1, Math.round(sound.duration)))))
    sound.addEventListener('error', () => reject(new Error('不支持该音频格式')))
  })
}

/** 学生任务: the tasks of one learner, and what is said about each. */
export const threadScreen = (companion: Companion) => function TutorThread() {
  const calls = companionEndpoints(companion)
  const client = useQueryClient()
  const studentId = Number(useParams()['studentId'])
  const [search, setSearch] = useSearchParams()
  const key = ['own-tasks', companion.kind.value, 'of', studentId]
  const { data, error } = useQuery({ queryKey: key, queryFn: ({ signal }) => call(calls.ownTasks, { student_id: studentId, page_size: 100 }, { signal, quiet: true }) })
  const students = useQuery({ queryKey: ['own-students', companion.kind.value], queryFn: ({ signal }) => call(calls.ownStudents, {}, { signal, quiet: true }) as Promise<{ items: { student_id: number; name: string; newMessages: number; marking: number }[] }> })
  const student = students.data?.items.find(({ student_id }) => student_id === studentId)
  useTabTitle(student && `${student.name}的任务`)
  useLive(threadMoved, () => void client.invalidateQueries({ queryKey: ['own-students', companion.kind.value] }))
  const items: readonly OwnTask[] = data?.items ?? []
  const taskId = Number(search.get('task')) || items[0]?.id
  const place = items.findIndex(({ id }) => id === taskId)
  const go = (by: number) => { const next = items[place + by]; if (next) setSearch({ task: String(next.id) }, { replace: true }) }
  usePageKeys({ j: () => go(1), k: () => go(-1), arrowright: () => go(1), arrowleft: () => go(-1) })
  if (!data) return <section className="page-body"><Waiting error={error} /></section>
  const { thread = '', report = '' } = companion.kind.screens.tutor ?? {}
  const waiting = students.data?.items.find(({ student_id, marking }) => student_id !== studentId && marking > 0)
  return (
    <section className="page-body tutor-thread" aria-label="学生任务">
      <nav aria-label="任务">
        <p><b>{student?.name}</b> <Link to={report.replace(':studentId', String(studentId))}>报告</Link>{waiting && <> · <Link to={thread.replace(':studentId', String(waiting.student_id))}>下一名待批改：{waiting.name}</Link></>}</p>
        {items.length === 0 && <p className="note">还没有任务</p>}
        <ul className="plain">{items.map(({ id, title, status = 0, due_at, newMessages }) => <li key={id} data-chosen={id === taskId}><button type="button" onClick={() => setSearch({ task: String(id) }, { replace: true })}><Badge size="small" offset={[8, 0]} count={newMessages}>{title}</Badge><small><ProgressWord status={status} due={due_at} /> · {minute(due_at)}</small></button></li>)}</ul>
      </nav>
      {taskId !== undefined && <ThreadPane key={`${taskId}:${studentId}`} companion={companion} taskId={taskId} studentId={studentId} onMoved={() => void client.invalidateQueries({ queryKey: key })} onNext={() => { const next = items.find(({ id, status }) => id !== taskId && status === PROGRESS.marking); if (next) setSearch({ task: String(next.id) }, { replace: true }) }} />}
    </section>
  )
}

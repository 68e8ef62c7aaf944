import { Alert, Button, Empty, Form, Input, Modal, Segmented, Checkbox, Skeleton, Space, Tag } from 'antd'
import type { TextAreaRef } from 'antd/es/input/TextArea'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { call } from '../../../core/endpoint/call.tsx'
import { choiceLabel } from '../../../core/field/choice.ts'
import { StateWord } from '../../../core/field/choice.tsx'
import { briefTime, formatTime } from '../../../core/field/time.ts'
import { ReasonItem } from '../../../core/form/reason-item.tsx'
import { useAttempt } from '../../../core/form/use-attempt.tsx'
import { validated } from '../../../core/form/validated.tsx'
import { useSend } from '../../user/door.tsx'
import { MUTE_DAYS, MUTE_RANGES, type MuteRange } from '../mute.ts'
import type { Hit } from '../word/match.ts'
import { LEVELS } from '../word/word.ts'
import { answerComment, authorStory, muteAuthor, type AuthorStory, type SaidItem } from './calls.ts'
import { clockText, detailPath, LONGEST, PURPOSES, SAID_STATES } from './said.ts'
import '../moderation.css'

/** A text with the words that were found in it; each says what it is under the pointer. */
export function Marked({ text, hits }: { text: string; hits: readonly Hit[] }) {
  const pieces: React.ReactNode[] = []
  let at = 0
  for (const hit of hits.toSorted((a, b) => a.from - b.from)) {
    if (hit.from < at || hit.to > text.length) continue
    pieces.push(text.slice(at, hit.from), <mark key={hit.from} className="said-hit" data-level={hit.level} title={`${hit.word}（${choiceLabel(LEVELS, hit.level)}${hit.unsure ? '，谐音或跨句' : ''}）`}>{text.slice(hit.from, hit.to)}</mark>)
    at = hit.to
  }
  return <span className="said-text">{pieces}{text.slice(at)}</span>
}

/** Where something was said: the second of its video, or the question. */
export function saidPath({ target, target_id, id }: Pick<SaidItem, 'target' | 'target_id' | 'id'>): string {
  return target === 'video' ? detailPath(target_id, id) : `/comment/exercises?open=${id}`
}

/** One thing that was said, in a line or two. */
export function SaidLine({ item, onSecond, children }: { item: SaidItem; onSecond?: ((sec: number) => void) | undefined; children?: React.ReactNode }) {
  return (
    <div className="said-line" data-official={item.official === 1}>
      <p className="said-head">
        <b>{item.name}</b>{item.official === 1 && <Tag color="processing">官方</Tag>}{item.purpose !== 1 && item.official === 0 && <Tag>{choiceLabel(PURPOSES, item.purpose)}</Tag>}
        {item.at_sec !== null && (onSecond ? <Button size="small" type="link" className="figure" aria-label={`跳到 ${clockText(item.at_sec)}`} onClick={() => onSecond(item.at_sec ?? 0)}>{clockText(item.at_sec)}</Button> : <span className="figure note">{clockText(item.at_sec)}</span>)}
        <span className="note">{briefTime(item.at)}</span><StateWord choices={SAID_STATES} value={item.state} />{item.top === 1 && <Tag color="gold">置顶</Tag>}{item.adopted_at !== null && <Tag color="success">已采纳</Tag>}
        {item.likes > 0 && <span className="note">{item.likes} 赞</span>}
      </p>
      <Marked text={item.content} hits={item.hits} />
      {children}
    </div>
  )
}

/** Who said it, and what came of what they said before. */
export function AuthorPanel({ story }: { story: AuthorStory }) {
  const { user, counts, mute, muted, recent, refused } = story
  const numbers = [['通过', counts.shown], ['待审', counts.waiting], ['屏蔽', counts.hidden], ['删除', counts.removed], ['被拦截', counts.refused], ['被举报', counts.reported], ['禁言', muted]] as const
  return (
    <section aria-label="发言记录" className="said-author">
      <h3><Link to={`/userManagement/total?open=${user.id}`}>{user.name}</Link></h3>
      <p className="note"><span className="figure">{user.user_no}</span>{user.register_at !== null && ` · 注册于 ${formatTime(user.register_at).slice(0, 10)}`}</p>
      {mute && <Alert type="warning" showIcon title={`禁言至 ${formatTime(mute.until).slice(0, 16)}`} description={`${choiceLabel(MUTE_RANGES, mute.range)} · ${mute.reason}`} />}
      <dl className="said-counts">{numbers.map(([label, n]) => <div key={label} data-bad={n > 0 && label !== '通过' && label !== '待审'}><dt>{label}</dt><dd className="figure">{n}</dd></div>)}</dl>
      <h4>最近发言</h4>
      {recent.length === 0 ? <p className="note">没有其他发言</p> : <ul className="said-recent">{recent.map((one) => <li key={one.id}><Link to={saidPath(one)}><Marked text={one.content} hits={one.hits} /></Link><small className="note">{briefTime(one.at)} <StateWord choices={SAID_STATES} value={one.state} /></small></li>)}</ul>}
      {refused.length > 0 && <><h4>被拦截的</h4><ul className="said-recent">{refused.map((one) => <li key={one.id}><span>{one.content}</span><small className="note">{briefTime(one.at)} {one.why === 'mute' ? '禁言中' : one.words.join('、')}</small></li>)}</ul></>}
    </section>
  )
}

/** The same, read when it is shown. */
export function AuthorOf({ id }: { id: number }) {
  const { data, error } = useQuery({ queryKey: ['comment-author', id], queryFn: ({ signal }) => call(authorStory, undefined, { params: { id }, signal, quiet: true }) })
  return error ? <Alert type="error" showIcon title={error.message} /> : data ? <AuthorPanel story={data} /> : <Skeleton active />
}

/** Where an answer is written. Ctrl+Enter sends it, Esc gives it up. */
export function AnswerBox({ id, waits, onDone, onCancel }: { id: number; waits: boolean; onDone: () => void; onCancel: () => void }) {
  const [text, setText] = useState('')
  const key = useRef(crypto.randomUUID())
  const box = useRef<TextAreaRef>(null)
  const { busy, attempt } = useAttempt()
  useEffect(() => box.current?.focus(), [])
  const send = () => {
    if (text.trim() === '' || busy) return
    void attempt(async () => {
      await call(answerComment, { text: text.trim(), client_key: key.current }, { params: { id }, quiet: true })
      key.current = crypto.randomUUID()
      onDone()
    })
  }
  return (
    <div className="said-answer">
      <Input.TextArea ref={box} aria-label="官方回复" value={text} maxLength={LONGEST} showCount autoSize={{ minRows: 3, maxRows: 8 }} placeholder="以官方身份回复，Ctrl + Enter 发送" onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => { if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) { event.preventDefault(); send() } else if (event.key === 'Escape') { event.stopPropagation(); onCancel() } }} />
      <Space><Button type="primary" loading={busy} disabled={text.trim() === ''} onClick={send}>{waits ? '通过并回复' : '回复'}</Button><Button onClick={onCancel}>取消</Button></Space>
    </div>
  )
}

interface MuteProps {
  userId: number
  name: string
  /** The row of the queue that it comes from, which is hidden with it. */
  reviewId?: number | undefined
  onClose: () => void
  onDone: (hidden: readonly number[]) => void
}

/** 禁言: for how long, where and why; what waits of theirs may go with it. */
export function MuteDialog({ userId, name, reviewId, onClose, onDone }: MuteProps) {
  const [form] = Form.useForm<{ days: (typeof MUTE_DAYS)[number]; range: MuteRange; reason: string; hide_waiting: boolean }>()
  const { busy, problem, send } = useSend(form)
  const submit = () => send(async () => {
    const values = await validated(form)
    if (!values) return
    const { hidden } = await call(muteAuthor, { user_id: userId, ...values, ...(reviewId !== undefined && { review_id: reviewId }) }, { quiet: true })
    onDone(hidden)
  })
  return (
    <Modal open title={`禁言 ${name}`} okText="禁言" okButtonProps={{ danger: true }} confirmLoading={busy} onOk={() => void submit()} onCancel={onClose} destroyOnHidden>
      {problem}
      <p className="note">{reviewId === undefined ? '对方再发言时会看到截止时间和原因。' : '这条评论同时屏蔽；对方再发言时会看到截止时间和原因。'}</p>
      <Form form={form} layout="vertical" initialValues={{ days: 7, range: 'all', hide_waiting: true }}>
        <Form.Item name="days" label="时长"><Segmented options={MUTE_DAYS.map((days) => ({ value: days, label: days === 365 ? '一年' : `${days} 天` }))} /></Form.Item>
        <Form.Item name="range" label="范围"><Segmented options={MUTE_RANGES.map(({ value, label }) => ({ value, label }))} /></Form.Item>
        <ReasonItem />
        <Form.Item name="hide_waiting" valuePropName="checked" noStyle><Checkbox>同时屏蔽该用户其他待审评论</Checkbox></Form.Item>
      </Form>
    </Modal>
  )
}

/** What stands where there is nothing. */
export const Nothing = ({ words }: { words: string }) => <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={words} />

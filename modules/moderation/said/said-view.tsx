import { useQuery } from '@tanstack/react-query'
import { Alert, App, Button, Input, Modal, Skeleton } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { call } from '../../../core/endpoint/call.tsx'
import { useAttempt } from '../../../core/form/use-attempt.tsx'
import { extendPresentation, present, type Presentation, type RowDialogProps } from '../../../core/resource/present.tsx'
import { useCan } from '../../../core/session/staff-context.tsx'
import { useSaid } from '../../../core/undo/use-said.tsx'
import { QuestionView } from '../../practice/door.tsx'
import { MANAGE_RIGHTS, PRACTICE_RIGHTS, VIDEO_RIGHTS } from '../rights.ts'
import type { Hit } from '../word/match.ts'
import { adoptSolution, passOnReport, practiceBeside } from './calls.ts'
import { clockText, detailPath, practiceComment, PURPOSE, videoComment } from './said.ts'
import { AnswerBox, AuthorOf, Marked, MuteDialog } from './said-parts.tsx'

type Row = { id: number; user_id: number | null; nickname: string; content: string; hits: Hit[] | null; state: number | null; official: number | null; deleted_at: number | null }

/** 回复: an answer in the name of the house. */
function Answer({ row, reload, onClose }: RowDialogProps) {
  const said = useSaid()
  const { id, nickname, content, hits, state } = row as unknown as Row
  return (
    <Modal open title={`回复 ${nickname}`} footer={null} onCancel={onClose} destroyOnHidden>
      <p><Marked text={content} hits={hits ?? []} /></p>
      <AnswerBox id={id} waits={state === 0} onCancel={onClose} onDone={() => { said({ words: '已回复' }); reload(); onClose() }} />
    </Modal>
  )
}

function Mute({ row, reload, onClose }: RowDialogProps) {
  const said = useSaid()
  const { user_id, nickname } = row as unknown as Row
  return user_id === null ? null : <MuteDialog userId={user_id} name={nickname} onClose={onClose} onDone={(hidden) => { said({ words: hidden.length > 0 ? `已禁言，并屏蔽 ${hidden.length} 条待审` : '已禁言' }); reload(); onClose() }} />
}

const isOurs = (row: object) => (row as Row).deleted_at === null && (row as Row).official !== 1

/** What both lists show alike. */
const shared = (answer: number): Presentation => present(videoComment)({
  cells: {
    content: ({ row }) => <Marked text={row.content} hits={row.hits ?? []} />,
    user_id: ({ row }) => (row.user_id === null ? '官方' : <Link to={`/userManagement/total?open=${row.user_id}`}>{row.user_name}</Link>),
  },
  slots: { details: [{ key: 'author', label: '发言记录', Content: ({ row }) => (row.user_id === null ? <p className="note">官方回复</p> : <AuthorOf id={row.user_id} />) }] },
  rowActions: [
    { key: 'answer', label: '回复', first: true, grant: answer, visible: (row) => isOurs(row) && row.state !== 2 },
    { key: 'mute', label: '禁言', danger: true, grant: MANAGE_RIGHTS.id('mute'), visible: (row) => isOurs(row) && row.user_id !== null },
  ],
  dialogs: { answer: Answer, mute: Mute },
})

/** 评论查询: what is said of videos, with the way to its second. */
export const videoLook = extendPresentation(shared(VIDEO_RIGHTS.id('answer')), present(videoComment)({
  cells: {
    at_sec: ({ value, row }) => <Link className="figure" to={detailPath(row.target_id, row.id)}>{clockText(value ?? 0)}</Link>,
    target_id: ({ row }) => <Link to={detailPath(row.target_id)}>{row.target_name}</Link>,
  },
  slots: { toolbar: () => <Link to="/comment/search/totalDetail"><Button>汇总</Button></Link>, head: ({ row }) => <p><Link to={detailPath(row.target_id, row.id)}>在视频 {clockText(row.at_sec ?? 0)} 处查看</Link></p> },
}))

/** The question that is spoken of, with what may be done about it. */
function Beside({ row, reload }: { row: { id: number; rev: number; can: string[]; state: number | null; official: number | null; adopted_at: number | null; purpose: number | null }; reload: () => void }) {
  const can = useCan()
  const said = useSaid()
  const { modal } = App.useApp()
  const [reporting, setReporting] = useState(false)
  const { busy, attempt } = useAttempt()
  const { data, error } = useQuery({ queryKey: ['comment-practice', row.id], queryFn: ({ signal }) => call(practiceBeside, undefined, { params: { id: row.id }, signal, quiet: true }) })
  const adopt = () => void modal.confirm({
    title: '采纳为解析', content: '评论内容会写进这道题的修订稿，校对发布后学员看到。', okText: '采纳',
    onOk: () => attempt(async () => {
      const { practice_no } = await call(adoptSolution, undefined, { params: { id: row.id }, quiet: true })
      said({ words: `已写入 ${practice_no} 的修订稿` })
      reload()
    }),
  })
  if (error) return <Alert type="error" showIcon title={error.message} />
  if (!data) return <Skeleton active />
  return (
    <>
      <div className="talk-head">
        <b>{data.path ? <Link to={data.path}>{data.no}</Link> : data.no}</b>
        <span className="talk-acts">
          {can(PRACTICE_RIGHTS.id('report')) && row.official !== 1 && <Button size="small" onClick={() => setReporting(true)}>试题报错</Button>}
          {can(PRACTICE_RIGHTS.id('adopt')) && row.official !== 1 && row.state === 1 && <Button size="small" type={row.purpose === PURPOSE.solve ? 'primary' : 'default'} loading={busy} disabled={row.adopted_at !== null} onClick={adopt}>{row.adopted_at === null ? '采纳为解析' : '已采纳为解析'}</Button>}
        </span>
      </div>
      {data.content ? <QuestionView content={data.content} answer="shown" /> : <p className="note">试题已删除</p>}
      {reporting && <ReportDialog id={row.id} onClose={() => setReporting(false)} />}
    </>
  )
}

/** 试题报错: what a learner says is wrong goes to whoever checks questions. */
function ReportDialog({ id, onClose }: { id: number; onClose: () => void }) {
  const said = useSaid()
  const [note, setNote] = useState('')
  const { busy, attempt } = useAttempt()
  const send = () => attempt(async () => {
    await call(passOnReport, { note }, { params: { id }, quiet: true })
    said({ words: '已提交报错，由校对处理' })
    onClose()
  })
  return (
    <Modal open title="试题报错" okText="提交报错" confirmLoading={busy} onOk={() => void send()} onCancel={onClose} destroyOnHidden>
      <p className="note">评论原文会一并提交，处理进度在「题库校对 · 报错」查看。</p>
      <Input.TextArea aria-label="补充说明" placeholder="补充说明，可不填" rows={3} maxLength={200} showCount value={note} onChange={(event) => setNote(event.target.value)} />
    </Modal>
  )
}

/** 习题评论: the question stands beside what is said of it. */
export const practiceLook = extendPresentation(shared(PRACTICE_RIGHTS.id('answer')), present(practiceComment)({
  cells: { practice_no: ({ row }) => <Link className="figure" to={`/comment/exercises?open=${row.id}`}>{row.practice_no}</Link> },
  slots: { head: ({ row, reload }) => <Beside row={row} reload={reload} /> },
}))

import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Empty, Form, Modal, Skeleton, Space } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { call } from '../../core/endpoint/call.tsx'
import { CallError } from '../../core/endpoint/wire.ts'
import { StateWord } from '../../core/field/choice.tsx'
import { ReasonItem } from '../../core/form/reason-item.tsx'
import { validated } from '../../core/form/validated.tsx'
import { present } from '../../core/resource/present.tsx'
import type { WireRow } from '../../core/resource/endpoints.ts'
import { useCan } from '../../core/session/staff-context.tsx'
import { useSaid } from '../../core/undo/use-said.tsx'
import { presentPapers } from '../paper/door.tsx'
import { QuestionView } from '../practice/door.tsx'
import type { Alike } from '../practice/module.ts'
import { useSend } from '../user/door.tsx'
import { teacherPaper } from './paper.ts'
import { admitQuestion, likeQuestion, placeQuestions, refuseQuestion, reuseQuestion, reviewQuestions, type ReviewQuestion } from './review.ts'
import { QUESTION, QUESTIONS } from './states.ts'
import './teacher.css'

const LIKENESS = { same: '相同', suspected: '疑似重复', variant: '变式' } as const

interface Shown { paper: number; question: ReviewQuestion; onDone: () => void }

/** 退回: why, in words that the teacher reads. */
function RefuseDialog({ paper, question, onDone, onClose }: Shown & { onClose: () => void }) {
  const said = useSaid()
  const [form] = Form.useForm<{ reason: string }>()
  const { busy, problem, send } = useSend(form)
  const submit = () => send(async () => {
    const values = await validated(form)
    if (!values) return
    const { left } = await call(refuseQuestion, values, { params: { id: paper, question: question.id }, quiet: true })
    said({ words: left > 0 ? `第 ${question.ord} 题已退回，还有 ${left} 题` : '全部审核完，教师已收到通知' })
    onDone()
    onClose()
  })
  return (
    <Modal open title={`退回第 ${question.ord} 题`} okText="退回" okButtonProps={{ danger: true }} confirmLoading={busy} onOk={() => void submit()} onCancel={onClose} destroyOnHidden>
      {problem}
      <Form form={form} name="question-refuse" layout="vertical"><ReasonItem /></Form>
      <p className="note">原因会发给出题教师。</p>
    </Modal>
  )
}

/** What the bank has that is like a question, and one of them in its place. */
function Like({ items, busy, onReuse }: { items: readonly Alike[]; busy: boolean; onReuse: (id: number, no: string) => void }) {
  if (items.length === 0) return <p className="note">题库中没有相似的题</p>
  return (
    <ul className="review-like">
      {items.map(({ practice, kind, score }) => (
        <li key={practice.id}>
          <header><b data-kind={kind}>{LIKENESS[kind]} {Math.round(score * 100)}%</b><span>{practice.no}</span><Button size="small" loading={busy} onClick={() => onReuse(practice.id, practice.no)}>改用此题</Button></header>
          <QuestionView content={practice.content} answer="folded" />
        </li>
      ))}
    </ul>
  )
}

/** The question that is decided now: what the bank has like it, then into the bank, another in its place, or back. */
function Current({ paper, question, onDone }: Shown) {
  const said = useSaid()
  const [refusing, setRefusing] = useState(false)
  const [same, setSame] = useState<string>()
  const { busy, problem, send } = useSend()
  const params = { id: paper, question: question.id }
  const { data, error } = useQuery({ queryKey: ['question-alike', question.id], queryFn: ({ signal }) => call(likeQuestion, undefined, { params, signal, quiet: true }) })
  const done = (words: string, left: number) => {
    said({ words: left > 0 ? `${words}，还有 ${left} 题` : '全部审核完，教师已收到通知' })
    setSame(undefined)
    onDone()
  }
  const admit = (sure: boolean) => send(async () => {
    try {
      done(`第 ${question.ord} 题已入库`, (await call(admitQuestion, { sure }, { params, quiet: true })).left)
    } catch (refused) {
      if (sure || !(refused instanceof CallError) || refused.status !== 409 || refused.body['code'] !== 'same_practice') throw refused
      setSame(refused.message)
    }
  })
  const reuse = (id: number, no: string) => send(async () => done(`第 ${question.ord} 题改用 ${no}`, (await call(reuseQuestion, { practice_id: id }, { params, quiet: true })).left))
  return (
    <section className="review-current" aria-label={`第 ${question.ord} 题`}>
      <QuestionView content={question.content} number={question.ord} points={question.score} answer="shown" />
      {problem}
      {same && <Alert className="form-alert" type="warning" showIcon title={same} action={<Button size="small" loading={busy} onClick={() => void admit(true)}>仍要入库</Button>} />}
      <Space wrap>
        <Button type="primary" loading={busy} onClick={() => void admit(false)}>入库</Button>
        <Button danger onClick={() => setRefusing(true)}>退回</Button>
        <span className="note">入库后是后备题库的草稿，由您提交校对</span>
      </Space>
      <h4>题库查重</h4>
      {error ? <Alert type="error" showIcon title={error.message} /> : data ? <Like items={data.items} busy={busy} onReuse={(id, no) => void reuse(id, no)} /> : <Skeleton active />}
      {refusing && <RefuseDialog paper={paper} question={question} onDone={onDone} onClose={() => setRefusing(false)} />}
    </section>
  )
}

/** A question that is decided, or that comes later. */
function Other({ question }: { question: ReviewQuestion }) {
  const { practice } = question
  return (
    <li>
      <header>
        <StateWord choices={QUESTIONS} value={question.state} />
        {practice && <Link to={practice.path}>{practice.no}</Link>}
        {practice && <span className="note">{practice.placed ? '已在试卷中' : practice.official ? '已发布，可放入试卷' : '等待校对发布'}</span>}
        {question.staff_name && <span className="note">{question.staff_name}</span>}
      </header>
      {question.reason && <p className="note">{question.reason}</p>}
      <QuestionView content={question.content} number={question.ord} points={question.score} answer="folded" />
    </li>
  )
}

/** 审核入库: the questions that a teacher wrote, one after the other. */
function Review({ row, reload }: { row: WireRow; reload: () => void }) {
  const can = useCan()
  const said = useSaid()
  const { busy, problem, send } = useSend()
  const { data, error, refetch } = useQuery({ queryKey: ['teacher-questions', row.id, row.rev], queryFn: ({ signal }) => call(reviewQuestions, undefined, { params: { id: row.id }, signal, quiet: true }) })
  if (error) return <Alert type="error" showIcon title={error.message} action={<Button size="small" onClick={() => void refetch()}>重试</Button>} />
  if (!data) return <Skeleton active />
  if (data.items.length === 0) return <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="这份试卷没有自编题，都来自题库" />
  const done = () => { void refetch(); reload() }
  const current = can(teacherPaper.rights.id('approve')) ? data.items.find(({ state }) => state === QUESTION.waiting) : undefined
  const ready = data.items.filter(({ practice }) => practice?.official && !practice.placed).length
  const place = () => send(async () => {
    const { placed } = await call(placeQuestions, undefined, { params: { id: row.id }, quiet: true })
    said({ words: `${placed} 道题已放入试卷` })
    done()
  })
  return (
    <div className="review">
      <p className="note">自编题 {data.items.length} 道，待审核 {data.items.filter(({ state }) => state === QUESTION.waiting).length} 道</p>
      {problem}
      {ready > 0 && can(teacherPaper.actions.edit) && <Alert className="form-alert" type="info" showIcon title={`${ready} 道题已在正式题库，还不在试卷中`} action={<Button size="small" loading={busy} onClick={() => void place()}>放入试卷</Button>} />}
      {current && <Current key={current.id} paper={row.id} question={current} onDone={done} />}
      <ul className="review-others">{data.items.filter(({ id }) => id !== current?.id).map((question) => <Other key={question.id} question={question} />)}</ul>
    </div>
  )
}

export default presentPapers(teacherPaper, present(teacherPaper)({ slots: { details: [{ key: 'review', label: '自编题审核', Content: Review }] } }))

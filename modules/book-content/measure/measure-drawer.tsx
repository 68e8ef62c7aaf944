import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Alert, App, Button, Drawer, Empty, Form, Input, InputNumber, Modal, Popconfirm, Skeleton, Space, Tabs } from 'antd'
import { useState } from 'react'
import { call, request } from '../../../core/endpoint/call.tsx'
import { StateWord } from '../../../core/field/choice.tsx'
import { validated } from '../../../core/form/validated.tsx'
import type { RowDialogProps } from '../../../core/resource/present.tsx'
import { useCan } from '../../../core/session/staff-context.tsx'
import { useWide } from '../../../core/ui/use-media.tsx'
import { DifficultyTag, QuestionView } from '../../practice/door.tsx'
import { composeMeasure, dropQuestion, placeMeasure, readMeasure, swapQuestion, type MeasureContent } from './calls.ts'
import { MEASURE_STATE, MEASURE_STATES, measurement } from './measurement.ts'
import { ReportPreview } from './report-preview.tsx'

interface Act {
  readonly run: (work: () => Promise<MeasureContent>, words?: string) => void
  readonly busy: boolean
}

const questionsOf = ({ row }: MeasureContent) => row.questions ?? []

/** The questions knowledge by knowledge: another one, or none, in the place of each. */
function Questions({ content, editable, act }: { content: MeasureContent; editable: boolean; act: Act }) {
  const { row, labels, cards, lacks } = content
  const questions = questionsOf(content)
  const params = { id: row.id }
  const byId = new Map(cards.map((card) => [card.id, card]))
  return (
    <div className="bc-drawer">
      {editable && <Space wrap><Popconfirm disabled={questions.length === 0} title="重新组卷？" description="现在的试题会全部换掉。" okText="重新组卷" onConfirm={() => act.run(() => call(composeMeasure, { rev: row.rev }, { params, quiet: true }), '已重新组卷')}>
        <Button type={questions.length === 0 ? 'primary' : 'default'} loading={act.busy} {...(questions.length === 0 && { onClick: () => act.run(() => call(composeMeasure, { rev: row.rev }, { params, quiet: true }), '已组卷') })}>{questions.length === 0 ? '组卷' : '重新组卷'}</Button>
      </Popconfirm></Space>}
      {lacks.length > 0 && <Alert type="warning" showIcon title="题库不够" description={<ul className="bc-list">{lacks.map((words) => <li key={words}>{words}</li>)}</ul>} />}
      {questions.length === 0 && <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="还没有试题，按知识点和难度曲线从正式题库组卷" />}
      {labels.map(({ id, name, above }) => {
        const own = questions.filter(({ label_id }) => label_id === id)
        return (
          <section key={id} aria-label={name}>
            <h3 className="bc-title">{name} <small className="note">{[above, `${own.length} 题`].filter(Boolean).join(' · ')}</small></h3>
            {own.length === 0 && questions.length > 0 && <p className="bc-warn">还没有试题</p>}
            <ul className="bc-candidates">
              {own.map(({ practice_id }) => {
                const card = byId.get(practice_id)
                return (
                  <li key={practice_id}>
                    <p><b>{card?.no ?? '已删除'}</b> <DifficultyTag value={card?.difficulty ?? null} />
                      {editable && <Space size={0} className="bc-end"><Button size="small" type="text" disabled={act.busy} aria-label={`换掉 ${card?.no ?? practice_id}`} onClick={() => act.run(() => call(swapQuestion, { practice_id, rev: row.rev }, { params, quiet: true }))}>换一题</Button>
                        <Button size="small" type="text" danger disabled={act.busy} aria-label={`移除 ${card?.no ?? practice_id}`} onClick={() => act.run(() => call(dropQuestion, { practice_id, rev: row.rev }, { params, quiet: true }))}>移除</Button></Space>}</p>
                    {card && <QuestionView content={card.content} number={questions.findIndex((one) => one.practice_id === practice_id) + 1} answer="folded" />}
                  </li>
                )
              })}
            </ul>
          </section>
        )
      })}
    </div>
  )
}

interface Place { name: string; section?: string; page_no: number }

/** Where the measurement stands in its book. */
function Codes({ content, may, act }: { content: MeasureContent; may: boolean; act: Act }) {
  const { row, codes } = content
  const [form] = Form.useForm<Place>()
  const [open, setOpen] = useState(false)
  const live = row.state === MEASURE_STATE.live
  const place = async () => {
    const values = await validated(form)
    if (!values) return
    act.run(() => call(placeMeasure, values, { params: { id: row.id }, quiet: true }), '已放进图书')
    setOpen(false)
  }
  return (
    <div className="bc-drawer">
      {may && <Space><Button type="primary" disabled={!live} title={live ? undefined : '发布后才能放进图书'} onClick={() => setOpen(true)}>放进图书</Button>{!live && <span className="note">发布后才能放进图书</span>}</Space>}
      {codes.length === 0 && <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="书上还没有通向它的二维码" />}
      <ul className="bc-list">{codes.map(({ id, code, name, page_no, printed }) => <li key={id}><b className="figure">{code}</b> {name} <small>{page_no === null ? '' : `第 ${page_no} 页 · `}{printed ? '已印' : '未印'}</small> <a href={`/q/${code}`} target="_blank" rel="noopener noreferrer">扫码页面</a></li>)}</ul>
      <Modal open={open} title={`放进图书 · ${row.book_name ?? ''}`} okText="生成二维码" confirmLoading={act.busy} onOk={() => void place()} onCancel={() => setOpen(false)}>
        <Form<Place> form={form} layout="vertical" name="place-measure" initialValues={{ name: row.name }}>
          <Form.Item name="name" label="书上的名称" rules={[{ required: true, whitespace: true, message: '请填写名称' }]}><Input maxLength={60} /></Form.Item>
          <Form.Item name="section" label="章节"><Input maxLength={60} /></Form.Item>
          <Form.Item name="page_no" label="页码" rules={[{ required: true, message: '请填写页码' }]}><InputNumber className="wide" min={1} max={999} precision={0} prefix="第" suffix="页" /></Form.Item>
        </Form>
      </Modal>
    </div>
  )
}

/** One measurement from its questions to its place in the book. */
export function MeasureDrawer({ row: { id, name }, reload, onClose }: RowDialogProps<typeof measurement>) {
  const { message } = App.useApp()
  const can = useCan()
  const wide = useWide('lg')
  const client = useQueryClient()
  const queryKey = ['measure', id]
  const { data, error, refetch } = useQuery({ queryKey, queryFn: ({ signal }) => call(readMeasure, undefined, { params: { id }, signal, quiet: true }), staleTime: 0 })
  const work = useMutation({
    mutationFn: ({ run }: { run: () => Promise<MeasureContent>; words?: string | undefined }) => run(),
    onSuccess: (next, { words }) => {
      client.setQueryData(queryKey, next)
      reload()
      if (words) void message.success(words)
    },
    onError: (reason) => {
      void message.error(reason.message, 5)
      void refetch()
    },
  })
  const act: Act = { busy: work.isPending, run: (run, words) => work.mutate({ run, words }) }
  const state = (action: 'publish' | 'disable') => act.run(async () => {
    await request('POST', `${measurement.api.item}/${id}/${action}`, {}, { quiet: true })
    return call(readMeasure, undefined, { params: { id }, quiet: true })
  }, action === 'publish' ? '已发布' : '已停用')
  const row = data?.row
  const editable = row?.can.includes('edit') ?? false
  return (
    <Drawer open size={wide ? 880 : '100%'} title={name} onClose={onClose} extra={row && (
      <Space>
        <StateWord choices={MEASURE_STATES} value={row.state} />
        {row.can.includes('disable') && <Popconfirm title="停用这个测评？" description="停用后扫码显示「内容准备中」。" okText="停用" onConfirm={() => state('disable')}><Button>停用</Button></Popconfirm>}
        {row.can.includes('publish') && <Button type="primary" loading={act.busy} onClick={() => state('publish')}>发布</Button>}
      </Space>
    )}>
      {error && <Alert type="error" showIcon title={error.message} action={<Button size="small" onClick={() => void refetch()}>重试</Button>} />}
      {!data && !error && <Skeleton active paragraph={{ rows: 10 }} />}
      {data && (
        <Tabs items={[
          { key: 'questions', label: `试题 ${questionsOf(data).length}`, children: <Questions content={data} editable={editable} act={act} /> },
          { key: 'report', label: '报告预览', children: questionsOf(data).length === 0 ? <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="组卷后，这里是学员看到的报告" /> : <ReportPreview content={data} questions={questionsOf(data)} /> },
          { key: 'codes', label: `二维码 ${data.codes.length}`, children: <Codes content={data} may={can(measurement.rights.id('publish'))} act={act} /> },
        ]} />
      )}
    </Drawer>
  )
}

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Alert, App, Button, Drawer, Empty, Form, Input, InputNumber, Modal, Skeleton } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { call } from '../../core/endpoint/call.tsx'
import { formatTime } from '../../core/field/time.ts'
import { ReasonItem } from '../../core/form/reason-item.tsx'
import { validated } from '../../core/form/validated.tsx'
import type { WireRow } from '../../core/resource/endpoints.ts'
import type { RowDialogProps } from '../../core/resource/present.tsx'
import { useSaid } from '../../core/undo/use-said.tsx'
import { learnerEndpoints, MOST_DAYS, type Opening } from './learner-calls.ts'
import type { LearnerResource } from './learner.ts'
import { useSend } from './use-send.tsx'

/** 延期: more time for learners, from the end of what they have. */
export function ExtendDialog({ learners, ids, title, onClose, onDone }: { learners: LearnerResource; ids: readonly number[]; title: string; onClose: () => void; onDone: () => void }) {
  const said = useSaid()
  const [form] = Form.useForm<{ days: number; reason: string }>()
  const { busy, problem, send } = useSend(form)
  const submit = () => send(async () => {
    const values = await validated(form)
    if (!values) return
    const { count, undo } = await call(learnerEndpoints(learners).extend, { ids: [...ids], ...values }, { quiet: true })
    said({ words: `已延期 ${count} 名`, undo })
    onDone()
    onClose()
  })
  return (
    <Modal open title={title} okText="延期" confirmLoading={busy} onOk={() => void submit()} onCancel={onClose} destroyOnHidden>
      {problem}
      <p className="note">从到期时间往后延，已过期的从现在起算；顺延在后面的权益一起后移。</p>
      <Form form={form} layout="vertical" initialValues={{ days: 30 }}>
        <Form.Item name="days" label="天数" rules={[{ required: true, message: '请填写天数' }]}><InputNumber min={1} max={MOST_DAYS} precision={0} suffix="天" /></Form.Item>
        <ReasonItem />
      </Form>
    </Modal>
  )
}

/** 换绑: what somebody may use goes to the account of another number. */
export function RebindLearnerDialog({ learners, row, reload, onClose }: RowDialogProps<LearnerResource> & { learners: LearnerResource }) {
  const { message } = App.useApp()
  const [form] = Form.useForm<{ mobile: string; reason: string }>()
  const { busy, problem, send } = useSend(form)
  const submit = () => send(async () => {
    const values = await validated(form)
    if (!values) return
    await call(learnerEndpoints(learners).rebind, { ...values, rev: row.rev }, { params: { id: row.id }, quiet: true })
    void message.success('换绑成功')
    reload()
    onClose()
  })
  return (
    <Modal open title={`换绑 · ${row.product}`} okText="换绑" confirmLoading={busy} onOk={() => void submit()} onCancel={onClose} destroyOnHidden>
      {problem}
      <p className="note">现在属于 {row.user_name}。换绑后由新手机号的账号学习，没有账号时自动新建。</p>
      <Form form={form} layout="vertical">
        <Form.Item name="mobile" label="新手机号" rules={[{ required: true, message: '请填写新手机号' }]}><Input inputMode="numeric" maxLength={20} autoComplete="off" /></Form.Item>
        <ReasonItem />
      </Form>
    </Modal>
  )
}

/** Why somebody is entitled: the order, code or person that opened it. */
export function OriginLine({ learners, row }: { learners: LearnerResource; row: WireRow<LearnerResource> }) {
  const { data, error } = useQuery({ queryKey: ['origin', learners.name, row.id, row.rev], queryFn: ({ signal }) => call(learnerEndpoints(learners).origin, undefined, { params: { id: row.id }, signal, quiet: true }) })
  if (error) return <Alert type="warning" showIcon title={error.message} />
  if (!data) return <Skeleton active paragraph={{ rows: 1 }} title={false} />
  const { source, title, path, at, staff_name } = data
  return <p className="note">开通来源：{source}，{path === null ? title : <Link to={path}>{title}</Link>}，{formatTime(at)}{staff_name && `，${staff_name}`}</p>
}

function UndoDialog({ learners, opening, onClose, onDone }: { learners: LearnerResource; opening: Opening; onClose: () => void; onDone: () => void }) {
  const { message } = App.useApp()
  const [form] = Form.useForm<{ reason: string }>()
  const { busy, problem, send } = useSend(form)
  const submit = () => send(async () => {
    const values = await validated(form)
    if (!values) return
    const { closed } = await call(learnerEndpoints(learners).undo, values, { params: { job_id: opening.job_id }, quiet: true })
    void message.success(`已撤销 ${closed} 条权益`)
    onDone()
    onClose()
  })
  return (
    <Modal open title={`撤销开通 · ${opening.product}`} okText="撤销开通" okButtonProps={{ danger: true }} confirmLoading={busy} onOk={() => void submit()} onCancel={onClose} destroyOnHidden>
      {problem}
      <p>这次开通的 {opening.opened.toLocaleString('zh-CN')} 个权益全部收回，顺延在后面的权益提前。</p>
      <Form form={form} layout="vertical"><ReasonItem /></Form>
    </Modal>
  )
}

/** 开通记录: what was opened within a day, each to be taken back. */
export function OpeningsDrawer({ learners, onClose, reload }: { learners: LearnerResource; onClose: () => void; reload: () => void }) {
  const client = useQueryClient()
  const queryKey = ['openings', learners.name]
  const { data, error, isPending } = useQuery({ queryKey, queryFn: ({ signal }) => call(learnerEndpoints(learners).openings, undefined, { signal, quiet: true }), staleTime: 0 })
  const [undoing, setUndoing] = useState<Opening>()
  return (
    <Drawer open onClose={onClose} title="24 小时内的批量开通" size={560} destroyOnHidden>
      {error && <Alert type="error" showIcon title={error.message} />}
      {isPending && <Skeleton active />}
      {data?.items.length === 0 && <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="24 小时内没有批量开通" />}
      <ul className="opening-list">
        {data?.items.map((opening) => (
          <li key={opening.job_id}>
            <span><strong>{opening.product}</strong><br /><span className="note">{opening.opened.toLocaleString('zh-CN')} 个 · {formatTime(opening.at)}{opening.staff_name && ` · ${opening.staff_name}`}</span></span>
            {opening.undone ? <span className="note">已撤销</span> : <Button size="small" danger onClick={() => setUndoing(opening)}>撤销</Button>}
          </li>
        ))}
      </ul>
      {undoing && <UndoDialog learners={learners} opening={undoing} onClose={() => setUndoing(undefined)} onDone={() => { void client.invalidateQueries({ queryKey }); reload() }} />}
    </Drawer>
  )
}

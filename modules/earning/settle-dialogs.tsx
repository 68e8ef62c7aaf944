import { Alert, App, Button, DatePicker, Form, Input, InputNumber, Modal } from 'antd'
import dayjs, { type Dayjs } from 'dayjs'
import { useState } from 'react'
import { call } from '../../core/endpoint/call.tsx'
import { formatMoney, toFen } from '../../core/field/number.ts'
import { Picker } from '../../core/field/reference.tsx'
import type { Target } from '../../core/field/reference.ts'
import { ReasonItem } from '../../core/form/reason-item.tsx'
import { validated } from '../../core/form/validated.tsx'
import { useSend } from '../user/door.tsx'
import type { agentCalls, payMoney, payTeacher } from './calls.ts'

const REQUIRED = (message: string) => [{ required: true, message }]

/** The end of a day, or this moment where the day is today. */
const until = (day: Dayjs) => Math.min(day.endOf('day').unix(), Math.floor(Date.now() / 1000))

/** 生成结算单: of everybody who has something due, or of one. */
export function SettleButton({ of, owner, accountId, reload }: { of: (typeof agentCalls)['settle']; owner: Target; accountId?: number | undefined; reload: () => void }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button type="primary" onClick={() => setOpen(true)}>生成结算单</Button>
      {open && <SettleDialog of={of} owner={owner} accountId={accountId} reload={reload} onClose={() => setOpen(false)} />}
    </>
  )
}

function SettleDialog({ of, owner, accountId, reload, onClose }: { of: (typeof agentCalls)['settle']; owner: Target; accountId: number | undefined; reload: () => void; onClose: () => void }) {
  const { message } = App.useApp()
  const [form] = Form.useForm<{ until: Dayjs; account_id?: number }>()
  const account = Form.useWatch('account_id', form)
  const { busy, problem, send } = useSend(form)
  const submit = () => send(async () => {
    const values = await validated(form)
    if (!values) return
    const done = await call(of, { until: until(values.until), ...(values.account_id && { account_ids: [values.account_id] }) }, { quiet: true })
    void message.success(done.made > 0 ? `已生成 ${done.made} 张结算单，合计 ${formatMoney(done.amount)}` : '没有可结算的明细')
    reload()
    onClose()
  })
  return (
    <Modal open title="生成结算单" okText="生成" confirmLoading={busy} onOk={() => void submit()} onCancel={onClose} mask={{ closable: false }} destroyOnHidden>
      {problem}
      <Alert className="form-alert" type="info" showIcon title="每个账户一张，含到期且不在退款中的明细；生成后是草稿，提交后由另一人审核" />
      <Form form={form} layout="vertical" initialValues={{ until: dayjs(), account_id: accountId }}>
        <Form.Item name="until" label="结算到" rules={REQUIRED('请选择结算日期')}><DatePicker className="wide" disabledDate={(day) => day.isAfter(dayjs(), 'day')} /></Form.Item>
        <Form.Item name="account_id" label={owner.label} extra="不选表示全部"><Picker target={owner} id="account_id" label={owner.label} value={account} onChange={(next) => form.setFieldValue('account_id', next ?? undefined)} /></Form.Item>
      </Form>
    </Modal>
  )
}

/** 奖励和扣减: a line with its reason. */
export function AdjustDialog({ of, account, name, reload, onClose }: { of: (typeof agentCalls)['adjust']; account: number; name: string; reload: () => void; onClose: () => void }) {
  const { message } = App.useApp()
  const [form] = Form.useForm<{ amount: number; reason: string }>()
  const { busy, problem, send } = useSend(form)
  const submit = () => send(async () => {
    const values = await validated(form)
    if (!values) return
    await call(of, { account_id: account, amount: toFen(values.amount), reason: values.reason }, { quiet: true })
    void message.success('已记入明细，随下一张结算单结算')
    reload()
    onClose()
  })
  return (
    <Modal open title={`奖励和扣减 · ${name}`} okText="记入" confirmLoading={busy} onOk={() => void submit()} onCancel={onClose} mask={{ closable: false }} destroyOnHidden>
      {problem}
      <Form form={form} layout="vertical">
        <Form.Item name="amount" label="金额" extra="扣减填负数" rules={REQUIRED('请填写金额')}><InputNumber precision={2} suffix="元" className="wide" /></Form.Item>
        <ReasonItem />
      </Form>
    </Modal>
  )
}

/** 确认打款: the number of the bank's own record, and when. */
export function PayDialog({ of, id, title, note, reload, onClose }: { of: typeof payTeacher | typeof payMoney; id: number; title: string; note: string; reload: () => void; onClose: () => void }) {
  const { message } = App.useApp()
  const [form] = Form.useForm<{ trade_no: string; paid_at: Dayjs }>()
  const { busy, problem, send } = useSend(form)
  const submit = () => send(async () => {
    const values = await validated(form)
    if (!values) return
    await call(of, { trade_no: values.trade_no, paid_at: values.paid_at.unix() }, { params: { id }, quiet: true })
    void message.success('已确认打款')
    reload()
    onClose()
  })
  return (
    <Modal open title={title} okText="确认打款" confirmLoading={busy} onOk={() => void submit()} onCancel={onClose} mask={{ closable: false }} destroyOnHidden>
      {problem}
      <p>{note}</p>
      <Form form={form} layout="vertical" initialValues={{ paid_at: dayjs() }}>
        <Form.Item name="trade_no" label="打款流水号" rules={REQUIRED('请填写打款流水号')}><Input maxLength={64} /></Form.Item>
        <Form.Item name="paid_at" label="打款时间" rules={REQUIRED('请选择打款时间')}><DatePicker showTime className="wide" /></Form.Item>
      </Form>
    </Modal>
  )
}

import { App, Button, DatePicker, Form, InputNumber, Modal } from 'antd'
import dayjs, { type Dayjs } from 'dayjs'
import { useState } from 'react'
import { call } from '../../core/endpoint/call.tsx'
import { MultiPicker } from '../../core/field/reference.tsx'
import { validated } from '../../core/form/validated.tsx'
import type { RowDialogProps } from '../../core/resource/present.tsx'
import { useCan } from '../../core/session/staff-context.tsx'
import { staff } from '../staff/module.ts'
import { useSend } from '../user/door.tsx'
import { copyQuotas, setQuotas } from './calls.ts'
import { MARKET_USER_RIGHTS, type marketQuota, monthOf, MOST_QUOTA } from './quota.ts'

interface Values { month: Dayjs; staff_ids: number[]; quota: number }

function People({ id, value = [], onChange, disabled }: { id?: string; value?: number[]; onChange?: (value: number[]) => void; disabled?: boolean }) {
  return <MultiPicker target={staff} id={id} label="市场人员" value={value} disabled={disabled} onChange={(next) => onChange?.(next)} />
}

/** 分配名额: a number for people and a month; those who have one already get this one instead. */
export function QuotaDialog({ start, title, onClose, onDone }: { start?: Partial<Values>; title: string; onClose: () => void; onDone: () => void }) {
  const { message } = App.useApp()
  const [form] = Form.useForm<Values>()
  const { busy, problem, send } = useSend(form)
  const fixed = start?.staff_ids !== undefined
  const submit = () => send(async () => {
    const values = await validated(form)
    if (!values) return
    const { set } = await call(setQuotas, { month: values.month.format('YYYY-MM'), staff_ids: values.staff_ids, quota: values.quota }, { quiet: true })
    void message.success(fixed ? `名额已改为 ${values.quota} 个` : `已为 ${set} 人分配 ${values.quota} 个名额`)
    onDone()
    onClose()
  })
  return (
    <Modal open title={title} okText="保存" confirmLoading={busy} onOk={() => void submit()} onCancel={onClose} mask={{ closable: false }} destroyOnHidden>
      {problem}
      <Form<Values> form={form} layout="vertical" name="market-quota" initialValues={{ month: dayjs(), quota: 20, ...start }}>
        <Form.Item name="month" label="月份" rules={[{ required: true, message: '请选择月份' }]}><DatePicker picker="month" className="wide" allowClear={false} disabled={fixed} /></Form.Item>
        <Form.Item name="staff_ids" label="市场人员" rules={[{ required: true, message: '请选择市场人员' }]} extra={fixed ? undefined : '当月已有名额的，改为这里填写的数'}><People disabled={fixed} /></Form.Item>
        <Form.Item name="quota" label="每人名额" rules={[{ required: true, message: '请填写名额' }]} extra="同时在用的开通数，收回和到期后退回"><InputNumber className="wide" min={0} max={MOST_QUOTA} precision={0} suffix="个" /></Form.Item>
      </Form>
    </Modal>
  )
}

/** Of one quota: another number. */
export const AdjustQuota = ({ row, reload, onClose }: RowDialogProps<typeof marketQuota>) => (
  <QuotaDialog title={`调整名额 · ${row.name}`} start={{ month: dayjs(`${row.month}-01`), staff_ids: [row.staff_id], quota: row.quota }} onClose={onClose} onDone={reload} />
)

/** The buttons above the list of quotas. */
export function QuotaButtons({ reload }: { reload: () => void }) {
  const can = useCan()
  const { message } = App.useApp()
  const [open, setOpen] = useState(false)
  const { busy, problem, send } = useSend()
  if (!can(MARKET_USER_RIGHTS.id('quota'))) return null
  const copy = () => send(async () => {
    const { set } = await call(copyQuotas, { month: monthOf(Date.now() / 1000) }, { quiet: true })
    void message.success(`已为 ${set} 人沿用上月名额`)
    reload()
  })
  return (
    <>
      {problem}
      <Button loading={busy} onClick={() => void copy()}>沿用上月</Button>
      <Button type="primary" onClick={() => setOpen(true)}>分配名额</Button>
      {open && <QuotaDialog title="分配名额" onClose={() => setOpen(false)} onDone={reload} />}
    </>
  )
}

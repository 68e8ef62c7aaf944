import { Alert, App, Drawer, Form, Input, Modal, Select, Statistic } from 'antd'
import { useState } from 'react'
import * as z from 'zod/mini'
import { call } from '../../core/endpoint/call.tsx'
import { useCloseGuard } from '../../core/form/close-guard.tsx'
import { money, formatMoney, yuan } from '../../core/field/number.ts'
import { viewOf } from '../../core/field/views.tsx'
import { ListPage } from '../../core/list/list-page.tsx'
import type { RowDialogProps } from '../../core/resource/present.tsx'
import { useWide } from '../../core/ui/use-media.tsx'
import { TOP_UP_CHANNELS, topUp, topUpSchema } from './partner-account.ts'
import { partnerLedger } from './partner-order.ts'
import type { partner } from './partner.ts'

const amountField = money('充值金额', { max: 10_000_000_000 })

/** 对账单: what the partner paid in advance, what orders took of it and what came back. */
export function Statement({ row, onClose }: RowDialogProps<typeof partner>) {
  const wide = useWide('md')
  return (
    <Drawer open onClose={onClose} title={`对账单 · ${row.name}`} size={wide ? 1080 : '100%'} destroyOnHidden>
      <Statistic title="当前余额" value={formatMoney(row.balance ?? 0)} />
      <ListPage resource={partnerLedger} embedded={{ fixed: { account_id: [String(row.id)] } }} />
    </Drawer>
  )
}

type TopUp = z.infer<typeof topUpSchema>

/** 充值: money paid in advance, from which orders can be paid. */
export function TopUpDialog({ row, reload, onClose }: RowDialogProps<typeof partner>) {
  const { message } = App.useApp()
  const [form] = Form.useForm<Partial<TopUp>>()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const [dirty, setDirty] = useState(false)
  const close = useCloseGuard(dirty, `给${row.name}充值`, onClose)
  const send = async () => {
    const result = z.safeParse(topUpSchema, Object.fromEntries(Object.entries(form.getFieldsValue()).filter(([, value]) => value !== null && value !== undefined && value !== '')))
    if (!result.success) return form.setFields(result.error.issues.map((issue) => ({ name: issue.path[0] as keyof TopUp, errors: [issue.message] })))
    setBusy(true)
    try {
      const { balance } = await call(topUp, result.data, { params: { id: row.id }, quiet: true })
      void message.success(`充值成功，余额 ${yuan(balance)} 元`)
      reload()
      onClose()
    } catch (failure) {
      setProblem(failure instanceof Error ? failure.message : '充值失败')
    } finally {
      setBusy(false)
    }
  }
  const { Input: Amount } = viewOf(amountField)
  return (
    <Modal open title={`充值 · ${row.name}`} okText="确认充值" confirmLoading={busy} onOk={() => void send()} onCancel={close} mask={{ closable: false }}>
      {problem && <Alert className="form-alert" type="error" showIcon title={problem} role="alert" />}
      <p>当前余额 {formatMoney(row.balance ?? 0)}</p>
      <Form form={form} layout="vertical" onValuesChange={() => setDirty(true)}>
        <Form.Item name="amount" label="充值金额" required><Amount field={amountField} name="amount" values={{}} /></Form.Item>
        <Form.Item name="channel" label="支付方式" required><Select placeholder="请选择支付方式" options={TOP_UP_CHANNELS.map(({ value, label }) => ({ value, label }))} /></Form.Item>
        <Form.Item name="note" label="备注"><Input.TextArea rows={2} maxLength={200} showCount /></Form.Item>
      </Form>
    </Modal>
  )
}

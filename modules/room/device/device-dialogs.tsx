import { useState } from 'react'
import { Alert, App, Button, Form, Input, Modal, QRCode, Typography } from 'antd'
import { call } from '../../../core/endpoint/call.tsx'
import { Picker } from '../../../core/field/reference.tsx'
import { validated } from '../../../core/form/validated.tsx'
import type { RowDialogProps } from '../../../core/resource/present.tsx'
import { useCall } from '../../code/door.tsx'
import { COMMANDS, connectPad, sendCommand, setPolicy, type CommandsSent } from './command.ts'
import { padPolicy } from './policy.ts'
import type { pad } from '../pad.ts'

/** Pads that are meant, and what happens when they have been told. */
export interface TellProps {
  ids: readonly number[]
  /** Which, in words: 3 台, or the number of the one. */
  many: string
  onClose: () => void
  onDone: () => void
}

type Asked = 'reboot' | 'locate' | 'update'

const WORDS: Readonly<Record<Asked, string>> = {
  reboot: '平板下次上报时重启，正在学习的内容会中断。',
  locate: '平板下次上报时回报所在位置。',
  update: '平板下次上报时下载并安装，安装后回报版本。',
}

/** Says how many pads were told, and names those that were not. */
function useSaid(): (answer: CommandsSent) => void {
  const { message, modal } = App.useApp()
  return ({ sent, refused }) => {
    if (refused.length === 0) return void message.success(`已排队，共 ${sent} 台`)
    modal.info({ title: `已排队 ${sent} 台，${refused.length} 台未下发`, content: refused.map(({ sn, reason }) => <p key={sn}>{sn}：{reason}</p>) })
  }
}

/** 远程重启、定位、推送更新. */
export function CommandDialog({ kind, ids, many, onClose, onDone }: TellProps & { kind: Asked }) {
  const [form] = Form.useForm<{ app_version?: string; app_url?: string; reason?: string }>()
  const { busy, problem, run } = useCall((fields) => form.setFields(Object.entries(fields).map(([name, text]) => ({ name: name as 'reason', errors: [text] }))))
  const say = useSaid()
  const label = COMMANDS.find(({ value }) => value === kind)?.label ?? ''
  const send = async () => {
    const values = await validated(form)
    if (!values) return
    if (await run(async () => say(await call(sendCommand, { ids: [...ids], kind, ...values }, { quiet: true })))) {
      onDone()
      onClose()
    }
  }
  return (
    <Modal open title={`${label}：${many}`} okText="下发" confirmLoading={busy} onOk={() => void send()} onCancel={onClose}>
      {problem && <Alert className="form-alert" type="error" showIcon title={problem} role="alert" />}
      <p className="note">{WORDS[kind]}</p>
      <Form form={form} layout="vertical">
        {kind === 'update' && (
          <>
            <Form.Item name="app_version" label="应用版本" rules={[{ required: true, message: '请填写版本' }]}><Input placeholder="5.2.1" maxLength={20} /></Form.Item>
            <Form.Item name="app_url" label="安装包地址" rules={[{ required: true, message: '请填写安装包地址' }]}><Input placeholder="https://" maxLength={300} /></Form.Item>
          </>
        )}
        <Form.Item name="reason" label="原因"><Input maxLength={200} /></Form.Item>
      </Form>
    </Modal>
  )
}

/** 策略下发: puts pads under a policy, or under none. */
export function PolicyDialog({ ids, many, onClose, onDone }: TellProps) {
  const [policyId, setPolicyId] = useState<number | null>(null)
  const { busy, problem, run } = useCall()
  const say = useSaid()
  const send = async () => {
    if (await run(async () => say(await call(setPolicy, { ids: [...ids], ...(policyId !== null && { policy_id: policyId }) }, { quiet: true })))) {
      onDone()
      onClose()
    }
  }
  return (
    <Modal open title={`策略下发：${many}`} okText={policyId === null ? '解除管控' : '下发'} okButtonProps={{ danger: policyId === null }} confirmLoading={busy} onOk={() => void send()} onCancel={onClose}>
      {problem && <Alert className="form-alert" type="error" showIcon title={problem} role="alert" />}
      <Form layout="vertical">
        <Form.Item label="管控策略" htmlFor="pad-policy" extra="不选则解除管控"><Picker id="pad-policy" target={padPolicy} label="管控策略" value={policyId ?? undefined} onChange={setPolicyId} /></Form.Item>
      </Form>
    </Modal>
  )
}

/** 接入码: what a pad is connected with, shown this once. */
export function ConnectDialog({ row, reload, onClose }: RowDialogProps<typeof pad>) {
  const [token, setToken] = useState<string>()
  const { busy, problem, run } = useCall()
  const make = () => run(async () => {
    setToken((await call(connectPad, undefined, { params: { id: row.id }, quiet: true })).token)
    reload()
  })
  return (
    <Modal open title={`接入码 · ${row.sn}`} onCancel={onClose} footer={token ? <Button onClick={onClose}>关闭</Button> : <Button type="primary" loading={busy} onClick={() => void make()}>生成接入码</Button>}>
      {problem && <Alert className="form-alert" type="error" showIcon title={problem} role="alert" />}
      {token ? (
        <>
          <p className="note">只显示这一次。在平板的管控应用中扫描，或输入接入码。</p>
          <QRCode value={JSON.stringify({ server: window.location.origin, token })} type="svg" color="#000" bgColor="#fff" />
          <Typography.Paragraph copyable className="figure">{token}</Typography.Paragraph>
        </>
      ) : <p className="note">{row.connected_at === null ? '接入后，平板定时上报状态并领取指令。' : '该平板已接入。重新生成后，原来的接入码立即失效。'}</p>}
    </Modal>
  )
}

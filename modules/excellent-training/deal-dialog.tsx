import { useQuery } from '@tanstack/react-query'
import { Alert, App, Button, Form, Input, InputNumber, Modal, Space, Table } from 'antd'
import { useState } from 'react'
import { call, request } from '../../core/endpoint/call.tsx'
import { Picker } from '../../core/field/reference.tsx'
import { formatMoney } from '../../core/field/number.ts'
import { date } from '../../core/field/time.ts'
import { viewOf } from '../../core/field/views.tsx'
import { standardId } from '../../core/grant/grant.ts'
import { useCloseGuard } from '../../core/form/close-guard.tsx'
import { validated } from '../../core/form/validated.tsx'
import type { WireRow } from '../../core/resource/endpoints.ts'
import { useCan } from '../../core/session/staff-context.tsx'
import { useSend } from '../user/door.tsx'
import { dealProblem, signDeal, spreadDeal, type DealPart } from './deal.ts'
import { CONTRACT_LENGTH, excellentLine } from './line.ts'

const { offers, orders } = excellentLine
const dueField = date('应付日期')
const DueInput = viewOf(dueField).Input

interface Values {
  contract_no: string
  mobile: string
  name: string
  remark?: string
}

/** The payments of a deal: typed one by one, or spread over so many months. */
function Parts({ now, price, instalments, deposit, parts, onChange }: { now: number; price: number; instalments: number | null; deposit: number | null; parts: readonly DealPart[]; onChange: (parts: readonly DealPart[]) => void }) {
  const set = (index: number, part: Partial<DealPart>) => onChange(parts.map((one, at) => (at === index ? { ...one, ...part } : one)))
  return (
    <>
      <Space wrap className="form-alert">
        <Button size="small" onClick={() => onChange(spreadDeal(price, 1, now))}>全款</Button>
        <Button size="small" onClick={() => onChange(spreadDeal(price, 2, now, Math.min(deposit ?? Math.round(price / 10), price - 1)))}>定金和尾款</Button>
        {instalments !== null && instalments > 1 && <Button size="small" onClick={() => onChange(spreadDeal(price, instalments, now))}>分 {instalments} 期</Button>}
        <span>项目价格 {formatMoney(price)}</span>
      </Space>
      <Table size="small" pagination={false} rowKey="index" dataSource={parts.map((part, index) => ({ ...part, index }))} columns={[
        { title: '期', width: 60, dataIndex: 'index', render: (_value, { index }) => index + 1 },
        { title: '金额', render: (_value, { index, amount }) => <InputNumber aria-label={`第 ${index + 1} 期金额`} min={0.01} precision={2} value={amount / 100} suffix="元" onChange={(value) => set(index, { amount: Math.round((value ?? 0) * 100) })} /> },
        { title: '应付日期', render: (_value, { index, due_at }) => (index === 0 ? '签约时' : (
          <DueInput field={dueField} name={`第 ${index + 1} 期应付日期`} values={{}} value={due_at ?? null} onChange={(value: unknown) => set(index, { due_at: typeof value === 'number' ? value : undefined })} />
        )) },
      ]} />
    </>
  )
}

function DealDialog({ onClose, onDone }: { onClose: () => void; onDone: () => void }) {
  const { message } = App.useApp()
  const [form] = Form.useForm<Values>()
  const { busy, problem, send } = useSend(form)
  const [project, setProject] = useState<number>()
  const [parts, setParts] = useState<readonly DealPart[]>([])
  const { data: offer } = useQuery({
    queryKey: ['deal-project', project], enabled: project !== undefined, queryFn: ({ signal }) => request<WireRow<typeof offers>>('GET', `${offers.api.item}/${project}`, undefined, { signal, quiet: true }),
  })
  const price = offer?.price ?? 0
  const instalments = (offer?.['instalments'] ?? null) as number | null
  const [now] = useState(() => Date.now() / 1000)
  const shown = parts.length > 0 || !offer ? parts : spreadDeal(price, 1, now)
  const wrong = offer && dealProblem(price, shown, { instalments })
  const close = useCloseGuard(project !== undefined, '签约', onClose)
  const sign = () => send(async () => {
    const values = await validated(form)
    if (!values || project === undefined) return
    const { ids } = await call(signDeal, { ...values, offer_id: project, parts: [...shown] }, { quiet: true })
    void message.success(`已签约，生成 ${ids.length} 个待支付订单`)
    onDone()
    onClose()
  })
  return (
    <Modal open title="签约" width={680} okText="签约" confirmLoading={busy} okButtonProps={{ disabled: !offer || wrong !== undefined }} onOk={() => void sign()} onCancel={close} mask={{ closable: false }}>
      {problem}
      <Form<Values> form={form} layout="vertical">
        <Form.Item label="项目" required><Picker target={offers} id={undefined} label="项目" value={project} onChange={(picked) => { setProject(picked ?? undefined); setParts([]) }} /></Form.Item>
        <div className="order-fields">
          <Form.Item name="contract_no" label="合同号" rules={[{ required: true, whitespace: true, message: '请填写合同号' }]}><Input maxLength={CONTRACT_LENGTH} autoComplete="off" /></Form.Item>
          <Form.Item name="name" label="学员姓名" rules={[{ required: true, whitespace: true, message: '请填写姓名' }]}><Input maxLength={40} autoComplete="off" /></Form.Item>
          <Form.Item name="mobile" label="手机号" rules={[{ required: true, message: '请填写手机号' }]}><Input inputMode="tel" maxLength={20} autoComplete="off" placeholder="11 位手机号" /></Form.Item>
        </div>
        {offer && <Form.Item label="付款安排" required><Parts now={now} price={price} instalments={instalments} deposit={(offer['deposit'] ?? null) as number | null} parts={shown} onChange={setParts} /></Form.Item>}
        {wrong && <Alert className="form-alert" type="warning" showIcon title={wrong} role="alert" />}
        <Form.Item name="remark" label="备注"><Input.TextArea rows={2} maxLength={200} showCount /></Form.Item>
      </Form>
    </Modal>
  )
}

/** 签约: a contract with its payments, each an order of its own. */
export function DealButton({ reload }: { reload: () => void }) {
  const can = useCan()
  const [open, setOpen] = useState(false)
  if (!can(standardId(orders.grant, 'edit'))) return null
  return (
    <>
      <Button onClick={() => setOpen(true)}>签约</Button>
      {open && <DealDialog onClose={() => setOpen(false)} onDone={reload} />}
    </>
  )
}

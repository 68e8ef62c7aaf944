import { App, Form, Input, InputNumber, Modal, Statistic } from 'antd'
import { useState } from 'react'
import { ListPage } from '../../core/list/list-page.tsx'
import { ListsPage } from '../../core/list/lists-page.tsx'
import { call } from '../../core/endpoint/call.tsx'
import { formatMoney, toFen } from '../../core/field/number.ts'
import { validated } from '../../core/form/validated.tsx'
import type { WireRow } from '../../core/resource/endpoints.ts'
import { present, type RowDialogProps } from '../../core/resource/present.tsx'
import { TreePage } from '../../core/tree/tree-page.tsx'
import { agent, AGENT_STATUS } from '../agent/module.ts'
import { channel } from '../reference/module.ts'
import { useSend } from '../user/door.tsx'
import { agentEarning, agentLedger, WITHDRAWAL, withdrawal, WITHDRAWAL_RIGHTS } from './agent-lines.ts'
import { agentCalls, askMoney, payMoney, readCard } from './calls.ts'
import { agentEarningView } from './order-screen.tsx'
import { RegionView } from './region-view.tsx'
import statementView from './statement-view.tsx'
import { agentStatement } from './statement.ts'
import targetView from './target-view.tsx'
import { agentTarget } from './target.ts'
import { AdjustDialog, PayDialog } from './settle-dialogs.tsx'

interface Payee { amount: number; holder: string; bank: string; card: string }

const REQUIRED = (message: string) => [{ required: true, message }]

/** 申请提现: money is set aside until a second person has decided. */
function WithdrawDialog({ row, reload, onClose }: RowDialogProps<typeof agent>) {
  const { message } = App.useApp()
  const [form] = Form.useForm<Payee>()
  const { busy, problem, send } = useSend(form)
  const balance = row.balance ?? 0
  const submit = () => send(async () => {
    const values = await validated(form)
    if (!values) return
    const { no } = await call(askMoney, { ...values, agent_id: row.id, amount: toFen(values.amount) }, { quiet: true })
    void message.success(`已申请提现 ${no}，等待审核`)
    reload()
    onClose()
  })
  return (
    <Modal open title={`申请提现 · ${row.name}`} okText="申请" confirmLoading={busy} onOk={() => void submit()} onCancel={onClose} mask={{ closable: false }} destroyOnHidden>
      {problem}
      <p>可提现 {formatMoney(Math.max(0, balance))}{balance < 0 ? `，欠款 ${formatMoney(-balance)}` : ''}</p>
      <Form form={form} layout="vertical" initialValues={{ amount: balance > 0 ? balance / 100 : undefined }}>
        <Form.Item name="amount" label="提现金额" rules={REQUIRED('请填写提现金额')}><InputNumber min={0.01} precision={2} suffix="元" className="wide" /></Form.Item>
        <Form.Item name="holder" label="收款人" rules={REQUIRED('请填写收款人')}><Input maxLength={40} /></Form.Item>
        <Form.Item name="bank" label="开户行" rules={REQUIRED('请填写开户行')}><Input maxLength={60} /></Form.Item>
        <Form.Item name="card" label="银行卡号" rules={REQUIRED('请填写银行卡号')}><Input maxLength={30} autoComplete="off" /></Form.Item>
      </Form>
    </Modal>
  )
}

const AdjustAgent = ({ row, reload, onClose }: RowDialogProps<typeof agent>) => <AdjustDialog of={agentCalls.adjust} account={row.id} name={row.name} reload={reload} onClose={onClose} />

/** 账目: what came to the balance and what left it, until now. */
const Ledger = ({ row }: { row: WireRow<typeof agent> }) => (
  <>
    <div className="money-sums"><Statistic title={(row.balance ?? 0) < 0 ? '欠款' : '余额'} value={formatMoney(Math.abs(row.balance ?? 0))} /><Statistic title="提现中" value={formatMoney(row.frozen ?? 0)} /><Statistic title="已提现" value={formatMoney(row.withdrawn ?? 0)} /></div>
    <ListPage resource={agentLedger} embedded={{ fixed: { account_id: [String(row.id)] } }} />
  </>
)

const agentView = present(agent)({
  cells: { balance: ({ value }) => ((value ?? 0) < 0 ? <span className="figure">欠款 {formatMoney(-(value ?? 0))}</span> : <span className="figure">{formatMoney(value ?? 0)}</span>) },
  slots: { details: [
    { key: 'statement', label: '账目', Content: Ledger },
    { key: 'statements', label: '对账单', Content: ({ row }) => <ListPage resource={agentStatement} presentation={statementView} embedded={{ fixed: { account_id: [String(row.id)] } }} /> },
    { key: 'targets', label: '任务和配额', Content: ({ row }) => <ListPage resource={agentTarget} presentation={targetView} embedded={{ fixed: { account_id: [String(row.id)] } }} /> },
    { key: 'earnings', label: '佣金明细', Content: ({ row }) => <ListPage resource={agentEarning} presentation={agentEarningView} embedded={{ fixed: { account_id: [String(row.id)] } }} /> },
    { key: 'withdrawals', label: '提现', Content: ({ row }) => <ListPage resource={withdrawal} presentation={withdrawalView} embedded={{ fixed: { account_id: [String(row.id)] } }} /> },
  ] },
  rowActions: [
    { key: 'withdraw', label: '申请提现', grant: WITHDRAWAL_RIGHTS.id('withdraw'), visible: (row) => row.status === AGENT_STATUS.active && (row.balance ?? 0) > 0 },
    { key: 'adjust', label: '奖励和扣减', grant: WITHDRAWAL_RIGHTS.id('adjust'), visible: (row) => row.status !== AGENT_STATUS.ended },
  ],
  dialogs: { withdraw: WithdrawDialog, adjust: AdjustAgent },
})

const PayWithdrawal = ({ row, reload, onClose }: RowDialogProps<typeof withdrawal>) => (
  <PayDialog of={payMoney} id={row.id} title={`确认打款 · ${row.no}`} note={`${row.holder}，${row.bank}，尾号 ${row.card_end}，${formatMoney(row.amount)}`} reload={reload} onClose={onClose} />
)

const withdrawalView = present(withdrawal)({
  rowActions: [
    { key: 'pay', label: '确认打款', first: true, grant: WITHDRAWAL_RIGHTS.id('pay'), visible: (row) => row.status === WITHDRAWAL.paying },
    { key: 'card', label: '查看卡号', grant: WITHDRAWAL_RIGHTS.id('pay'), visible: (row) => row.status === WITHDRAWAL.waiting || row.status === WITHDRAWAL.paying },
  ],
  dialogs: { pay: PayWithdrawal, card: CardDialog },
})

/** The whole number of the card; that somebody looked is logged. */
function CardDialog({ row, onClose }: RowDialogProps<typeof withdrawal>) {
  const [card, setCard] = useState<string>()
  const { problem, send, busy } = useSend()
  const look = () => send(async () => setCard((await call(readCard, undefined, { params: { id: row.id }, quiet: true })).card))
  return (
    <Modal open title={`银行卡号 · ${row.holder}`} okText={card === undefined ? '查看' : '关闭'} confirmLoading={busy} onOk={() => (card === undefined ? void look() : onClose())} onCancel={onClose}>
      {problem}
      <p>{row.bank} <span className="figure">{card ?? `**** **** **** ${row.card_end}`}</span></p>
      {card === undefined && <p>查看完整卡号会记入操作日志。</p>}
    </Modal>
  )
}

const Tree = () => <TreePage resource={agent} />

/** 代理账号: who sells for us, how they stand below one another, and their money. */
export default function ProxyScreen() {
  return (
    <ListsPage label="代理账号" views={[
      { key: 'list', label: '代理', resource: agent, presentation: agentView },
      { key: 'tree', label: '上下级', Content: Tree },
      { key: 'targets', label: '任务和配额', resource: agentTarget, presentation: targetView },
      { key: 'regions', label: '独家区域', Content: RegionView },
      { key: 'statements', label: '对账单', resource: agentStatement, presentation: statementView },
      { key: 'withdrawals', label: '提现', resource: withdrawal, presentation: withdrawalView },
      { key: 'ledger', label: '账目', resource: agentLedger },
      { key: 'channels', label: '渠道', resource: channel },
    ]} />
  )
}

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Alert, Button, DatePicker, Form, Modal, Skeleton, Statistic, Table } from 'antd'
import dayjs, { type Dayjs } from 'dayjs'
import { useState } from 'react'
import { call } from '../../core/endpoint/call.tsx'
import { formatMoney } from '../../core/field/number.ts'
import { formatTime } from '../../core/field/time.ts'
import { validated } from '../../core/form/validated.tsx'
import { ListPage } from '../../core/list/list-page.tsx'
import type { WireRow } from '../../core/resource/endpoints.ts'
import { present } from '../../core/resource/present.tsx'
import { useCan } from '../../core/session/staff-context.tsx'
import { useSaid } from '../../core/undo/use-said.tsx'
import { useSend } from '../user/door.tsx'
import { agentEarning } from './agent-lines.ts'
import { agentStatement, makeStatements, STATEMENT_RIGHTS, statementParts } from './statement.ts'

const KINDS: Readonly<Record<string, string>> = { commission: '佣金', withdraw: '提现', withdraw_back: '提现退回' }

type Statement = WireRow<typeof agentStatement>

/** How the sums of a statement come about: its movements, and the settlements of which its commission is the sum. */
function Parts({ row }: { row: Statement }) {
  const { data, error } = useQuery({ queryKey: ['agent_statement', row.id, 'parts'], queryFn: ({ signal }) => call(statementParts, undefined, { params: { id: row.id }, signal, quiet: true }) })
  if (error) return <Alert type="error" showIcon title={error.message} />
  if (!data) return <Skeleton active />
  return (
    <>
      <div className="money-sums">
        <Statistic title="期初余额" value={formatMoney(row.opening)} /><Statistic title="＋ 佣金入账" value={formatMoney(row.commission)} /><Statistic title="－ 提现" value={formatMoney(row.withdrawn)} />
        {row.returned !== 0 && <Statistic title="＋ 提现退回" value={formatMoney(row.returned)} />}
        {row.other !== 0 && <Statistic title="＋ 其他" value={formatMoney(row.other)} />}
        <Statistic title="＝ 期末余额" value={formatMoney(row.closing)} />
      </div>
      <p>佣金 {formatMoney(row.commission)} = {row.settlement_cnt} 张结算单，共 {row.line_cnt} 条明细，合计 {formatMoney(row.line_sum)}{Number(row.gap ?? 0) === 0 ? '，相符' : <strong className="lacking">，差额 {formatMoney(Number(row.gap))}</strong>}</p>
      <Table size="small" rowKey="id" pagination={false} scroll={{ x: 'max-content' }} dataSource={data.entries} locale={{ emptyText: '本月没有收支' }} columns={[
        { title: '时间', dataIndex: 'at', render: (at: number) => formatTime(at).slice(0, 16) }, { title: '类型', dataIndex: 'kind', render: (kind: string) => KINDS[kind] ?? '调账' }, { title: '单号', dataIndex: 'note' },
        { title: '金额', dataIndex: 'amount', align: 'right', render: (amount: number) => formatMoney(amount) }, { title: '余额', dataIndex: 'balance', align: 'right', render: (balance: number) => formatMoney(balance) },
      ]} />
    </>
  )
}

/** The lines behind the commission: a list that can be narrowed and exported, with the sum of the statement. */
function Lines({ row }: { row: Statement }) {
  const { data } = useQuery({ queryKey: ['agent_statement', row.id, 'parts'], queryFn: ({ signal }) => call(statementParts, undefined, { params: { id: row.id }, signal, quiet: true }) })
  if (!data) return <Skeleton active />
  if (data.settlements.length === 0) return <p className="note">本月没有佣金入账。</p>
  return <ListPage resource={agentEarning} embedded={{ fixed: { settlement_id: data.settlements.map(({ id }) => String(id)) } }} />
}

/** 生成对账单: of every agent, for a month that is over. */
function MakeButton() {
  const can = useCan()
  const said = useSaid()
  const client = useQueryClient()
  const [open, setOpen] = useState(false)
  const [form] = Form.useForm<{ month: Dayjs }>()
  const { busy, problem, send } = useSend(form)
  if (!can(STATEMENT_RIGHTS.id('statement'))) return null
  const submit = () => send(async () => {
    const values = await validated(form)
    if (!values) return
    const { made, there } = await call(makeStatements, { month: values.month.format('YYYY-MM') }, { quiet: true })
    said({ words: made > 0 ? `已生成 ${made} 张对账单${there > 0 ? `，${there} 张之前已有` : ''}` : there > 0 ? `该月的 ${there} 张对账单之前已生成` : '该月没有需要对账的代理' })
    await client.invalidateQueries({ queryKey: ['list'] })
    setOpen(false)
  })
  return (
    <>
      <Button type="primary" onClick={() => setOpen(true)}>生成对账单</Button>
      {open && (
        <Modal open title="生成对账单" okText="生成" confirmLoading={busy} onOk={() => void submit()} onCancel={() => setOpen(false)} mask={{ closable: false }} destroyOnHidden>
          {problem}
          <Form form={form} layout="vertical" initialValues={{ month: dayjs().subtract(1, 'month') }}>
            <Form.Item name="month" label="账期" extra="每个代理一张，已生成的不会重复；金额取自账目，生成后不再变化" rules={[{ required: true, message: '请选择账期' }]}><DatePicker picker="month" className="wide" disabledDate={(day) => !day.isBefore(dayjs(), 'month')} /></Form.Item>
          </Form>
        </Modal>
      )}
    </>
  )
}

export default present(agentStatement)({
  cells: { gap: ({ value }) => (Number(value ?? 0) === 0 ? <span className="whole">相符</span> : <span className="lacking figure">{formatMoney(Number(value))}</span>) },
  slots: { toolbar: MakeButton, details: [{ key: 'parts', label: '构成', Content: Parts }, { key: 'lines', label: '佣金明细', Content: Lines }] },
})

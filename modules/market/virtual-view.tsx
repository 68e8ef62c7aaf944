import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Descriptions, Empty, Skeleton, Table, Timeline } from 'antd'
import { Link } from 'react-router'
import { call } from '../../core/endpoint/call.tsx'
import { choiceLabel } from '../../core/field/choice.ts'
import { briefTime, formatDate } from '../../core/field/time.ts'
import { present, type RowDialogProps } from '../../core/resource/present.tsx'
import { useCan } from '../../core/session/staff-context.tsx'
import { ORDER_STATUS } from '../order/module.ts'
import { ENTITLEMENT_STATUS } from '../user/module.ts'
import { readVirtual, recallVirtual } from './calls.ts'
import { MARKET_PATH, marketApply, PURPOSES } from './market-apply.ts'
import { bulkRecall, RecallDialog, type Recall } from './recall-dialog.tsx'
import { virtualOrder } from './virtual-order.ts'

const recall: Recall = { grant: virtualOrder.rights.id('recall'), words: '收回后开通的权益立即失效；由市场开通的，名额退给市场人员。', measure: '笔', send: (ids, reason) => call(recallVirtual, { ids, reason }, { quiet: true }) }

/** Why an order is there, what it opened, and what became of it. */
function Story({ row }: { row: { id: number; rev: number } }) {
  const can = useCan()
  const { data, error, refetch } = useQuery({ queryKey: ['virtual-order', row.id, row.rev], queryFn: ({ signal }) => call(readVirtual, undefined, { params: { id: row.id }, signal, quiet: true }) })
  if (error) return <Alert type="error" showIcon title={error.message} action={<Button size="small" onClick={() => void refetch()}>重试</Button>} />
  if (!data) return <Skeleton active />
  const { request, opened, log } = data
  return (
    <>
      <h4>开通依据</h4>
      {request ? <Descriptions size="small" column={1} bordered items={[
        { key: 'org', label: '客户单位', children: can(marketApply.grant) ? <Link to={`${MARKET_PATH}?open=${request.id}`}>{request.org}</Link> : request.org },
        { key: 'why', label: '用途', children: `${choiceLabel(PURPOSES, request.purpose)} · ${request.days} 天` },
        { key: 'reason', label: '说明', children: request.reason ?? '没有填写' },
        { key: 'who', label: '申请人', children: request.staff_name },
        { key: 'auditor', label: '审核人', children: `${request.auditor_name ?? ''}${request.audited_at === null ? '' : `　${briefTime(Math.floor(request.audited_at))}`}` },
      ]} /> : <p className="note">由后台录单时勾选「虚拟单」开通，没有市场申请。</p>}
      <h4>开通内容</h4>
      <Table size="small" rowKey="product" pagination={false} dataSource={opened} locale={{ emptyText: <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="没有开通内容" /> }} columns={[
        { title: '内容', dataIndex: 'product' }, { title: '使用期', render: (_value, { start_at, expire_at }) => `${formatDate(start_at)} 至 ${formatDate(expire_at)}` },
        { title: '状态', render: (_value, { status, expire_at }) => (status === ENTITLEMENT_STATUS.active ? (expire_at > Date.now() / 1000 ? '生效中' : '已到期') : status === ENTITLEMENT_STATUS.stopped ? '已停用' : '已收回') },
      ]} />
      <h4>经过</h4>
      <Timeline items={log.map((one) => ({ key: one.id, content: <><b>{one.action}</b>　{one.staff_name ?? '系统'}　<span className="note">{briefTime(Math.floor(one.at))}</span>{one.reason && <p>{one.reason}</p>}</> }))} />
    </>
  )
}

/** Virtual orders: who opened what for whom, why, and the way back. */
export default present(virtualOrder)({
  slots: { bulk: bulkRecall(recall), details: [{ key: 'story', label: '开通依据', Content: Story }] },
  rowActions: [{ key: 'recall', label: '收回', danger: true, first: true, grant: recall.grant, visible: (row) => row['status'] === ORDER_STATUS.paid || row['status'] === ORDER_STATUS.done }],
  dialogs: { recall: ({ row, reload, onClose }: Pick<RowDialogProps, 'reload' | 'onClose'> & { row: Record<string, unknown> }) => <RecallDialog recall={recall} ids={[Number(row['id'])]} title={String(row['order_no'])} onClose={onClose} onDone={reload} /> },
})

import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Empty, Form, Input, InputNumber, Modal, Segmented, Skeleton } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { call } from '../../core/endpoint/call.tsx'
import { formatMoney } from '../../core/field/number.ts'
import { MultiPicker } from '../../core/field/reference.tsx'
import { briefTime } from '../../core/field/time.ts'
import { CopyButton } from '../../core/form/copy-button.tsx'
import { useAttempt } from '../../core/form/use-attempt.tsx'
import { validated } from '../../core/form/validated.tsx'
import { present } from '../../core/resource/present.tsx'
import type { WireRow } from '../../core/resource/endpoints.ts'
import { useCan } from '../../core/session/staff-context.tsx'
import { useSaid } from '../../core/undo/use-said.tsx'
import { agent, AGENT_STATUS } from '../agent/module.ts'
import { PAY_CHANNELS } from '../order/module.ts'
import { useSend } from '../user/door.tsx'
import { checkLink, copyLinks, linkOverview, payLinkCheckout, type LinkCheckout, type LinkOverview } from './calls.ts'
import { LinkPoster, PhonePreview, urlOf } from './link-poster.tsx'
import { activityLink, LINK_RIGHTS, LINK_STATE } from './link.ts'
import { SuitesInput } from './suites-input.tsx'
import './promotion.css'

type Row = WireRow<typeof activityLink>

const CHANNELS = PAY_CHANNELS.filter(({ value }) => ['wechat', 'alipay', 'transfer', 'cash', 'offline'].includes(value))

/** Everything about a link; one question for all of its tabs. */
function useOverview(row: Pick<Row, 'id' | 'rev'>) {
  return useQuery({ queryKey: ['link-overview', row.id, row.rev], queryFn: ({ signal }) => call(linkOverview, undefined, { params: { id: row.id }, signal, quiet: true }) })
}

function Loaded({ row, children }: { row: Row; children: (data: LinkOverview, reload: () => void) => React.ReactNode }) {
  const { data, error, refetch } = useOverview(row)
  if (error) return <Alert type="error" showIcon title={error.message} action={<Button size="small" onClick={() => void refetch()}>重试</Button>} />
  return data ? <>{children(data, () => void refetch())}</> : <Skeleton active />
}

/** 收款: the money of a whole purchase, for each of its orders what it is owed. */
function PayDialog({ link, checkout, onClose, onDone }: { link: number; checkout: LinkCheckout; onClose: () => void; onDone: () => void }) {
  const said = useSaid()
  const [form] = Form.useForm<{ amount: number; channel: string; trade_no?: string }>()
  const { busy, problem, send } = useSend(form)
  const submit = () => send(async () => {
    const values = await validated(form)
    if (!values) return
    await call(payLinkCheckout, { amount: Math.round(values.amount * 100), channel: values.channel as 'wechat', ...(values.trade_no && { trade_no: values.trade_no }) }, { params: { id: link, no: checkout.no }, quiet: true })
    said({ words: `已收款 ${formatMoney(checkout.amount)}，课程已开通` })
    onDone()
    onClose()
  })
  return (
    <Modal open title={`收款 · ${checkout.no}`} okText={`收 ${formatMoney(checkout.amount)}`} confirmLoading={busy} onOk={() => void submit()} onCancel={onClose} destroyOnHidden>
      {problem}
      <p className="note">{checkout.orders.length} 个订单一次收清，各订单按分摊入账。</p>
      <Form form={form} layout="vertical" initialValues={{ amount: checkout.amount / 100, channel: 'wechat' }}>
        <Form.Item name="amount" label="到账金额" rules={[{ required: true, message: '请填写到账金额' }]}><InputNumber className="wide" prefix="¥" min={0.01} precision={2} /></Form.Item>
        <Form.Item name="channel" label="支付方式"><Segmented options={[...CHANNELS]} /></Form.Item>
        <Form.Item name="trade_no" label="交易单号"><Input maxLength={64} /></Form.Item>
      </Form>
    </Modal>
  )
}

const STATES = { open: '待付款', paid: '已付款', over: '已关闭' } as const

/** Visited → ordered → paid, with who is where. */
function Sales({ row }: { row: Row }) {
  const can = useCan()
  const [paying, setPaying] = useState<LinkCheckout>()
  return (
    <Loaded row={row}>{({ funnel, checkouts }, reload) => {
      const most = Math.max(1, funnel.visits, funnel.ordered)
      const steps = [['访问', funnel.visits, most], ['下单', funnel.ordered, funnel.visits], ['付款', funnel.paid, funnel.ordered], ['退款', funnel.refunded, funnel.paid]] as const
      return (
        <>
          <ol className="promo-funnel" aria-label="成交漏斗">
            {steps.map(([title, n, before]) => <li key={title}><span>{title}</span><span className="promo-bar"><i style={{ width: `${Math.min(100, (n / most) * 100)}%` }} /></span><span>{n}{title !== '访问' && before > 0 && ` · 上一步的 ${Math.min(100, Math.round((n / before) * 100))}%`}</span></li>)}
          </ol>
          {checkouts.length === 0 ? <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="还没有人下单" /> : (
            <ul className="promo-list">
              {checkouts.map((one) => (
                <li key={one.id} className="promo-item">
                  <header><b>{one.buyer} {one.mobile}</b><span>{STATES[one.state]} · {formatMoney(one.paid > 0 ? one.paid : one.amount)}</span></header>
                  <small>{one.suite} · {one.no} · {briefTime(one.at)}{one.refunded > 0 && ` · 已退 ${formatMoney(one.refunded)}`}{one.kept > 0 && ` · 剩余低于用券门槛，应扣回优惠 ${formatMoney(one.kept)}`}</small>
                  {one.receiver && <small>收货：{one.receiver}</small>}
                  <footer>
                    <span>{one.orders.map((order) => <span key={order.id}>{order.to ? <Link to={order.to}>{order.order_no}</Link> : order.order_no} {formatMoney(order.amount)} {order.status}　</span>)}</span>
                    {one.state === 'open' && can(LINK_RIGHTS.id('pay')) && <Button size="small" onClick={() => setPaying(one)}>收款</Button>}
                  </footer>
                </li>
              ))}
            </ul>
          )}
          {paying && <PayDialog link={row.id} checkout={paying} onClose={() => setPaying(undefined)} onDone={reload} />}
        </>
      )
    }}</Loaded>
  )
}

/** What is wrong with a link, found now. */
function Health({ row, reload }: { row: Row; reload: () => void }) {
  const { busy, attempt } = useAttempt()
  const can = useCan()
  return (
    <Loaded row={row}>{({ problems, checked_at }, again) => (
      <>
        {problems.length === 0 ? <Alert type="success" showIcon title="商品、底价、代理、时间都正常" /> : problems.map((problem) => <Alert key={problem} className="form-alert" type="warning" showIcon title={problem} />)}
        <p className="note">每晚自动体检{checked_at !== null && `，上次 ${briefTime(checked_at)}`}。已下的订单按下单时的价格，不受影响。</p>
        {can(activityLink.actions.edit ?? 0) && <Button loading={busy} onClick={() => void attempt(async () => { await call(checkLink, undefined, { params: { id: row.id }, quiet: true }); again(); reload() })}>重新体检</Button>}
      </>
    )}</Loaded>
  )
}

/** 批量生成: the same packages for each of several agents, whose orders are then theirs. */
function CopyDialog({ row, reload, onClose }: { row: Row; reload: () => void; onClose: () => void }) {
  const said = useSaid()
  const [form] = Form.useForm<{ agent_ids: number[] }>()
  const [made, setMade] = useState<{ id: number; name: string; path: string }[]>()
  const { busy, problem, send } = useSend(form)
  const submit = () => send(async () => {
    const values = await validated(form)
    if (!values) return
    const { items } = await call(copyLinks, values, { params: { id: row.id }, quiet: true })
    setMade(items)
    said({ words: `已生成 ${items.length} 条链接` })
    reload()
  })
  return (
    <Modal open title={`给多个代理生成 · ${row.name}`} okText={made ? '完成' : '生成'} confirmLoading={busy} onOk={() => (made ? onClose() : void submit())} onCancel={onClose} destroyOnHidden>
      {problem}
      {made ? (
        <>
          <CopyButton label={`复制全部 ${made.length} 条`} text={made.map(({ name, path }) => `${name}\t${urlOf(path)}`).join('\n')} />
          <ul className="promo-list">{made.map((one) => <li key={one.id} className="promo-item"><b>{one.name}</b><small>{urlOf(one.path)}</small></li>)}</ul>
        </>
      ) : (
        <Form form={form} layout="vertical"><Form.Item name="agent_ids" label="代理" rules={[{ required: true, message: '请选择代理' }]}><Agents /></Form.Item></Form>
      )}
    </Modal>
  )
}

function Agents({ id, value, onChange }: { id?: string; value?: number[]; onChange?: (value: number[]) => void }) {
  return <MultiPicker target={agent} id={id} label="代理" narrow={{ status: AGENT_STATUS.active }} value={value ?? []} onChange={(next) => onChange?.(next)} />
}

function ShareDialog({ row, onClose }: { row: Row; onClose: () => void }) {
  return <Modal open title={`链接和海报 · ${row.name}`} footer={null} onCancel={onClose} destroyOnHidden><LinkPoster path={`/new/s/${row.short ?? ''}`} name={row.name} suites={row.suites ?? []} /></Modal>
}

/** Pay links: their packages in the form, page and poster, funnel with purchases, health. */
export default present(activityLink)({
  inputs: { suites: SuitesInput },
  cells: {
    problems: ({ value, row }) => (value && row.state === LINK_STATE.on ? <span className="promo-bad" title={value}>{value}</span> : null),
  },
  slots: {
    details: [
      { key: 'sales', label: '成交', Content: ({ row }) => <Sales row={row} /> },
      { key: 'page', label: '页面和海报', Content: ({ row }) => <Loaded row={row}>{({ page, path }) => <div className="promo-two"><PhonePreview page={page} /><LinkPoster path={path} name={row.name} suites={row.suites ?? []} /></div>}</Loaded> },
      { key: 'health', label: '体检', Content: ({ row, reload }) => <Health row={row} reload={reload} /> },
    ],
  },
  rowActions: [
    { key: 'share', first: true, label: '链接和海报', visible: (row) => row.state === LINK_STATE.on },
    { key: 'copies', label: '批量生成', grant: LINK_RIGHTS.id('copy') },
  ],
  dialogs: {
    share: ({ row, onClose }) => <ShareDialog row={row} onClose={onClose} />,
    copies: ({ row, reload, onClose }) => <CopyDialog row={row} reload={reload} onClose={onClose} />,
  },
})

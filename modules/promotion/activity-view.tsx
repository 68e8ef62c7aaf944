import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Empty, Form, Input, Modal, Skeleton, Table } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { call } from '../../core/endpoint/call.tsx'
import { StateWord } from '../../core/field/choice.tsx'
import { formatMoney } from '../../core/field/number.ts'
import { briefTime, formatDate } from '../../core/field/time.ts'
import { ReasonItem } from '../../core/form/reason-item.tsx'
import { useAttempt } from '../../core/form/use-attempt.tsx'
import { validated } from '../../core/form/validated.tsx'
import { FormField } from '../../core/record/form-field.tsx'
import type { WireRow } from '../../core/resource/endpoints.ts'
import { present, type FormLayoutProps } from '../../core/resource/present.tsx'
import { useCan } from '../../core/session/staff-context.tsx'
import { useSaid } from '../../core/undo/use-said.tsx'
import { useSend } from '../user/door.tsx'
import { activity, ACTIVITY_RIGHTS, ACTIVITY_STATE, ACTIVITY_TYPE, COUPON_STATE, COUPON_STATES, GROUP_STATES, MEMBER_STATE, MEMBER_STATES, TYPE_ROWS } from './activity.ts'
import { activityEffect, issueCoupons, retryRefund, voidCouponCall, type ActivityEffect } from './calls.ts'
import { GoodInput } from './good-input.tsx'
import './promotion.css'

type Row = WireRow<typeof activity>
type Shape = NonNullable<(typeof activity)['types']>['shape']

/** The form asks what the kind of activity needs, and says what it does. */
function ActivityForm({ values }: FormLayoutProps<Shape>) {
  const row = TYPE_ROWS[Number(values.type)]
  return (
    <>
      <FormField name="type" />
      {row && <Alert className="form-alert" type="info" showIcon title={row.words} />}
      <FormField name="name" /><FormField name="start_at" /><FormField name="end_at" /><FormField name="budget" />
      {row && row.asks.length > 0 && <h3>规则</h3>}
      {row?.need && <p className="note">达成数在这里是{row.need}</p>}
      {row?.asks.map((key) => <FormField key={key} name={key} />)}
      <h3>页面</h3>
      <FormField name="title" /><FormField name="banner" /><FormField name="words" />
    </>
  )
}

function Loaded({ row, children }: { row: Row; children: (data: ActivityEffect, reload: () => void) => React.ReactNode }) {
  const { data, error, refetch } = useQuery({ queryKey: ['activity-effect', row.id, row.rev], queryFn: ({ signal }) => call(activityEffect, undefined, { params: { id: row.id }, signal, quiet: true }) })
  if (error) return <Alert type="error" showIcon title={error.message} action={<Button size="small" onClick={() => void refetch()}>重试</Button>} />
  return data ? <>{children(data, () => void refetch())}</> : <Skeleton active />
}

const shown = (as: 'number' | 'money', value: number) => (as === 'money' ? formatMoney(value) : value.toLocaleString('zh-CN'))

/** What an activity brought, beside as long a time before it, and what of its budget is left. */
function Effect({ row }: { row: Row }) {
  return (
    <Loaded row={row}>{({ figures, days, best }) => (
      <>
        {row.budget !== null && <p>预算 {formatMoney(row.budget)}，已用 {formatMoney(row.spent ?? 0)}<span className="promo-stock" aria-hidden><i style={{ width: `${Math.min(100, ((row.spent ?? 0) / row.budget) * 100)}%` }} /></span></p>}
        <dl className="promo-tiles">
          {figures.map(({ key, title, as, value, before }) => (
            <div key={key}><dt>{title}</dt><dd>{shown(as, value)}</dd>{before !== null && <small>之前同样长：{shown(as, before)}{before > 0 && `（${value >= before ? '+' : ''}${Math.round(((value - before) / before) * 100)}%）`}</small>}</div>
          ))}
        </dl>
        {days.length > 0 && (
          <>
            <h4>每天参与</h4>
            <ol className="promo-funnel">{days.slice(0, 14).map(({ day, n }) => <li key={day}><span>{`${String(day).slice(4, 6)}-${String(day).slice(6)}`}</span><span className="promo-bar"><i style={{ width: `${(n / Math.max(...days.map((one) => one.n))) * 100}%` }} /></span><span>{n} 人</span></li>)}</ol>
            <h4>坚持最久</h4>
            <Table size="small" rowKey={(one) => `${one.user}${one.n}`} pagination={false} dataSource={best} columns={[{ title: '用户', dataIndex: 'user' }, { title: '次数', dataIndex: 'n', align: 'right' }, { title: '得券', dataIndex: 'rewards', align: 'right' }]} />
          </>
        )}
      </>
    )}</Loaded>
  )
}

/** 作废: a coupon that nobody has used yet. */
function VoidDialog({ activityId, id, onClose, onDone }: { activityId: number; id: number; onClose: () => void; onDone: () => void }) {
  const said = useSaid()
  const [form] = Form.useForm<{ reason: string }>()
  const { busy, problem, send } = useSend(form)
  const submit = () => send(async () => {
    const values = await validated(form)
    if (!values) return
    await call(voidCouponCall, values, { params: { id: activityId, coupon_id: id }, quiet: true })
    said({ words: '已作废，预算已退回' })
    onDone()
    onClose()
  })
  return <Modal open title="作废优惠券" okText="作废" okButtonProps={{ danger: true }} confirmLoading={busy} onOk={() => void submit()} onCancel={onClose} destroyOnHidden>{problem}<Form form={form} layout="vertical"><ReasonItem /></Form></Modal>
}

/** The coupons that an activity gave: who has them, and what became of each. */
function Coupons({ row }: { row: Row }) {
  const can = useCan()
  const [voiding, setVoiding] = useState<number>()
  return (
    <Loaded row={row}>{({ coupons, coupon_sums }, reload) => (
      <>
        <dl className="promo-tiles">{coupon_sums.map(({ status, n, amount }) => <div key={status}><dt>{COUPON_STATES.find(({ value }) => value === status)?.label}</dt><dd>{n} 张</dd><small>{formatMoney(amount)}</small></div>)}</dl>
        {coupons.length === 0 ? <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="还没有发出优惠券" /> : (
          <ul className="promo-list">
            {coupons.map((one) => (
              <li key={one.id} className="promo-item">
                <header><b>{one.user}</b><StateWord choices={COUPON_STATES} value={one.status} /></header>
                <footer><small>{one.no} · 满 {formatMoney(one.threshold)} 减 {formatMoney(one.amount)} · {one.cause} · {formatDate(one.expire_at)} 到期{one.order_no && ` · 用于 ${one.order_no}`}{one.void_reason && ` · ${one.void_reason}`}</small>
                  {one.status === COUPON_STATE.free && can(ACTIVITY_RIGHTS.id('issue')) && <Button size="small" danger type="text" onClick={() => setVoiding(one.id)}>作废</Button>}</footer>
              </li>
            ))}
          </ul>
        )}
        {voiding !== undefined && <VoidDialog activityId={row.id} id={voiding} onClose={() => setVoiding(undefined)} onDone={reload} />}
      </>
    )}</Loaded>
  )
}

/** Groups with who is in them; money that could not go back by itself is tried again here. */
function Groups({ row }: { row: Row }) {
  const can = useCan()
  const said = useSaid()
  const { busy, attempt } = useAttempt()
  return (
    <Loaded row={row}>{({ groups }, reload) => (groups.length === 0 ? <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="还没有人开团" /> : (
      <ul className="promo-list">
        {groups.map((group) => (
          <li key={group.id} className="promo-item">
            <header><b>{group.leader} 的团 · {group.members.filter(({ state }) => state === MEMBER_STATE.paid).length} / {group.need} 人</b><StateWord choices={GROUP_STATES} value={group.state} /></header>
            <small>{group.state === 1 ? `${briefTime(group.until)} 截止` : `截止于 ${briefTime(group.until)}`}</small>
            {group.members.map((member) => (
              <footer key={member.order_id}>
                <span>{member.mobile} {member.to ? <Link to={member.to}>{member.order_no}</Link> : member.order_no} {member.problem && <small className="promo-bad">{member.problem}</small>}</span>
                <span><StateWord choices={MEMBER_STATES} value={member.state} />{member.state === MEMBER_STATE.stuck && can(ACTIVITY_RIGHTS.id('refund')) && (
                  <Button size="small" loading={busy} onClick={() => void attempt(async () => { const { problem } = await call(retryRefund, undefined, { params: { id: row.id, order_id: member.order_id }, quiet: true }); said({ words: problem ?? '已退款' }); reload() })}>重试退款</Button>
                )}</span>
              </footer>
            ))}
          </li>
        ))}
      </ul>
    ))}</Loaded>
  )
}

/** What came of an activity's own kind: groups, or coupons. */
function Takers({ row }: { row: Row }) {
  if (row.type === ACTIVITY_TYPE.group) return <Groups row={row} />
  return row.type === ACTIVITY_TYPE.flash ? <p className="note">秒杀的订单在限时抢购的各场里看</p> : <Coupons row={row} />
}

/** 发券: to people by their numbers. */
function IssueDialog({ row, reload, onClose }: { row: Row; reload: () => void; onClose: () => void }) {
  const said = useSaid()
  const [form] = Form.useForm<{ mobiles: string }>()
  const [left, setLeft] = useState<{ mobile: string; why: string }[]>()
  const { busy, problem, send } = useSend(form)
  const submit = () => send(async () => {
    const values = await validated(form)
    if (!values) return
    const mobiles = values.mobiles.normalize('NFKC').split(/[^\d]+/).filter(Boolean)
    const { issued, left_alone } = await call(issueCoupons, { mobiles }, { quiet: true, params: { id: row.id } })
    said({ words: `已发 ${issued} 张${left_alone.length > 0 ? `，${left_alone.length} 人没有发` : ''}` })
    reload()
    if (left_alone.length === 0) onClose()
    else setLeft(left_alone)
  })
  return (
    <Modal open title={`发券 · ${row.name}`} okText={left ? '完成' : '发券'} confirmLoading={busy} onOk={() => (left ? onClose() : void submit())} onCancel={onClose} destroyOnHidden>
      {problem}
      <p className="note">满 {formatMoney(row.threshold ?? 0)} 减 {formatMoney(row.amount ?? 0)}，每人最多 {row.per_user ?? '不限'} 张，用预算 {formatMoney(row.amount ?? 0)} 一张。</p>
      {left ? <ul className="promo-list">{left.map((one) => <li key={one.mobile} className="promo-item"><header><b>{one.mobile}</b><span>{one.why}</span></header></li>)}</ul>
        : <Form form={form} layout="vertical"><Form.Item name="mobiles" label="手机号" extra="每行一个，或用空格、逗号隔开，最多 500 个" rules={[{ required: true, whitespace: true, message: '请填写手机号' }]}><Input.TextArea rows={6} /></Form.Item></Form>}
    </Modal>
  )
}

/** Activities: a form by their kind, what came of them, coupons and groups one by one. */
export default present(activity)({
  form: ActivityForm,
  inputs: { good: GoodInput },
  slots: { details: [
    { key: 'effect', label: '成效', Content: ({ row }) => <Effect row={row} /> },
    { key: 'takers', label: '优惠券和拼团', Content: ({ row }) => <Takers row={row} /> },
  ] },
  rowActions: [{ key: 'issue', first: true, label: '发券', grant: ACTIVITY_RIGHTS.id('issue'), visible: (row) => row.type === ACTIVITY_TYPE.coupon && row.state === ACTIVITY_STATE.on }],
  dialogs: { issue: ({ row, reload, onClose }) => <IssueDialog row={row} reload={reload} onClose={onClose} /> },
})

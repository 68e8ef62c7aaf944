import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Alert, Button, Empty, Image, Modal, Segmented, Select, Skeleton, Space } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { call, request } from '../../core/endpoint/call.tsx'
import { StateWord } from '../../core/field/choice.tsx'
import { formatMoney } from '../../core/field/number.ts'
import { briefTime } from '../../core/field/time.ts'
import { useAttempt } from '../../core/form/use-attempt.tsx'
import { useLive } from '../../core/live/use-live.tsx'
import { Presence } from '../../core/presence/presence.tsx'
import { useCan } from '../../core/session/staff-context.tsx'
import { useTabTitle } from '../../core/shell/tabs-context.tsx'
import { usePageKeys } from '../../core/ui/use-page-keys.tsx'
import { mergeTicket, ticketQueue, ticketThread, type QueueName, type TicketThread } from './calls.ts'
import { Clock } from './clock.tsx'
import { Composer } from './composer.tsx'
import { ticketMoved } from './live.ts'
import { LIVING, PRIORITIES, TICKET_STATES } from './sla.ts'
import { ticket, TICKET_KINDS, TICKET_RIGHTS, ticketPath } from './ticket.ts'
import './ticket.css'

const QUEUES: readonly { value: QueueName; label: string }[] = [{ value: 'mine', label: '我的' }, { value: 'free', label: '未分配' }, { value: 'soon', label: '将超时' }, { value: 'late', label: '已超时' }]
const SIDES = { user: '用户', staff: '客服', note: '内部备注', system: '' } as const

/** The queue at the left, by the clock. */
function Queue({ id, queue, onQueue, items }: { id: number; queue: QueueName; onQueue: (queue: QueueName) => void; items: readonly { id: number; title: string; state: number; due_at: number | null; asked: boolean; assignee_name: string | null }[] | undefined }) {
  return (
    <nav aria-label="反馈队列">
      <Segmented block size="small" value={queue} options={[...QUEUES]} onChange={onQueue} />
      {items?.length === 0 && <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="这个队列里没有反馈" />}
      <ul>{items?.map((one) => (
        <li key={one.id} data-chosen={one.id === id}>
          <Link to={ticketPath(one.id)} replace><span>{one.title}</span><small><Clock due={one.due_at} /><StateWord choices={TICKET_STATES} value={one.state} />{one.assignee_name ?? '未分配'}</small></Link>
        </li>
      ))}</ul>
    </nav>
  )
}

/** What is known beside a ticket. */
function Beside({ thread: { row, user, orders, practice, merged } }: { thread: TicketThread }) {
  return (
    <aside aria-label="相关信息">
      <h3>用户</h3>
      <dl className="ticket-facts">
        <dt>昵称</dt><dd><Link to={`/userManagement/total?open=${user.id}`}>{user.name}</Link></dd><dt>编号</dt><dd className="figure">{user.user_no}</dd><dt>手机</dt><dd className="figure">{user.mobile}</dd>
        {user.school && <><dt>学校</dt><dd>{user.school}</dd></>}{user.last_login_at !== null && <><dt>最近登录</dt><dd>{briefTime(user.last_login_at)}</dd></>}
        {row.device && <><dt>设备</dt><dd>{row.device}{row.app_version && ` · ${row.app_version}`}</dd></>}
      </dl>
      {practice && <><h3>试题</h3><p>{practice.to ? <Link to={practice.to}>{practice.no}</Link> : practice.no}</p><p className="note">{practice.words}</p></>}
      {merged.length > 0 && <><h3>合并进来的</h3><ul>{merged.map((one) => <li key={one.id}><Link to={ticketPath(one.id)}>{one.title}</Link><span className="note">{one.user}</span></li>)}</ul></>}
      <h3>订单</h3>
      {orders.length === 0 ? <p className="note">没有可查看的订单</p> : <ul>{orders.map((one) => <li key={one.id}><Link to={one.to}>{one.goods || one.order_no}</Link><span className="figure">{formatMoney(one.amount)}</span></li>)}</ul>}
      <h3>其他反馈</h3>
      {user.tickets.length <= 1 ? <p className="note">没有其他反馈</p> : <ul>{user.tickets.filter((one) => one.id !== row.id).map((one) => <li key={one.id}><Link to={ticketPath(one.id)}>{one.title}</Link><StateWord choices={TICKET_STATES} value={one.state} /></li>)}</ul>}
    </aside>
  )
}

/** Chooses what a ticket is merged into. */
function MergeDialog({ id, practice, onClose, onDone }: { id: number; practice: number | null; onClose: () => void; onDone: (into: number) => void }) {
  const [into, setInto] = useState<number>()
  const [find, setFind] = useState('')
  const { busy, attempt } = useAttempt()
  const { data } = useQuery({ queryKey: ['merge-into', find, practice], queryFn: ({ signal }) => request<{ items: { id: number; title: string; user_name: string | null }[] }>('GET', ticket.api.list, { state: [...LIVING], page_size: 20, ...(find ? { keyword: find } : practice !== null && { practice_id: practice }) }, { signal, quiet: true }) })
  return (
    <Modal open title="合并到另一条反馈" okText="合并" okButtonProps={{ disabled: into === undefined }} confirmLoading={busy} onCancel={onClose} destroyOnHidden
      onOk={() => into !== undefined && void attempt(async () => { await call(mergeTicket, { into_id: into }, { params: { id }, quiet: true }); onDone(into) })}>
      <p className="note">合并后这条反馈关闭，之后的回复会同时发给两边的用户。</p>
      <Select className="wide" showSearch={{ filterOption: false, onSearch: setFind }} placeholder="输入标题查找" aria-label="合并到" value={into} onChange={setInto}
        options={(data?.items ?? []).filter((one) => one.id !== id).map((one) => ({ value: one.id, label: `#${one.id} ${one.title}（${one.user_name ?? ''}）` }))} />
    </Modal>
  )
}

/** One ticket: its clocks, what was said, who else is here, and the answer. */
function Thread({ thread, reload, onNext }: { thread: TicketThread; reload: () => void; onNext: () => void }) {
  const { row, items } = thread
  const can = useCan()
  const navigate = useNavigate()
  const [merging, setMerging] = useState(false)
  const { busy, attempt } = useAttempt()
  const [writes, setWrites] = useState(false)
  const end = useRef<HTMLLIElement>(null)
  const newest = items.at(-1)?.id ?? 0
  useEffect(() => { end.current?.scrollIntoView({ block: 'nearest' }) }, [newest])
  const act = (name: string) => attempt(async () => { await request('POST', `${ticket.api.item}/${row.id}/${name}`, { rev: row.rev }, { quiet: true }); reload() })
  const edges = ticket.transitions.filter(({ name, reason }) => !reason && row.can.includes(name as never))
  const living = LIVING.includes(row.state ?? 0) && row.merged_into_id === null
  return (
    <main aria-label="反馈往来">
      <div className="ticket-head">
        <h2>#{row.id} {row.title}</h2>
        <Space wrap>
          {edges.map(({ name, label }) => <Button key={name} size="small" loading={busy} onClick={() => void act(name)}>{label}</Button>)}
          {living && can(TICKET_RIGHTS.id('merge')) && <Button size="small" onClick={() => setMerging(true)}>合并</Button>}
          <Button size="small" onClick={onNext} title="快捷键 N">下一条</Button>
        </Space>
      </div>
      <div className="ticket-clocks">
        <StateWord choices={TICKET_STATES} value={row.state} /><StateWord choices={PRIORITIES} value={row.priority} /><span>{TICKET_KINDS.find(({ value }) => value === row.kind)?.label}</span><span>处理人 {row.assignee_name ?? '未分配'}</span>
        {living && <>{row.first_at === null ? <Clock label="首次回复" due={row.first_due_at} /> : row.next_due_at !== null && <Clock label="再次回复" due={row.next_due_at} />}<Clock label="解决" due={row.solve_due_at} /></>}
        {row.satisfaction !== null && <span>满意度 {row.satisfaction} 星</span>}
      </div>
      {row.merged_into_id !== null && <Alert className="form-alert" type="info" showIcon title="这条反馈已合并" action={<Link to={ticketPath(row.merged_into_id)}>去合并到的那一条</Link>} />}
      {row.linked_id !== null && <Alert className="form-alert" type="info" showIcon title="用户就一条已结束的反馈再次提问" action={<Link to={ticketPath(row.linked_id)}>查看原反馈</Link>} />}
      <Presence resource={ticket} id={row.id} writes={writes} writing="回复" />
      <ol className="ticket-said" aria-label="往来" aria-live="polite">
        <li data-side="user"><small className="note">用户 · {briefTime(row.created_at)}</small><p>{row.content}</p>{(row.imgs ?? []).length > 0 && <Image.PreviewGroup>{row.imgs?.map((url) => <Image key={url} src={url} width={96} alt="截图" />)}</Image.PreviewGroup>}</li>
        {items.map((one) => (one.side === 'system'
          ? <li key={one.id} data-side="system">{one.staff_name ?? '系统'}：{one.body} · {briefTime(one.at)}</li>
          : <li key={one.id} data-side={one.side}><small className="note">{one.staff_name ?? SIDES[one.side]}{one.side === 'note' && ' · 内部备注'} · {briefTime(one.at)}</small><p>{one.body}</p></li>))}
        <li ref={end} aria-hidden />
      </ol>
      {row.merged_into_id === null && can(TICKET_RIGHTS.id('handle')) && (living
        ? <Composer id={row.id} seen={newest} onWriting={setWrites} onSent={(solved) => { reload(); if (solved) onNext() }} />
        : <p className="note">反馈已{row.state === 4 ? '解决' : '关闭'}，重新打开后才能回复。</p>)}
      {merging && <MergeDialog id={row.id} practice={row.practice_id ?? null} onClose={() => setMerging(false)} onDone={(into) => { setMerging(false); void navigate(ticketPath(into)) }} />}
    </main>
  )
}

/** 反馈详情: the queue, one ticket, and what is known beside it. */
export default function TicketScreen() {
  const client = useQueryClient()
  const navigate = useNavigate()
  const [search] = useSearchParams()
  const [queue, setQueue] = useState<QueueName>('mine')
  const list = useQuery({ queryKey: ['ticket-queue', queue], queryFn: ({ signal }) => call(ticketQueue, { queue }, { signal, quiet: true }) })
  const items = list.data?.items
  const id = Number(search.get('id')) || items?.[0]?.id || 0
  const { data, error } = useQuery({ queryKey: ['ticket', id], enabled: id > 0, queryFn: ({ signal }) => call(ticketThread, undefined, { params: { id }, signal, quiet: true }) })
  const reload = () => void Promise.all([client.invalidateQueries({ queryKey: ['ticket', id] }), client.invalidateQueries({ queryKey: ['ticket-queue'] })])
  useLive(ticketMoved, () => reload())
  useTabTitle(data && id > 0 ? `反馈 #${id}` : undefined)
  const step = (by: number) => {
    const place = items?.findIndex((one) => one.id === id) ?? -1
    const next = items?.[place + by] ?? (by > 0 ? items?.find((one) => one.id !== id) : undefined)
    if (next) void navigate(ticketPath(next.id), { replace: true })
  }
  usePageKeys({ j: () => step(1), k: () => step(-1), n: () => step(1) })
  return (
    <section className="page-body ticket-sides" aria-label="反馈详情">
      <Queue id={id} queue={queue} onQueue={setQueue} items={items} />
      {id === 0 ? <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={list.data ? '队列是空的，请换一个队列' : '正在读取队列'} /> : error ? <Alert type="error" showIcon title={error.message} action={<Button size="small" onClick={reload}>重试</Button>} /> : data ? <Thread key={id} thread={data} reload={reload} onNext={() => step(1)} /> : <Skeleton active />}
      {data && id > 0 && <Beside thread={data} />}
    </section>
  )
}

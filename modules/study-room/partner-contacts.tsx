import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Alert, Button, Checkbox, DatePicker, Empty, Form, Input, Modal, Segmented, Skeleton, Tag } from 'antd'
import dayjs, { type Dayjs } from 'dayjs'
import { useState } from 'react'
import { Link } from 'react-router'
import { call } from '../../core/endpoint/call.tsx'
import { briefTime, formatDate } from '../../core/field/time.ts'
import { validated } from '../../core/form/validated.tsx'
import { useCan, useStaff } from '../../core/session/staff-context.tsx'
import { useSaid } from '../../core/undo/use-said.tsx'
import { useSend } from '../user/door.tsx'
import { contacted, MOST_LATER_DAYS, partnersToCall, type PartnerToCall } from './partner-contacts.ts'
import { partner } from './partner.ts'
import './partner.css'

const STATES = [{ value: 'due', label: '待联系' }, { value: 'later', label: '已推迟' }, { value: 'done', label: '已联系' }] as const
type State = (typeof STATES)[number]['value']

interface DialogProps {
  one: PartnerToCall
  onClose: () => void
  onDone: () => void
}

/** 已联系: what was talked about, and when next. */
function DoneDialog({ one, onClose, onDone }: DialogProps) {
  const said = useSaid()
  const [form] = Form.useForm<{ note: string; next?: Dayjs }>()
  const { busy, problem, send } = useSend(form)
  const submit = () => send(async () => {
    const values = await validated(form)
    if (!values) return
    await call(contacted, { outcome: 'done', note: values.note, ...(values.next && { follow_up_at: values.next.unix() }) }, { params: { id: one.id }, quiet: true })
    said({ words: values.next ? `已记录，${formatDate(values.next.unix())} 提醒跟进` : '已记录' })
    onDone()
    onClose()
  })
  return (
    <Modal open title={`已联系 · ${one.name}`} okText="保存" confirmLoading={busy} onOk={() => void submit()} onCancel={onClose} destroyOnHidden>
      {problem}
      <Form form={form} layout="vertical">
        <Form.Item name="note" label="谈了什么" rules={[{ required: true, whitespace: true, message: '请填写谈了什么' }, { min: 5, message: '谈了什么至少 5 个字' }]}><Input.TextArea rows={4} maxLength={500} showCount /></Form.Item>
        <Form.Item name="next" label="下次跟进"><DatePicker className="wide" showTime={{ format: 'HH:mm', minuteStep: 15 }} format="YYYY-MM-DD HH:mm" /></Form.Item>
      </Form>
    </Modal>
  )
}

/** 推迟: until which day the partner leaves the list. */
function LaterDialog({ one, onClose, onDone }: DialogProps) {
  const said = useSaid()
  const [form] = Form.useForm<{ until: Dayjs }>()
  const { busy, problem, send } = useSend(form)
  const submit = () => send(async () => {
    const values = await validated(form)
    if (!values) return
    await call(contacted, { outcome: 'later', until: values.until.startOf('day').unix() }, { params: { id: one.id }, quiet: true })
    said({ words: `已推迟到 ${formatDate(values.until.unix())}` })
    onDone()
    onClose()
  })
  return (
    <Modal open title={`推迟联系 · ${one.name}`} okText="推迟" confirmLoading={busy} onOk={() => void submit()} onCancel={onClose} destroyOnHidden>
      {problem}
      <Form form={form} layout="vertical">
        <Form.Item name="until" label="推迟到" rules={[{ required: true, message: '请选择日期' }]}>
          <DatePicker className="wide" disabledDate={(day) => day.isBefore(dayjs().add(1, 'day'), 'day') || day.isAfter(dayjs().add(MOST_LATER_DAYS, 'day'), 'day')} />
        </Form.Item>
      </Form>
    </Modal>
  )
}

function Card({ one, onDone, onLater }: { one: PartnerToCall; onDone: (() => void) | undefined; onLater: (() => void) | undefined }) {
  const { last } = one
  return (
    <li className="to-call">
      <header>
        <Link to={`/new-study-room/partner?open=${one.id}`}>{one.name}</Link>
        <span className="note">{one.contact} {one.mobile}</span>
        {one.state === 'later' && <Tag>推迟到 {formatDate(last?.until ?? 0)}</Tag>}
        <span className="to-call-score">健康分 <b>{one.score ?? '—'}</b></span>
      </header>
      {one.reasons.length === 0 ? <p className="note">原来的原因已经不在了</p> : (
        <dl>{one.reasons.map(({ key, fact, say }) => <div key={key}><dt>{fact}</dt><dd>{say}</dd></div>)}</dl>
      )}
      <footer>
        <span className="note">跟进人 {one.owner_name ?? '未指定'}{last && ` · 上次 ${last.staff_name ?? ''} ${briefTime(last.at)}${last.note ? `：${last.note}` : ''}`}</span>
        <span className="to-call-acts">
          {onLater && <Button size="small" onClick={onLater}>推迟</Button>}
          {onDone && <Button size="small" type={one.state === 'due' ? 'primary' : 'default'} onClick={onDone}>{one.state === 'done' ? '再记一次' : '已联系'}</Button>}
        </span>
      </footer>
    </li>
  )
}

/** 本周该联系谁: partners who give cause for a call, with the facts and what to say about each. */
export function PartnerContacts() {
  const can = useCan()
  const me = useStaff().id
  const client = useQueryClient()
  const [state, setState] = useState<State>('due')
  const [mine, setMine] = useState(false)
  const [open, setOpen] = useState<{ act: 'done' | 'later'; one: PartnerToCall }>()
  const { data, error, refetch } = useQuery({ queryKey: ['partner', 'to call'], queryFn: ({ signal }) => call(partnersToCall, undefined, { signal, quiet: true }) })
  if (error) return <Alert type="error" showIcon title={error.message} action={<Button size="small" onClick={() => void refetch()}>重试</Button>} />
  if (!data) return <Skeleton active className="to-call-list" />
  const own = data.items.filter(({ owner_id }) => !mine || owner_id === me)
  const shown = own.filter((one) => one.state === state)
  const may = can(partner.actions.update)
  const changed = () => { void refetch(); void client.invalidateQueries({ queryKey: ['discussion', partner.name] }) }
  const Dialog = open?.act === 'later' ? LaterDialog : DoneDialog
  return (
    <section className="to-call-list" aria-label="本周该联系谁">
      <div className="to-call-bar">
        <Segmented aria-label="状态" value={state} onChange={setState} options={STATES.map(({ value, label }) => ({ value, label: `${label} ${own.filter((one) => one.state === value).length}` }))} />
        <Checkbox checked={mine} onChange={(event) => setMine(event.target.checked)}>只看我跟进的</Checkbox>
        <span className="note">{formatDate(data.week)} 起的一周；按原因的轻重排列。</span>
      </div>
      {shown.length === 0 ? <Empty description={state === 'due' ? '这周该联系的都联系过了' : `没有${STATES.find(({ value }) => value === state)?.label ?? ''}的合伙人`} /> : (
        <ul>{shown.map((one) => (
          <Card key={one.id} one={one} onDone={may ? () => setOpen({ act: 'done', one }) : undefined} onLater={may && one.state !== 'done' ? () => setOpen({ act: 'later', one }) : undefined} />
        ))}</ul>
      )}
      {open && <Dialog key={open.one.id} one={open.one} onClose={() => setOpen(undefined)} onDone={changed} />}
    </section>
  )
}

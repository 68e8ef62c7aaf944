import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Alert, App, Button, Form, Input, Select, Skeleton } from 'antd'
import { useState } from 'react'
import { call } from '../endpoint/call.tsx'
import { CallError } from '../endpoint/wire.ts'
import { formatTime } from '../field/time.ts'
import { confirmContact, listSubscriptions, messageOptions, setContact, setQuiet, unsubscribe, type Contact } from './calls.ts'
import { SubscribeDialog, SUBSCRIPTIONS, type Subject } from './subscribe-dialog.tsx'
import { whenWords } from './when.ts'

const OPTIONS = ['message-options']
const HOURS = Array.from({ length: 24 }, (_, hour) => ({ value: hour, label: `${String(hour).padStart(2, '0')}:00` }))
const INBOX: Subject = { kind: 'inbox', title: '待办汇总' }
const ALERT: Subject = { kind: 'alert', title: '告警' }

const sentence = (error: unknown) => (error instanceof CallError ? Object.values(error.fields)[0] ?? error.message : '操作失败')

/** The address that mail goes to, and the code that shows whose it is. */
function Address({ contact, reload }: { contact: Contact; reload: () => void }) {
  const [editing, setEditing] = useState(false)
  const [email, setEmail] = useState(contact.email ?? '')
  const [code, setCode] = useState('')
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const run = async (work: () => Promise<unknown>) => {
    setBusy(true)
    setProblem(undefined)
    try {
      await work()
      setEditing(false)
      reload()
    } catch (error) {
      setProblem(sentence(error))
    } finally {
      setBusy(false)
    }
  }
  const waiting = contact.email !== null && !contact.confirmed && !editing
  return (
    <Form layout="vertical">
      {problem && <Alert className="form-alert" type="error" showIcon title={problem} role="alert" />}
      {contact.confirmed && !editing && <p>接收邮箱 {contact.email} <Button size="small" type="link" onClick={() => setEditing(true)}>修改</Button></p>}
      {waiting && (
        <Form.Item label={`验证码已发到 ${contact.email}`} htmlFor="contact-code">
          <Input.Search id="contact-code" value={code} maxLength={6} inputMode="numeric" placeholder="6 位数字" enterButton="确认" loading={busy} onChange={(event) => setCode(event.target.value)} onSearch={() => void run(() => call(confirmContact, { code }, { quiet: true }))} />
          <Button size="small" type="link" className="flush" onClick={() => setEditing(true)}>换一个邮箱或重新发送</Button>
        </Form.Item>
      )}
      {(editing || contact.email === null) && (
        <Form.Item label="接收邮箱" htmlFor="contact-email">
          <Input.Search id="contact-email" value={email} maxLength={120} placeholder="公司邮箱" enterButton="发送验证码" loading={busy} onChange={(event) => setEmail(event.target.value)} onSearch={() => void run(() => call(setContact, { email }, { quiet: true }))} />
        </Form.Item>
      )}
    </Form>
  )
}

/** When nothing comes. */
function Quiet({ contact, reload }: { contact: Contact; reload: () => void }) {
  const { message } = App.useApp()
  const [from, setFrom] = useState(contact.quiet_from)
  const [to, setTo] = useState(contact.quiet_to)
  const save = async () => {
    await call(setQuiet, { quiet_from: from, quiet_to: to })
    void message.success('保存成功')
    reload()
  }
  const changed = from !== contact.quiet_from || to !== contact.quiet_to
  return (
    <p className="quiet">
      免打扰
      <Select aria-label="免打扰从" size="small" allowClear placeholder="从" value={from} options={HOURS} onChange={(value: number | undefined) => setFrom(value ?? null)} />
      <Select aria-label="免打扰到" size="small" allowClear placeholder="到" value={to} options={HOURS} onChange={(value: number | undefined) => setTo(value ?? null)} />
      {changed && <Button size="small" onClick={() => void save().catch(() => undefined)}>保存</Button>}
    </p>
  )
}

/** 消息订阅: where messages reach the person, what they get, and an end to each. */
export function SubscriptionCard() {
  const { message } = App.useApp()
  const client = useQueryClient()
  const [adding, setAdding] = useState<Subject>()
  const options = useQuery({ queryKey: OPTIONS, staleTime: 0, queryFn: ({ signal }) => call(messageOptions, undefined, { signal, quiet: true }) })
  const mine = useQuery({ queryKey: SUBSCRIPTIONS, staleTime: 0, queryFn: ({ signal }) => call(listSubscriptions, undefined, { signal, quiet: true }) })
  const reload = () => void client.invalidateQueries({ queryKey: OPTIONS })
  const error = options.error ?? mine.error
  const end = async (id: number) => {
    await call(unsubscribe, undefined, { params: { id } })
    void message.success('已取消订阅')
    await client.invalidateQueries({ queryKey: SUBSCRIPTIONS })
  }
  const contact = options.data?.contact
  return (
    <section className="account-card" aria-labelledby="account-messages">
      <h2 id="account-messages">消息订阅</h2>
      <p>待办和告警可以发到邮箱；列表的视图在视图菜单中订阅。</p>
      {error && <Alert type="error" showIcon title={error.message} action={<Button size="small" onClick={() => { void options.refetch(); void mine.refetch() }}>重试</Button>} />}
      {!error && (!contact || !mine.data) && <Skeleton active />}
      {contact && <><Address key={`${contact.email} ${contact.confirmed}`} contact={contact} reload={reload} /><Quiet key={`${contact.quiet_from} ${contact.quiet_to}`} contact={contact} reload={reload} /></>}
      {contact?.confirmed && <p><Button size="small" onClick={() => setAdding(INBOX)}>订阅待办汇总</Button> <Button size="small" onClick={() => setAdding(ALERT)}>订阅告警</Button></p>}
      <ul className="account-list">
        {mine.data?.items.map(({ id, title, kind, channel_name, hour, weekdays, last }) => (
          <li key={id}>
            <span className="what">{title}
              <small>{channel_name}{kind !== 'alert' && `　${whenWords(hour, weekdays)}`}{last && `　上次 ${formatTime(last.at).slice(5, 16)} ${last.words}`}</small>
            </span>
            <Button size="small" aria-label={`取消订阅${title}`} onClick={() => void end(id).catch(() => undefined)}>取消订阅</Button>
          </li>
        ))}
      </ul>
      {adding && <SubscribeDialog subject={adding} onClose={() => setAdding(undefined)} />}
    </section>
  )
}

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Alert, App, Button, Checkbox, Form, Modal, Radio, Select, Skeleton } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { call } from '../endpoint/call.tsx'
import { CallError } from '../endpoint/wire.ts'
import { FORMATS, listSubscriptions, messageOptions, subscribe, unsubscribe, WEEKDAYS, type Subscription, type SubscriptionFormat, type SubscriptionKind } from './calls.ts'

/** Where a person sets the address that messages go to. */
const ACCOUNT_PATH = '/account'
const ALL_DAYS = [1, 2, 3, 4, 5, 6, 7]
const HOURS = Array.from({ length: 24 }, (_, hour) => ({ value: hour, label: `${String(hour).padStart(2, '0')}:00` }))

/** What is subscribed: a view with its screen, or what waits. */
export interface Subject {
  readonly kind: SubscriptionKind
  readonly title: string
  readonly viewId?: number
  readonly path?: string
  /** Whether the list lets this person take workbooks. */
  readonly exports?: boolean
}

/** Key of the queries that a subscription changes. */
export const SUBSCRIPTIONS = ['subscriptions']

interface Values { channel_id: number; format: SubscriptionFormat; hour: number; weekdays: number[] }

/** 订阅: when, by what and how something comes. */
export function SubscribeDialog({ subject, onClose }: { subject: Subject; onClose: () => void }) {
  const { message } = App.useApp()
  const client = useQueryClient()
  const [form] = Form.useForm<Values>()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const options = useQuery({ queryKey: ['message-options'], staleTime: 0, queryFn: ({ signal }) => call(messageOptions, undefined, { signal, quiet: true }) })
  const mine = useQuery({ queryKey: SUBSCRIPTIONS, staleTime: 0, queryFn: ({ signal }) => call(listSubscriptions, undefined, { signal, quiet: true }) })
  const channelId = Form.useWatch('channel_id', form) as number | undefined
  const channels = (options.data?.channels ?? []).filter(({ group }) => !group || subject.kind === 'view')
  const channel = channels.find(({ id }) => id === channelId)
  const pictureHint = options.data && !options.data.draws ? '服务器没有中文字体，不能生成图片' : !channel?.group ? '图片为视图的前 20 条；图表、看板和分组视图画成统计图' : channel.pictures ? '群里的图片只画统计数字，视图须为图表，或按状态、类型、时间分组' : '该机器人不能发送图片'
  const known: readonly Subscription[] = (mine.data?.items ?? []).filter(({ kind, view_id }) => kind === subject.kind && view_id === (subject.viewId ?? null))
  const unreached = options.data && !options.data.contact.confirmed
  const finish = async (words: string) => {
    void message.success(words)
    await client.invalidateQueries({ queryKey: SUBSCRIPTIONS })
    onClose()
  }
  const save = async (values: Values) => {
    setBusy(true)
    setProblem(undefined)
    try {
      await call(subscribe, { ...values, kind: subject.kind, ...(subject.viewId !== undefined && { view_id: subject.viewId }), ...(subject.path !== undefined && { path: subject.path }) }, { quiet: true })
      await finish('订阅成功')
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      setProblem(Object.values(error.fields)[0] ?? error.message)
    } finally {
      setBusy(false)
    }
  }
  const end = async (one: Subscription) => {
    await call(unsubscribe, undefined, { params: { id: one.id } })
    await finish('已取消订阅')
  }
  const error = options.error ?? mine.error
  const ready = options.data && mine.data
  const first = known[0]
  return (
    <Modal open title={`订阅 · ${subject.title}`} okText={known.length > 0 ? '保存' : '订阅'} confirmLoading={busy} okButtonProps={{ disabled: !ready || channels.length === 0 }} onOk={form.submit} onCancel={onClose} width={480}>
      {(problem ?? error) && <Alert className="form-alert" type="error" showIcon role="alert" title={problem ?? error?.message} />}
      {!ready && !error && <Skeleton active />}
      {ready && channels.length === 0 && <Alert className="form-alert" type="info" showIcon title="管理员还没有设置可用的消息通道" />}
      {unreached && channels.some(({ group }) => !group) && <Alert className="form-alert" type="info" showIcon title={<>发到邮箱前，请先在<Link to={ACCOUNT_PATH} onClick={onClose}>账号与安全</Link>中确认接收邮箱</>} />}
      {ready && channels.length > 0 && (
        <Form form={form} name="subscribe" layout="vertical" onFinish={(values) => void save(values)}
          initialValues={{ channel_id: first?.channel_id ?? channels[0]?.id, format: first?.format ?? 'summary', hour: first?.hour ?? 9, weekdays: first?.weekdays ?? ALL_DAYS }}>
          <Form.Item name="channel_id" label="发送方式" rules={[{ required: true }]} extra={channel?.group ? '群里不发具体记录，点开链接的人仍按各自的权限查看' : options.data?.contact.email ? `发到 ${options.data.contact.email}` : undefined}>
            <Select options={channels.map(({ id, name, group }) => ({ value: id, label: group ? `${name}（群）` : name }))} />
          </Form.Item>
          {subject.kind === 'view' && (
            <Form.Item name="format" label="内容" extra={pictureHint}>
              <Radio.Group options={[
                { value: 'summary', label: channel?.group ? '数字和链接' : FORMATS.summary }, ...(channel?.group ? [] : [{ value: 'xlsx', label: FORMATS.xlsx, disabled: !subject.exports }]),
                { value: 'picture', label: FORMATS.picture, disabled: !options.data?.draws || !channel?.pictures },
              ]} />
            </Form.Item>
          )}
          {subject.kind !== 'alert' && (
            <>
              <Form.Item name="hour" label="时间"><Select options={HOURS} /></Form.Item>
              <Form.Item name="weekdays" label="日期" rules={[{ required: true, message: '请至少选择一天' }]}><Checkbox.Group options={WEEKDAYS.map((day, index) => ({ value: index + 1, label: `周${day}` }))} /></Form.Item>
            </>
          )}
          <p className="note">发送时按您当时的权限取数，手机号和姓名的隐藏方式与列表一致。</p>
        </Form>
      )}
      {known.map((one) => <p key={one.id} className="note">已订阅：{one.channel_name}{one.last && `，上次${one.last.words}`} <Button size="small" type="link" onClick={() => void end(one).catch(() => undefined)}>取消订阅</Button></p>)}
    </Modal>
  )
}

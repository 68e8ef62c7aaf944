import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Alert, App, Button, Drawer, Input, Radio, Skeleton, Table } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { call } from '../../core/endpoint/call.tsx'
import { CallError } from '../../core/endpoint/wire.ts'
import { choiceLabel } from '../../core/field/choice.ts'
import { money, formatMoney } from '../../core/field/number.ts'
import { Picker } from '../../core/field/reference.tsx'
import { formatTime } from '../../core/field/time.ts'
import { viewOf } from '../../core/field/views.tsx'
import { ListPage } from '../../core/list/list-page.tsx'
import type { WireRow } from '../../core/resource/endpoints.ts'
import { present } from '../../core/resource/present.tsx'
import { useCan } from '../../core/session/staff-context.tsx'
import { useWide } from '../../core/ui/use-media.tsx'
import { PAY_CHANNELS } from '../order/module.ts'
import { closeDay, CLOSE_DAY_GRANT, dayClosing, openDay, SHIFTS, type OpenDay } from './closing.ts'
import { selfRoom } from './room.ts'

const amountField = money('实点', { min: -10_000_000_000, max: 10_000_000_000 })

interface Counted { counted?: number; reason?: string }

/** Counting what came in: expected beside counted, and why they differ. */
function Counting({ roomId, open, done }: { roomId: number; open: OpenDay; done: () => void }) {
  const { message } = App.useApp()
  const [counted, setCounted] = useState<Readonly<Record<string, Counted>>>({})
  const [shift, setShift] = useState<(typeof SHIFTS)[number]['value']>(4)
  const [remark, setRemark] = useState('')
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const { Input: Amount } = viewOf(amountField)
  const set = (channel: string, part: Counted) => setCounted((now) => ({ ...now, [channel]: { ...now[channel], ...part } }))
  const rows = open.lines.filter(({ entries, expected }) => entries > 0 || expected !== 0)
  const send = async () => {
    setBusy(true)
    setProblem(undefined)
    try {
      const lines = open.lines.map(({ channel, expected }) => ({ channel, expected, counted: counted[channel]?.counted ?? 0, ...(counted[channel]?.reason?.trim() && { reason: counted[channel].reason.trim() }) }))
      await call(closeDay, { room_id: roomId, shift, lines, ...(remark.trim() && { remark: remark.trim() }) }, { quiet: true })
      void message.success('日结完成')
      done()
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      setProblem(error.message)
      if (error.status === 409) done()
    } finally {
      setBusy(false)
    }
  }
  const page = useRef<HTMLDivElement>(null)
  useEffect(() => page.current?.querySelector<HTMLInputElement>('input[id^=counted]')?.focus(), [])
  return (
    // Ctrl and Enter send from whatever field has the focus.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div ref={page} onKeyDown={(event) => { if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !event.repeat && !busy) void send() }}>
      <p className="note">{open.since ? `上次日结 ${formatTime(open.since).slice(0, 16)}` : '还没有日结过'}</p>
      {problem && <Alert className="form-alert" type="error" showIcon title={problem} role="alert" />}
      <Table size="small" pagination={false} rowKey="channel" scroll={{ x: 'max-content' }} dataSource={rows} locale={{ emptyText: '上次日结后没有收款' }} columns={[
        { title: '支付方式', render: (_, one) => choiceLabel(PAY_CHANNELS, one.channel) },
        { title: '笔数', dataIndex: 'entries', align: 'right' },
        { title: '应收', align: 'right', render: (_, one) => <span className="figure">{formatMoney(one.expected)}</span> },
        { title: '实点', width: 150, render: (_, one) => <Amount field={amountField} name="counted" id={`counted-${one.channel}`} values={{}} value={counted[one.channel]?.counted ?? null} onChange={(value) => set(one.channel, { counted: Number(value ?? 0) })} /> },
        { title: '差额', align: 'right', render: (_, one) => {
          const difference = (counted[one.channel]?.counted ?? 0) - one.expected
          return <span className={difference === 0 ? 'figure' : 'figure problem'}>{formatMoney(difference)}</span>
        } },
        { title: '原因', width: 220, render: (_, one) => <Input maxLength={200} aria-label={`${choiceLabel(PAY_CHANNELS, one.channel)}差额原因`} value={counted[one.channel]?.reason ?? ''} onChange={(event) => set(one.channel, { reason: event.target.value })} /> },
      ]} />
      <p><Radio.Group aria-label="班次" value={shift} onChange={(event) => setShift(event.target.value as typeof shift)} options={SHIFTS.map(({ value, label }) => ({ value, label }))} /></p>
      <p><Input.TextArea rows={2} maxLength={200} showCount placeholder="备注" aria-label="备注" value={remark} onChange={(event) => setRemark(event.target.value)} /></p>
      <Button type="primary" loading={busy} onClick={() => void send()}>确认日结</Button><span className="note">　Ctrl ↵ 确认，日结后不能修改</span>
    </div>
  )
}

/** What a closed day held, channel by channel. */
function ClosedLines({ row }: { row: WireRow<typeof dayClosing> }) {
  const lines = row.lines?.filter(({ expected, counted }) => expected !== 0 || counted !== 0) ?? []
  return (
    <Table size="small" pagination={false} rowKey="channel" scroll={{ x: 'max-content' }} dataSource={lines} locale={{ emptyText: '没有收款' }} columns={[
      { title: '支付方式', render: (_, one) => choiceLabel(PAY_CHANNELS, one.channel) },
      { title: '应收', align: 'right', render: (_, one) => <span className="figure">{formatMoney(one.expected)}</span> },
      { title: '实点', align: 'right', render: (_, one) => <span className="figure">{formatMoney(one.counted)}</span> },
      { title: '差额', align: 'right', render: (_, one) => <span className="figure">{formatMoney(one.counted - one.expected)}</span> },
      { title: '原因', render: (_, one) => one.reason ?? <span className="none">—</span> },
    ]} />
  )
}

const closingView = present(dayClosing)({ slots: { details: [{ key: 'lines', label: '对账明细', Content: ClosedLines }] } })

/** Closes the day of one of our rooms, and shows the days that were closed. @param room the only one, where it is known */
export function ClosingDrawer({ open, room, onClose }: { open: boolean; room?: number; onClose: () => void }) {
  const can = useCan()
  const client = useQueryClient()
  const wide = useWide('md')
  const [picked, setPicked] = useState<number>()
  const roomId = room ?? picked
  const may = can(CLOSE_DAY_GRANT)
  const { data, error } = useQuery({
    queryKey: ['open-day', roomId], queryFn: ({ signal }) => call(openDay, { room_id: String(roomId) }, { signal }), enabled: open && may && roomId !== undefined, gcTime: 0,
  })
  const done = () => {
    void client.invalidateQueries({ queryKey: ['open-day'] })
    void client.invalidateQueries({ queryKey: ['list', dayClosing.name] })
    void client.invalidateQueries({ queryKey: ['summary', dayClosing.name] })
  }
  return (
    <Drawer open={open} onClose={onClose} title="日结对账" size={wide ? 980 : '100%'} destroyOnHidden>
      {may && (
        <section>
          {room === undefined && <Picker target={selfRoom} id="closing-room" label="自习室" value={roomId} onChange={(next) => setPicked(next ?? undefined)} />}
          {roomId !== undefined && (error ? <Alert type="error" title={error.message} /> : data ? <Counting key={`${roomId} ${data.since}`} roomId={roomId} open={data} done={done} /> : <Skeleton active />)}
        </section>
      )}
      <ListPage resource={dayClosing} presentation={closingView} embedded={{ fixed: room === undefined ? {} : { room_id: [String(room)] } }} />
    </Drawer>
  )
}

/** 日结对账 among the buttons of a list of orders. */
export function ClosingButton() {
  const can = useCan()
  const [shown, setShown] = useState(false)
  if (!can(dayClosing.grant)) return null
  return (
    <>
      <Button onClick={() => setShown(true)}>日结对账</Button>
      <ClosingDrawer open={shown} onClose={() => setShown(false)} />
    </>
  )
}

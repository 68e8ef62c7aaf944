import { useQuery } from '@tanstack/react-query'
import { Alert, App, Form, Input, InputNumber, Modal, Radio, Select } from 'antd'
import { useEffect, useState, type ReactNode } from 'react'
import { call, request } from '../../core/endpoint/call.tsx'
import type { Endpoint } from '../../core/endpoint/define.ts'
import { CallError } from '../../core/endpoint/wire.ts'
import { formatMoney } from '../../core/field/number.ts'
import { Picker } from '../../core/field/reference.tsx'
import { validated } from '../../core/form/validated.tsx'
import type { WireRow } from '../../core/resource/endpoints.ts'
import { useCan } from '../../core/session/staff-context.tsx'
import { CARD_PAY_CHANNELS, type Counter, type partnerCards } from './card-calls.ts'
import { orderRight } from '../order/module.ts'
import { CARD_KIND, isCounted, sayAmount } from './card-kind.ts'
import { selfUserOrder, userOrder } from './orders.ts'
import type { Rooms } from './ownerships.ts'

interface Props {
  rooms: Rooms
  calls: typeof partnerCards
  row: WireRow<Rooms['userCard']>
  onClose: () => void
  onDone: () => void
}

interface FormDialogProps<Input, Output> {
  title: string
  okText: string
  danger?: boolean
  endpoint: Endpoint<Input, Output>
  id: number
  first?: Record<string, unknown>
  /** What is sent for what was filled in. */
  toInput: (values: Record<string, unknown>) => Input
  onClose: () => void
  onDone: () => void
  children: ReactNode
}

/** A short form around one call; what the server finds wrong stands at its field. */
function FormDialog<Input, Output>({ title, okText, danger = false, endpoint, id, first = {}, toInput, onClose, onDone, children }: FormDialogProps<Input, Output>) {
  const { message } = App.useApp()
  const [form] = Form.useForm()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const run = async () => {
    const values = await validated(form) as Record<string, unknown> | undefined
    if (!values) return
    setBusy(true)
    setProblem(undefined)
    try {
      await call(endpoint, toInput(values), { params: { id }, quiet: true })
      void message.success(`${okText}成功`)
      onDone()
      onClose()
    } catch (failure) {
      setBusy(false)
      setProblem(failure instanceof Error ? failure.message : '操作失败')
      if (failure instanceof CallError) form.setFields(Object.entries(failure.fields).map(([name, text]) => ({ name, errors: [text] })))
    }
  }
  return (
    <Modal open title={title} okText={okText} okButtonProps={{ danger }} confirmLoading={busy} onOk={() => void run()} onCancel={onClose} mask={{ closable: false }}>
      {problem && <Alert className="form-alert" type="error" showIcon title={problem} role="alert" />}
      <Form form={form} layout="vertical" initialValues={first}>{children}</Form>
    </Modal>
  )
}

const reason = <Form.Item name="reason" label="原因" rules={[{ required: true, message: '请填写原因' }, { min: 2, message: '原因至少 2 个字' }]}><Input.TextArea rows={2} maxLength={200} showCount /></Form.Item>
const remark = <Form.Item name="remark" label="备注"><Input maxLength={200} /></Form.Item>
const fen = (value: unknown) => (typeof value === 'number' ? Math.round(value * 100) : undefined)
const given = (key: string, value: unknown) => (value === undefined || value === null ? {} : { [key]: value })
const money = (name: string, label: string, help?: string) => (
  <Form.Item name={name} label={label} extra={help}><InputNumber className="wide" min={0} precision={2} prefix="¥" /></Form.Item>
)

/** What the desk has to know of a member. */
export const useCounter = (calls: typeof partnerCards, memberId: number) => useQuery({
  queryKey: ['counter', calls.counter.path, memberId], queryFn: ({ signal }) => call(calls.counter, undefined, { params: { id: memberId }, signal, quiet: true }), gcTime: 0,
})

/** What is to be paid, before anything else is asked. */
function Price({ price }: { price: number | undefined }) {
  return price === undefined ? null : <p className="card-price">应收 <b className="figure">{formatMoney(price)}</b></p>
}

/** What is paid and how: the card's price, or less for those who may change prices of orders. */
function PaymentInputs({ rooms, cards, card }: { rooms: Rooms; cards: Counter['cards'] | undefined; card?: number | null }) {
  const chosen = Form.useWatch('card_id') as number | undefined
  const price = cards?.find(({ id }) => id === (card ?? chosen))?.price
  const can = useCan()
  const orders = rooms.side.self_run ? selfUserOrder : userOrder
  const less = can(orderRight(orders, 'reprice'))
  const channels = CARD_PAY_CHANNELS.filter(({ value }) => less || value !== 'free')
  return (
    <>
      <Price price={price} />
      {less ? money('paid', '实付', price === undefined ? '不填则按售价' : `不填则收 ${formatMoney(price)}`) : <p className="note">按售价收款；需要优惠时，请有用户订单「改价」权限的同事操作。</p>}
      <Form.Item name="pay_channel" label="支付方式" rules={[{ required: true, message: '请选择支付方式' }]}>
        <Select placeholder="请选择支付方式" options={channels.map(({ value, label }) => ({ value, label }))} />
      </Form.Item>
    </>
  )
}

/** The kinds of card that a member can buy, with what each brings and costs. */
function CardSelect({ cards, value, onChange, id }: { cards: Counter['cards'] | undefined; value?: number; onChange?: (next: number) => void; id?: string }) {
  return (
    <Select<number> id={id} {...(value !== undefined && { value })} {...(onChange && { onChange })} loading={cards === undefined} placeholder="请选择会员卡" notFoundContent="该学校没有在售的会员卡"
      options={(cards ?? []).map((card) => ({ value: card.id, label: card.name, card }))}
      optionRender={({ data: { label, card } }) => (
        <span className="card-option"><span>{label}<small>{[isCounted(card.kind) ? sayAmount(card.kind, card.quota ?? 0) : null, `${card.valid_days} 天`].filter(Boolean).join(' · ')}</small></span><b className="figure">{formatMoney(card.price)}</b></span>
      )} />
  )
}

/** Where the money is booked: one of the school's rooms; the only one is chosen already, or that in which the member was last. */
function RoomSelect({ rooms, schoolId, last, value, onChange, id }: { rooms: Rooms; schoolId: number; last: number | null | undefined; value?: number; onChange?: (next: number) => void; id?: string }) {
  const { data, isFetching } = useQuery({
    queryKey: ['options', rooms.room.name, 'of', schoolId],
    queryFn: ({ signal }) => request<{ items: { id: number; name: string }[] }>('GET', rooms.room.optionsPath, { school_id: schoolId, offered: 1 }, { signal, quiet: true }),
  })
  const likely = data?.items.length === 1 ? data.items[0]?.id : data?.items.find((room) => room.id === last)?.id
  useEffect(() => {
    if (likely !== undefined && value === undefined) onChange?.(likely)
  }, [likely, value, onChange])
  return <Select<number> id={id} {...(value !== undefined && { value })} {...(onChange && { onChange })} loading={isFetching} placeholder="请选择自习室" options={(data?.items ?? []).map((room) => ({ value: room.id, label: room.name }))} notFoundContent="该学校没有营业的自习室" />
}

const till = (rooms: Rooms, row: { school_id: number }, counter: Counter | undefined) => (
  <Form.Item name="room_id" label="收款自习室" extra="计入该自习室的订单和日结" rules={[{ required: true, message: '请选择收款自习室' }]}><RoomSelect rooms={rooms} schoolId={row.school_id} last={counter?.room_id} /></Form.Item>
)

/** 开卡: a member buys a card at the desk. */
export function OpenCardDialog({ rooms, calls, row, onClose, onDone }: Omit<Props, 'row'> & { row: WireRow<Rooms['member']> }) {
  const { data: counter } = useCounter(calls, row.id)
  return (
    <FormDialog title={`开卡 · ${row.name}`} okText="开卡" endpoint={calls.open} id={row.id} first={{ at_once: 0 }} onClose={onClose} onDone={onDone}
      toInput={(values) => ({ card_id: Number(values['card_id']), room_id: Number(values['room_id']), pay_channel: values['pay_channel'] as 'cash', at_once: values['at_once'] === 1 ? 1 as const : 0 as const, ...given('paid', fen(values['paid'])), ...given('remark', values['remark']) })}>
      <Form.Item name="card_id" label="会员卡" rules={[{ required: true, message: '请选择会员卡' }]}><CardSelect cards={counter?.cards} /></Form.Item>
      {till(rooms, row, counter)}
      <PaymentInputs rooms={rooms} cards={counter?.cards} />
      <Form.Item name="at_once" label="生效"><Radio.Group options={[{ value: 0, label: '首次到店生效' }, { value: 1, label: '立即生效' }]} /></Form.Item>
      {remark}
    </FormDialog>
  )
}

function Renew({ rooms, calls, row, onClose, onDone }: Props) {
  const { data: counter } = useCounter(calls, row.member_id)
  return (
    <FormDialog title={`续卡 · ${row.card_no}`} okText="续卡" endpoint={calls.renew} id={row.id} onClose={onClose} onDone={onDone}
      toInput={(values) => ({ room_id: Number(values['room_id']), pay_channel: values['pay_channel'] as 'cash', ...given('paid', fen(values['paid'])), ...given('remark', values['remark']) })}>
      <p>按「{row.card_name}」现价续一期，额度和有效期在原有基础上增加。</p>
      {till(rooms, row, counter)}
      <PaymentInputs rooms={rooms} cards={counter?.cards} card={row.card_id} />
      {remark}
    </FormDialog>
  )
}

function Freeze({ calls, row, onClose, onDone }: Props) {
  const left = (row.freeze_days ?? 0) - (row.frozen_days ?? 0)
  return (
    <FormDialog title={`冻结 · ${row.card_no}`} okText="冻结" endpoint={calls.freeze} id={row.id} first={{ days: Math.min(7, Math.max(1, left)) }} onClose={onClose} onDone={onDone}
      toInput={(values) => ({ days: Number(values['days']), reason: String(values['reason']) })}>
      <p>已冻结 {row.freeze_cnt ?? 0} / {row.freeze_times ?? 0} 次，还可冻结 {Math.max(0, left)} 天。有效期按冻结天数顺延。</p>
      <Form.Item name="days" label="冻结天数" rules={[{ required: true, message: '请填写冻结天数' }]}><InputNumber className="wide" min={1} max={365} precision={0} suffix="天" /></Form.Item>
      {reason}
    </FormDialog>
  )
}

function Unfreeze({ calls, row, onClose, onDone }: Props) {
  return (
    <FormDialog title={`解冻 · ${row.card_no}`} okText="解冻" endpoint={calls.unfreeze} id={row.id} onClose={onClose} onDone={onDone} toInput={() => ({})}>
      <p>未用完的冻结天数会从顺延的有效期中扣回。</p>
    </FormDialog>
  )
}

function Transfer({ rooms, calls, row, onClose, onDone }: Props) {
  return (
    <FormDialog title={`转卡 · ${row.card_no}`} okText="转卡" danger endpoint={calls.transfer} id={row.id} onClose={onClose} onDone={onDone}
      toInput={(values) => ({ member_id: Number(values['member_id']), reason: String(values['reason']) })}>
      <Form.Item name="member_id" label="受让会员" rules={[{ required: true, message: '请选择受让的会员' }]}>
        <MemberPicker rooms={rooms} schoolId={row.school_id} />
      </Form.Item>
      {reason}
    </FormDialog>
  )
}

function MemberPicker({ rooms, schoolId, value, onChange, id }: { rooms: Rooms; schoolId: number; value?: number; onChange?: (next: number | null) => void; id?: string }) {
  return <Picker target={rooms.member} id={id} label="会员" narrow={{ school_id: schoolId }} value={value} onChange={(next) => onChange?.(next)} />
}

/** Amounts of money are typed in yuan, all others as they are. */
const scaleOf = (row: WireRow<Rooms['userCard']>) => (row.kind === CARD_KIND.value ? 100 : 1)
const unitOf = (row: WireRow<Rooms['userCard']>) => (row.kind === CARD_KIND.value ? '元' : row.kind === CARD_KIND.visits ? '次' : '分钟')

function Adjust({ calls, row, onClose, onDone }: Props) {
  const kind = row.kind
  return (
    <FormDialog title={`扣减 / 补录 · ${row.card_no}`} okText="调整" endpoint={calls.adjust} id={row.id} first={{ way: -1 }} onClose={onClose} onDone={onDone}
      toInput={(values) => {
        const way = Number(values['way'])
        return { reason: String(values['reason']), ...given('delta', typeof values['delta'] === 'number' ? way * Math.round(values['delta'] * scaleOf(row)) : undefined), ...given('days', typeof values['days'] === 'number' ? way * values['days'] : undefined) }
      }}>
      <p>当前剩余 {sayAmount(kind, row.remaining ?? 0)}</p>
      <Form.Item name="way" label="方式"><Radio.Group options={[{ value: -1, label: '扣减' }, { value: 1, label: '补录' }]} /></Form.Item>
      {isCounted(kind) && <Form.Item name="delta" label="数量"><InputNumber className="wide" min={0} precision={scaleOf(row) === 100 ? 2 : 0} suffix={unitOf(row)} /></Form.Item>}
      <Form.Item name="days" label="有效期天数"><InputNumber className="wide" min={0} max={3650} precision={0} suffix="天" /></Form.Item>
      {reason}
    </FormDialog>
  )
}

function Refund({ calls, row, onClose, onDone }: Props) {
  const most = (row.paid ?? 0) - (row.refunded ?? 0)
  return (
    <FormDialog title={`退卡 · ${row.card_no}`} okText="退卡" danger endpoint={calls.refund} id={row.id} first={{ amount: most / 100 }} onClose={onClose} onDone={onDone}
      toInput={(values) => ({ amount: fen(values['amount']) ?? 0, reason: String(values['reason']) })}>
      <Alert className="form-alert" type="warning" showIcon title="退卡后剩余额度清零，不能恢复。" />
      {money('amount', '退款金额', `最多可退 ${formatMoney(most)}`)}
      {reason}
    </FormDialog>
  )
}

export type CardDialog = 'renew' | 'freeze' | 'unfreeze' | 'transfer' | 'adjust' | 'refund'

/** Dialogs of a card by what is done. */
export const CARD_DIALOGS: Readonly<Record<CardDialog, (props: Props) => ReactNode>> = { renew: Renew, freeze: Freeze, unfreeze: Unfreeze, transfer: Transfer, adjust: Adjust, refund: Refund }

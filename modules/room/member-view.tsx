import { useQueryClient } from '@tanstack/react-query'
import { Alert, App, Input, Modal, Skeleton } from 'antd'
import { useState } from 'react'
import { call } from '../../core/endpoint/call.tsx'
import { NONE } from '../../core/field/view.tsx'
import { ListPage } from '../../core/list/list-page.tsx'
import type { WireRow } from '../../core/resource/endpoints.ts'
import { present, type Presentation, type RowDialogProps } from '../../core/resource/present.tsx'
import { OrderLink } from '../order/door.tsx'
import { ownCards, partnerCards } from './card-calls.ts'
import { CARD_DIALOGS, OpenCardDialog, useCounter, type CardDialog } from './card-dialogs.tsx'
import { isCounted, sayAmount, sayMinutes, type CardKind } from './card-kind.ts'
import { canAct, type CardAction, type MemberRight } from './card-state.ts'
import { CheckInDialog } from './check-in.tsx'
import { ownMap, partnerMap } from './map-calls.ts'
import { MEMBER_STATUS } from './member.ts'
import { CheckOutDialog } from './occupancy.tsx'
import { OWN_ROOMS, PARTNER_ROOMS, type Rooms } from './ownerships.ts'
import { ownVisits, partnerVisits } from './visit-calls.ts'

interface Part {
  rooms: Rooms
  cards: typeof partnerCards
  map: typeof partnerMap
  visits: typeof partnerVisits
}

interface CardButton {
  key: CardDialog
  label: string
  /** Any of these must be possible in the card's state. */
  actions: readonly CardAction[]
  right: MemberRight
  danger?: true
}

const CARD_BUTTONS: readonly CardButton[] = [
  { key: 'renew', label: '续卡', actions: ['renew'], right: 'sell' },
  { key: 'freeze', label: '冻结', actions: ['freeze'], right: 'freeze' },
  { key: 'unfreeze', label: '解冻', actions: ['unfreeze'], right: 'freeze' },
  { key: 'transfer', label: '转卡', actions: ['transfer'], right: 'transfer' },
  { key: 'adjust', label: '扣减/补录', actions: ['deduct', 'supplement'], right: 'adjust' },
  { key: 'refund', label: '退卡', actions: ['refund'], right: 'refund', danger: true },
]

function Amount({ value, kind, signed }: { value: number | null; kind: CardKind; signed?: boolean }) {
  const amount = value ?? 0
  if (!isCounted(kind)) return NONE
  return <span className="figure">{signed && amount > 0 ? '+' : ''}{sayAmount(kind, amount)}</span>
}

/** Writes what the supervisor thought of a visit. */
function CommentDialog({ visits, row, reload, onClose }: RowDialogProps<Rooms['visit']> & { visits: typeof partnerVisits }) {
  const { message } = App.useApp()
  const [text, setText] = useState(row.comment ?? '')
  const save = () => call(visits.comment, { comment: text }, { params: { id: row.id } }).then(() => { void message.success('保存成功'); reload(); onClose() }, () => undefined)
  return (
    <Modal open title="督学评语" okText="保存" onOk={save} onCancel={onClose}>
      <Input.TextArea aria-label="督学评语" rows={4} maxLength={200} showCount value={text} onChange={(event) => setText(event.target.value)} />
    </Modal>
  )
}

/** 签退 of a member who is in the room: the visit that is going on is found first. */
function MemberCheckOut({ calls, visits, row, onClose, onDone }: { calls: typeof partnerCards; visits: typeof partnerVisits; row: WireRow<Rooms['member']>; onClose: () => void; onDone: () => void }) {
  const { data, error } = useCounter(calls, row.id)
  if (data?.visit_id) return <CheckOutDialog visits={visits} visitId={data.visit_id} name={row.name} onClose={onClose} onDone={onDone} />
  return <Modal open title={`签退 · ${row.name}`} footer={null} onCancel={onClose}>{error ? <Alert type="error" showIcon title={error.message} /> : data ? <p>{row.name}已经签退了。</p> : <Skeleton active paragraph={{ rows: 2 }} />}</Modal>
}

/** The members of one side. */
function memberView({ rooms, cards, map, visits }: Part): Presentation {
  const grant = (right: MemberRight) => rooms.member.rights.id(right)
  const CardsTab = ({ row, reload }: { row: WireRow<Rooms['member']>; reload: () => void }) => {
    const client = useQueryClient()
    const again = () => {
      void client.invalidateQueries({ queryKey: ['list'] })
      reload()
    }
    return (
      <ListPage resource={rooms.userCard} embedded={{ fixed: { member_id: [String(row.id)] } }} presentation={present(rooms.userCard)({
        cells: { remaining: ({ value, row: card }) => <Amount value={value} kind={card.kind} />, order_no: ({ value }) => <OrderLink no={value} /> },
        rowActions: CARD_BUTTONS.map(({ key, label, actions, right, danger }) => ({
          key, label, grant: grant(right), ...(danger && { danger }), visible: (card: WireRow<Rooms['userCard']>) => actions.some((action) => canAct(action, card.status)),
        })),
        dialogs: Object.fromEntries(CARD_BUTTONS.map(({ key }) => {
          const Dialog = CARD_DIALOGS[key]
          return [key, ({ row: card, onClose }: RowDialogProps<Rooms['userCard']>) => <Dialog rooms={rooms} calls={cards} row={card} onClose={onClose} onDone={again} />]
        })),
      })} />
    )
  }
  const LogTab = ({ row }: { row: WireRow<Rooms['member']> }) => (
    <ListPage resource={rooms.cardLog} embedded={{ fixed: { member_id: [String(row.id)] } }} presentation={present(rooms.cardLog)({
      cells: { delta: ({ value, row: entry }) => <Amount value={value} kind={entry.kind} signed />, remaining: ({ value, row: entry }) => <Amount value={value} kind={entry.kind} />, order_no: ({ value }) => <OrderLink no={value} /> },
    })} />
  )
  const VisitsTab = ({ row }: { row: WireRow<Rooms['member']> }) => (
    <ListPage resource={rooms.visit} embedded={{ fixed: { member_id: [String(row.id)] } }} presentation={present(rooms.visit)({
      rowActions: [
        { key: 'leave', label: '签退', grant: grant('visit'), visible: (visit) => visit.out_at === null },
        ...(rooms.side.self_run ? [{ key: 'comment' as const, label: '督学评语', grant: grant('visit') }] : []),
      ],
      dialogs: {
        leave: ({ row: visit, reload, onClose }) => <CheckOutDialog visits={visits} visitId={visit.id} name={row.name} onClose={onClose} onDone={reload} />,
        comment: (props) => <CommentDialog visits={visits} {...props} />,
      },
    })} />
  )
  const LeavesTab = ({ row }: { row: WireRow<Rooms['member']> }) => <ListPage resource={rooms.leave} embedded={{ fixed: { member_id: [String(row.id)] } }} start={{ member_id: row.id }} />
  return present(rooms.member)({
    cells: {
      left_minutes: ({ value }) => (typeof value === 'number' ? <span className="figure">{sayMinutes(value)}</span> : NONE),
      total_minutes: ({ value }) => (typeof value === 'number' ? <span className="figure">{sayMinutes(value)}</span> : NONE),
    },
    slots: {
      details: [
        { key: 'cards', label: '会员卡', Content: CardsTab },
        { key: 'log', label: '卡流水', Content: LogTab },
        { key: 'visits', label: '签到记录', Content: VisitsTab },
        { key: 'leaves', label: '请假', Content: LeavesTab },
      ],
    },
    rowActions: [
      { key: 'check_in', label: '签到', grant: grant('visit'), visible: (row) => row.status === MEMBER_STATUS.normal && !row.present },
      { key: 'check_out', first: true, label: '签退', grant: grant('visit'), visible: (row) => Boolean(row.present) },
      { key: 'open_card', label: '开卡', grant: grant('sell'), visible: (row) => row.status === MEMBER_STATUS.normal },
    ],
    dialogs: {
      check_in: ({ row, reload, onClose }) => <CheckInDialog rooms={rooms} map={map} visits={visits} row={row} onClose={onClose} onDone={reload} />,
      check_out: ({ row, reload, onClose }) => <MemberCheckOut calls={cards} visits={visits} row={row} onClose={onClose} onDone={reload} />,
      open_card: ({ row, reload, onClose }) => <OpenCardDialog rooms={rooms} calls={cards} row={row} onClose={onClose} onDone={reload} />,
    },
  })
}

export const partnerMemberView = memberView({ rooms: PARTNER_ROOMS, cards: partnerCards, map: partnerMap, visits: partnerVisits })
export const ownMemberView = memberView({ rooms: OWN_ROOMS, cards: ownCards, map: ownMap, visits: ownVisits })

import { useQuery } from '@tanstack/react-query'
import { Alert, App, Form, Modal, Select } from 'antd'
import { useState } from 'react'
import { call, request } from '../../core/endpoint/call.tsx'
import type { WireRow } from '../../core/resource/endpoints.ts'
import { useFront } from '../../core/ui/front.tsx'
import { sayAmount } from './card-kind.ts'
import { CARD_STATUS } from './card-state.ts'
import type { partnerMap } from './map-calls.ts'
import { SeatBoard } from './seat-board.tsx'
import type { Rooms } from './ownerships.ts'
import type { partnerVisits } from './visit-calls.ts'

interface Props {
  rooms: Rooms
  map: typeof partnerMap
  visits: typeof partnerVisits
  row: WireRow<Rooms['member']>
  onClose: () => void
  onDone: () => void
}

/** 签到: a member takes a seat on the map with one of their cards. */
export function CheckInDialog({ rooms, map, visits, row, onClose, onDone }: Props) {
  const { message } = App.useApp()
  const [chosenCard, setCard] = useState<number>()
  const [chosenRoom, setRoom] = useState<number>()
  const [seat, setSeat] = useState<string>()
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const cards = useQuery({
    queryKey: ['list', rooms.userCard.name, 'of', row.id],
    queryFn: ({ signal }) => request<{ items: WireRow<Rooms['userCard']>[] }>('GET', rooms.userCard.api.list, { member_id: row.id, status: [CARD_STATUS.unused, CARD_STATUS.active] }, { signal, quiet: true }),
  })
  const places = useQuery({
    queryKey: ['options', rooms.room.name, 'of', row.school_id],
    queryFn: ({ signal }) => request<{ items: { id: number; name: string }[] }>('GET', rooms.room.optionsPath, { school_id: row.school_id, offered: 1 }, { signal, quiet: true }),
  })
  const card = chosenCard ?? cards.data?.items[0]?.id
  const room = chosenRoom ?? places.data?.items[0]?.id
  const front = useFront()
  const layout = useQuery({
    queryKey: ['seat_map', map.read.path, room], enabled: room !== undefined, refetchInterval: front && 15_000,
    queryFn: ({ signal }) => call(map.read, undefined, { params: { id: room ?? 0 }, signal, quiet: true }),
  })
  const error = cards.error ?? places.error ?? layout.error
  const run = async () => {
    if (card === undefined) return setProblem('该会员没有可用的卡，请先开卡')
    if (seat === undefined) return setProblem('请在座位图上选择座位')
    setBusy(true)
    setProblem(undefined)
    try {
      await call(visits.checkIn, { seat_id: Number(seat), user_card_id: card }, { params: { id: row.id }, quiet: true })
      void message.success(`${row.name}已签到`)
      onDone()
      onClose()
    } catch (failure) {
      setProblem(failure instanceof Error ? failure.message : '签到失败')
      setSeat(undefined)
      setBusy(false)
      void layout.refetch()
    }
  }
  return (
    <Modal open title={`签到 · ${row.name}`} width={760} okText="签到" confirmLoading={busy} onOk={() => void run()} onCancel={onClose}>
      {(problem ?? error) && <Alert className="form-alert" type="error" showIcon title={problem ?? error?.message} role="alert" />}
      <Form layout="vertical">
        <Form.Item label="会员卡" htmlFor="check-in-card">
          <Select id="check-in-card" {...(card !== undefined && { value: card })} onChange={(next: number) => setCard(next)} loading={cards.isFetching} notFoundContent="没有可用的卡" placeholder="请选择会员卡"
            options={(cards.data?.items ?? []).map((one) => ({ value: one.id, label: `${one.card_name ?? ''}（${sayAmount(one.kind, one.remaining ?? 0)}）` }))} />
        </Form.Item>
        <Form.Item label="自习室" htmlFor="check-in-room">
          <Select id="check-in-room" {...(room !== undefined && { value: room })} onChange={(next: number) => { setRoom(next); setSeat(undefined) }} loading={places.isFetching} notFoundContent="该学校没有营业的自习室" placeholder="请选择自习室"
            options={(places.data?.items ?? []).map((one) => ({ value: one.id, label: one.name }))} />
        </Form.Item>
      </Form>
      {layout.data && (
        <>
          <p>{seat === undefined ? '请选择座位' : `已选 ${layout.data.seats.find((one) => String(one.id) === seat)?.label ?? ''}`}</p>
          <SeatBoard label="选择座位" zoom={0.9}
            onPick={(key) => {
              const one = layout.data.seats.find((other) => String(other.id) === key)
              if (one?.sitting) return setProblem(`「${one.label}」已有人在座，请换一个座位`)
              if (one?.status !== 1) return setProblem(`「${one?.label ?? ''}」已停用，请换一个座位`)
              setProblem(undefined)
              setSeat(key)
            }}
            seats={layout.data.seats.map((one) => ({ ...one, key: String(one.id), title: `${one.label}，${one.sitting ? '有人' : one.status === 1 ? '空座' : '停用'}`, look: String(one.id) === seat ? 'picked' : one.sitting ? 'taken' : undefined }))} />
        </>
      )}
    </Modal>
  )
}

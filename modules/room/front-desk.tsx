import { Alert, App, Button, Skeleton } from 'antd'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { call, newKey } from '../../core/endpoint/call.tsx'
import { CallError } from '../../core/endpoint/wire.ts'
import { useLive } from '../../core/live/use-live.tsx'
import { useCan } from '../../core/session/staff-context.tsx'
import { useTabTitle } from '../../core/shell/tabs-context.tsx'
import { useMedia } from '../../core/ui/use-media.tsx'
import { useMinute } from '../../core/ui/use-minute.tsx'
import { usePageKeys } from '../../core/ui/use-page-keys.tsx'
import { useSaid } from '../../core/undo/use-said.tsx'
import { formatMoney } from '../../core/field/number.ts'
import { choiceLabel } from '../../core/field/choice.ts'
import { orderRight } from '../order/module.ts'
import { CARD_PAY_CHANNELS, type partnerCards } from './card-calls.ts'
import { sayAmount, sayKind } from './card-kind.ts'
import { canAct, CARD_STATUS } from './card-state.ts'
import { ClosingDrawer } from './closing-button.tsx'
import { CLOSE_DAY_GRANT } from './closing.ts'
import type { HeldCard, partnerFront } from './front-calls.ts'
import { roomMoved } from './live.ts'
import { FrontField, useLookUp } from './front-field.tsx'
import { FrontMap, nextSeat } from './front-map.tsx'
import { SEAT_LEGEND } from './front-seat.ts'
import { FrontMemberCard } from './front-member.tsx'
import { FrontRefund, FrontSale, type Channel } from './front-sale.tsx'
import { FrontToday } from './front-today.tsx'
import type { MapSeat, partnerMap } from './map-calls.ts'
import { selfUserOrder, userOrder } from './orders.ts'
import type { Rooms } from './ownerships.ts'
import { useScanner } from './use-scanner.tsx'
import type { partnerVisits } from './visit-calls.ts'
import './front.css'

/** Everything that the counters of one side call. */
export interface FrontCalls {
  rooms: Rooms
  front: typeof partnerFront
  map: typeof partnerMap
  visits: typeof partnerVisits
  cards: typeof partnerCards
  /** Where the orders of members are listed. */
  ordersPath: string
}

/** What the person at the counter is about to do with the member. */
type Mode = 'rest' | 'open' | 'renew' | 'refund' | 'move'

/** A scanner that sends Enter twice does nothing with the second; milliseconds. */
const DOUBLE = 700
/** How long Ctrl and Z take the last step back, as long as the bar at the foot offers it; milliseconds. */
const BACK = 10_000

const ticks = () => performance.now()

const usableIn = (card: HeldCard) => card.here && !card.in_use && (card.status === CARD_STATUS.active || card.status === CARD_STATUS.unused)
const fits = (seat: MapSeat, card: HeldCard | undefined) => seat.status === 1 && !seat.sitting && (!card?.seat_kinds?.length || card.seat_kinds.includes(seat.kind))

function Act({ label, keyName, disabled, primary, busy, onClick }: { label: string; keyName: string; disabled?: boolean; primary?: boolean; busy?: boolean; onClick: () => void }) {
  return <Button className="front-act" size="large" type={primary ? 'primary' : 'default'} disabled={disabled ?? false} loading={busy ?? false} aria-keyshortcuts={keyName} onClick={onClick}><span>{label}</span><kbd aria-hidden>{keyName}</kbd></Button>
}

/** 前台 of one room: who comes is found by one field or a scanner, sits, pays and leaves by one key each. */
export function FrontDesk({ calls, roomId, onLeave }: { calls: FrontCalls; roomId: number; onLeave: () => void }) {
  const { rooms, front, map, visits, cards, ordersPath } = calls
  const { modal, message } = App.useApp()
  const said = useSaid()
  const can = useCan()
  const client = useQueryClient()
  const now = useMinute()
  const pointed = useMedia('(pointer: fine)')
  const field = useRef<HTMLInputElement>(null)
  const board = useRef<HTMLDivElement>(null)
  const working = useRef(false)
  const entered = useRef(-Infinity)
  const key = useRef(newKey())
  const back = useRef<{ run: () => void; until: number } | undefined>(undefined)
  const [words, setWords] = useState('')
  const [memberId, setMemberId] = useState<number>()
  const [mode, setMode] = useState<Mode>('rest')
  const [seatId, setSeatId] = useState<number>()
  const [cardId, setCardId] = useState<number>()
  const [channel, setChannel] = useState<Channel>('wechat')
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const [closing, setClosing] = useState(false)

  const params = { id: roomId }
  const seatMap = useQuery({ queryKey: ['seat_map', map.read.path, roomId], queryFn: ({ signal }) => call(map.read, undefined, { params, signal, quiet: true }) })
  const day = useQuery({ queryKey: ['front-day', front.day.path, roomId], queryFn: ({ signal }) => call(front.day, undefined, { params, signal, quiet: true }) })
  const person = useQuery({
    queryKey: ['front-member', front.member.path, roomId, memberId], enabled: memberId !== undefined,
    queryFn: ({ signal }) => call(front.member, undefined, { params: { ...params, member_id: memberId ?? 0 }, signal, quiet: true }),
  })
  const member = memberId === undefined ? undefined : person.data
  const visit = member?.visit ?? undefined
  const bill = useQuery({ queryKey: ['bill', visit?.id, now], enabled: visit !== undefined, queryFn: ({ signal }) => call(visits.bill, {}, { params: { id: visit?.id ?? 0 }, signal, quiet: true }), gcTime: 0 })
  const room = seatMap.data?.room
  useTabTitle(room && `前台 · ${room.name}`)

  const again = () => {
    for (const name of ['seat_map', 'front-day', 'front-member', 'bill', 'list']) void client.invalidateQueries({ queryKey: [name] })
  }
  useLive(roomMoved, (ids) => { if (ids === 'all' || ids.includes(roomId)) again() })
  const rest = () => {
    setMode('rest')
    setProblem(undefined)
    setSeatId(undefined)
    key.current = newKey()
    if (pointed) field.current?.focus()
  }
  const show = (id: number | undefined) => {
    setMemberId(id)
    setCardId(undefined)
    setWords('')
    rest()
    entered.current = ticks()
  }
  const lookUp = useLookUp({ calls: front, roomId, onWords: setWords, onFound: show })
  useEffect(() => {
    // On a phone the field would bring up the keyboard at once.
    if (pointed) field.current?.focus()
  }, [pointed, room?.id])

  /** Does one thing at a time; says why not where it stands, and keeps what was typed. */
  const run = async (act: () => Promise<void>) => {
    if (working.current) return
    working.current = true
    setBusy(true)
    setProblem(undefined)
    try {
      await act()
      rest()
    } catch (failure) {
      if (!(failure instanceof CallError)) throw failure
      key.current = newKey()
      setProblem(failure.message)
      // A seat that somebody else took is not proposed again.
      setSeatId(undefined)
    } finally {
      working.current = false
      setBusy(false)
      entered.current = ticks()
      again()
    }
  }
  /** Says what was done, with the way back in the bar and on Ctrl and Z. */
  const tell = (text: string, undo?: () => void) => {
    back.current = undo && { run: undo, until: ticks() + BACK }
    said({ words: text, ...(undo && { instead: { label: '撤销', run: undo } }) })
  }

  const usable = member?.cards.filter(usableIn) ?? []
  const card = usable.find(({ id }) => id === cardId) ?? usable[0]
  const seats = seatMap.data?.seats ?? []
  const free = seats.filter((seat) => fits(seat, card))
  const mayVisit = can(rooms.member.rights.id('visit'))
  const maySell = can(rooms.member.rights.id('sell'))
  const mayRefund = can(rooms.member.rights.id('refund'))
  const choosing = member !== undefined && mayVisit && (mode === 'move' || (mode === 'rest' && !visit && member.normal && card !== undefined))
  const chosen = !choosing ? undefined : free.find(({ id }) => id === seatId) ?? (mode === 'move' ? free[0] : free.find(({ id }) => id === member.last_seat_id) ?? free[0])
  const seatName = (id: number | undefined) => seats.find((seat) => seat.id === id)?.label ?? ''

  const checkIn = () => run(async () => {
    if (!member || !chosen || !card) return
    const { visit_id, undoable } = await call(visits.checkIn, { seat_id: chosen.id, user_card_id: card.id }, { params: { id: member.id }, quiet: true, idempotencyKey: key.current })
    tell(`${member.name}已签到，${chosen.label}`, undoable ? () => void run(async () => {
      await call(visits.undoCheckIn, undefined, { params: { id: visit_id }, quiet: true })
      void message.success('已撤销签到')
    }) : undefined)
  })
  const checkOut = () => run(async () => {
    if (!member || !visit) return
    const { text } = await call(visits.checkOut, {}, { params: { id: visit.id }, quiet: true, idempotencyKey: key.current })
    tell(`${member.name}已签退，${text}`)
  })
  const moveTo = (seat: MapSeat | undefined) => run(async () => {
    if (!member || !visit || !seat) return
    const from = visit.seat_id
    await call(visits.move, { seat_id: seat.id }, { params: { id: visit.id }, quiet: true, idempotencyKey: key.current })
    tell(`${member.name}已换到 ${seat.label}`, () => void run(async () => {
      await call(visits.move, { seat_id: from }, { params: { id: visit.id }, quiet: true })
      void message.success(`已换回 ${seatName(from)}`)
    }))
  })
  const paidWords = (paid: number, by: Channel) => (paid === 0 ? '0 元' : `收 ${formatMoney(paid)} ${choiceLabel(CARD_PAY_CHANNELS, by)}`)
  const sell = (row: { id: number; name: string; sum: number }, by: Channel, paid: number) => run(async () => {
    if (!member) return
    const payment = { room_id: roomId, pay_channel: by, ...(paid !== row.sum && { paid }) }
    if (mode === 'open') await call(cards.open, { ...payment, card_id: row.id, at_once: 0 }, { params: { id: member.id }, quiet: true, idempotencyKey: key.current })
    else await call(cards.renew, payment, { params: { id: row.id }, quiet: true, idempotencyKey: key.current })
    // Money went into the books: there is a way to give it back, and none to undo it.
    said({ words: `${mode === 'open' ? '已开卡' : '已续卡'}「${row.name}」，${paidWords(paid, by)}`, ...(mayRefund && { instead: { label: '退卡', run: () => setMode('refund') } }) })
  })
  const refund = (row: { id: number; name: string }, amount: number, reason: string) => run(async () => {
    await call(cards.refund, { amount, reason }, { params: { id: row.id }, quiet: true, idempotencyKey: key.current })
    tell(`已退卡「${row.name}」，退 ${formatMoney(amount)}`)
  })
  const primary = () => {
    if (!member || busy || ticks() - entered.current < DOUBLE) return
    if (mode === 'move') return void moveTo(chosen)
    if (mode !== 'rest' || !mayVisit) return
    if (visit) return void checkOut()
    if (!member.normal) return setProblem('会员已停用，不能签到')
    if (!card) return setProblem('没有可用的卡，先按 F7 开卡或 F4 续卡')
    if (!chosen) return setProblem('没有可坐的空座')
    void checkIn()
  }
  const begin = (next: Mode, may: boolean) => () => {
    if (!member || busy || !may) return
    setProblem(undefined)
    key.current = newKey()
    setMode((current) => (current === next ? 'rest' : next))
  }
  const mayMove = mayVisit && visit !== undefined && visit.room_id === roomId
  const mayClose = rooms.side.self_run === 1 && can(CLOSE_DAY_GRANT)
  const step = (way: readonly [number, number]) => () => {
    if (chosen && board.current) setSeatId(nextSeat(board.current, chosen.id, free.map(({ id }) => id), way) ?? chosen.id)
  }
  usePageKeys({
    enter: primary, escape: () => (mode === 'rest' ? show(undefined) : rest()),
    f4: begin('renew', maySell), f7: begin('open', maySell), f8: begin('move', mayMove), f9: begin('refund', mayRefund), f10: () => { if (mayClose) setClosing(true) },
    arrowleft: step([-1, 0]), arrowright: step([1, 0]), arrowup: step([0, -1]), arrowdown: step([0, 1]),
  }, field)
  const scanned = (code: string) => {
    if (busy) return void message.warning('正在保存，完成后再扫一次')
    if (mode === 'refund') return void message.warning('正在退卡：完成或按 Esc 取消后再扫')
    setWords('')
    void lookUp(code)
  }
  useScanner((code) => {
    if (!document.querySelector('.ant-modal-wrap:not([style*="display: none"]), .ant-drawer-open')) scanned(code)
  })
  useEffect(() => {
    const hear = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'z' || event.target !== field.current || field.current?.value !== '' || !back.current || ticks() > back.current.until) return
      event.preventDefault()
      const { run: take } = back.current
      back.current = undefined
      take()
    }
    const input = field.current
    input?.addEventListener('keydown', hear)
    return () => input?.removeEventListener('keydown', hear)
  })

  const pick = (seat: MapSeat) => {
    if (mode === 'move') return seat.sitting || seat.status !== 1 ? setProblem(`「${seat.label}」不能坐，换一个空座`) : void moveTo(seat)
    if (seat.sitting) return show(seat.sitting.member_id)
    if (choosing) {
      setProblem(fits(seat, card) ? undefined : `「${seat.label}」不能坐，换一个座位`)
      if (fits(seat, card)) setSeatId(seat.id)
    }
    if (pointed) field.current?.focus()
  }
  const closeRoom = () => modal.confirm({
    title: '闭店签退', content: `为在座的 ${taken} 位会员全部签退？`, okText: `签退 ${taken} 人`, okButtonProps: { danger: true },
    onOk: () => run(async () => { tell(`已签退 ${(await call(visits.closeRoom, undefined, { params, quiet: true })).count} 人`) }),
  })
  const error = seatMap.error ?? day.error
  if (error && !seatMap.data) return <Alert type="error" showIcon title={error.message} action={<Button size="small" onClick={onLeave}>返回列表</Button>} />
  if (!seatMap.data || !room) return <Skeleton active />
  const taken = seats.filter(({ sitting }) => sitting).length
  const panel = { busy, problem, onClose: rest }
  const orders = rooms.side.self_run ? selfUserOrder : userOrder
  const held = member?.cards ?? []
  const inUse = (one: HeldCard, what: string) => (one.in_use ? `正在使用，签退后才能${what}` : undefined)
  const panels: Readonly<Partial<Record<Mode, () => ReactNode>>> = {
    open: () => <FrontSale key="open" title="开卡" none="该学校没有在售的会员卡" rows={(member?.sold ?? []).map((one) => ({ id: one.id, name: one.name, note: sayKind(one), sum: one.price }))}
      channel={channel} onChannel={setChannel} mayReduce={can(orderRight(orders, 'reprice'))} onPay={(row, by, paid) => void sell(row, by, paid)} {...panel} />,
    renew: () => <FrontSale key="renew" title="续卡" none="没有可以续的卡，按 F7 开卡" rows={held.filter(({ status, price }) => price !== null && canAct('renew', status)).map((one) => ({ id: one.id, name: one.name, note: `${one.card_no} · 剩 ${sayAmount(one.kind, one.remaining)}`, sum: one.price ?? 0, why: inUse(one, '续') }))}
      channel={channel} onChannel={setChannel} mayReduce={can(orderRight(orders, 'reprice'))} onPay={(row, by, paid) => void sell(row, by, paid)} {...panel} />,
    refund: () => <FrontRefund key="refund" title="退卡" none="没有可以退的卡" rows={held.filter(({ status }) => canAct('refund', status)).map((one) => ({ id: one.id, name: one.name, note: `${one.card_no} · 剩 ${sayAmount(one.kind, one.remaining)}`, sum: one.left_paid, why: inUse(one, '退') }))}
      onRefund={(row, amount, reason) => void refund(row, amount, reason)} {...panel} />,
  }
  return (
    <section className="front-desk" aria-label={`前台 · ${room.name}`}>
      <div className="front-left">
        <FrontField calls={front} roomId={roomId} field={field} words={words} onWords={setWords} onFound={show} onScan={scanned} />
        {words === '' && memberId !== undefined && (person.error ? <Alert type="error" showIcon title={person.error.message} /> : !member ? <Skeleton active avatar paragraph={{ rows: 2 }} /> : (
          <>
            <FrontMemberCard member={member} roomId={roomId} now={Math.max(now, visit?.in_at ?? 0)} bill={bill.data} cardId={card?.id} onCard={setCardId} onClear={() => show(undefined)} ordersPath={ordersPath} />
            {problem && mode === 'rest' && <Alert type="error" showIcon title={problem} role="alert" />}
            {problem && mode === 'move' && <Alert type="error" showIcon title={problem} role="alert" />}
            <div className="front-acts" hidden={mode in panels}>
              {mode === 'move' ? <Act label={`换到 ${chosen?.label ?? '…'}`} keyName="Enter" primary busy={busy} disabled={!chosen} onClick={primary} />
                : visit ? <Act label={visit.room_id === roomId ? '签退' : `签退（${visit.room_name}）`} keyName="Enter" primary busy={busy && mode === 'rest'} disabled={!mayVisit} onClick={primary} />
                  : <Act label={chosen ? `签到 ${chosen.label}` : '签到'} keyName="Enter" primary busy={busy && mode === 'rest'} disabled={!mayVisit || !member.normal} onClick={primary} />}
              <Act label="续卡" keyName="F4" disabled={!maySell} onClick={begin('renew', maySell)} />
              <Act label="开卡" keyName="F7" disabled={!maySell} onClick={begin('open', maySell)} />
              <Act label="换座" keyName="F8" disabled={!mayMove} onClick={begin('move', mayMove)} />
              <Act label="退卡" keyName="F9" disabled={!mayRefund} onClick={begin('refund', mayRefund)} />
            </div>
            {panels[mode]?.()}
          </>
        ))}
        {words === '' && memberId === undefined && <p className="front-hint">扫会员卡，或输入姓名、手机号、卡号。<br />点座位看谁在座。</p>}
      </div>
      <div className="front-card front-room" ref={board}>
        <header>
          <h2>{room.name}</h2><span>在座 <b className="figure">{taken} / {seats.filter(({ status }) => status === 1).length}</b></span>
          <span className="front-room-acts">
            {mayVisit && taken > 0 && <Button size="small" onClick={closeRoom}>闭店签退</Button>}
            {mayClose && <Button size="small" aria-keyshortcuts="F10" onClick={() => setClosing(true)}>日结 <kbd aria-hidden>F10</kbd></Button>}
            <Button size="small" onClick={onLeave}>返回列表</Button>
          </span>
        </header>
        <ul className="front-legend" aria-label="图例">{SEAT_LEGEND.map(({ look, label }) => <li key={look}><i data-look={look} aria-hidden />{label}</li>)}</ul>
        {room.status !== 1 && <Alert type="warning" showIcon title="自习室已停业，不能签到" />}
        {seats.length === 0 ? <p className="note">还没有座位，先在自习室列表编辑座位图</p> : <FrontMap map={seatMap.data} now={now} chosen={chosen?.id} own={visit?.seat_id} onPick={pick} />}
      </div>
      <div className="front-right">
        {day.data ? <FrontToday rooms={rooms} roomId={roomId} day={day.data} ordersPath={ordersPath} onMember={show} /> : day.error ? <Alert type="error" showIcon title={day.error.message} /> : <Skeleton active />}
      </div>
      {mayClose && <ClosingDrawer open={closing} room={roomId} onClose={() => { setClosing(false); rest() }} />}
    </section>
  )
}

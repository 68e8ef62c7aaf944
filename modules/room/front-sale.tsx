import { Alert, Button, Input, InputNumber, Radio, type InputRef } from 'antd'
import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import { formatMoney } from '../../core/field/number.ts'
import { CARD_PAY_CHANNELS } from './card-calls.ts'

export type Channel = (typeof CARD_PAY_CHANNELS)[number]['value']

/** Something that can be sold or given back: a kind of card, or a card. */
export interface FrontRow {
  readonly id: number
  readonly name: string
  readonly note: string
  /** What it costs, or what of it can go back. Fen. */
  readonly sum: number
  /** Why nothing can be done with it now. */
  readonly why?: string | undefined
}

const DIGIT = /^[1-9]$/
const inInput = (event: KeyboardEvent) => event.target instanceof HTMLInputElement && event.target.type !== 'radio'

/** Which row is chosen, by digits and arrows; the first that can be is chosen already. */
function useRows(rows: readonly FrontRow[]) {
  const [picked, setPicked] = useState<number>()
  const free = rows.filter(({ why }) => why === undefined)
  const chosen = free.find(({ id }) => id === picked) ?? free[0]
  const step = (by: number) => setPicked(free[(free.findIndex(({ id }) => id === chosen?.id) + by + free.length) % free.length]?.id)
  const pressed = (event: KeyboardEvent): boolean => {
    if (event.ctrlKey || event.metaKey || event.altKey) return false
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') step(event.key === 'ArrowDown' ? 1 : -1)
    else if (DIGIT.test(event.key) && !inInput(event)) {
      const row = rows[Number(event.key) - 1]
      if (row && row.why === undefined) setPicked(row.id)
    } else return false
    event.preventDefault()
    return true
  }
  return { chosen, pick: setPicked, pressed }
}

function Rows({ rows, chosen, onPick }: { rows: readonly FrontRow[]; chosen: number | undefined; onPick: (id: number) => void }) {
  return (
    <ul className="front-rows">
      {rows.map((row, index) => (
        <li key={row.id}>
          <label data-chosen={row.id === chosen}>
            <input type="radio" name="front-row" checked={row.id === chosen} disabled={row.why !== undefined} onChange={() => onPick(row.id)} />
            {index < 9 && <kbd aria-hidden>{index + 1}</kbd>}<span>{row.name}<small>{row.why ?? row.note}</small></span><b className="figure">{formatMoney(row.sum)}</b>
          </label>
        </li>
      ))}
    </ul>
  )
}

interface Panel {
  title: string
  rows: readonly FrontRow[]
  /** What is said where there is nothing to choose. */
  none: string
  busy: boolean
  problem: string | undefined
  onClose: () => void
}

/** Prices first, then how it is paid; money is taken by Ctrl and Enter, never by what a scanner sends. */
export function FrontSale({ title, rows, none, busy, problem, onClose, channel, onChannel, mayReduce, onPay }: Panel & {
  channel: Channel
  onChannel: (channel: Channel) => void
  /** May say less than the price. */
  mayReduce: boolean
  onPay: (row: FrontRow, channel: Channel, paid: number) => void
}) {
  const panel = useRef<HTMLElement>(null)
  const { chosen, pick, pressed } = useRows(rows)
  const [less, setLess] = useState<number | null>(null)
  useEffect(() => panel.current?.focus({ preventScroll: true }), [])
  const sum = less === null ? chosen?.sum ?? 0 : Math.round(less * 100)
  const channels = CARD_PAY_CHANNELS.filter(({ value }) => value !== 'free')
  const pay = () => { if (chosen && !busy) onPay(chosen, sum === 0 ? 'free' : channel, sum) }
  const keys = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || event.repeat && event.key === 'Enter') return
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) { event.preventDefault(); return pay() }
    if (event.key === 'Escape') { event.preventDefault(); event.stopPropagation(); return onClose() }
    if (pressed(event) || inInput(event) || (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight')) return
    event.preventDefault()
    const at = channels.findIndex(({ value }) => value === channel) + (event.key === 'ArrowRight' ? 1 : -1)
    const next = channels[(at + channels.length) % channels.length]
    if (next) onChannel(next.value)
  }
  return (
    // The panel itself has the focus, so that a digit chooses without a click.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <section className="front-card front-panel" ref={panel} tabIndex={-1} aria-label={title} onKeyDown={keys}>
      <header><h3>{title}</h3><Button size="small" type="text" onClick={onClose}>取消 <kbd aria-hidden>Esc</kbd></Button></header>
      {problem && <Alert type="error" showIcon title={problem} role="alert" />}
      {rows.length === 0 ? <p className="note">{none}</p> : (
        <>
          <Rows rows={rows} chosen={chosen?.id} onPick={pick} />
          <Radio.Group aria-label="支付方式" size="small" optionType="button" value={channel} onChange={(event) => onChannel(event.target.value as Channel)} options={channels.map(({ value, label }) => ({ value, label }))} />
          {mayReduce && <InputNumber aria-label="实付" className="wide" min={0} precision={2} prefix="¥" keyboard={false} value={less} onChange={setLess} placeholder="少收时填实付，不填按售价" />}
          <footer>
            <span><small>应收</small><b className="figure">{formatMoney(sum)}</b></span>
            <Button type="primary" size="large" loading={busy} disabled={!chosen} onClick={pay}>收款 <kbd aria-hidden>Ctrl ↵</kbd></Button>
          </footer>
        </>
      )}
    </section>
  )
}

/** What goes back of which card, and why. */
export function FrontRefund({ title, rows, none, busy, problem, onClose, onRefund }: Panel & { onRefund: (row: FrontRow, amount: number, reason: string) => void }) {
  const { chosen, pick, pressed } = useRows(rows)
  const [typed, setTyped] = useState<{ card: number; amount: number | null }>()
  const [reason, setReason] = useState('')
  const [asked, setAsked] = useState(false)
  const amount = typed && typed.card === chosen?.id ? typed.amount ?? 0 : (chosen?.sum ?? 0) / 100
  const first = useRef<InputRef>(null)
  useEffect(() => first.current?.focus(), [])
  const short = reason.trim().length < 2
  const send = () => {
    if (!chosen || busy) return
    if (short) return setAsked(true)
    onRefund(chosen, Math.round(amount * 100), reason.trim())
  }
  const keys = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !event.repeat) { event.preventDefault(); return send() }
    if (event.key === 'Escape') { event.preventDefault(); event.stopPropagation(); return onClose() }
    pressed(event)
  }
  return (
    // Ctrl and Enter send from whatever field has the focus.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <section className="front-card front-panel" aria-label={title} onKeyDown={keys}>
      <header><h3>{title}</h3><Button size="small" type="text" onClick={onClose}>取消 <kbd aria-hidden>Esc</kbd></Button></header>
      {problem && <Alert type="error" showIcon title={problem} role="alert" />}
      {rows.length === 0 ? <p className="note">{none}</p> : (
        <>
          <Rows rows={rows} chosen={chosen?.id} onPick={pick} />
          <p className="note">退卡后剩余额度清零，不能恢复。</p>
          <Input aria-label="退卡原因" ref={first} maxLength={200} placeholder="退卡原因" value={reason} status={asked && short ? 'error' : ''} onChange={(event) => setReason(event.target.value)} />
          {asked && short && <span className="problem" role="alert">原因至少 2 个字</span>}
          <footer>
            <InputNumber aria-label="退款金额" min={0} precision={2} prefix="¥" keyboard={false} value={amount} onChange={(next) => { if (chosen) setTyped({ card: chosen.id, amount: next }) }} />
            <Button danger type="primary" size="large" loading={busy} disabled={!chosen} onClick={send}>退款 <kbd aria-hidden>Ctrl ↵</kbd></Button>
          </footer>
        </>
      )}
    </section>
  )
}

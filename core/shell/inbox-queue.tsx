import { Fragment } from 'react'
import { formatMoney } from '../field/number.ts'
import { useMinute } from '../ui/use-minute.tsx'
import { keyOf, type WaitingItem, type WaitingSum } from '../inbox/waiting.ts'
import { dueWords, URGENCIES, urgency, waitedWords, type Urgency } from '../inbox/words.ts'

interface Props {
  items: readonly WaitingItem[]
  /** What is known of the kinds. */
  sums: readonly WaitingSum[]
  /** Those of them of which the items are the first ones. */
  shown: readonly WaitingSum[]
  chosen: string | undefined
  onChoose: (place: number) => void
}

/** What waits, grouped by how near it is to being late. */
export function Queue({ items, sums, shown, chosen, onChoose }: Props) {
  const now = useMinute()
  const count = (of: (sum: WaitingSum) => number) => shown.reduce((total, sum) => total + of(sum), 0)
  const counts: Readonly<Record<Urgency, number>> = { late: count(({ late }) => late), today: count(({ today }) => today), later: count((sum) => sum.count - sum.late - sum.today) }
  const total = count((sum) => sum.count)
  const titles = new Map(sums.map(({ name, title }) => [name, title]))
  const groups = Map.groupBy(items.map((item, place) => ({ item, place })), ({ item }) => urgency(item, now))
  if (items.length === 0) return <p className="inbox-empty">没有等你处理的事。要办的到这里来，先到期的在前。</p>
  return (
    <div className="inbox-queue">
      {(Object.keys(URGENCIES) as Urgency[]).map((name) => {
        const own = groups.get(name)
        return own && (
          <Fragment key={name}>
            <h3>{URGENCIES[name]} <small>{counts[name]}</small></h3>
            <ul>
              {own.map(({ item, place }) => (
                <li key={keyOf(item)}>
                  <button type="button" className="inbox-item" data-item={keyOf(item)} aria-current={keyOf(item) === chosen} onClick={() => onChoose(place)}>
                    <b>{item.title}</b>
                    <span className="figure">{item.amount === null ? '' : formatMoney(item.amount)}</span>
                    <small>{[titles.get(item.kind), item.note, `等了 ${waitedWords(item.since, now)}`].filter(Boolean).join(' · ')}</small>
                    <small className="figure" data-urgency={name}>{dueWords(item.due, now)}</small>
                  </button>
                </li>
              ))}
            </ul>
          </Fragment>
        )
      })}
      {items.length < total && <p className="inbox-more">先列出最急的 {items.length} 件，共 {total.toLocaleString('zh-CN')} 件</p>}
    </div>
  )
}

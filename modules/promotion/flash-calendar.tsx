import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Skeleton } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { call } from '../../core/endpoint/call.tsx'
import { choiceLabel } from '../../core/field/choice.ts'
import { formatMoney } from '../../core/field/number.ts'
import { formatDate, formatTime, startOfDay } from '../../core/field/time.ts'
import { useLive } from '../../core/live/use-live.tsx'
import { useMinute } from '../../core/ui/use-minute.tsx'
import { flashCalendar, type CalendarSale } from './calls.ts'
import { FLASH_PATH, PHASES, phaseOf } from './flash.ts'
import { flashMoved } from './live.ts'

const DAY = 86_400
const WEEKDAYS = ['周日', '周一', '周二', '周三', '周四', '周五', '周六']

/** Sold and held of what there is, as one bar with its words. */
export function StockBar({ stock, held, sold }: { stock: number; held: number; sold: number }) {
  return (
    <>
      <span className="promo-stock" aria-hidden><i style={{ width: `${(sold / stock) * 100}%` }} /><i style={{ width: `${(held / stock) * 100}%` }} /></span>
      <span>已售 {sold}，待付款 {held}，还剩 {Math.max(0, stock - held - sold)}</span>
    </>
  )
}

function Sale({ sale, now }: { sale: CalendarSale; now: number }) {
  const phase = phaseOf(sale, now)
  return (
    <Link className="promo-sale" to={`${FLASH_PATH}?open=${sale.id}`} data-clash={sale.clash !== null}>
      <b>{sale.name}</b>
      <span>{formatTime(sale.start_at).slice(11, 16)} 至 {formatTime(sale.end_at).slice(sale.end_at - sale.start_at >= DAY ? 5 : 11, 16)} · {choiceLabel(PHASES, phase)}</span>
      <span>{sale.good_name} {formatMoney(sale.price)}</span>
      <StockBar {...sale} />
      {sale.clash !== null && <span className="promo-bad">与「{sale.clash}」时间重叠</span>}
    </Link>
  )
}

/** A week of sales; what is running shows its stock as it moves. */
export function FlashCalendar() {
  const now = useMinute()
  const [week, setWeek] = useState(0)
  const today = startOfDay(now)
  // Weeks begin on Monday, in Shanghai.
  const monday = today - ((new Date((today + 8 * 3600) * 1000).getUTCDay() + 6) % 7) * DAY + week * 7 * DAY
  const { data, error, refetch } = useQuery({ queryKey: ['flash-calendar', monday], queryFn: ({ signal }) => call(flashCalendar, { from: monday, to: monday + 7 * DAY }, { signal, quiet: true }) })
  useLive(flashMoved, () => void refetch())
  if (error) return <Alert type="error" showIcon title={error.message} action={<Button size="small" onClick={() => void refetch()}>重试</Button>} />
  return (
    <>
      <div className="promo-week"><Button size="small" onClick={() => setWeek(week - 1)}>上一周</Button><b>{formatDate(monday)} 至 {formatDate(monday + 6 * DAY).slice(5)}</b><Button size="small" onClick={() => setWeek(week + 1)}>下一周</Button>{week !== 0 && <Button size="small" type="link" onClick={() => setWeek(0)}>回到本周</Button>}</div>
      {data ? (
        <div className="promo-days">
          {Array.from({ length: 7 }, (_value, index) => monday + index * DAY).map((day) => {
            const sales = data.items.filter(({ start_at, end_at }) => start_at < day + DAY && end_at > day)
            return (
              <section key={day} className="promo-day" data-today={day === today} aria-label={formatDate(day)}>
                <h3>{WEEKDAYS[new Date((day + 8 * 3600) * 1000).getUTCDay()]} {formatDate(day).slice(5)}</h3>
                {sales.map((sale) => <Sale key={sale.id} sale={sale} now={now} />)}
              </section>
            )
          })}
        </div>
      ) : <Skeleton active />}
    </>
  )
}

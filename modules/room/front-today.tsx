import { Button, Drawer } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { choiceLabel } from '../../core/field/choice.ts'
import { formatMoney } from '../../core/field/number.ts'
import { formatTime } from '../../core/field/time.ts'
import { ListPage } from '../../core/list/list-page.tsx'
import { PAY_CHANNELS } from '../order/module.ts'
import { sayMinutes } from './card-kind.ts'
import type { FrontDay } from './front-calls.ts'
import type { Rooms } from './ownerships.ts'

const clock = (seconds: number) => formatTime(seconds).slice(11, 16)

interface Props {
  rooms: Rooms
  roomId: number
  day: FrontDay
  ordersPath: string
  onMember: (id: number) => void
}

/** What came in and who came today; each number opens the list that counts the same. */
export function FrontToday({ rooms, roomId, day: { since, takings, arrivals, visits }, ordersPath, onMember }: Props) {
  const [all, setAll] = useState(false)
  const today = `room_id=${roomId}&paid_at_start=${since}`
  return (
    <>
      {takings && (
        <section className="front-card front-takings" aria-label="今日收款">
          <h3>今日收款</h3>
          <Link className="front-sum figure" to={`${ordersPath}?${today}`}>{formatMoney(takings.paid)}</Link>
          <ul>
            {takings.channels.map(({ channel, orders, paid }) => (
              <li key={channel}><Link to={`${ordersPath}?${today}&pay_channel=${channel}`}>{choiceLabel(PAY_CHANNELS, channel)}<small>{orders} 笔</small></Link><span className="figure">{formatMoney(paid)}</span></li>
            ))}
            {takings.refunded > 0 && <li><span>其中已退</span><span className="figure">{formatMoney(takings.refunded)}</span></li>}
          </ul>
        </section>
      )}
      <section className="front-card front-arrivals" aria-label="今日到店">
        <header><h3>今日到店 <small className="figure">{arrivals} 人次</small></h3><Button size="small" type="text" onClick={() => setAll(true)}>全部</Button></header>
        {visits.length === 0 ? <p className="note">今天还没有人到店，扫卡或输入姓名签到</p> : (
          <ol>
            {visits.map(({ id, member_id, name, seat, in_at, out_at, minutes }) => (
              <li key={id}><button type="button" onClick={() => onMember(member_id)}><time className="figure">{clock(in_at)}</time><span>{name}</span><small className="figure">{out_at === null ? seat : `${clock(out_at)} 离开 ${sayMinutes(minutes ?? 0)}`}</small></button></li>
            ))}
          </ol>
        )}
      </section>
      <Drawer open={all} onClose={() => setAll(false)} title="今日到店" size={980} destroyOnHidden>
        <ListPage resource={rooms.visit} embedded={{ fixed: { room_id: [String(roomId)], in_at_start: [String(since)] } }} />
      </Drawer>
    </>
  )
}

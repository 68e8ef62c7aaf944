import { CloseOutlined } from '@ant-design/icons'
import { Alert, Button } from 'antd'
import { Link } from 'react-router'
import { formatMoney } from '../../core/field/number.ts'
import { formatDate } from '../../core/field/time.ts'
import { isCounted, sayAmount, sayMinutes } from './card-kind.ts'
import { CARD_STATUS } from './card-state.ts'
import type { FrontMember, HeldCard } from './front-calls.ts'
import type { Bill } from './visit-calls.ts'

const DAY = 86_400

/** How much of a card is left, large; a card that is only bound to time says its days. */
const leftOf = (card: HeldCard, now: number) => (isCounted(card.kind) ? sayAmount(card.kind, card.remaining) : card.expire_at === null ? '不限' : `${Math.max(0, Math.ceil((card.expire_at - now) / DAY))} 天`)

/** Until when, or why not. */
function endOf(card: HeldCard, now: number): { words: string; warns: boolean } {
  if (card.status === CARD_STATUS.frozen) return { words: '已冻结', warns: true }
  if (card.status === CARD_STATUS.expired) return { words: '已到期', warns: true }
  if (card.status === CARD_STATUS.used_up) return { words: '已用完', warns: true }
  if (card.expire_at === null) return { words: '首次到店生效', warns: false }
  return { words: `${formatDate(card.expire_at)} 到期`, warns: card.expire_at - now < 7 * DAY }
}

interface Props {
  member: FrontMember
  roomId: number
  now: number
  /** What leaving now would take. */
  bill: Bill | undefined
  cardId: number | undefined
  onCard: (id: number) => void
  onClear: () => void
  /** Where the member's orders are listed. */
  ordersPath: string
}

/** The member in front of the counter: who, where, what is left, what is due. */
export function FrontMemberCard({ member, roomId, now, bill, cardId, onCard, onClear, ordersPath }: Props) {
  const { visit, unpaid } = member
  const usable = member.cards.filter(({ status }) => status === CARD_STATUS.active || status === CARD_STATUS.unused || status === CARD_STATUS.frozen)
  const shown = usable.length > 0 ? usable : member.cards
  return (
    <section className="front-card front-member" aria-label={`会员 ${member.name}`}>
      <div className="front-who">
        {member.photo ? <img src={member.photo} alt={`${member.name}的照片`} /> : <span className="front-initial" aria-hidden>{member.name.slice(0, 1)}</span>}
        <div>
          <h2>{member.name}</h2>
          <p><span className="front-state" data-in={visit !== null}>{visit ? `在座 ${visit.room_id === roomId ? visit.seat : `${visit.room_name} ${visit.seat}`}` : '不在座'}</span> <span className="figure">{member.mobile}</span></p>
        </div>
        <Button type="text" icon={<CloseOutlined />} aria-label="下一位" onClick={onClear} />
      </div>
      {!member.normal && <Alert type="error" showIcon title="会员已停用" />}
      {member.remark && <p className="note">{member.remark}</p>}
      {visit && (
        <dl className="front-facts">
          <div><dt>已坐</dt><dd>{sayMinutes(Math.max(0, Math.floor((now - visit.in_at) / 60)))}</dd></div>
          {bill && <div><dt>现在签退</dt><dd className="front-bill">{bill.text}</dd></div>}
        </dl>
      )}
      {shown.length === 0 && <p className="note">没有会员卡</p>}
      <ul className="front-cards">
        {shown.map((card) => {
          const { words, warns } = endOf(card, now)
          return (
            <li key={card.id}>
              <button type="button" aria-pressed={card.id === cardId} disabled={visit !== null || !card.here} onClick={() => onCard(card.id)}>
                <span>{card.name}<small>{card.card_no}{!card.here && ' · 不能在这间用'}{card.in_use && ' · 正在使用'}</small></span>
                <span><b className="figure">{leftOf(card, now)}</b><small data-warns={warns}>{words}</small></span>
              </button>
            </li>
          )
        })}
      </ul>
      {unpaid !== null && unpaid.orders > 0 && <p className="front-due">待收 {unpaid.orders} 笔 <b className="figure">{formatMoney(unpaid.amount)}</b> <Link to={`${ordersPath}?member_id=${member.id}&status=1`}>去收款</Link></p>}
    </section>
  )
}

import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Empty, Skeleton } from 'antd'
import { call } from '../../core/endpoint/call.tsx'
import { StateWord } from '../../core/field/choice.tsx'
import { formatMoney } from '../../core/field/number.ts'
import { briefTime } from '../../core/field/time.ts'
import { Link } from 'react-router'
import { present } from '../../core/resource/present.tsx'
import { screenId } from '../screens.ts'
import { useCan } from '../../core/session/staff-context.tsx'
import { shareNewcomers } from './calls.ts'
import { REWARD_STATES, SHARE_STATE, userShare } from './share.ts'
import './promotion.css'

const USERS = '/userManagement/total'

/** Whom a share brought, with what speaks against each and what became of the reward. */
function Newcomers({ id, rev, state }: { id: number; rev: number; state: number | null }) {
  const can = useCan()
  const { data, error, refetch } = useQuery({ queryKey: ['share-newcomers', id, rev], queryFn: ({ signal }) => call(shareNewcomers, undefined, { params: { id }, signal, quiet: true }) })
  if (error) return <Alert type="error" showIcon title={error.message} action={<Button size="small" onClick={() => void refetch()}>重试</Button>} />
  if (!data) return <Skeleton active />
  const facts = [data.same_device > 0 && `${data.same_device} 人与分享人或彼此同一设备`, data.same_net > 0 && `${data.same_net} 人同一网络集中注册`].filter(Boolean)
  return (
    <>
      {facts.length > 0 && <Alert className="form-alert" type={state === SHARE_STATE.doubt ? 'warning' : 'info'} showIcon title={facts.join('，')} description={state === SHARE_STATE.doubt ? '核实放行会发放扣住的奖励，自己邀请自己的除外；冻结则全部不发。同一家庭共用设备可以放行。' : undefined} />}
      {data.items.length === 0 ? <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="还没有带来新用户" /> : (
        <ul className="promo-list">
          {data.items.map((one) => (
            <li key={one.user_id} className="promo-item">
              <header><b>{can(screenId(USERS)) ? <Link to={`${USERS}?open=${one.user_id}`}>{one.name}</Link> : one.name} {one.mobile}</b><StateWord choices={REWARD_STATES} value={one.state} /></header>
              <footer><small>{briefTime(one.at)} 注册{one.bought > 0 && ` · 已买 ${formatMoney(one.bought)}`}{one.coupon_no && ` · 券 ${one.coupon_no}`}</small><span>{one.evidence.length > 0 && <span className="promo-bad">{one.evidence.join('、')}　</span>}{one.amount > 0 && formatMoney(one.amount)}</span></footer>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

/** Shares: who brought whom, the evidence, and the way to let through or freeze. */
export default present(userShare)({
  cells: { evidence: ({ value }) => (value && value.length > 0 ? <span className="promo-bad">{value.join('、')}</span> : null) },
  slots: { details: [{ key: 'newcomers', label: '带来的新用户', Content: ({ row }) => <Newcomers id={row.id} rev={row.rev} state={row.state} /> }] },
})

import { Alert, Button } from 'antd'
import { choiceLabel } from '../../core/field/choice.ts'
import { formatMoney } from '../../core/field/number.ts'
import type { Resource } from '../../core/resource/define.ts'
import { draftItems, draftShips, draftSums, type DraftBody } from './draft-body.ts'
import { mainSteps, ORDER_RIGHTS, statusChoices } from './flow.ts'
import type { OrderLine } from './line.ts'
import { useRights } from './use-rights.tsx'

interface Props {
  line: OrderLine
  orders: Resource
  body: DraftBody
  busy: boolean
  /** @param pay with all that is owed */
  onSubmit: (pay: boolean) => void
}

/** What the order comes to, always in view, and what happens with it. */
export function EntrySum({ line, orders, body, busy, onSubmit }: Props) {
  const rights = useRights(orders)
  const { total, amount } = draftSums(body)
  const virtual = body.order_info?.['virtual'] === true
  const paid = virtual ? 0 : Number(body.package_price?.['paid'] ?? 0)
  const due = Math.max(0, amount)
  const choices = statusChoices(line.flow)
  const takes = rights.has('pay') && !virtual && due > 0
  return (
    <aside className="entry-sum" aria-label="合计">
      <div className="entry-detail">
        <h3>合计</h3>
        <dl>
          {draftItems(body).map(({ kind, price = 0, qty = 0 }, index) => {
            const good = line.goods.find((one) => one.kind === kind)
            return <div key={index}><dt>{good?.label ?? '商品'} × {qty}{good?.unit}</dt><dd className="figure">{formatMoney((price || 0) * (qty || 0))}</dd></div>
          })}
          {total !== amount && <div><dt>{virtual ? '虚拟单' : '优惠'}</dt><dd className="figure">−{formatMoney(total - amount)}</dd></div>}
        </dl>
      </div>
      <div className="entry-due"><span>应付</span><b className="figure">{formatMoney(due)}</b></div>
      {paid > 0 && <dl><div><dt>已到账</dt><dd className="figure">{formatMoney(paid)}</dd></div><div><dt>还差</dt><dd className="figure">{formatMoney(Math.max(0, due - paid))}</dd></div></dl>}
      <div className="entry-acts">
        <Button type="primary" size="large" loading={busy} onClick={() => onSubmit(false)}>提交 <kbd aria-hidden>Ctrl ↵</kbd></Button>
        {takes && <Button size="large" disabled={busy} onClick={() => onSubmit(true)}>提交并确认到账</Button>}
      </div>
      <div className="entry-detail">
        {!takes && !virtual && due > 0 && <p className="note">确认到账要「{ORDER_RIGHTS.pay[1]}」权限，提交后由同事确认。</p>}
        {total > 0 && amount === 0 && <Alert type="warning" showIcon title={virtual ? '虚拟单不收款，提交后直接开通。' : '应付为 0，提交后免费开通。'} />}
        <h3>提交以后</h3>
        <ol>{mainSteps(line.flow, draftShips(line, body)).map((status) => <li key={status}>{choiceLabel(choices, status)}</li>)}</ol>
      </div>
    </aside>
  )
}

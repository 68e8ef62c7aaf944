import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Empty, Form, InputNumber, Skeleton } from 'antd'
import { useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { call } from '../../core/endpoint/call.tsx'
import { formatMoney } from '../../core/field/number.ts'
import { briefTime } from '../../core/field/time.ts'
import { useLive } from '../../core/live/use-live.tsx'
import { ListPage } from '../../core/list/list-page.tsx'
import { present } from '../../core/resource/present.tsx'
import { useCan } from '../../core/session/staff-context.tsx'
import { useAttempt } from '../../core/form/use-attempt.tsx'
import { flashOrders, rehearseFlash, type Rehearsal } from './calls.ts'
import { FlashCalendar, StockBar } from './flash-calendar.tsx'
import { FLASH_PATH, flashSale } from './flash.ts'
import { GoodInput } from './good-input.tsx'
import { flashMoved } from './live.ts'
import './promotion.css'

const HOLDS: Readonly<Record<string, string>> = { held: '待付款', sold: '已售', released: '已释放' }

function Views({ on }: { on: 'list' | 'calendar' }) {
  return <nav className="view-links" aria-label="视图"><Link to={FLASH_PATH} data-on={on === 'list'}>列表</Link><Link to={`${FLASH_PATH}?show=calendar`} data-on={on === 'calendar'}>日历</Link></nav>
}

/** Stock as it moves, and who has what of it. */
function Stock({ id, rev }: { id: number; rev: number }) {
  const { data, error, refetch } = useQuery({ queryKey: ['flash-orders', id, rev], queryFn: ({ signal }) => call(flashOrders, undefined, { params: { id }, signal, quiet: true }) })
  useLive(flashMoved, (ids) => { if (ids === 'all' || ids.includes(id)) void refetch() })
  if (error) return <Alert type="error" showIcon title={error.message} action={<Button size="small" onClick={() => void refetch()}>重试</Button>} />
  if (!data) return <Skeleton active />
  return (
    <>
      <dl className="promo-tiles">
        <div><dt>阶段</dt><dd>{data.phase}</dd></div><div><dt>已售</dt><dd>{data.sold} / {data.stock}</dd></div><div><dt>待付款</dt><dd>{data.held}</dd></div><div><dt>实付</dt><dd>{formatMoney(data.paid)}</dd></div>
      </dl>
      <p><StockBar {...data} /></p>
      {data.orders.length === 0 ? <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="还没有人抢购" /> : (
        <ul className="promo-list">
          {data.orders.map((order) => (
            <li key={order.id} className="promo-item">
              <header><b>{order.buyer} {order.mobile}</b><span>{HOLDS[order.state] ?? order.state} · {order.qty} 份 {formatMoney(order.amount)}</span></header>
              <footer><span>{order.to ? <Link to={order.to}>{order.order_no}</Link> : order.order_no} {order.status}</span><small>{briefTime(order.at)}</small></footer>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

/** 演练: virtual buyers rush for the sale; nothing of it stays. */
function Rehearse({ id }: { id: number }) {
  const [form] = Form.useForm<{ buyers: number; lapse: number }>()
  const { busy, attempt } = useAttempt()
  const [result, setResult] = useState<Rehearsal>()
  return (
    <>
      <p className="note">用虚拟买家按真实的扣库存方式抢一遍，结束后不留任何订单。</p>
      <Form form={form} layout="inline" initialValues={{ buyers: 500, lapse: 10 }} onFinish={(values) => void attempt(async () => setResult(await call(rehearseFlash, values, { params: { id }, quiet: true })))}>
        <Form.Item name="buyers" label="虚拟买家" rules={[{ required: true, message: '请填写人数' }]}><InputNumber min={1} max={2000} precision={0} /></Form.Item>
        <Form.Item name="lapse" label="放弃付款 %"><InputNumber min={0} max={100} precision={0} /></Form.Item>
        <Button htmlType="submit" type="primary" loading={busy}>开始演练</Button>
      </Form>
      {result && (
        <dl className="promo-tiles" aria-live="polite">
          <div><dt>抢到并付款</dt><dd>{result.got} 人</dd></div><div><dt>卖出</dt><dd>{result.pieces} 份</dd></div><div><dt>抢完后来的</dt><dd>{result.out} 人</dd></div><div><dt>超过限购</dt><dd>{result.limited} 人</dd></div>
          <div><dt>放弃付款</dt><dd>{result.given_up} 人</dd></div><div><dt>剩余</dt><dd>{result.left} 份</dd></div><div><dt>销售额</dt><dd>{formatMoney(result.money)}</dd></div><div><dt>用时</dt><dd>{(result.ms / 1000).toFixed(1)} 秒</dd></div>
        </dl>
      )}
    </>
  )
}

function Rehearsing({ row }: { row: { id: number } }) {
  const can = useCan()
  return can(flashSale.actions.edit ?? 0) ? <Rehearse id={row.id} /> : <p className="note">没有编辑权限，不能演练</p>
}

const presentation = present(flashSale)({
  inputs: { good: GoodInput },
  slots: {
    above: () => <Views on="list" />,
    details: [
      { key: 'stock', label: '库存和订单', Content: ({ row }) => <Stock id={row.id} rev={row.rev} /> },
      { key: 'rehearsal', label: '演练', Content: Rehearsing },
    ],
  },
})

export default presentation

/** 限时抢购: the list, or the calendar. */
export function FlashScreen() {
  const [search] = useSearchParams()
  if (search.get('show') === 'calendar') return <section className="page-body"><Views on="calendar" /><FlashCalendar /></section>
  return <ListPage resource={flashSale} presentation={presentation} />
}

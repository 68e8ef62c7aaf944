import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Alert, App, Button, Descriptions, Drawer, Empty, Modal, Skeleton, Space, Statistic } from 'antd'
import type { EChartsCoreOption } from 'echarts/core'
import { lazy, Suspense, useMemo, useState } from 'react'
import { call } from '../../core/endpoint/call.tsx'
import { formatTime } from '../../core/field/time.ts'
import type { RowDialogProps } from '../../core/resource/present.tsx'
import { useCan } from '../../core/session/staff-context.tsx'
import { useFront } from '../../core/ui/front.tsx'
import { sayMinutes } from './card-kind.ts'
import type { BusyHours, MapSeat, partnerMap } from './map-calls.ts'
import { SeatBoard } from './seat-board.tsx'
import type { partnerVisits } from './visit-calls.ts'
import type { Rooms } from './ownerships.ts'

/** How often the room is looked at again, in milliseconds. */
const EVERY = 15_000

interface Calls {
  member: Rooms['member']
  map: typeof partnerMap
  visits: typeof partnerVisits
}

/** What leaving now would take from the card, and leaving. */
export function CheckOutDialog({ visits, visitId, name, onClose, onDone }: Pick<Calls, 'visits'> & { visitId: number; name: string; onClose: () => void; onDone: () => void }) {
  const { message } = App.useApp()
  const [busy, setBusy] = useState(false)
  const { data: bill, error } = useQuery({ queryKey: ['bill', visitId], queryFn: ({ signal }) => call(visits.bill, {}, { params: { id: visitId }, signal, quiet: true }), gcTime: 0 })
  const leave = async () => {
    setBusy(true)
    try {
      const done = await call(visits.checkOut, {}, { params: { id: visitId } })
      void message.success(`${name}已签退，${done.text}`)
      onDone()
      onClose()
    } catch {
      setBusy(false)
    }
  }
  return (
    <Modal open title={`签退 · ${name}`} okText="签退" confirmLoading={busy} okButtonProps={{ disabled: !bill }} onOk={() => void leave()} onCancel={onClose}>
      {error ? <Alert type="error" showIcon title={error.message} /> : !bill ? <Skeleton active paragraph={{ rows: 2 }} /> : (
        <>
          <p>本次 {sayMinutes(bill.minutes)}</p>
          <p>{bill.text}</p>
          {bill.short > 0 && <Alert type="warning" showIcon title="卡内余额不足，请现场补收" />}
        </>
      )}
    </Modal>
  )
}

const Chart = lazy(() => import('../../core/chart/chart.tsx'))

/** Hours of the day in which anybody ever sits here, with one before and after. */
function openHours({ hours }: BusyHours): BusyHours['hours'] {
  const used = hours.filter(({ workday, weekend }) => workday + weekend > 0).map(({ hour }) => hour)
  const [first, last] = [used[0], used.at(-1)]
  return first === undefined || last === undefined ? [] : hours.filter(({ hour }) => hour >= first - 1 && hour <= last + 1)
}

/** How full the room usually is, hour by hour. */
function BusyChart({ map, row }: { map: typeof partnerMap; row: RowDialogProps<Rooms['room']>['row'] }) {
  const { data, error } = useQuery({ queryKey: ['busy', map.busy.path, row.id], queryFn: ({ signal }) => call(map.busy, undefined, { params: { id: row.id }, signal, quiet: true }) })
  const hours = useMemo(() => (data ? openHours(data) : []), [data])
  const option = useMemo((): EChartsCoreOption => ({
    tooltip: { trigger: 'axis', valueFormatter: (value: unknown) => `${String(value)} 人` },
    legend: { top: 0 },
    grid: { left: 8, right: 8, top: 36, bottom: 4, containLabel: true },
    xAxis: { type: 'category', data: hours.map(({ hour }) => `${hour} 时`) },
    yAxis: { type: 'value', minInterval: 1 },
    series: [
      { name: '工作日', type: 'bar', data: hours.map(({ workday }) => workday), itemStyle: { color: '#1890ff' } },
      { name: '周末', type: 'bar', data: hours.map(({ weekend }) => weekend), itemStyle: { color: '#13a8a8' } },
    ],
  }), [hours])
  if (error) return <Alert type="error" showIcon title={error.message} />
  if (!data) return <Skeleton active />
  const top = hours.reduce((best, one) => (Math.max(one.workday, one.weekend) > Math.max(best.workday, best.weekend) ? one : best), hours[0] ?? { hour: 0, workday: 0, weekend: 0 })
  return (
    <section aria-label="分时在座">
      <h3>近 30 天各时段平均在座</h3>
      {hours.length === 0 ? <Empty description="近 30 天没有人到店" /> : (
        <Suspense fallback={<Skeleton active />}><Chart option={option} height={240} label={`近 30 天各时段平均在座，最多在 ${top.hour} 时：工作日 ${top.workday} 人，周末 ${top.weekend} 人，共 ${data.seats} 座`} /></Suspense>
      )}
    </section>
  )
}

/** Who sits where at this moment. */
export function Occupancy({ calls: { member, map, visits }, row, reload, onClose }: RowDialogProps<Rooms['room']> & { calls: Calls }) {
  const { modal, message } = App.useApp()
  const client = useQueryClient()
  const can = useCan()
  const mayVisit = can(member.rights.id('visit'))
  const [key, setKey] = useState<string>()
  const [leaving, setLeaving] = useState<MapSeat>()
  const [moving, setMoving] = useState<MapSeat>()
  const front = useFront()
  const { data, error, refetch } = useQuery({ queryKey: ['seat_map', map.read.path, row.id], queryFn: ({ signal }) => call(map.read, undefined, { params: { id: row.id }, signal, quiet: true }), refetchInterval: front && EVERY })
  const again = () => {
    void refetch()
    void client.invalidateQueries({ queryKey: ['list'] })
    reload()
  }
  const seats = data?.seats ?? []
  const usable = seats.filter((seat) => seat.status === 1).length
  const taken = seats.filter((seat) => seat.sitting).length
  const one = seats.find((seat) => String(seat.id) === key)
  const pick = (next: string) => {
    const to = seats.find((seat) => String(seat.id) === next)
    if (!moving?.sitting || !to) return setKey(next)
    if (to.sitting) return void message.warning(`「${to.label}」已有人在座，请换一个座位`)
    const { visit_id, member_name } = moving.sitting
    void call(visits.move, { seat_id: to.id }, { params: { id: visit_id } }).then(() => {
      void message.success(`${member_name}已换到 ${to.label}`)
      setMoving(undefined)
      setKey(next)
      again()
    }, () => void refetch())
  }
  const closeRoom = () => modal.confirm({
    title: '闭店签退', content: `为在座的 ${taken} 位会员全部签退？`, okText: '全部签退', okButtonProps: { danger: true },
    onOk: async () => {
      const { count } = await call(visits.closeRoom, undefined, { params: { id: row.id } })
      void message.success(`已签退 ${count} 人`)
      again()
    },
  })
  return (
    <Drawer open title={`在座情况 · ${row.name}`} size="100%" onClose={onClose} extra={mayVisit && taken > 0 && <Button danger onClick={closeRoom}>闭店签退</Button>}>
      {error ? <Alert type="error" showIcon title={error.message} action={<Button size="small" onClick={() => void refetch()}>重试</Button>} /> : !data ? <Skeleton active /> : seats.length === 0 ? <Empty description="还没有座位，请先编辑座位图" /> : (
        <Space orientation="vertical" size="middle" className="wide">
          <Space size="large" wrap>
            <Statistic title="在座" value={taken} suffix={`/ ${usable}`} />
            <Statistic title="上座率" value={usable > 0 ? Math.round((taken / usable) * 100) : 0} suffix="%" />
          </Space>
          {moving?.sitting && <Alert type="info" showIcon role="status" title={`${moving.sitting.member_name}换座：请选择一个空座`} action={<Button size="small" onClick={() => setMoving(undefined)}>取消</Button>} />}
          <SeatBoard label="在座情况" zoom={1.5} onPick={pick}
            seats={seats.map((seat) => ({ ...seat, key: String(seat.id), name: seat.sitting?.member_name, title: `${seat.label}，${seat.sitting ? `${seat.sitting.member_name}在座` : seat.status === 1 ? '空座' : '停用'}`, look: String(seat.id) === key ? 'picked' : seat.sitting ? 'taken' : undefined }))} />
          {one && (
            <Descriptions bordered size="small" column={1} title={one.label} items={[
              { key: 'who', label: '会员', children: one.sitting ? one.sitting.member_name : '空座' },
              ...(one.sitting ? [{ key: 'card', label: '会员卡', children: one.sitting.card_name }, { key: 'in', label: '签到', children: formatTime(one.sitting.in_at).slice(0, 16) }] : []),
              ...(one.pad_sn ? [{ key: 'pad', label: '平板', children: one.pad_sn }] : []),
            ]} extra={one.sitting && mayVisit && !moving && <Space><Button onClick={() => setMoving(one)}>换座</Button><Button type="primary" onClick={() => setLeaving(one)}>签退</Button></Space>} />
          )}
          <BusyChart map={map} row={row} />
          {leaving?.sitting && <CheckOutDialog visits={visits} visitId={leaving.sitting.visit_id} name={leaving.sitting.member_name} onClose={() => setLeaving(undefined)} onDone={again} />}
        </Space>
      )}
    </Drawer>
  )
}

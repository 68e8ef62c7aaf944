import { useQuery } from '@tanstack/react-query'
import { Alert, Button, DatePicker, Segmented, Skeleton, Space, Table } from 'antd'
import dayjs, { type Dayjs } from 'dayjs'
import type { EChartsCoreOption } from 'echarts/core'
import { lazy, Suspense, useMemo, useState } from 'react'
import { Link } from 'react-router'
import { call } from '../../../core/endpoint/call.tsx'
import { formatDate, startOfDay } from '../../../core/field/time.ts'
import { useCan } from '../../../core/session/staff-context.tsx'
import { useMinute } from '../../../core/ui/use-minute.tsx'
import { VIDEO_RIGHTS } from '../rights.ts'
import { commentTotals, type TotalRow, type TotalsBy } from './calls.ts'
import { Nothing } from './said-parts.tsx'

const Chart = lazy(() => import('../../../core/chart/chart.tsx'))
const DAY = 86_400
const SPANS = [7, 30, 90] as const
const BY: readonly { value: TotalsBy; label: string; head: string; none: string }[] = [
  { value: 'day', label: '按天', head: '日期', none: '' }, { value: 'course', label: '按课程', head: '课程', none: '不在课程里' }, { value: 'teacher', label: '按教师', head: '主讲', none: '没有主讲' },
]
/** Bars of a chart that is not by days. */
const BARS = 15

type Figure = keyof Omit<TotalRow, 'key' | 'name'>
const FIGURES: readonly { key: Figure; label: string; filter: Readonly<Record<string, string>> }[] = [
  { key: 'n', label: '评论', filter: {} }, { key: 'waiting', label: '待审', filter: { state: '0' } }, { key: 'hidden', label: '屏蔽', filter: { state: '2' } }, { key: 'hit', label: '命中敏感词', filter: { trait: 'hit' } },
  { key: 'asks', label: '提问', filter: { purpose: '2' } }, { key: 'answered', label: '已回答', filter: { answering: 'done' } },
]

const nameOf = (by: TotalsBy, { key, name }: TotalRow) => (by === 'day' ? formatDate(key ?? 0) : name ?? BY.find(({ value }) => value === by)?.none ?? '')

function chartOf(by: TotalsBy, rows: readonly TotalRow[], from: number, to: number): EChartsCoreOption {
  const grid = { left: 4, right: 16, top: 28, bottom: 4, containLabel: true }
  if (by === 'day') {
    const days = Array.from({ length: Math.round((startOfDay(to) - from) / DAY) + 1 }, (_, index) => from + index * DAY)
    const of = (day: number) => rows.find(({ key }) => key === day)
    return {
      tooltip: { trigger: 'axis' }, legend: { top: 0 }, grid, xAxis: { type: 'category', data: days.map((day) => formatDate(day).slice(5)) }, yAxis: { type: 'value', minInterval: 1 },
      series: [{ name: '评论', type: 'bar', data: days.map((day) => of(day)?.n ?? 0), itemStyle: { color: '#1890ff' } }, { name: '提问', type: 'line', data: days.map((day) => of(day)?.asks ?? 0), itemStyle: { color: '#d99a26' } }],
    }
  }
  const shown = rows.slice(0, BARS).toReversed()
  return {
    tooltip: { trigger: 'axis' }, legend: { top: 0 }, grid, yAxis: { type: 'category', data: shown.map((row) => nameOf(by, row)), axisLabel: { width: 140, overflow: 'truncate' } }, xAxis: { type: 'value', minInterval: 1 },
    series: [{ name: '评论', type: 'bar', data: shown.map(({ n }) => n), itemStyle: { color: '#1890ff' } }, { name: '提问', type: 'bar', data: shown.map(({ asks }) => asks), itemStyle: { color: '#d99a26' } }],
  }
}

/** 评论汇总: how much is said by day, course and teacher; each number leads to exactly these comments. */
export default function TotalsScreen() {
  const can = useCan()
  const now = useMinute()
  const [by, setBy] = useState<TotalsBy>('day')
  const [span, setSpan] = useState<readonly [number, number]>(() => [startOfDay(Date.now() / 1000) - 29 * DAY, startOfDay(Date.now() / 1000) + DAY - 1])
  const [from, to] = span
  const { data, error, refetch } = useQuery({ queryKey: ['comment-totals', by, from, to], queryFn: ({ signal }) => call(commentTotals, { by, from, to }, { signal, quiet: true }) })
  const option = useMemo(() => chartOf(by, data?.items ?? [], from, to), [by, data, from, to])
  const look = can(VIDEO_RIGHTS.screen)
  /** The list with exactly what a number counts; what belongs to no course or teacher is asked for by that. */
  const address = (filter: Readonly<Record<string, string>>, row?: TotalRow) => {
    const [begin, end] = row && by === 'day' ? [row.key ?? 0, (row.key ?? 0) + DAY - 1] : [from, to]
    const own = row && by !== 'day' ? (row.key === null ? { [`${by}_id_is`]: 'empty' } : { [`${by}_id`]: String(row.key) }) : {}
    return `/comment/search?${new URLSearchParams({ ...own, ...filter, created_at_start: String(begin), created_at_end: String(end) })}`
  }
  const figure = (value: number, filter: Readonly<Record<string, string>>, row?: TotalRow) => (value > 0 && look ? <Link className="figure" to={address(filter, row)}>{value.toLocaleString('zh-CN')}</Link> : <span className="figure">{value === 0 && row ? '' : value.toLocaleString('zh-CN')}</span>)
  const choose = (days: number) => setSpan([startOfDay(Date.now() / 1000) - (days - 1) * DAY, startOfDay(Date.now() / 1000) + DAY - 1])
  const asDays = (days: readonly (Dayjs | null)[] | null) => { if (days?.[0] && days[1]) setSpan([startOfDay(days[0].unix()), startOfDay(days[1].unix()) + DAY - 1]) }
  const one = BY.find(({ value }) => value === by)
  return (
    <section className="page-body" aria-label="评论汇总">
      <Space wrap>
        <Segmented<TotalsBy> value={by} onChange={setBy} options={BY.map(({ value, label }) => ({ value, label }))} />
        <Segmented<number> value={SPANS.find((days) => to - from === days * DAY - 1 && startOfDay(to) === startOfDay(now)) ?? 0} onChange={choose} options={SPANS.map((days) => ({ value: days as number, label: `近 ${days} 天` }))} />
        <DatePicker.RangePicker aria-label="时间范围" allowClear={false} value={[dayjs.unix(from), dayjs.unix(to)]} onChange={asDays} />
      </Space>
      {error ? <Alert type="error" showIcon title={error.message} action={<Button size="small" onClick={() => void refetch()}>重试</Button>} /> : !data ? <Skeleton active paragraph={{ rows: 10 }} /> : (
        <>
          <dl className="totals-tiles">{FIGURES.map(({ key, label, filter }) => <div key={key}><dt>{label}</dt><dd>{figure(data.sum[key], filter)}</dd></div>)}</dl>
          <p className="note">含学员评论和官方回复，共 {data.sum.people.toLocaleString('zh-CN')} 名学员发言。</p>
          {data.items.length === 0 ? <Nothing words="这段时间没有评论" /> : (
            <>
              <Suspense fallback={<Skeleton active />}><Chart option={option} height={by === 'day' ? 240 : Math.max(200, Math.min(BARS, data.items.length) * 32)} label={`${one?.label}：共 ${data.sum.n} 条评论`} /></Suspense>
              <Table<TotalRow> size="small" rowKey={(row) => String(row.key)} dataSource={data.items} scroll={{ x: 'max-content' }} pagination={{ pageSize: 20, hideOnSinglePage: true, showSizeChanger: false }} columns={[
                { title: one?.head, key: 'name', render: (_value, row) => nameOf(by, row) },
                ...FIGURES.map(({ key, label, filter }) => ({ title: label, key, align: 'right' as const, render: (_value: unknown, row: TotalRow) => figure(row[key], filter, row) })),
                { title: '发言人数', key: 'people', align: 'right', render: (_value, row) => <span className="figure">{row.people.toLocaleString('zh-CN')}</span> },
              ]} />
            </>
          )}
        </>
      )}
    </section>
  )
}

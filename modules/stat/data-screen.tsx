import { BellOutlined, ExportOutlined, FileTextOutlined, FlagOutlined, ReloadOutlined } from '@ant-design/icons'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { Alert, Button, DatePicker, Empty, Segmented, Select, Skeleton, Space } from 'antd'
import dayjs from 'dayjs'
import { useState } from 'react'
import { call } from '../../core/endpoint/call.tsx'
import { formatTime, startOfDay } from '../../core/field/time.ts'
import { useCan } from '../../core/session/staff-context.tsx'
import { Polling } from '../../core/ui/front.tsx'
import { BreakdownTable } from './breakdown.tsx'
import { BREAKDOWNS, statTiles, type Breakdown, type StatAnswer } from './calls.ts'
import { Funnel } from './funnel.tsx'
import { DATA_RIGHTS } from './rights.ts'
import { ExportDialog, NoteDialog, RebuildDialog, SubscribeDialog, SummaryDrawer } from './stat-dialogs.tsx'
import { RANGES, type RangeName } from './stretch.ts'
import { BehindLinks, Tiles } from './tiles.tsx'
import { TrendChart } from './trend-chart.tsx'
import { useAsked, type AskedStats } from './use-asked.tsx'
import { hourWord } from './words.ts'
import './stat.css'

/** Milliseconds between two looks: days are counted every ten minutes. */
const AGAIN = 300_000
const PRESETS = (Object.keys(RANGES) as RangeName[]).filter((name) => name !== 'custom')

type Asking = 'note' | 'rebuild' | 'export' | 'subscribe'

function Head({ data, asked, change, onAsk }: { data: StatAnswer | undefined; asked: AskedStats; change: (next: Record<string, string | undefined>) => void; onAsk: (what: Asking) => void }) {
  const can = useCan()
  return (
    <header className="stat-head">
      <h1>数据中心</h1><span className="note">{data && (data.counted_at > 0 ? `更新到 ${hourWord(data.stretch.to)}` : '还没有统计')}</span>
      <Space wrap>
        <Segmented aria-label="时间范围" value={asked.range} onChange={(range) => change({ range, from: undefined, to: undefined })} options={PRESETS.map((value) => ({ value, label: RANGES[value] }))} />
        <DatePicker.RangePicker aria-label="自选日期" className="stat-days" allowClear={asked.range === 'custom'} disabledDate={(day) => day.isAfter(dayjs(), 'day')} value={asked.range === 'custom' && asked.from && asked.to ? [dayjs.unix(asked.from + 43_200), dayjs.unix(asked.to + 43_200)] : null}
          onChange={(days) => change(days?.[0] && days[1] ? { range: 'custom', from: String(startOfDay(days[0].hour(12).unix())), to: String(startOfDay(days[1].hour(12).unix())) } : { range: 'month', from: undefined, to: undefined })} />
        <Select aria-label="产品线" className="stat-pick" showSearch={{ optionFilterProp: 'label' }} value={asked.line} onChange={(line) => change({ line, by: undefined })} options={[{ value: '', label: '全部产品线' }, ...(data?.lines ?? []).map(({ key, title }) => ({ value: key, label: title }))]} />
        <Select aria-label="渠道" className="stat-pick" showSearch={{ optionFilterProp: 'label' }} value={asked.channel} onChange={(channel) => change({ channel })} options={[{ value: '', label: '全部渠道' }, ...(data?.channels ?? []).map(({ key, title }) => ({ value: key, label: title }))]} />
        <Button icon={<FileTextOutlined />} onClick={() => change({ summary: '1' })}>日报</Button>
        <Button icon={<BellOutlined />} onClick={() => onAsk('subscribe')}>订阅</Button>
        {can(DATA_RIGHTS.id('take')) && <Button icon={<ExportOutlined />} onClick={() => onAsk('export')}>导出</Button>}
        {can(DATA_RIGHTS.id('rebuild')) && <Button icon={<ReloadOutlined />} onClick={() => onAsk('rebuild')}>重新计算</Button>}
      </Space>
    </header>
  )
}

/** 数据中心: how things go, beside an equal stretch before; every number opens its records. */
export default function DataScreen() {
  const client = useQueryClient()
  const can = useCan()
  const { asked, search, change } = useAsked()
  const [asking, setAsking] = useState<Asking>()
  const { data, error, refetch } = useQuery({ queryKey: ['stat', asked], queryFn: ({ signal }) => call(statTiles, asked, { signal, quiet: true }), placeholderData: keepPreviousData })
  const reload = () => void Promise.all(['stat', 'stat-by', 'stat-funnel'].map((key) => client.invalidateQueries({ queryKey: [key] })))
  const open = data?.tiles.find(({ name }) => name === search.get('figure')) ?? data?.tiles[0]
  const options = open && open.by.length > 0 ? open.by : (['line', 'channel', 'agent', 'province'] as const).filter((by) => by !== 'line' || asked.line === '')
  const given = search.get('by')
  const by = (given !== null && Object.hasOwn(BREAKDOWNS, given) && options.includes(given as Breakdown) ? given : options[0]) as Breakdown | undefined
  return (
    <section className="page-body stat-page" aria-label="数据中心">
      <Polling every={AGAIN} read={refetch} />
      <Head data={data} asked={asked} change={change} onAsk={setAsking} />
      {error ? <Alert type="error" showIcon title={error.message} action={<Button size="small" onClick={() => void refetch()}>重试</Button>} /> : !data ? <Skeleton active paragraph={{ rows: 12 }} /> : !open ? (
        <Empty description={data.narrowed ? '数据中心按全部数据统计，您的数据范围只含一部分，看不到这些指标' : '没有您可以查看的指标：需要能查看对应的列表'} />
      ) : (
        <>
          <p className="stat-line">{hourWord(data.stretch.from)} 至 {hourWord(data.stretch.to)}<span>对比</span>{hourWord(data.stretch.before_from)} 至 {hourWord(data.stretch.before_to)}<span>同样长，都算到 {formatTime(data.stretch.to).slice(11, 16)}，北京时间</span></p>
          {data.narrowed && <Alert className="form-alert" type="info" showIcon title="您的数据范围只含一部分数据，受限的指标没有列出" />}
          <Tiles tiles={data.tiles} open={open.name} onOpen={(figure) => change({ figure })} />
          <div className="stat-middle">
            <section className="stat-card" aria-labelledby="stat-trend">
              <header>
                <h2 id="stat-trend">{open.title}</h2><small>{open.as === 'money' ? '元，' : ''}按天，虚线为上期，斜纹为未结束</small>
                <Space>{open.behind.length > 0 && <BehindLinks tile={open} />}{can(DATA_RIGHTS.id('note')) && <Button size="small" icon={<FlagOutlined />} onClick={() => setAsking('note')}>记一笔</Button>}</Space>
              </header>
              <TrendChart tile={open} stretch={data.stretch} notes={data.notes} forecast={data.forecast[open.name]} />
              <p className="note">{open.about}</p>
            </section>
            <Funnel asked={asked} />
          </div>
          {by && <BreakdownTable asked={asked} open={open} by={by} options={options} onBy={(next) => change({ by: next })} />}
        </>
      )}
      {asking === 'note' && <NoteDialog notes={data?.notes ?? []} onClose={() => setAsking(undefined)} onDone={reload} />}
      {asking === 'rebuild' && <RebuildDialog onClose={() => setAsking(undefined)} onDone={reload} />}
      {asking === 'export' && <ExportDialog asked={asked} onClose={() => setAsking(undefined)} />}
      {asking === 'subscribe' && <SubscribeDialog lines={data?.lines ?? []} onClose={() => setAsking(undefined)} />}
      {search.get('summary') !== null && <SummaryDrawer onClose={() => change({ summary: undefined })} />}
    </section>
  )
}

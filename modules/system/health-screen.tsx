import { ReloadOutlined } from '@ant-design/icons'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Alert, Button, Descriptions, Empty, Progress, Skeleton, Switch, Table, Tag } from 'antd'
import { useState, type ReactNode } from 'react'
import { Link } from 'react-router'
import { call } from '../../core/endpoint/call.tsx'
import { formatTime } from '../../core/field/time.ts'
import { Polling } from '../../core/ui/front.tsx'
import { AuditSealCard } from './audit-seal-card.tsx'
import { healthReport, type HealthReport } from './health.ts'
import { durationText, gradeLoop, gradeUsed, linePoints, sizeText, type Grade } from './health-words.ts'
import '../../core/list/list.css'
import './system.css'

/** Time between two looks, in milliseconds. */
const AGAIN = 10_000
/** Looks that the lines show. */
const KEPT = 60

const PAGES = { pageSize: 10, hideOnSinglePage: true, showSizeChanger: false } as const
const COLORS: Readonly<Record<Grade, string>> = { good: 'success', warning: 'warning', bad: 'error' }
const STROKES: Readonly<Record<Grade, string>> = { good: 'var(--good)', warning: 'var(--warn)', bad: 'var(--bad)' }

interface Sample {
  at: number
  loop: number
  rss: number
  online: number
  statements: number
}

interface Looks {
  report: HealthReport
  /** Unix milliseconds of the last look. */
  at: number
  samples: readonly Sample[]
}

/** A small line of the last looks; screen readers get the number beside it. */
function Line({ values, grade = 'good' }: { values: readonly number[]; grade?: Grade }) {
  if (values.length < 2) return <div className="line" />
  return (
    <svg className="line" viewBox="0 -1 120 32" preserveAspectRatio="none" aria-hidden="true">
      <polyline points={linePoints(values, 120, 30)} fill="none" stroke={STROKES[grade]} strokeWidth="1.5" vectorEffect="non-scaling-stroke" />
    </svg>
  )
}

function Card({ title, value, note, tag, children }: { title: string; value: ReactNode; note?: ReactNode; tag?: { grade: Grade; words: string } | undefined; children?: ReactNode }) {
  return (
    <section className="health-card" aria-label={title}>
      <header><h2>{title}</h2>{tag && tag.grade !== 'good' && <Tag color={COLORS[tag.grade]}>{tag.words}</Tag>}</header>
      <strong className="figure">{value}</strong>
      {note && <span className="health-note">{note}</span>}
      {children}
    </section>
  )
}

/** A bar of how much of something is used. */
function Used({ free, total }: { free: number; total: number }) {
  const grade = gradeUsed(free, total)
  return <Progress percent={total > 0 ? Math.round((1 - free / total) * 100) : 0} size="small" strokeColor={STROKES[grade]} aria-label="已用比例" />
}

function Report({ report, samples, again }: { report: HealthReport; samples: readonly Sample[]; again: () => void }) {
  const { database, disk, jobs, sessions, process: own } = report
  const loop = gradeLoop(own.event_loop.p99)
  const largest = database.tables[0]?.bytes ?? 0
  const statements = samples.slice(1).map((sample, index) => {
    const before = samples[index]
    return before && sample.at > before.at ? Math.max(0, (sample.statements - before.statements) / ((sample.at - before.at) / 1000)) : 0
  })
  return (
    <>
      <div className="health-cards">
        <Card title="在线" value={`${sessions.people} 人`} note={`${sessions.online} 个会话，近 15 分钟有操作`}><Line values={samples.map((sample) => sample.online)} /></Card>
        <Card title="任务" value={`${jobs.running} 进行中`} note={<>{jobs.waiting} 个等待，<Link to="/system/jobs">今日失败 {jobs.failed_today} 个</Link></>} tag={{ grade: jobs.failed_today > 0 ? 'warning' : 'good', words: '有失败' }} />
        <Card title="响应延迟（事件循环）" value={`${Math.round(own.event_loop.p99)} ms`} note={`平均 ${Math.round(own.event_loop.mean)} ms，最大 ${Math.round(own.event_loop.max)} ms`} tag={{ grade: loop, words: loop === 'bad' ? '很慢' : '偏慢' }}>
          <Line values={samples.map((sample) => sample.loop)} grade={loop} />
        </Card>
        <Card title="进程内存" value={sizeText(own.memory.rss)} note={`其中堆 ${sizeText(own.memory.heap_used)}`}><Line values={samples.map((sample) => sample.rss)} /></Card>
        <Card title="数据库语句" value={`${statements.length > 0 ? (statements.at(-1) ?? 0).toFixed(1) : '—'} 条/秒`} note={`累计 ${own.statements.toLocaleString('zh-CN')} 条，慢语句 ${own.slow_statements.total} 条`}><Line values={statements} /></Card>
        <Card title="数据库" value={sizeText(database.bytes)} note={`${database.kind === 'embedded' ? '内置' : '外部'} PostgreSQL ${database.version}`} />
        <Card title="磁盘" value={`剩余 ${sizeText(disk.free)}`} note={`共 ${sizeText(disk.total)}`} tag={{ grade: gradeUsed(disk.free, disk.total), words: '空间不足' }}><Used {...disk} /></Card>
        <Card title="服务器内存" value={`剩余 ${sizeText(own.memory.system_free)}`} note={`共 ${sizeText(own.memory.system_total)}`}><Used free={own.memory.system_free} total={own.memory.system_total} /></Card>
      </div>
      <div className="health-tables">
        <section className="health-part" aria-labelledby="health-tables">
          <h2 id="health-tables">最大的数据表</h2>
          <Table size="small" rowKey="name" pagination={PAGES} dataSource={database.tables} scroll={{ x: 420 }} columns={[
            { title: '表', dataIndex: 'name', width: 170, ellipsis: true },
            { title: '约有行数', dataIndex: 'rows', width: 100, align: 'right', render: (rows: number | null) => <span className="figure">{rows === null ? '未统计' : rows.toLocaleString('zh-CN')}</span> },
            { title: '大小', dataIndex: 'bytes', render: (bytes: number) => <Progress percent={largest > 0 ? Math.round((bytes / largest) * 100) : 0} size="small" status="normal" format={() => sizeText(bytes)} percentPosition={{ align: 'end', type: 'outer' }} aria-label={`大小 ${sizeText(bytes)}`} /> },
          ]} />
        </section>
        <section className="health-part" aria-labelledby="health-slow">
          <h2 id="health-slow">最近的慢语句</h2>
          <Table size="small" rowKey={(row) => `${row.at} ${row.ms} ${row.statement}`} pagination={PAGES} dataSource={[...own.slow_statements.last]} scroll={{ x: 420 }}
            locale={{ emptyText: <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="没有超过 0.5 秒的语句" /> }} columns={[
              { title: '时间', dataIndex: 'at', width: 150, render: (at: number) => <time className="figure">{formatTime(at)}</time> },
              { title: '耗时', dataIndex: 'ms', width: 90, align: 'right', render: (ms: number) => <span className="figure">{Math.round(ms).toLocaleString('zh-CN')} ms</span> },
              { title: '语句', dataIndex: 'statement', ellipsis: true, render: (statement: string) => <code title={statement}>{statement}</code> },
            ]} />
        </section>
      </div>
      <AuditSealCard audit={report.audit} again={again} />
      <Descriptions className="health-part" size="small" column={{ xs: 1, md: 4 }} items={[
        { key: 'release', label: '版本', children: report.release },
        { key: 'node', label: 'Node', children: own.node },
        { key: 'uptime', label: '已运行', children: durationText(own.uptime) },
        { key: 'live', label: '实时连接', children: `${own.live_streams} 个` },
      ]} />
    </>
  )
}

/** 系统状态: how the product is, looked at again and again while somebody watches. */
export default function HealthScreen() {
  const client = useQueryClient()
  const [watching, setWatching] = useState(true)
  const queryKey = ['health-report']
  const { data, error, isFetching, refetch } = useQuery({
    queryKey,
    queryFn: async ({ signal }): Promise<Looks> => {
      const report = await call(healthReport, undefined, { signal, quiet: true })
      const { process: own, sessions } = report
      const at = Date.now()
      const sample: Sample = { at, loop: own.event_loop.p99, rss: own.memory.rss, online: sessions.online, statements: own.statements }
      return { report, at, samples: [...(client.getQueryData<Looks>(queryKey)?.samples ?? []), sample].slice(-KEPT) }
    },
  })
  return (
    <section className="list-page" aria-label="系统状态">
      <Polling every={watching ? AGAIN : 0} read={refetch} />
      <div className="toolbar">
        <span className="health-note" aria-live="off">{data && `更新于 ${formatTime(Math.floor(data.at / 1000)).slice(11)}，显示回答请求的那个进程`}</span>
        <span className="health-watch">
          <label htmlFor="health-watch">每 10 秒刷新</label><Switch id="health-watch" size="small" checked={watching} onChange={setWatching} />
          <Button icon={<ReloadOutlined />} loading={isFetching} onClick={() => void refetch()}>刷新</Button>
        </span>
      </div>
      {error && <Alert type="error" showIcon title={error.message} action={<Button size="small" onClick={() => void refetch()}>重试</Button>} />}
      {data ? <Report report={data.report} samples={data.samples} again={() => void refetch()} /> : !error && <Skeleton active paragraph={{ rows: 10 }} />}
    </section>
  )
}

import { DeleteOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Empty, InputNumber, Skeleton, Table } from 'antd'
import { useRef, useState } from 'react'
import { call } from '../../core/endpoint/call.tsx'
import { formatMoney } from '../../core/field/number.ts'
import { briefTime } from '../../core/field/time.ts'
import type { WireRow } from '../../core/resource/endpoints.ts'
import { useCan } from '../../core/session/staff-context.tsx'
import { countLines, readLines, type CheckLine } from './calls.ts'
import { CHECK_STATE, type matterCheck } from './check.ts'
import { MATTER_RIGHTS } from './rights.ts'
import { ScanBox } from './scan-box.tsx'
import './matter.css'

const number = (value: number) => value.toLocaleString('zh-CN')

/** A number that is written down when somebody leaves it or presses Enter. */
function Counted({ line, disabled, onSave }: { line: Pick<CheckLine, 'name' | 'counted' | 'unit'>; disabled: boolean; onSave: (counted: number) => void }) {
  const [value, setValue] = useState<number | null>(line.counted < 0 ? null : line.counted)
  const save = () => { if (value !== null && value !== line.counted) onSave(value) }
  return <InputNumber aria-label={`${line.name}的实际数量`} min={0} max={10_000_000} precision={0} suffix={line.unit} value={value} disabled={disabled} onChange={setValue} onBlur={save} onPressEnter={(event) => { event.preventDefault(); save() }} />
}

/** What a count or a list of losses holds: scanned piece by piece or typed, with the difference beside what the book says. */
export function CheckPanel({ row, reload }: { row: WireRow<typeof matterCheck>; reload: () => void }) {
  const can = useCan()
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const { data, error, refetch } = useQuery({ queryKey: ['matter check', row.id, row.rev], queryFn: ({ signal }) => call(readLines, undefined, { params: { id: row.id }, signal, quiet: true }) })
  // Scans come faster than answers: each is written down on what the one before left.
  const queue = useRef(Promise.resolve())
  if (error) return <Alert type="error" showIcon title={error.message} action={<Button size="small" onClick={() => void refetch()}>重试</Button>} />
  if (!data) return <Skeleton active />
  const [loss, open] = [row.kind === 'loss', row.state === CHECK_STATE.open && can(MATTER_RIGHTS.id('count'))]
  const write = (lines: (now: ReadonlyMap<number, number>) => { matter_id: number; counted: number | null; seen: number | null }[]) => {
    queue.current = queue.current.then(async () => {
      setBusy(true)
      setProblem(undefined)
      const now = new Map(((await refetch()).data ?? data).lines.map((line) => [line.matter_id, line.counted]))
      await call(countLines, { lines: lines(now) }, { params: { id: row.id }, quiet: true })
      await refetch()
      reload()
    }).catch((failed: unknown) => setProblem(failed instanceof Error ? failed.message : '登记失败')).finally(() => setBusy(false))
  }
  // A number is typed over the one that stood there: what a colleague wrote meanwhile is not overwritten.
  const set = (matter_id: number, counted: number | null) => write(() => [{ matter_id, counted, seen: data.lines.find((line) => line.matter_id === matter_id)?.counted ?? null }])
  const diff = (line: CheckLine) => (loss ? -line.counted : line.counted - line.expected)
  const cost = data.lines.reduce((sum, line) => sum + diff(line) * (line.cost ?? 0), 0)
  return (
    <div className="check-panel">
      {problem && <Alert className="form-alert" type="error" showIcon title={problem} role="alert" />}
      {row.verdict && row.state === CHECK_STATE.open && <Alert type="warning" showIcon title={`退回重盘：${row.verdict}`} />}
      {open && <ScanBox onFound={(found) => write((now) => [...Map.groupBy(found, ({ item }) => item.id)].map(([id, some]) => ({ matter_id: id, counted: (now.get(id) ?? 0) + some.reduce((sum, { qty }) => sum + qty, 0), seen: now.get(id) ?? null })))} />}
      <Table<CheckLine> size="small" rowKey="matter_id" pagination={false} dataSource={data.lines} scroll={{ x: 'max-content' }} locale={{ emptyText: <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={loss ? '还没有添加报损的物料' : '还没有清点，扫一件记一件'} /> }} columns={[
        { title: '物料', render: (_value, line) => <span className="matter-name"><b>{line.name}</b><small>{line.sku}{line.note ? ` · ${line.note}` : ''}</small></span> },
        { title: '账面', align: 'right', render: (_value, line) => number(line.expected) },
        { title: loss ? '报损' : '实盘', align: 'right', render: (_value, line) => (open ? <Counted key={line.counted} line={line} disabled={busy} onSave={(counted) => set(line.matter_id, counted)} /> : number(line.counted)) },
        { title: '差异', align: 'right', render: (_value, line) => <span className="figure move-qty" data-in={diff(line) > 0} data-none={diff(line) === 0}>{diff(line) > 0 ? '+' : ''}{number(diff(line))}</span> },
        { title: '金额', align: 'right', render: (_value, line) => formatMoney(diff(line) * (line.cost ?? 0)) },
        { title: '清点人', render: (_value, line) => <span className="note">{line.staff_name} · {briefTime(Math.floor(line.at))}</span> },
        ...(open ? [{ title: '', key: 'remove', render: (_value: unknown, line: CheckLine) => <Button type="text" size="small" aria-label={`移除${line.name}`} icon={<DeleteOutlined />} onClick={() => set(line.matter_id, null)} /> }] : []),
      ]} />
      {data.lines.length > 0 && <p className="note">{data.lines.length} 种，{data.lines.filter((line) => diff(line) !== 0).length} 种有差异，合计 {formatMoney(cost)}</p>}
      {data.left.length > 0 && <details open={data.lines.length === 0}><summary>该仓还有 {data.left.length} 种没有清点</summary><ul className="matter-places">{data.left.map((one) => <li key={one.matter_id}><span>{one.name}</span><small className="note">{one.sku} · 账面 {number(one.qty)} {one.unit}</small>{open && <Counted line={{ name: one.name, unit: one.unit, counted: -1 }} disabled={busy} onSave={(counted) => set(one.matter_id, counted)} />}</li>)}</ul></details>}
    </div>
  )
}

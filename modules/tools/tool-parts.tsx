import { CopyOutlined, DownloadOutlined } from '@ant-design/icons'
import { Alert, Button, Input, InputNumber, Segmented, Select, Space, Switch, Table } from 'antd'
import { lazy, Suspense } from 'react'
import { useAttempt } from '../../core/form/use-attempt.tsx'
import { useSaid } from '../../core/undo/use-said.tsx'
import { saveBeside } from './beside.tsx'
import type { Tool, ToolInput, ToolOption, ToolResult } from './tool.ts'

const Chart = lazy(() => import('../../core/chart/chart.tsx'))

/** Pictures and rows that are drawn; the file has all of them. */
const SHOWN = { pictures: 60, rows: 500 } as const

type Value = string | number | boolean

const INPUTS: { readonly [As in ToolOption['as']]: (option: Extract<ToolOption, { as: As }>, value: Value, set: (value: Value) => void) => React.ReactNode } = {
  choice: ({ label, choices }, value, set) => (choices.length <= 3 ? <Segmented aria-label={label} value={String(value)} options={[...choices]} onChange={set} /> : <Select aria-label={label} value={String(value)} options={[...choices]} onChange={set} />),
  number: ({ label, min, max, digits = 0 }, value, set) => <InputNumber aria-label={label} min={min} max={max} precision={digits} value={Number(value)} onChange={(next) => set(next ?? min)} />,
  text: ({ label, max }, value, set) => <Input aria-label={label} maxLength={max} value={String(value)} onChange={(event) => set(event.target.value)} />,
  toggle: ({ label }, value, set) => <Switch aria-label={label} size="small" checked={value === true} onChange={set} />,
}

/** What is chosen before a tool runs. */
export function ToolOptions({ tool, values, onChange }: { tool: Tool; values: ToolInput['options']; onChange: (values: ToolInput['options']) => void }) {
  return (
    <div className="tool-options">{(tool.options ?? []).map((option) => (
      <div key={option.key} title={option.help}><span>{option.label}</span>{(INPUTS[option.as] as (option: ToolOption, value: Value, set: (value: Value) => void) => React.ReactNode)(option, values[option.key] ?? option.initial, (value) => onChange({ ...values, [option.key]: value }))}{option.help && <small className="note">{option.help}</small>}</div>
    ))}</div>
  )
}

const chartOf = (bars: NonNullable<ToolResult['bars']>) => ({
  tooltip: { trigger: 'axis' }, grid: { left: 8, right: 8, top: 12, bottom: 4, containLabel: true },
  xAxis: { type: 'category', data: bars.map(({ label }) => label) }, yAxis: { type: 'value' }, series: [{ type: 'bar', data: bars.map(({ value }) => value), itemStyle: { color: '#0170d9' }, barMaxWidth: 48 }],
})

/** What a tool answered: a sentence, what is wrong, figures, text to copy, a table and pictures to take along. */
export function ToolAnswer({ tool, result }: { tool: Tool; result: ToolResult }) {
  const said = useSaid()
  const { busy, attempt } = useAttempt()
  const { summary, problems = [], text, table, bars, pictures } = result
  const copy = (words: string) => attempt(async () => { await navigator.clipboard.writeText(words); said({ words: '已复制' }) })
  const download = () => attempt(async () => {
    const address = URL.createObjectURL(await saveBeside(result))
    const link = document.createElement('a')
    Object.assign(link, { href: address, download: `${tool.title}.${pictures ? 'zip' : 'xlsx'}` })
    link.click()
    setTimeout(() => URL.revokeObjectURL(address), 60_000)
  })
  return (
    <section className="tool-answer" aria-label="结果" aria-live="polite">
      <p className="tool-summary">{summary}</p>
      {problems.length > 0 && <Alert type="warning" showIcon title={`${problems.length} 处要看一下`} description={<ul className="plain">{problems.slice(0, 20).map((problem) => <li key={problem}>{problem}</li>)}{problems.length > 20 && <li>等 {problems.length} 处</li>}</ul>} />}
      <Space wrap>
        {text !== undefined && <Button icon={<CopyOutlined />} onClick={() => void copy(text)}>复制结果</Button>}
        {table && table.rows.length > 0 && <><Button icon={<CopyOutlined />} onClick={() => void copy([table.columns, ...table.rows].map((row) => row.join('\t')).join('\n'))}>复制表格</Button><Button icon={<DownloadOutlined />} loading={busy} onClick={() => void download()}>下载 Excel</Button></>}
        {pictures && pictures.length > 0 && <Button icon={<DownloadOutlined />} loading={busy} onClick={() => void download()}>下载 {pictures.length} 个 SVG</Button>}
      </Space>
      {bars && bars.length > 0 && <Suspense fallback={null}><Chart option={chartOf(bars)} height={200} label={`${tool.title}的分布`} /></Suspense>}
      {text !== undefined && <Input.TextArea aria-label="结果文本" readOnly value={text} autoSize={{ minRows: 3, maxRows: 14 }} />}
      {pictures && <ul className="tool-pictures">{pictures.slice(0, SHOWN.pictures).map(({ name, svg }) => <li key={name}><img src={`data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`} alt={`${name}的二维码`} /></li>)}</ul>}
      {table && table.rows.length > 0 && <Table<{ key: number; cells: readonly (string | number)[] }> size="small" scroll={{ x: 'max-content', y: 420 }} pagination={false} dataSource={table.rows.slice(0, SHOWN.rows).map((cells, key) => ({ key, cells }))}
        columns={table.columns.map((title, at) => ({ title, key: String(at), render: (_value: unknown, row: { cells: readonly (string | number)[] }) => row.cells[at] ?? '' }))} />}
      {table && table.rows.length > SHOWN.rows && <p className="note">这里显示前 {SHOWN.rows} 行，下载的文件里有全部 {table.rows.length.toLocaleString('zh-CN')} 行</p>}
    </section>
  )
}

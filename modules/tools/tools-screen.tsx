import { ClearOutlined, InboxOutlined, PlayCircleOutlined } from '@ant-design/icons'
import { Alert, Button, Empty, Input, Select, Space, Upload } from 'antd'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { briefTime } from '../../core/field/time.ts'
import { useStaff } from '../../core/session/staff-context.tsx'
import { readBeside, runBeside } from './beside.tsx'
import { readRuns, withRun, type Run } from './history.ts'
import { optionsOf, type Tool, type ToolInput, type ToolResult } from './tool.ts'
import { ToolAnswer, ToolOptions } from './tool-parts.tsx'
import { toolOf, TOOLS } from './tools.ts'
import './tools.css'

const FILES = '.xlsx,.csv,.tsv,.txt,.md'

const GROUPS = [...Map.groupBy(TOOLS, ({ group }) => group)]

const tableText = (table: ToolInput['table']) => table.map((row) => row.join('\t')).join('\n')
const readTable = (text: string): string[][] => text.split(/\r\n?|\n/).filter((line) => line.trim() !== '').map((line) => line.split('\t'))

/** The runs of this browser's person; other accounts of the machine have their own. */
function useRuns() {
  const key = `tools-runs:${useStaff().id}`
  const [runs, setRuns] = useState<readonly Run[]>(() => readRuns(localStorage.getItem(key)))
  return { runs, keep: (next: readonly Run[]) => {
    setRuns(next)
    try {
      localStorage.setItem(key, JSON.stringify(next))
    } catch {
      // A browser without room keeps them for this visit.
    }
  } }
}

/** A box that takes what is typed, pasted or dropped as a file. */
function Box({ label, value, onText, onFile }: { label: string; value: string; onText: (text: string) => void; onFile: (file: File) => void }) {
  const [over, setOver] = useState(false)
  return (
    <div className="tool-box" data-over={over} onDragOver={(event) => { event.preventDefault(); setOver(true) }} onDragLeave={() => setOver(false)} onDrop={(event) => { event.preventDefault(); setOver(false); const [file] = event.dataTransfer.files; if (file) onFile(file) }}>
      <div className="tool-box-head"><span>{label}</span><Upload accept={FILES} showUploadList={false} beforeUpload={(file) => { onFile(file); return false }}><Button size="small" type="text" icon={<InboxOutlined />}>选择或拖入文件</Button></Upload></div>
      <Input.TextArea aria-label={label} value={value} autoSize={{ minRows: 8, maxRows: 18 }} onChange={(event) => onText(event.target.value)} />
    </div>
  )
}

/** One tool: drawn from its definition, whichever it is. */
function Workbench({ tool, start, onRun }: { tool: Tool; start: Run | undefined; onRun: (input: ToolInput, summary: string) => void }) {
  const [options, setOptions] = useState(() => optionsOf(tool, start?.options))
  const [text, setText] = useState(() => (tool.takes === 'table' ? tableText(start?.input?.table ?? []) : start?.input?.text ?? ''))
  const [other, setOther] = useState(start?.input?.other ?? '')
  const [result, setResult] = useState<ToolResult>()
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const attempt = async (work: () => Promise<void>) => {
    setBusy(true)
    setProblem(undefined)
    try {
      await work()
    } catch (error) {
      setResult(undefined)
      setProblem(error instanceof Error ? error.message : '处理失败')
    } finally {
      setBusy(false)
    }
  }
  const run = () => attempt(async () => {
    const input: ToolInput = { text: tool.takes === 'table' ? '' : text, other, table: tool.takes === 'table' ? readTable(text) : [], options }
    const made = await runBeside(tool.name, input)
    setResult(made)
    onRun(input, made.summary)
  })
  const read = (set: (text: string) => void) => (file: File) => void attempt(async () => {
    const { text: words, table } = await readBeside(file)
    set(tool.takes === 'table' ? tableText(table) : words)
  })
  const example = () => { setText(tool.takes === 'table' ? tableText(tool.sample.table ?? []) : tool.sample.text ?? ''); setOther(tool.sample.other ?? '') }
  const empty = text === '' && other === ''
  return (
    <div className="tool-bench" role="presentation" onKeyDown={(event) => { if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) { event.preventDefault(); void run() } }}>
      <header><h2>{tool.title}</h2><p className="note">{tool.about}。{tool.personal ? '内容不离开本机，也不保留。' : '内容不离开本机。'}</p></header>
      <ToolOptions tool={tool} values={options} onChange={(values) => setOptions(optionsOf(tool, values))} />
      <div className="tool-boxes" data-two={tool.takes === 'two'}>
        <Box label={tool.labels[0]} value={text} onText={setText} onFile={read(setText)} />
        {tool.takes === 'two' && <Box label={tool.labels[1] ?? ''} value={other} onText={setOther} onFile={read(setOther)} />}
      </div>
      <Space wrap><Button type="primary" icon={<PlayCircleOutlined />} loading={busy} title="Ctrl + Enter" onClick={() => void run()}>运行</Button><Button onClick={example}>试一个例子</Button><Button icon={<ClearOutlined />} disabled={empty} onClick={() => { setText(''); setOther(''); setResult(undefined); setProblem(undefined) }}>清空</Button></Space>
      {problem && <Alert type="error" showIcon title={problem} role="alert" />}
      {result && <ToolAnswer tool={tool} result={result} />}
    </div>
  )
}

/** 工具: small jobs of every day, done in this browser. */
export default function ToolsScreen() {
  const [search, setSearch] = useSearchParams()
  const tool = toolOf(search.get('tool'))
  const { runs, keep } = useRuns()
  const [opened, setOpened] = useState<Run>()
  const open = (name: string) => { setOpened(undefined); setSearch({ tool: name }) }
  const again = (run: Run) => { setOpened(run); setSearch({ tool: run.tool }) }
  return (
    <section className="page-body tools-page" aria-label="工具">
      <nav aria-label="工具" className="tools-list">
        {GROUPS.map(([group, tools]) => <div key={group}><h3>{group}</h3><ul className="plain">{tools.map(({ name, title }) => <li key={name}><button type="button" aria-current={name === tool.name} onClick={() => open(name)}>{title}</button></li>)}</ul></div>)}
      </nav>
      <Select className="tools-choice" aria-label="选择工具" value={tool.name} onChange={open} options={GROUPS.map(([label, tools]) => ({ label, options: tools.map(({ name, title }) => ({ value: name, label: title })) }))} />
      <Workbench key={`${tool.name} ${opened?.at ?? 0}`} tool={tool} start={opened} onRun={(input, summary) => keep(withRun(runs, tool, input, summary, Math.floor(Date.now() / 1000)))} />
      <aside className="tools-runs" aria-label="最近运行">
        <h3>最近运行 {runs.length > 0 && <Button size="small" type="text" onClick={() => keep([])}>清空</Button>}</h3>
        {runs.length === 0 ? <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="还没有运行过，最近 20 次留在这个浏览器" /> : <ol className="plain">{runs.map((run) => (
          <li key={`${run.at} ${run.summary}`}><button type="button" onClick={() => again(run)}><b>{toolOf(run.tool).title}</b><small>{briefTime(run.at)}{run.input ? '' : ' · 未保留内容'}</small><span>{run.summary}</span></button></li>
        ))}</ol>}
      </aside>
    </section>
  )
}

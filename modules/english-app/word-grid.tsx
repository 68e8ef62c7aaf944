import { DeleteOutlined } from '@ant-design/icons'
import { App, Button, Space } from 'antd'
import { useRef, useState, type KeyboardEvent } from 'react'
import { call } from '../../core/endpoint/call.tsx'
import { CallError } from '../../core/endpoint/wire.ts'
import { Problems } from '../../core/form/problems.tsx'
import { useUnsaved } from '../../core/form/unsaved.tsx'
import { addWords, MOST_WORDS } from './calls.ts'
import { COLUMNS, doubles, EMPTY_ROW, fillDown, isBlank, paste, readRow, withSpare, type Column, type GridRow } from './grid.ts'

/** Rows that stand ready at the beginning. */
const READY = 8

/** The words of a unit as a table: typed, pasted from a sheet, filled down; phonetics are proposed until somebody types them. */
export function WordGrid({ unitId, onSaved }: { unitId: number; onSaved: (added: number) => void }) {
  const { message } = App.useApp()
  const [rows, setRows] = useState<readonly GridRow[]>(() => Array.from({ length: READY }, () => EMPTY_ROW))
  const [wrong, setWrong] = useState<ReadonlyMap<number, string>>(new Map())
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const table = useRef<HTMLTableElement>(null)
  const filled = rows.flatMap((row, place) => (isBlank(row) ? [] : [place]))
  const twice = doubles(rows)
  useUnsaved(filled.length > 0, '表格中的单词')

  const change = (next: readonly GridRow[]) => {
    setRows(withSpare(next))
    setWrong(new Map())
    setProblem(undefined)
  }
  const go = (row: number, column: Column) => table.current?.querySelector<HTMLInputElement>(`[data-cell="${row} ${column}"]`)?.focus()
  const keys = (event: KeyboardEvent, row: number, column: Column) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter' || event.key === 'ArrowDown') go(row + 1, column)
    else if (event.key === 'ArrowUp') go(row - 1, column)
    else if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'd') change(fillDown(rows, { row, column }))
    else return
    event.preventDefault()
  }
  const tell = (problems: ReadonlyMap<number, string>) => {
    setWrong(problems)
    const [[first, words] = []] = problems
    setProblem(problems.size > 1 ? `有 ${problems.size} 行需要修改` : words)
    if (first !== undefined) go(first, 'headword')
  }
  const save = async () => {
    const read = filled.map((place) => [place, readRow(rows[place] ?? EMPTY_ROW)] as const)
    const problems = new Map(read.flatMap(([place, one]) => ('problem' in one ? [[place, one.problem] as const] : twice.has(place) ? [[place, '表格中已有这个单词'] as const] : [])))
    if (problems.size > 0) return tell(problems)
    if (filled.length > MOST_WORDS) return setProblem(`一次最多 ${MOST_WORDS} 个单词，现在有 ${filled.length} 个`)
    setBusy(true)
    try {
      const { added } = await call(addWords, { unit_id: unitId, words: read.flatMap(([, one]) => ('word' in one ? [one.word] : [])) }, { quiet: true })
      void message.success(`已录入 ${added} 个单词，音标待核对`)
      setRows(Array.from({ length: READY }, () => EMPTY_ROW))
      setWrong(new Map())
      setProblem(undefined)
      onSaved(added)
    } catch (error) {
      const named = error instanceof CallError ? Object.entries(error.fields).flatMap(([key, words]) => {
        const place = filled[Number(/^words\.(\d+)/.exec(key)?.[1] ?? -1)]
        return place === undefined ? [] : [[place, words.replace(/^第 \d+ 行「.*?」：/, '')] as const]
      }) : []
      if (named.length > 0) tell(new Map(named))
      else setProblem(error instanceof Error ? error.message : '保存失败')
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className="word-grid">
      <p className="note">从 Excel 复制后点任一格粘贴；Ctrl + D 把本格的值填到下面各行；音标可留空，保存后在单元词表的「核对音标」中按词典建议确认。</p>
      {problem && <Problems title={problem} fields={[...wrong].map(([place, text]) => ({ name: String(place), label: `第 ${place + 1} 行`, text }))} onGo={(name) => go(Number(name), 'headword')} />}
      <div className="word-grid-scroll">
        <table ref={table}>
          <thead><tr><th scope="col" aria-label="行号" />{COLUMNS.map(({ key, label, width }) => <th key={key} scope="col" style={{ minWidth: width }}>{label}</th>)}<th scope="col" aria-label="操作" /></tr></thead>
          <tbody>
            {rows.map((row, place) => (
              // Rows are told apart by their place.
              <tr key={place} data-wrong={wrong.has(place) || twice.has(place)} title={wrong.get(place) ?? (twice.has(place) ? '表格中已有这个单词' : undefined)}>
                <th scope="row">{place + 1}</th>
                {COLUMNS.map(({ key, label }) => (
                  <td key={key}>
                    <input data-cell={`${place} ${key}`} value={row[key]} aria-label={`第 ${place + 1} 行 ${label}`} spellCheck={false}
                      onChange={(event) => change(rows.map((one, at) => (at === place ? { ...one, [key]: event.target.value } : one)))}
                      onKeyDown={(event) => keys(event, place, key)}
                      onPaste={(event) => {
                        const text = event.clipboardData.getData('text/plain')
                        if (!/[\t\n]/.test(text.trim())) return
                        event.preventDefault()
                        change(paste(rows, { row: place, column: key }, text))
                      }} />
                  </td>
            ))}
                  <td>{!isBlank(row) && <Button type="text" size="small" icon={<DeleteOutlined />} aria-label={`移除第 ${place + 1} 行`} onClick={() => change(rows.toSpliced(place, 1))} />}</td>
                </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Space>
        <Button type="primary" loading={busy} disabled={filled.length === 0} onClick={() => void save()}>保存 {filled.length} 个单词</Button>
        <Button disabled={filled.length === 0} onClick={() => change([])}>清空</Button>
      </Space>
    </div>
  )
}

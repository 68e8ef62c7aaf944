import { App, Button } from 'antd'
import { useRef, type ClipboardEvent, type KeyboardEvent } from 'react'
import type { Resource } from '../resource/define.ts'
import { blankSheet, hasCells, MOST_PASTED, placePasted, putPasted, readPasted } from './pasted.ts'
import './paste-sheet.css'

interface Props {
  resource: Resource
  /** Fields that have a column, in order. */
  keys: readonly string[]
  sheet: readonly string[][]
  onChange: (sheet: string[][]) => void
  busy: boolean
  onCheck: () => void
}

/** Empty rows that wait below the last one that is written. */
const SPARE = 5

/** Cells of a table as a web page or a spreadsheet program gives it; nothing where there is none. */
function readTable(html: string): string[][] {
  const table = new DOMParser().parseFromString(html, 'text/html').querySelector('table')
  return [...table?.rows ?? []].map((row) => [...row.cells].map((cell) => cell.textContent.trim()))
}

/** A sheet for new records: typed, or pasted from Excel or WPS with its headings or without. */
export function PasteSheet({ resource, keys, sheet, onChange, busy, onCheck }: Props) {
  const { message } = App.useApp()
  const place = useRef<HTMLTableElement>(null)
  const columns = keys.map((key) => {
    const field = resource.fields[key]
    return { key, label: field?.label ?? key, required: field?.required ?? false, aliases: field?.headings ?? [] }
  })
  const grown = (rows: string[][]) => {
    const last = rows.findLastIndex((cells) => cells.some(Boolean))
    const missing = Math.min(MOST_PASTED, last + 1 + SPARE) - rows.length
    return missing > 0 ? [...rows, ...Array.from({ length: missing }, () => Array<string>(keys.length).fill(''))] : rows
  }
  const write = (row: number, column: number, text: string) => onChange(grown(sheet.map((cells, at) => (at === row ? cells.map((cell, n) => (n === column ? text : cell)) : cells))))
  const paste = (event: ClipboardEvent, row: number, column: number) => {
    const text = event.clipboardData.getData('text/plain')
    const tabbed = /[\t\n]/.test(text.trim())
    const table = tabbed ? readPasted(text) : readTable(event.clipboardData.getData('text/html'))
    // A single value goes where the cursor is.
    if (table.length === 0 || (table.length === 1 && table[0]?.length === 1)) return
    event.preventDefault()
    const placed = placePasted(table, columns, column)
    onChange(grown(putPasted(sheet, placed, row, column)))
    const more = row + placed.rows.length - MOST_PASTED
    if (more > 0) void message.warning(`一次最多粘贴 ${MOST_PASTED} 行，后面的 ${more} 行没有粘贴，更多的请用文件导入`)
    else void message.success(`已粘贴 ${placed.rows.length} 行${placed.headed ? '，按列名对应' : '，按列的顺序对应'}`)
    if (placed.unknown.length > 0) void message.warning(`没有对应的字段，已忽略：${placed.unknown.join('、')}`)
  }
  const go = (event: KeyboardEvent<HTMLInputElement>, row: number, column: number) => {
    const by = { ArrowUp: -1, ArrowDown: 1, Enter: 1 }[event.key]
    if (by === undefined || event.nativeEvent.isComposing) return
    event.preventDefault()
    place.current?.querySelector<HTMLInputElement>(`[data-cell="${row + by} ${column}"]`)?.focus()
  }
  return (
    <>
      <p className="note">在 Excel 或 WPS 里选中单元格复制，点中下面的格子粘贴；带标题行时按列名对应，否则从点中的格子起按顺序对应。检查通过前不会写入。</p>
      <div className="paste-sheet">
        <table ref={place} aria-label={`要新增的${resource.label}`}>
          <thead><tr><th scope="col">行</th>{columns.map(({ key, label, required }) => <th key={key} scope="col">{label}{required && <span className="problem"> *</span>}</th>)}</tr></thead>
          <tbody>
            {sheet.map((cells, row) => (
              <tr key={row}>
                {/* The first row of the file holds the headings. */}
                <th scope="row">{row + 2}</th>
                {columns.map(({ key, label }, column) => (
                  <td key={key}>
                    <input value={cells[column] ?? ''} data-cell={`${row} ${column}`} aria-label={`第 ${row + 2} 行的${label}`} maxLength={2000} disabled={busy} autoComplete="off"
                      onChange={(event) => write(row, column, event.target.value)} onPaste={(event) => paste(event, row, column)} onKeyDown={(event) => go(event, row, column)} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div className="paste-foot">
        <Button disabled={busy || !hasCells(sheet)} onClick={() => onChange(blankSheet(keys.length))}>清空</Button>
        <Button type="primary" loading={busy} disabled={!hasCells(sheet)} onClick={onCheck}>检查</Button>
      </div>
    </>
  )
}

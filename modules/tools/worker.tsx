import { configure, TextReader, BlobWriter, ZipWriter } from '@zip.js/zip.js'
import { readXlsx, writeXlsx } from 'hucre/xlsx'
import { detectDelimiter } from '../../core/sheet/csv-text.ts'
import type { Answer, Asked } from './beside.tsx'
import type { ToolInput, ToolResult } from './tool.ts'
import { runTool } from './tools.ts'

// There is one worker already: this.
configure({ useWebWorkers: false })

/** Text of a file, whose encoding is found: what is no UTF-8 is GB 18030, as Windows writes it. */
function decode(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('gb18030').decode(bytes)
  }
}

const word = (cell: unknown): string => (cell === null || cell === undefined ? '' : cell instanceof Date ? cell.toISOString().slice(0, 10) : String(cell))

/** Cells of a text table; quotes may hold separators and line breaks. */
function cells(text: string): string[][] {
  const separator = detectDelimiter(text.slice(0, 65_536))
  const rows: string[][] = []
  let row: string[] = []
  let cell = ''
  let quoted = false
  const push = () => { row.push(cell); cell = '' }
  const end = () => { push(); if (row.some((one) => one !== '')) rows.push(row); row = [] }
  for (let at = 0; at < text.length; at++) {
    const sign = text[at] ?? ''
    if (quoted) {
      if (sign !== '"') cell += sign
      else if (text[at + 1] === '"') { cell += '"'; at++ } else quoted = false
    } else if (sign === '"' && cell === '') quoted = true
    else if (sign === separator) push()
    else if (sign === '\n') end()
    else if (sign !== '\r') cell += sign
  }
  end()
  return rows
}

/** What a file holds, as text and as a table. */
async function readFile(file: File): Promise<Pick<ToolInput, 'text' | 'table'>> {
  if (/\.xlsx$/i.test(file.name)) {
    const { sheets } = await readXlsx(new Uint8Array(await file.arrayBuffer()))
    const table = (sheets[0]?.rows ?? []).map((row) => row.map(word)).filter((row) => row.some((one) => one !== ''))
    return { table, text: table.map((row) => row.join('\t')).join('\n') }
  }
  if (/\.(xls|docx?|pdf|zip|png|jpe?g)$/i.test(file.name)) throw new Error('可以拖入 xlsx、csv 和文本文件；xls 请另存为 xlsx')
  const text = decode(await file.arrayBuffer())
  return { text, table: cells(text) }
}

/** The answer of a tool as a file: its pictures as one archive, its table as a workbook. */
async function save({ pictures, table }: ToolResult): Promise<Blob> {
  if (pictures) {
    const zip = new ZipWriter(new BlobWriter('application/zip'))
    for (const { name, svg } of pictures) await zip.add(`${name.replace(/[\\/:*?"<>|]/g, '_').slice(0, 60) || '二维码'}.svg`, new TextReader(svg))
    return zip.close()
  }
  const bytes = await writeXlsx({ sheets: [{ name: '结果', rows: [[...(table?.columns ?? [])], ...(table?.rows ?? []).map((row) => [...row])] }] })
  return new Blob([bytes as BlobPart], { type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet' })
}

const work: { readonly [Do in Asked['do']]: (asked: Extract<Asked, { do: Do }>) => unknown } = {
  run: ({ tool, input }) => runTool(tool, input),
  read: ({ file }) => readFile(file),
  save: ({ result }) => save(result),
}

self.onmessage = async ({ data }: MessageEvent<Asked>) => {
  const answer: Answer = await Promise.resolve().then(() => (work[data.do] as (asked: Asked) => unknown)(data)).then((value) => ({ id: data.id, value }), (error: unknown) => ({ id: data.id, problem: error instanceof Error ? error.message : '处理失败' }))
  self.postMessage(answer)
}

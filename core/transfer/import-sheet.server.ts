import { badRequest } from '../error/error.ts'
import type { Resource } from '../resource/define.ts'
import { isEmpty } from '../field/check.ts'
import { isBlank, type Cell, type SheetRow } from '../sheet/cell.ts'
import { matchHeader, missingSentence, type HeaderChoice } from '../sheet/header.ts'
import { readSheet } from '../sheet/read.server.ts'
import type { ImportChecked } from './calls.ts'
import { importKeys } from './columns.ts'

/** Rows of one file: enough for the largest school, and little enough to be written in one transaction. */
export const MAX_ROWS = 100_000
/** The header is looked for among these first rows. */
const HEAD_ROWS = 20

/** What is known of a file once its header was read. */
export type SheetHead = Pick<ImportChecked, 'columns' | 'header_row' | 'mapping' | 'unknown' | 'problem'>

/** A row below the header: what its cells mean, empty ones left out. */
export interface GivenRow {
  rowNumber: number
  given: Record<string, unknown>
  cells: Cell[]
}

/** What the person chose by hand. */
export interface SheetChoice {
  mapping?: Readonly<Record<string, number | null>> | undefined
  header_row?: number | undefined
  fixed: Readonly<Record<string, unknown>>
}

/** A cell as people see it. */
export function cellLabel(cell: Cell | undefined): string {
  if (cell === null || cell === undefined) return ''
  if (cell instanceof Date) return cell.toISOString().slice(0, 16).replace('T', ' ').replace(' 00:00', '')
  return typeof cell === 'boolean' ? (cell ? '是' : '否') : String(cell)
}

/** Finds the header among the first rows, and says what is wrong with it. */
function readHead(resource: Resource, rows: readonly SheetRow[], choice: SheetChoice): SheetHead {
  const keys = importKeys(resource, choice.fixed)
  const columns = keys.map((key) => {
    const field = resource.fields[key]
    return { key, label: field?.label ?? key, required: field?.required ?? false, aliases: field?.headings ?? [] }
  })
  const chosen: HeaderChoice = {
    ...(choice.header_row !== undefined && { headerRowNumber: choice.header_row }),
    ...(choice.mapping && { mapping: Object.fromEntries(Object.entries(choice.mapping).filter(([key]) => keys.includes(key))) }),
  }
  const { headerRowNumber, mapping, unknown, missing, duplicates } = matchHeader(rows, columns, chosen)
  const header = rows.find((row) => row.rowNumber === headerRowNumber)
  const problem = headerRowNumber === null ? '没有找到表头，请使用模板填写，或指定表头所在的行'
    : missingSentence(missing) ?? (duplicates.length > 0 ? `「${duplicates.join('、')}」列出现了多次，请只保留一列` : undefined)
  return {
    columns: (header?.cells ?? []).flatMap((cell, index) => (isBlank(cell) ? [] : [{ index, label: cellLabel(cell) }])),
    header_row: headerRowNumber, mapping, unknown,
    ...(problem && { problem }),
  }
}

/** What texts of cells mean, as if they stood in the file; one that is empty means nothing. */
export const readCells = (resource: Resource, keys: readonly string[], cells: Readonly<Record<string, string>>): Record<string, unknown> =>
  Object.fromEntries(keys.filter((key) => key in cells).map((key) => {
    const value = resource.fields[key]?.fromSheet(cells[key] ?? null)
    return [key, isEmpty(value) ? undefined : value]
  }))

/** The example row of the template, when somebody left it in; references have no example of their own. */
function isExample(resource: Resource, given: Readonly<Record<string, unknown>>): boolean {
  const exemplary = Object.keys(given).filter((key) => resource.fields[key]?.sheet.example !== '')
  return exemplary.length > 1 && exemplary.every((key) => {
    const field = resource.fields[key]
    return field !== undefined && same(given[key], field.fromSheet(field.sheet.example))
  })
}

const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/**
 * Reads a sheet for import: its header first, then its rows one by one.
 * @param path local file
 * @returns `head`, and the rows below it; to be gone through once
 * @throws AppError when the file is no sheet or has too many rows
 */
export async function readImport(
  resource: Resource, path: string, choice: SheetChoice, signal: AbortSignal,
): Promise<{ head: SheetHead; rows: AsyncGenerator<GivenRow> }> {
  const source = readSheet(path, { signal })
  const first: SheetRow[] = []
  while (first.length < HEAD_ROWS) {
    const next = await source.next()
    if (next.done) break
    first.push(next.value)
  }
  const head = readHead(resource, first, choice)
  const fields = Object.entries(head.mapping).flatMap(([key, index]) => {
    const field = resource.fields[key]
    return field ? [{ key, field, index }] : []
  })

  async function* all(): AsyncGenerator<SheetRow> {
    yield* first
    yield* source
  }
  async function* rows(): AsyncGenerator<GivenRow> {
    let count = 0
    for await (const { rowNumber, cells } of all()) {
      if (rowNumber <= (head.header_row ?? 0)) continue
      const given: Record<string, unknown> = {}
      for (const { key, field, index } of fields) {
        const value = field.fromSheet(cells[index] ?? null)
        if (!isEmpty(value)) given[key] = value
      }
      // Rows that hold something only in columns that nobody asked for are notes.
      if (Object.keys(given).length === 0 || (count === 0 && isExample(resource, given))) continue
      if (++count > MAX_ROWS) throw badRequest(`一次最多导入 ${MAX_ROWS.toLocaleString('en')} 行，请拆分文件后重新上传`)
      yield { rowNumber, given, cells }
    }
  }
  return { head, rows: rows() }
}

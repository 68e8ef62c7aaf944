import * as z from 'zod/mini'
import type { AnyField } from '../field/any-field.ts'
import { cellText, foldText, type SheetValue } from '../field/field.ts'
import { isBlank, type SheetRow } from '../sheet/cell.ts'
import { matchHeader, type HeaderColumn } from '../sheet/header.ts'

/** Names of levels as sheets of trees call them (domain 3.4: 一级 … 五级). */
const LEVELS = ['一级', '二级', '三级', '四级', '五级', '六级', '七级', '八级', '九级'] as const

/** A column beside the levels; its texts belong to the node that a row ends in. */
export interface FactColumn {
  readonly key: string
  readonly label: string
  /** What a text means; null when it means nothing. */
  readonly read: (text: string) => unknown
  /** How the value is written. */
  readonly write: (value: unknown) => SheetValue
}

/** The column of a field: what it takes and how it is written are the field's own. */
export function factColumn(key: string, field: AnyField): FactColumn {
  return {
    key, label: field.label,
    read: (text) => {
      const value = field.fromSheet(text)
      const read = z.safeParse(field.schema as z.ZodMiniType, value)
      return value !== null && read.success ? read.data : null
    },
    write: (value) => (value === null || value === undefined ? null : field.toSheet(value as never)),
  }
}

/** A node that a sheet names. */
export interface SheetNode {
  /** Names from the top level down to the node. */
  readonly path: readonly string[]
  /** Row that names it first. */
  readonly row: number
  readonly facts: Readonly<Record<string, unknown>>
}

export interface SheetProblem {
  row: number
  message: string
}

export interface LevelSheet {
  /** Each node once, parents before children, in the order of the sheet. */
  nodes: SheetNode[]
  problems: SheetProblem[]
}

export const levelColumns = (depth: number): HeaderColumn[] => LEVELS.slice(0, depth).map((label, index) => ({ key: `l${index}`, label, required: index === 0, aliases: [`${label}名称`, `${label}标签`, `${label}知识点`, `${label}目录`] }))

/** Key under which a path is known. */
export const pathKey = (path: readonly string[]): string => path.join('\u0001')

/**
 * Reads the rows of a sheet whose first columns are the levels of a tree. A cell that is left empty before the last
 * filled one means the name above it, as people write them.
 * @param depth number of levels that the tree may have
 * @param longest most characters of a name
 */
export function readLevels(rows: readonly SheetRow[], depth: number, longest: number, facts: readonly FactColumn[]): LevelSheet {
  const columns = [...levelColumns(depth), ...facts.map(({ key, label }) => ({ key, label }))]
  const header = matchHeader(rows, columns)
  if (header.headerRowNumber === null || header.mapping['l0'] === undefined) return { nodes: [], problems: [{ row: 1, message: `没有找到表头，第一列应为「${LEVELS[0]}」` }] }
  const cell = (row: SheetRow, key: string) => {
    const at = header.mapping[key]
    const value = at === undefined ? undefined : row.cells[at]
    return value === undefined || isBlank(value) ? '' : foldText(cellText(value))
  }
  const found = new Map<string, SheetNode>()
  const problems: SheetProblem[] = []
  let above: string[] = []
  for (const row of rows) {
    if (row.rowNumber <= header.headerRowNumber) continue
    const names = Array.from({ length: depth }, (_, level) => cell(row, `l${level}`))
    const last = names.findLastIndex((name) => name !== '')
    if (last < 0) {
      problems.push({ row: row.rowNumber, message: '没有填写名称' })
      continue
    }
    const path = names.slice(0, last + 1).map((name, level) => name || (above[level] ?? ''))
    const gap = path.indexOf('')
    const long = path.find((name) => name.length > longest)
    if (gap >= 0) problems.push({ row: row.rowNumber, message: `缺少${LEVELS[gap]}的名称` })
    else if (long) problems.push({ row: row.rowNumber, message: `「${long.slice(0, 12)}…」超过 ${longest} 个字` })
    if (gap >= 0 || long) continue
    above = path
    const read: Record<string, unknown> = {}
    let wrong = false
    for (const fact of facts) {
      const text = cell(row, fact.key)
      if (text === '') continue
      const value = fact.read(text)
      if (value === null) {
        problems.push({ row: row.rowNumber, message: `${fact.label}「${text.slice(0, 12)}」无法识别` })
        wrong = true
      } else read[fact.key] = value
    }
    if (wrong) continue
    for (let level = 0; level <= last; level++) {
      const part = path.slice(0, level + 1)
      const key = pathKey(part)
      const known = found.get(key)
      if (level === last) found.set(key, { path: part, row: known?.row ?? row.rowNumber, facts: { ...known?.facts, ...read } })
      else if (!known) found.set(key, { path: part, row: row.rowNumber, facts: {} })
    }
  }
  return { nodes: [...found.values()], problems }
}

import { foldText } from '../field/field.ts'
import type { Cell, SheetRow } from './cell.ts'

/** Label of the column that an error report adds; a corrected report is uploaded again with it still there. */
export const REASON_LABEL = '错误原因'

/** How far down the header is looked for. */
const SEARCHED_ROWS = 20

/** What people write around a label to say whether it must be filled. */
const MARKS = /^\*+|\*+$|[([【](?:必填|选填|可选|非必填)[)\]】]$/g

/** A column that a file may hold. */
export interface HeaderColumn {
  key: string
  label: string
  required?: boolean
  /** Other names under which files call it. */
  aliases?: readonly string[]
}

/** What the person chose by hand in place of what was found. */
export interface HeaderChoice {
  /** Row that holds the labels. */
  headerRowNumber?: number
  /** Index of the file's column, 0-based, for a column key; null leaves the column out. */
  mapping?: Readonly<Record<string, number | null>>
}

export interface HeaderMatch {
  /** Row that holds the labels; the data begins below. Null when no row holds any known label. */
  headerRowNumber: number | null
  /** Index of the file's column, 0-based, for each column key that was found. */
  mapping: Record<string, number>
  /** Labels of the file that belong to no column. */
  unknown: string[]
  /** Labels of the required columns that the file lacks. */
  missing: string[]
  /** Labels of the columns that the file holds more than once; the first one is mapped. */
  duplicates: string[]
}

/**
 * Finds the header among the first rows of a file and says which column of the file holds what. Labels are compared
 * without regard to width, case, white space and marks such as `*` or `（必填）`.
 * @param rows the first rows; those past the twentieth are not looked at
 * @param choice what the person chose instead, taking precedence
 */
export function matchHeader(rows: readonly SheetRow[], columns: readonly HeaderColumn[], choice: HeaderChoice = {}): HeaderMatch {
  const keys = new Map<string, string>()
  for (const column of columns) {
    for (const name of [column.label, ...(column.aliases ?? [])]) {
      const comparable = normaliseLabel(name)
      if (!keys.has(comparable)) keys.set(comparable, column.key)
    }
  }
  const header = choice.headerRowNumber === undefined
    ? findHeader(rows.slice(0, SEARCHED_ROWS), keys)
    : rows.find((row) => row.rowNumber === choice.headerRowNumber)
  const found = mapCells(header?.cells ?? [], keys, choice.mapping ?? {})
  return {
    headerRowNumber: header?.rowNumber ?? null,
    mapping: Object.fromEntries(found.mapping),
    unknown: found.unknown,
    missing: columns.filter((column) => column.required && !found.mapping.has(column.key)).map((column) => column.label),
    duplicates: columns.filter((column) => found.repeated.has(column.key)).map((column) => column.label),
  }
}

/**
 * Says which required columns a file lacks.
 * @returns a sentence such as 缺少必填列：姓名、手机号, or null when none is missing
 */
export function missingSentence(missing: readonly string[]): string | null {
  return missing.length === 0 ? null : `缺少必填列：${missing.join('、')}`
}

function normaliseLabel(text: string): string {
  let label = foldText(text).replace(/\s+/g, '').toLowerCase()
  // Marks may stand one after another, as in 姓名*（必填）.
  for (let before = ''; before !== label;) {
    before = label
    label = label.replace(MARKS, '')
  }
  return label
}

/** The row with the most known labels, the first of equals; undefined when no row has any. */
function findHeader(rows: readonly SheetRow[], keys: ReadonlyMap<string, string>): SheetRow | undefined {
  let best: SheetRow | undefined
  let most = 0
  for (const row of rows) {
    const known = new Set(row.cells.map((cell) => keys.get(labelOf(cell))))
    known.delete(undefined)
    if (known.size > most) {
      most = known.size
      best = row
    }
  }
  return best
}

function mapCells(
  cells: readonly Cell[],
  keys: ReadonlyMap<string, string>,
  chosen: Readonly<Record<string, number | null>>,
): { mapping: Map<string, number>; unknown: string[]; repeated: Set<string> } {
  const mapping = new Map<string, number>()
  const repeated = new Set<string>()
  const unknown: string[] = []
  const taken = new Set<number | null>(Object.values(chosen))
  for (const [key, index] of Object.entries(chosen)) if (index !== null) mapping.set(key, index)
  for (const [index, cell] of cells.entries()) {
    const label = labelOf(cell)
    if (label === '' || label === REASON_LABEL || taken.has(index)) continue
    const key = keys.get(label)
    if (key === undefined) unknown.push(foldText(String(cell)))
    else if (Object.hasOwn(chosen, key)) continue
    else if (mapping.has(key)) repeated.add(key)
    else mapping.set(key, index)
  }
  return { mapping, unknown, repeated }
}

function labelOf(cell: Cell): string {
  return typeof cell === 'string' || typeof cell === 'number' ? normaliseLabel(String(cell)) : ''
}

import { docOf, rewriteBlocks, textOf, type Block, type Cell, type Inline, type RichDoc, type Table } from '../rich-text/rich-doc.ts'
import { inlinesOf } from '../rich-text/rich-doc.ts'
import type { PrintedRecord } from './calls.ts'

/** Between the name of a list of lines and the field of a line: `items:qty`. */
const LINE = ':'

/** Paths that a template asks for. */
export const pathsOf = (doc: RichDoc): string[] => [...new Set(inlinesOf(doc, 'field').map(({ path }) => path))]

/** Name of the lines that a path belongs to; undefined for a value of the record itself. */
export const lineOf = (path: string): string | undefined => (path.includes(LINE) ? path.slice(0, path.indexOf(LINE)) : undefined)

const fill = (values: Readonly<Record<string, string>>) => (inline: Inline): Inline[] => {
  if (typeof inline === 'string' || inline.t !== 'field' || !(inline.path in values)) return [inline]
  const text = values[inline.path] ?? ''
  // Nothing leaves room to write it by hand.
  return [textOf(text === '' ? '\u3000\u3000\u3000\u3000' : text, { ...(inline.b && { b: true }), ...(text === '' && { u: true }) })]
}

const cellsOf = (row: readonly Cell[]): Block[] => row.flatMap(({ c }) => c)

/** Name of the lines by which a row of a table repeats: of the first place in it that belongs to lines. */
function repeatedBy(row: readonly Cell[]): string | undefined {
  const doc: RichDoc = { t: 'doc', v: 1, c: cellsOf(row) }
  return inlinesOf(doc, 'field').map(({ path }) => lineOf(path)).find((name) => name !== undefined)
}

function repeatRows(table: Table, record: Pick<PrintedRecord, 'lines'>): Table {
  return {
    ...table,
    rows: table.rows.flatMap((row) => {
      const name = repeatedBy(row)
      if (name === undefined) return [row]
      return (record.lines[name] ?? []).map((values) => row.map((cell) => ({ ...cell, c: rewriteBlocks(cell.c, { inline: fill(Object.fromEntries(Object.entries(values).map(([key, value]) => [`${name}${LINE}${key}`, value]))) }) })))
    }),
  }
}

/** A template filled with one record: rows of lines repeat, and no place is left that says nothing. */
export function fillDoc(doc: RichDoc, record: PrintedRecord): RichDoc | null {
  const repeated = rewriteBlocks(doc.c, { block: (block) => [block.t === 'table' ? repeatRows(block, record) : block] })
  const known = Object.fromEntries(pathsOf({ t: 'doc', v: 1, c: repeated }).map((path) => [path, record.values[path] ?? '']))
  return docOf(rewriteBlocks(repeated, { inline: fill(known) }))
}

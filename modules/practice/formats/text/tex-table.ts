/** Tables that were typed as TeX: arrays with lines around their cells, tabulars, cells over several rows or columns. */
import { normaliseTex } from '../../../../core/rich-text/tex.ts'
import { compileTex } from '../../../../core/rich-text/tex-compile.ts'
import { paragraph, type Cell, type Inline, type Table } from '../../../../core/rich-text/rich-doc.ts'

/** Splits at a separator outside braces and inner environments. */
function splitTop(tex: string, separator: '&' | '\\\\'): string[] {
  const parts: string[] = []
  let depth = 0
  let from = 0
  for (let at = 0; at < tex.length; at++) {
    if (depth === 0 && tex.startsWith(separator, at) && !(separator === '&' && tex[at - 1] === '\\')) {
      parts.push(tex.slice(from, at))
      at += separator.length - 1
      from = at + 1
    } else if (tex.startsWith('\\begin', at)) depth++
    else if (tex.startsWith('\\end', at)) depth--
    else if (tex[at] === '\\') at++
    else if (tex[at] === '{') depth++
    else if (tex[at] === '}') depth--
  }
  return [...parts, tex.slice(from)]
}

/** The argument in braces at a place, and the place after it. */
function group(tex: string, at: number): [string, number] {
  const open = tex.indexOf('{', at)
  if (open < 0) return ['', tex.length]
  let depth = 0
  for (let end = open; end < tex.length; end++) {
    if (tex[end] === '\\') end++
    else if (tex[end] === '{') depth++
    else if (tex[end] === '}' && --depth === 0) return [tex.slice(open + 1, end), end + 1]
  }
  return [tex.slice(open + 1), tex.length]
}

/** Words and formulas of a cell. In an array words are in \text, in a tabular formulas are between dollars. */
function cellInlines(source: string, isTabular: boolean): Inline[] | null {
  const parts = isTabular ? source.split(/\$([^$]*)\$/) : source.split(/\\(?:text|mbox|textbf)\s*\{((?:[^{}]|\{[^{}]*\})*)\}/)
  const inlines: Inline[] = []
  for (const [index, part] of parts.entries()) {
    const isWords = (index % 2 === 0) === isTabular
    if (part.trim() === '') continue
    if (isWords) inlines.push(part.replace(/\\([%#&_{}$])/g, '$1').trim())
    else {
      const tex = normaliseTex(part)
      if (compileTex(tex)) return null
      inlines.push(/^[\d.]+$/.test(tex) ? tex : { t: 'tex', tex })
    }
  }
  return inlines
}

/**
 * Reads a formula that is a table.
 * @returns null when it is a formula after all, or when one of its cells cannot be read
 */
export function texTable(source: string): Table | null {
  const match = /^\s*\\begin\{(array|tabular)\}(?:\[[a-z]\])?\s*(?=\{)/.exec(source)
  if (!match) return null
  const isTabular = match[1] === 'tabular'
  const [columns, start] = group(source, match[0].length)
  const end = source.lastIndexOf(`\\end{${match[1]}}`)
  if (end < start || source.slice(end + `\\end{${match[1]}}`.length).trim() !== '') return null
  const body = source.slice(start, end).replace(/\\hline|\\(?:cline|cmidrule)\s*\{[^{}]*\}|\\(?:toprule|midrule|bottomrule)/g, ' ')
  const isDrawn = /\|/.test(columns) && /\\hline|\\cline/.test(source)
  const words = source.match(/\\text\s*\{[^{}]*[\u4e00-\u9fff]/g)?.length ?? 0
  if (!isTabular && !/\\multi(?:row|column)/.test(source) && !(isDrawn && words >= 2)) return null
  const rows: Cell[][] = []
  /** Rows that a cell above still covers, by column. */
  const covered: number[] = []
  for (const line of splitTop(body, '\\\\')) {
    if (line.trim() === '') continue
    const row: Cell[] = []
    let column = 0
    for (const one of splitTop(line, '&')) {
      let text = one.trim()
      const cell: Cell = { c: [] }
      const wide = /^\\multicolumn\s*\{\s*(\d+)\s*\}/.exec(text)
      if (wide) {
        if (Number(wide[1]) > 1) cell.colspan = Math.min(60, Number(wide[1]))
        text = group(text, group(text, wide[0].length)[1])[0].trim()
      }
      const tall = /^\\multirow\s*(?:\[[a-z]\])?\s*\{\s*(\d+)\s*\}/.exec(text)
      if (tall) {
        if (Number(tall[1]) > 1) cell.rowspan = Math.min(500, Number(tall[1]))
        text = group(text, group(text, tall[0].length)[1])[0].trim()
      }
      const isCovered = (covered[column] ?? 0) > 0
      for (let at = column; at < column + (cell.colspan ?? 1); at++) covered[at] = Math.max(0, (covered[at] ?? 0) - 1)
      if (cell.rowspan) for (let at = column; at < column + (cell.colspan ?? 1); at++) covered[at] = cell.rowspan - 1
      column += cell.colspan ?? 1
      if (isCovered && text === '') continue
      const inlines = cellInlines(text, isTabular)
      if (!inlines) return null
      row.push({ ...cell, c: inlines.length > 0 ? [paragraph(inlines)] : [] })
    }
    rows.push(row)
  }
  return rows.length > 0 && rows.length <= 500 ? { t: 'table', rows } : null
}

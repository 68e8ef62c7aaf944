/** LaTeX around formulas, as question sets are typed with it: it becomes words, room to write, lines and tables. */
import { rawTexIn } from '../../content/raw-tex.ts'
import type { Table } from '../../../../core/rich-text/rich-doc.ts'
import type { Token } from './flow.ts'
import { texTable } from './tex-table.ts'

const SIGNS: Readonly<Record<string, string>> = {
  textless: '<', textgreater: '>', textbackslash: '\\', ldots: '…', dots: '…', cdots: '…', times: '×', div: '÷', pm: '±', cdot: '·', le: '≤', leq: '≤', ge: '≥', geq: '≥', ne: '≠', neq: '≠', approx: '≈', degree: '°', circ: '°',
  rightarrow: '→', to: '→', angle: '∠', triangle: '△', therefore: '∴', because: '∵', infty: '∞', pi: 'π', alpha: 'α', beta: 'β', theta: 'θ', Delta: 'Δ', parallel: '∥', perp: '⊥',
}
const SPACES = /\\(?:q?quad|enspace|,|;|:|!| )|\\(?:hspace|vspace)\*?\s*\{[^{}]*\}|\\(?:noindent|hfill|centering|small|large|Large)(?![A-Za-z])\s?/g
const WRAPPED = /\\(?:text(?:bf|it|rm|sf|tt)?|emph|mbox|mathrm|mathbf)\s*\{([^{}]*)\}/g
const LINED = /\\(?:uline|underline)\s*\{((?:[^{}]|\{[^{}]*\})*)\}/g
const ENVIRONMENTS = /\\(?:begin|end)\{(?:center|flushleft|flushright|itemize|enumerate|document|minipage)\}(?:\[[^\]]*\]|\{[^{}]*\})?/g
const TABLE = /\\begin\{(tabular)\}[\s\S]*?\\end\{\1\}/g

/** Room to write between brackets that is typed as an empty formula: ($\quad$). */
export const withoutEmptyFormulas = (text: string) => text.replace(/([（(])\s*\$\s*(?:\\q?quad|\\hspace\{[^{}]*\}|\\[,;:! ]|~|\s)+\$\s*([)）])/g, '（　　）')
  .replace(/\$\s*\\underline\s*\{\s*(?:\\q?quad|\\hspace\{[^{}]*\}|\\[,;:! ]|~|\s)*\}\s*\$/g, '________')

function words(source: string): Token[] {
  if (!/\\/.test(source)) return [source]
  const plain = source.replace(ENVIRONMENTS, '\n').replace(/\\item(?![A-Za-z])\s*/g, '\n').replace(/\\(?:newline|par)(?![A-Za-z])\s?/g, '\n').replace(/\\\\[ \t]*(?=\s|$|[\u4e00-\u9fff])/g, '\n')
    .replace(SPACES, ' ').replace(/~/g, ' ').replace(WRAPPED, '$1').replace(/\^\s*\{?\\circ\}?/g, '°').replace(/\\([A-Za-z]+)(?![A-Za-z])\s?/g, (all, name: string) => SIGNS[name] ?? all).replace(/\\([%&#_{}$])/g, '$1')
  const tokens: Token[] = []
  let at = 0
  for (const match of plain.matchAll(LINED)) {
    tokens.push(plain.slice(at, match.index))
    const inside = match[1] ?? ''
    tokens.push(inside.trim() === '' ? '________' : { t: 'text', text: inside, u: true })
    at = match.index + match[0].length
  }
  return [...tokens, plain.slice(at)].filter((token) => token !== '')
}

/** Words with LaTeX in them as tokens; text without any stays as it is. */
export const texWords = (source: string): Token[] => (rawTexIn(source) === null ? [source] : words(source))

/** Text in pieces: tables that stand outside of formulas, and what is around them. Cells may hold formulas of their own. */
export function aroundTables(source: string): (string | Table)[] {
  const pieces: (string | Table)[] = []
  let at = 0
  for (const match of source.matchAll(TABLE)) {
    const isInFormula = (source.slice(at, match.index).match(/(?<!\\)\$/g)?.length ?? 0) % 2 === 1
    const table = isInFormula ? null : texTable(match[0])
    if (!table) continue
    pieces.push(source.slice(at, match.index), table)
    at = match.index + match[0].length
  }
  return [...pieces, source.slice(at)]
}

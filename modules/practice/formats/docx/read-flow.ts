/** A Word file of anybody as one text, in which questions are looked for by their numbers. */
import { paragraph, type Block, type Cell, type Inline } from '../../../../core/rich-text/rich-doc.ts'
import { splitMath } from '../../../../core/rich-text/tex.ts'
import { readTex, texErrorText } from '../../../../core/rich-text/tex-compile.ts'
import { problem, type Warning } from '../item.ts'
import { flat, flowDoc, type Token } from '../text/flow.ts'
import { texWords } from '../text/tex-words.ts'
import type { WordBlock, WordLine, WordMark, WordTable } from './body.ts'

/** A formula that does not compile is said where it stands. */
export type TexReader = (tex: string) => Token[]

export function texReader(warnings: Warning[]): TexReader {
  return (source) => {
    const { tex, error } = readTex(source)
    if (error) warnings.push(problem(`公式「${tex.slice(0, 30)}」${texErrorText(error)}`))
    return tex === '' ? [] : [{ t: 'tex', tex }]
  }
}

/** Words in which formulas may be typed between dollars. */
function words(text: string, tex: TexReader): Token[] {
  if (!/\$[^$]+\$|\\[([a-zA-Z]/.test(text)) return [text]
  return splitMath(text).pieces.flatMap((piece) => ('tex' in piece ? tex(piece.tex) : texWords(piece.text)))
}

function inlineTokens(inline: Inline | WordMark, tex: TexReader): Token[] {
  if (typeof inline === 'string') return words(inline.replace(/\t/g, '    '), tex)
  if (inline.t === 'mark') return [inline.text.replace(/\t/g, '    ')]
  if (inline.t === 'tex') return tex(inline.tex)
  return [inline.t === 'br' ? '\n' : inline.t === 'text' ? { ...inline, text: inline.text.replace(/\t/g, '    ') } : inline]
}

/** Runs of plain words, which programs split anywhere, as one. */
const joinedWords = (inlines: WordLine['inlines']) => inlines.reduce<WordLine['inlines']>((all, inline) => {
  const last = all.at(-1)
  if (typeof inline === 'string' && typeof last === 'string') all[all.length - 1] = last + inline
  else all.push(inline)
  return all
}, [])

function lineTokens(line: WordLine, tex: TexReader): Token[] {
  const tokens = joinedWords(line.inlines).flatMap((inline) => inlineTokens(inline, tex))
  const only = tokens.length === 1 ? tokens[0] : undefined
  // A picture or a formula on a line of its own is a block.
  const own: Token[] = typeof only === 'object' && only.t === 'img' ? [{ t: 'block', block: { t: 'image', asset: only.asset, ...(only.w ? { w: only.w } : {}) } }]
    : typeof only === 'object' && only.t === 'tex' && line.align === 'center' && !line.numbered ? [{ t: 'block', block: { t: 'math', tex: only.tex } }] : tokens
  const number = line.numbered?.text ? [`${line.numbered.text}${/[.．、）)]$/.test(line.numbered.text) ? '' : ' '}`] : []
  const format: Token[] = line.align === 'center' || line.align === 'right' ? [{ t: 'format', align: line.align }] : []
  return [...number, ...own, ...format, '\n']
}

const OPTION = /^\s*[A-HＡ-Ｈ]\s*[.．、)）]/
const NUMBER = /^\s*(?:\d{1,3}\s*[.．、](?!\d)|[（(]\d{1,2}[)）]\s*\S)/

/** Whether a table only places things: options side by side, or whole questions in its cells. */
function isFrame(cells: readonly string[]): boolean {
  const filled = cells.filter((text) => text.trim() !== '')
  const options = filled.filter((text) => OPTION.test(text)).length
  return (options >= 2 && options * 2 >= filled.length) || filled.some((text) => NUMBER.test(text) && /[A-D]\s*[.．、]|【答案】|[（(][\s\u3000]*[)）]/.test(text))
}

function tableTokens(table: WordTable, tex: TexReader): Token[] {
  const rows = table.rows.map((row) => row.map((cell) => ({ cell, tokens: flowTokens(cell.blocks, tex) })))
  if (isFrame(rows.flat().map(({ tokens }) => flat(tokens)))) {
    return rows.flatMap((row): Token[] => [...row.flatMap(({ tokens }, index): Token[] => [...(index > 0 ? ['    '] : []), ...(flat(tokens).trim().includes('\n') ? tokens : withoutEnd(tokens))]), '\n'])
  }
  const block: Block = {
    t: 'table',
    rows: rows.filter((row) => row.length > 0).map((row) => row.map(({ cell, tokens }): Cell => ({
      c: flowDoc(tokens)?.c.map((inner) => (inner.t === 'p' ? paragraph(inner.c, inner.align ? { align: inner.align } : {}) : inner)) ?? [],
      ...(cell.colspan ? { colspan: cell.colspan } : {}), ...(cell.rowspan ? { rowspan: cell.rowspan } : {}),
    }))),
  }
  return block.rows.length > 0 ? [{ t: 'block', block }, '\n'] : []
}

const withoutEnd = (tokens: readonly Token[]) => tokens.filter((token, index) => !(index === tokens.length - 1 && token === '\n'))

/** Everything in its order; numbers of automatic lists are written out. */
export function flowTokens(blocks: readonly WordBlock[], tex: TexReader): Token[] {
  return blocks.flatMap((block): Token[] => (block.kind === 'line' ? lineTokens(block, tex) : block.kind === 'table' ? tableTokens(block, tex) : flowTokens(block.blocks, tex)))
}

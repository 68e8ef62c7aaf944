import { textOf, type RichDoc } from './rich-doc.ts'
import { splitMath } from './tex.ts'

/** Plain text with $formulas$ in it; undefined when there is none, and the editor's own pasting is right. */
export function readPlain(text: string): RichDoc | undefined {
  if (!/\$[^$\n]+\$|\\\(|\\\[/.test(text)) return undefined
  const blocks = text.split(/\r?\n/).map((line) => ({ t: 'p' as const, c: splitMath(line).pieces.map((piece) => ('tex' in piece ? { t: 'tex' as const, tex: piece.tex } : textOf(piece.text))) }))
  return { t: 'doc', v: 1, c: blocks }
}

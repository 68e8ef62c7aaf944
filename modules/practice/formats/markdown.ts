/** Markdown of other banks: what stands inside a line becomes HTML; more than that is said. */
import { escapeXml } from './xml.ts'
import { uncertain, type Warning } from './item.ts'

/** Lists, headings, tables, pictures and code of several lines. */
const BLOCKS = /(?:^|\n)\s*(?:#{1,6}\s|[-*+]\s|\|.*\||>|```)|!\[[^\]]*\]\(/

/** Bold, italic and code of a text as HTML, its lines as lines. Formulas stay as they are. */
export function markdownHtml(source: string, warnings: Warning[]): string {
  if (BLOCKS.test(source)) warnings.push(uncertain('stem', 'Markdown 的列表、表格、标题或图片没有转换', source.slice(0, 24)))
  return source.split(/(\$[^$]*\$)/).map((part, index) => (index % 2 === 1 ? escapeXml(part) : escapeXml(part)
    .replace(/\*\*([^*\n]+)\*\*|__([^_\n]+)__/g, (_, one?: string, other?: string) => `<b>${one ?? other ?? ''}</b>`)
    .replace(/(?<![*\w])\*([^*\s][^*\n]*)\*(?![*\w])/g, '<i>$1</i>').replace(/`([^`\n]+)`/g, '$1'))).join('').replaceAll('\n', '<br>')
}

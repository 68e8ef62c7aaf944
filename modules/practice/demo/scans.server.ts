import { Readable } from 'node:stream'
import { sql } from 'drizzle-orm'
import type { Database } from '../../../core/database/database.server.ts'
import type { FileStore } from '../../../core/file/store.server.ts'
import { fileUrl } from '../../../core/file/url.ts'
import { seedTransaction } from '../../../core/setup/insert-many.server.ts'
import { seededRandom, type Random } from '../../../core/setup/random.ts'
import { STATUS } from '../bank/practice.ts'
import { claimContent, type NewPractice } from '../bank/write.server.ts'
import { docsOf, type QuestionContent } from '../content/question.ts'
import { formulasOf, plainText } from '../../../core/rich-text/rich-doc.ts'
import { escapeXml } from '../formats/xml.ts'

/** How many of the questions that wait to be checked have a scan, and which of them two pages. */
const SCANNED = 40
const TWO_PAGES = 5
/** Measures of a page, in pixels; a Chinese character is as wide as it is high. */
const PAGE = { width: 900, margin: 80, size: 26, line: 46 } as const

/** Lines of a text as a printer breaks them: words stay whole, and no line begins with what ends a sentence. Letters and digits take half the room. */
function broken(text: string): string[] {
  const room = (PAGE.width - 2 * PAGE.margin) / PAGE.size
  return text.split('\n').flatMap((paragraph) => {
    const lines = ['']
    let used = 0
    for (const [piece] of paragraph.matchAll(/[!-~]+|[^!-~]/gu)) {
      const width = /[ -~]/.test(piece) ? piece.length * 0.55 : 1
      if (used + width > room && !/[）。，；：？！”]/.test(piece)) {
        lines.push('')
        used = 0
      }
      lines[lines.length - 1] += piece
      used += width
    }
    return lines
  })
}

/** A page as a scanner gives it: grey, a little askew, dark along the fold, with dust on the glass. */
function scan(random: Random, page: number, texts: readonly string[]): string {
  const { width, margin, size, line } = PAGE
  const lines = texts.flatMap(broken)
  const height = Math.max(520, (lines.length + 5) * line)
  const dust = Array.from({ length: 14 }, () => `<circle cx="${random.int(20, width - 20)}" cy="${random.int(20, height - 20)}" r="${random.int(5, 16) / 10}"/>`).join('')
  const words = lines.map((text, index) => `<text x="${margin}" y="${margin + (index + 1.5) * line}">${escapeXml(text)}</text>`).join('')
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
<defs><linearGradient id="fold"><stop offset="0" stop-color="#8d8a83"/><stop offset="0.07" stop-color="#dedbd3"/><stop offset="1" stop-color="#e7e4dc"/></linearGradient></defs>
<rect width="${width}" height="${height}" fill="url(#fold)"/>
<g transform="rotate(${random.int(4, 12) / (random.chance(0.5) ? -10 : 10)} ${width / 2} ${height / 2})" fill="#35332f" font-family="SimSun, 'Songti SC', 'Noto Serif CJK SC', serif" font-size="${size}">${words}
<text x="${width / 2}" y="${height - line}" font-size="18" text-anchor="middle">· ${page} ·</text></g>
<g fill="#6f6c66" opacity="0.6">${dust}</g>
</svg>
`
}

/** What a printed page has of a question: the stem with its number, and the options; each a text of its own. */
function printed(random: Random, content: QuestionContent): string[] {
  const options = (one: QuestionContent) => one.options.map((option, index) => `${'ABCDEFG'[index] ?? ''}．${plainText(option.doc)}`).join(one.option_layout === 1 ? '\n' : '　　')
  const children = content.children.map((child, index) => [`（${index + 1}）${plainText(child.stem)}`, options(child)].filter(Boolean).join('\n')).join('\n')
  return [`${random.int(1, 22)}．${plainText(content.stem)}`, options(content), children].filter(Boolean)
}

/**
 * Gives some of the questions that are to be checked the page that they were typed from. Those with formulas are left
 * out: a page is drawn in plain letters.
 * @param rows questions that are not stored yet
 */
export async function addScanDemo(db: Database, files: FileStore, rows: readonly NewPractice[]): Promise<void> {
  const [admin] = await db.query<{ id: number }>(sql`select id from staff order by id limit 1`)
  if (!admin) return
  const random = seededRandom(5)
  const waiting: readonly (number | undefined)[] = [STATUS.first, STATUS.second, STATUS.final]
  const chosen = rows.filter(({ status, content }) => waiting.includes(status) && docsOf(content).every(({ doc }) => formulasOf(doc).length === 0)).slice(0, SCANNED)
  for (const [index, { content, facts }] of chosen.entries()) {
    const texts = printed(random, content)
    const first = random.int(2, 180)
    const pages = index % TWO_PAGES === 1 && texts.length > 1 ? [texts.slice(0, 1), texts.slice(1)] : [texts]
    for (const [nth, page] of pages.entries()) {
      const { id } = await files.put(Readable.from([Buffer.from(scan(random, first + nth, page))]), { name: `扫描 ${first + nth}.svg`, staffId: admin.id })
      facts.scans.push(fileUrl(id))
    }
  }
  await seedTransaction(db, async (tx) => {
    for (const { level, content, facts } of chosen) await claimContent(tx, admin, level, content, facts)
  })
}

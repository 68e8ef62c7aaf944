import { AlignmentType, Footer, PageNumber, PageOrientation, Paragraph, TextRun, convertMillimetersToTwip, type FileChild } from 'docx'
import type { FileStore } from '../../../core/file/store.server.ts'
import { docsOf, loadAssets, textRun, withHolesFrom, wordAnswer, wordPictures, wordQuestion, WordWriter } from '../../practice/door.server.ts'
import type { PracticeCard } from '../../practice/module.ts'
import { numbersOf, type Layout, type Piece } from './pieces.ts'

/** Sheets as they are printed (ISO 216), in millimetres; the wide one is written in two columns. */
const SHEETS = { a4: { width: 210, height: 297, columns: 1 }, a3: { width: 420, height: 297, columns: 2 } } as const
const MARGIN = 18
const GAP = 12

interface Written {
  readonly name: string
  readonly pieces: readonly Piece[]
  readonly layout: Layout
  readonly cards: readonly PracticeCard[]
}

/** A heading of the document; a new page begins with it where it says so. */
const heading = (text: string, size: number, page: boolean) => new Paragraph({ pageBreakBefore: page, keepNext: true, spacing: { before: 200, after: 100 }, children: [new TextRun({ text, bold: true, size })] })

/** A training material as a Word document: pages are numbered as those of the book. @returns the bytes of the file */
export async function writeMaterialWord({ name, pieces, layout, cards }: Written, files: FileStore): Promise<Uint8Array> {
  const byId = new Map(cards.map((card) => [card.id, card]))
  const numbers = numbersOf(pieces, (id) => byId.get(id)?.content.children.length ?? 1)
  const word = new WordWriter(wordPictures(await loadAssets(files, cards.flatMap(({ content }) => docsOf(content).map(({ doc }) => doc)))))
  const wordsOf = (key: string, card: PracticeCard) => {
    const { from = 1, to = 1 } = numbers.get(key) ?? {}
    return { content: withHolesFrom(card.content, from), facts: { number: `${from === to ? from : `${from}～${to}`}．`, ...(card.content.children.length > 1 && { childNumber: (index: number) => `${from + index}．` }) } }
  }
  const body = pieces.flatMap(({ key, kind, ref_id, text, page, lines }): FileChild[] => {
    if (kind === 'heading') return [heading(text, 30, page)]
    if (kind === 'text') return [new Paragraph({ pageBreakBefore: page, keepNext: true, spacing: { before: 120, after: 60 }, children: [new TextRun({ text, size: 24 })] })]
    const card = byId.get(ref_id)
    if (!card) return []
    const { content, facts } = wordsOf(key, card)
    return [
      ...(page ? [new Paragraph({ pageBreakBefore: true, children: [] })] : []),
      ...wordQuestion(word, content, facts),
      ...(layout.answers === 'after' ? wordAnswer(word, content, facts.childNumber ? { childNumber: facts.childNumber } : {}) : Array.from({ length: lines }, () => word.line([]))),
    ]
  })
  const answers = layout.answers !== 'apart' ? [] : [heading('参考答案', 30, true), ...pieces.flatMap(({ key, kind, ref_id }) => {
    const card = kind === 'practice' ? byId.get(ref_id) : undefined
    if (!card) return []
    const { content, facts } = wordsOf(key, card)
    return wordAnswer(word, content, { ...facts, short: true })
  })]
  const sheet = SHEETS[layout.paper]
  const margin = convertMillimetersToTwip(MARGIN)
  return word.pack({
    title: name,
    sections: [{
      properties: {
        page: {
          // The library turns a sheet that lies across by itself.
          size: { width: convertMillimetersToTwip(Math.min(sheet.width, sheet.height)), height: convertMillimetersToTwip(Math.max(sheet.width, sheet.height)), orientation: sheet.width > sheet.height ? PageOrientation.LANDSCAPE : PageOrientation.PORTRAIT },
          margin: { top: margin, bottom: margin, left: margin, right: margin }, pageNumbers: { start: layout.first_page },
        },
        ...(sheet.columns > 1 && { column: { count: sheet.columns, space: convertMillimetersToTwip(GAP) } }),
      },
      footers: { default: new Footer({ children: [new Paragraph({ alignment: AlignmentType.CENTER, children: [textRun(`${name}　`), new TextRun({ children: [PageNumber.CURRENT] })] })] }) },
      children: [...body, ...answers],
    }],
  })
}

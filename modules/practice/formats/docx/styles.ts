/** Styles of our Word documents. Those of marks say what a piece of text is; the reader finds the parts of a question by them. */
import { AlignmentType, BorderStyle, LevelFormat, type ILevelsOptions, type IStylesOptions } from 'docx'
import type { ListStyle } from '../../../../core/rich-text/rich-doc.ts'

/** Marks within a line: number and points of a question, letters of its options, names of its parts, room to write. */
export const MARK = {
  number: 'QNumber', child: 'QChild', score: 'QScore', letter: 'QLetter', tag: 'QTag', part: 'QPart', blankNo: 'QBlankNo', or: 'QOr', step: 'QStep',
  blank: 'QBlank', paren: 'QParen', hole: 'QHole', who: 'QWho', pending: 'QPending',
} as const
export type MarkStyle = (typeof MARK)[keyof typeof MARK]

/** Paragraphs that are more than text. */
export const LINE = {
  column: 'QOption', row: 'QOptionRow', grid: 'QOptionGrid', holeRow: 'QHoleRow', holeGrid: 'QHoleGrid', poem: 'QPoem', dialogue: 'QDialogue', writing: 'QWritingLine', figure: 'QFigure', caption: 'QCaption', formula: 'QFormula', audio: 'QAudio', head: 'QTableHead',
  /** Parts two blocks of one kind; nothing of the text. */
  spacer: 'QSpacer',
} as const
export type LineStyle = (typeof LINE)[keyof typeof LINE]

/** Tables that are drawn without lines, or as the squares of a composition. */
export const TABLE = { plain: 'QPlain', squares: 'QSquares' } as const

const FONT = { ascii: 'Times New Roman', hAnsi: 'Times New Roman', eastAsia: '宋体' }
/** A line to write on; paragraphs with the same borders are drawn as one box, so it stands between them too. */
const RULE = { style: BorderStyle.SINGLE, size: 4, color: '808080', space: 1 }
const none = { style: BorderStyle.NONE, size: 0, color: 'auto' }
export const NO_BORDERS = { top: none, bottom: none, left: none, right: none }

const line = (id: string, name: string, paragraph: object = {}, run: object = {}) => ({ id, name, basedOn: 'Normal', quickFormat: true, paragraph, run })

/**
 * Named styles of a document; text is 10.5 points (五号), lines at one and a third. The rule of a line is always named:
 * without it some programs take the number for an exact height and cut off what is higher, a fraction.
 */
export const WORD_STYLES: IStylesOptions = {
  default: { document: { run: { font: FONT, size: 21 }, paragraph: { spacing: { line: 320, lineRule: 'auto' } } } },
  paragraphStyles: [
    line(LINE.column, '选项竖排', { indent: { left: 420 } }),
    line(LINE.row, '选项横排', { indent: { left: 420 }, tabStops: [2300, 4600, 6900].map((position) => ({ type: 'left' as const, position: position + 420 })) }),
    line(LINE.grid, '选项两列', { indent: { left: 420 }, tabStops: [{ type: 'left', position: 4620 }] }),
    line(LINE.holeRow, '设空选项横排', { tabStops: [630, 2780, 4930, 7080].map((position) => ({ type: 'left' as const, position })) }),
    line(LINE.holeGrid, '设空选项两列', { tabStops: [630, 4830].map((position) => ({ type: 'left' as const, position })) }),
    line(LINE.poem, '诗词', { alignment: AlignmentType.CENTER }),
    line(LINE.dialogue, '对话', { indent: { left: 840, hanging: 840 } }),
    line(LINE.writing, '答题横线', { border: { bottom: RULE, between: RULE }, spacing: { line: 480, lineRule: 'auto' } }),
    line(LINE.figure, '图', { alignment: AlignmentType.CENTER }),
    line(LINE.caption, '图注', { alignment: AlignmentType.CENTER }, { size: 18 }),
    line(LINE.formula, '公式行', { alignment: AlignmentType.CENTER }),
    line(LINE.audio, '音频'),
    line(LINE.head, '表头', { alignment: AlignmentType.CENTER }, { bold: true }),
    line(LINE.spacer, '间隔', { spacing: { line: 60, lineRule: 'exact' } }, { size: 4 }),
  ],
  characterStyles: [
    ...[[MARK.number, '题号'], [MARK.child, '小题号'], [MARK.score, '分值'], [MARK.letter, '选项字母'], [MARK.part, '小问号'], [MARK.blankNo, '空号'], [MARK.or, '或'], [MARK.step, '步骤分'], [MARK.paren, '选择括号'], [MARK.pending, '待补公式']].map(([id = '', name]) => ({ id, name, run: {} })),
    { id: MARK.tag, name: '栏目', run: { bold: true } },
    { id: MARK.who, name: '说话人', run: { bold: true } },
    { id: MARK.blank, name: '填空', run: {} },
    { id: MARK.hole, name: '题干设空', run: { underline: { type: 'single' } } },
  ],
}

const FORMATS: Readonly<Record<ListStyle, readonly [(typeof LevelFormat)[keyof typeof LevelFormat], string]>> = {
  bullet: [LevelFormat.BULLET, '●'], decimal: [LevelFormat.DECIMAL, '%1.'], paren: [LevelFormat.DECIMAL, '（%1）'], circle: [LevelFormat.DECIMAL_ENCLOSED_CIRCLE, '%1'], letter: [LevelFormat.UPPER_LETTER, '%1.'],
}

/** Levels of one list; only its own depth is used. */
export function listLevels(style: ListStyle, start: number): ILevelsOptions[] {
  const [format, text] = FORMATS[style]
  return Array.from({ length: 9 }, (_, level) => ({
    level, format, start, text: text.replace('%1', `%${level + 1}`), alignment: AlignmentType.LEFT, style: { paragraph: { indent: { left: 420 * (level + 1), hanging: 420 } } },
  }))
}

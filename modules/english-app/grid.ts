/** The table in which the words of a unit are put in: what is pasted, filled down and sent. Pure. */
import { foldIpa, wrongSymbol } from './ipa.ts'
import { holdsWord } from './sentence.ts'
import { HEADWORD, PARTS_OF_SPEECH, WORD_LEVELS } from './word.ts'

/** Columns, in the order in which a sheet has them. */
export const COLUMNS = [
  { key: 'headword', label: '单词', width: 150 }, { key: 'pos', label: '词性', width: 70 }, { key: 'cn', label: '释义', width: 140 }, { key: 'uk', label: '英式音标', width: 130 }, { key: 'us', label: '美式音标', width: 130 },
  { key: 'level', label: '要求', width: 70 }, { key: 'sentence', label: '例句', width: 220 }, { key: 'sentence_cn', label: '例句译文', width: 180 },
] as const

export type Column = (typeof COLUMNS)[number]['key']
export type GridRow = Readonly<Record<Column, string>>

export const EMPTY_ROW: GridRow = { headword: '', pos: '', cn: '', uk: '', us: '', level: '', sentence: '', sentence_cn: '' }

const keys = COLUMNS.map(({ key }) => key)
export const isBlank = (row: GridRow): boolean => keys.every((key) => row[key].trim() === '')

/** A row that is always there to be typed into. */
export const withSpare = (rows: readonly GridRow[]): GridRow[] => (rows.length > 0 && isBlank(rows.at(-1) ?? EMPTY_ROW) ? [...rows] : [...rows, EMPTY_ROW])

/** Cells of a piece of a sheet; a cell in quotes may hold a line break. */
export function cellsOf(text: string): string[][] {
  const plain = text.replace(/"((?:[^"]|"")*)"/g, (_all, inside: string) => inside.replaceAll('""', '"').replace(/\s*\r?\n\s*/g, ' '))
  return plain.replace(/\r?\n$/, '').split(/\r?\n/).map((line) => line.split('\t').map((cell) => cell.trim()))
}

/** Puts a piece of a sheet into the table, its first cell at a place; headings that came with it are left out. */
export function paste(rows: readonly GridRow[], at: { row: number; column: Column }, text: string): GridRow[] {
  const cells = cellsOf(text)
  const lines = cells[0]?.[0] === COLUMNS[0].label ? cells.slice(1) : cells
  const from = keys.indexOf(at.column)
  const next = [...rows]
  for (const [place, line] of lines.entries()) {
    const row: Record<Column, string> = { ...(next[at.row + place] ?? EMPTY_ROW) }
    for (const [offset, value] of line.entries()) {
      const key = keys[from + offset]
      if (key) row[key] = value
    }
    next[at.row + place] = row
  }
  return withSpare(next)
}

/** The value of a cell goes to all rows below it that hold a word. */
export const fillDown = (rows: readonly GridRow[], at: { row: number; column: Column }): GridRow[] =>
  rows.map((row, place) => (place > at.row && row.headword.trim() !== '' ? { ...row, [at.column]: rows[at.row]?.[at.column] ?? '' } : row))

const found = <Value extends string | number>(choices: readonly { value: Value; label: string }[], typed: string): Value | undefined =>
  choices.find(({ value, label }) => [String(value), label, label.replace('.', '')].includes(typed.trim()))?.value

/** What is sent of a row. */
export interface SentWord {
  headword: string
  cn: string
  pos?: (typeof PARTS_OF_SPEECH)[number]['value']
  level?: (typeof WORD_LEVELS)[number]['value']
  uk?: string
  us?: string
  sentence?: string
  sentence_cn?: string
}

/** A row as it is sent, or what is wrong with it. */
export function readRow(row: GridRow): { readonly word: SentWord } | { readonly problem: string } {
  const at = (key: Column) => row[key].trim()
  const headword = at('headword').replaceAll('’', "'")
  if (headword === '') return { problem: '请填写单词' }
  if (!HEADWORD.test(headword)) return { problem: '单词应为英文' }
  if (at('cn') === '') return { problem: '请填写释义' }
  const [pos, level] = [found(PARTS_OF_SPEECH, at('pos')), found(WORD_LEVELS, at('level'))]
  if (at('pos') !== '' && pos === undefined) return { problem: `没有「${at('pos')}」这个词性` }
  if (at('level') !== '' && level === undefined) return { problem: '要求应为会读或会写' }
  for (const key of ['uk', 'us'] as const) {
    const wrong = wrongSymbol(at(key))
    if (wrong !== undefined) return { problem: `「${wrong}」不是 48 个音标中的符号` }
  }
  if (at('sentence') !== '' && !holdsWord(at('sentence'), headword, [])) return { problem: `例句中没有「${headword}」或它的词形` }
  return { word: {
    headword, cn: at('cn'), ...(pos && { pos }), ...(level && { level }), ...(at('uk') && { uk: foldIpa(at('uk')) }), ...(at('us') && { us: foldIpa(at('us')) }),
    ...(at('sentence') && { sentence: at('sentence'), sentence_cn: at('sentence_cn') }),
  } }
}

/** Words that stand in the table more than once, by their rows. */
export function doubles(rows: readonly GridRow[]): ReadonlySet<number> {
  const places = Map.groupBy(rows.keys(), (place) => rows[place]?.headword.trim().toLowerCase() ?? '')
  return new Set([...places].flatMap(([headword, own]) => (headword === '' ? [] : own.slice(1))))
}

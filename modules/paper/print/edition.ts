/** What can be printed of a paper (domain 3.6). */
export const EDITIONS = [
  { value: 'student', label: '学生版' },
  { value: 'teacher', label: '教师版' },
  { value: 'answers', label: '仅答案' },
  { value: 'sheet', label: '答题卡' },
] as const
export type Edition = (typeof EDITIONS)[number]['value']

/** A sheet of paper: its size and margins in millimetres, and how many columns of text it has. */
export interface Sheet {
  readonly value: 'a4' | 'a3'
  readonly label: string
  readonly width: number
  readonly height: number
  readonly margin: number
  readonly columns: number
  readonly gap: number
  /** Room for the sealing line at the left edge of the first page. */
  readonly seal: number
}

/** ISO 216; exam papers are printed on A4, or on A3 across in two columns. */
export const SHEETS: readonly [Sheet, Sheet] = [
  { value: 'a4', label: 'A4 单栏', width: 210, height: 297, margin: 18, columns: 1, gap: 0, seal: 12 },
  { value: 'a3', label: 'A3 两栏', width: 420, height: 297, margin: 18, columns: 2, gap: 12, seal: 14 },
]

/** Characters of a watermark at most: more of them cannot be read across a page. */
export const MAX_WATERMARK = 16

/** Size of its characters in points: as large as fits across an A4 page, and never larger than a heading's fivefold. */
export const watermarkSize = (words: string): number => Math.min(72, Math.floor(480 / words.length))

export interface PrintOptions {
  edition: Edition
  sheet: Sheet['value']
  /** The line behind which a learner writes the name, so that a person who marks does not see it. */
  seal: boolean
  /** Empty lines below each question that is answered in words. */
  blankLines: number
  /** Codes that lead to the explanation videos. */
  codes: boolean
  /** Pale words across each page; empty for none (domain 3.6). */
  watermark: string
}

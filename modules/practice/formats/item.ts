/** What every reader of question files hands over. */
import type { Part } from '../content/question-rules.ts'
import type { Question } from '../content/question.ts'

/** Something that a person should look at. A problem keeps the item from being taken over, a hint does not. */
export interface Warning {
  message: string
  level: 'problem' | 'hint'
  /** Part of the question that was read with doubt; the warning is shown there. */
  part?: Part
  /** What was guessed for that part, as people write it; empty when nothing could be guessed. */
  guess?: string
}

/** The section of a whole paper that a question stood in. */
export interface ItemSection {
  /** Its place among the sections, from 0. */
  at: number
  /** 第Ⅰ卷（选择题）, where it is the first of that part. */
  part: string
  /** 选择题 */
  name: string
  /** Its heading as the file has it, and what it says of how to answer. */
  title: string
  instruction: string
  /** How many questions and points its heading names. */
  count: number | null
  total: number | null
}

/** What a whole paper says of itself. */
export interface PaperHead {
  title: string
  /** 绝密★启用前 */
  secret: string
  notices: string[]
  minutes: number | null
  total: number | null
}

export interface ParsedItem {
  /** Where it stood: 第 3 题, 第 12 行, questions/q7.xml. */
  place: string
  /** Null when nothing could be made of it; then a problem says why. */
  question: Question | null
  warnings: Warning[]
  /** Where the file is a whole paper. */
  section?: ItemSection
}

/** A picture or sound of the file; documents name it `asset:<name>`. */
export interface Asset {
  name: string
  bytes: Uint8Array
  /** MIME type as the file says; it is looked at again when the asset is stored. */
  type: string
}

export interface Parsed {
  items: ParsedItem[]
  /** What concerns the whole file. */
  warnings: Warning[]
  assets: Map<string, Asset>
  /** Where the file is a whole paper. */
  head?: PaperHead
}

export const problem = (message: string): Warning => ({ message, level: 'problem' })
export const hint = (message: string): Warning => ({ message, level: 'hint' })

/**
 * A reading that may be wrong: it keeps the item from being taken over until somebody has looked at it.
 * @param part what was read with doubt
 * @param guess what was put there
 */
export const uncertain = (part: Part, message: string, guess = ''): Warning => ({ message, level: 'problem', part, guess })

/** Address of a picture inside a parsed file. */
export const assetAddress = (name: string) => `asset:${name}`

/** An item of which nothing could be made. */
export const lost = (place: string, message: string): ParsedItem => ({ place, question: null, warnings: [problem(message)] })

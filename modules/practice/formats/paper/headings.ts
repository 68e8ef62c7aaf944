/** Headings of a paper, in all their spellings: volumes, sections, answer parts. */
import { kindOf, type Kind } from '../text/facts.ts'

/** How the number of a heading is written; headings of one level are written alike. */
type Level = 'part' | 'chinese' | 'bracket' | 'roman' | 'none'

export interface SectionName {
  /** 第Ⅰ卷 is 1. */
  volume: number | null
  level: Level
  /** 一 is 1. */
  ordinal: number | null
  /** 选择题 */
  name: string
  kind: Kind | null
}

export interface Heading extends SectionName {
  at: number
  /** Where its line ends. */
  end: number
  /** Where what it announces may begin: behind the name, on the same line. */
  after: number
  /** Points of each question. */
  points: number | null
  /** Words of what is asked for stand in it; without them only its place in a row of headings makes it one. */
  sure: boolean
}

/** Where answers begin. */
export interface AnswerHeading {
  at: number
  after: number
  /** Section whose answers follow: 选择题答案. */
  section: SectionName | null
  /** A bare 答案 may as well be the answer of the question before it: what follows decides. */
  sure: boolean
}

const CHINESE = '一二三四五六七八九十'
const ROMAN = ['Ⅰ', 'Ⅱ', 'Ⅲ', 'Ⅳ', 'Ⅴ', 'Ⅵ', 'Ⅶ', 'Ⅷ']
const LATIN = ['I', 'II', 'III', 'IV', 'V', 'VI', 'VII', 'VIII']

/** The value of 三, 十二, Ⅲ, III or 3. */
function valueOf(text: string): number {
  if (/^\d+$/.test(text)) return Number(text)
  const roman = ROMAN.indexOf(text) >= 0 ? ROMAN.indexOf(text) : LATIN.indexOf(text)
  if (roman >= 0) return roman + 1
  const [tens, ones] = text.includes('十') ? text.split('十') : ['', text]
  return (text.includes('十') ? (tens ? CHINESE.indexOf(tens) + 1 : 1) * 10 : 0) + (ones ? CHINESE.indexOf(ones) + 1 : 0)
}

const N = `[${CHINESE}]{1,3}`
const R = `[${ROMAN.join('')}]|I{1,3}V?|VI{0,3}`
const VOLUME = new RegExp(`^第\\s*(${R}|[${CHINESE}]|\\d)\\s*卷\\s*`)
const ORDINALS: readonly (readonly [Level, RegExp])[] = [
  ['part', new RegExp(`^第\\s*(${N}|\\d{1,2}|${R})\\s*(?:部分|大题)\\s*[、.．:：]?\\s*`)],
  ['chinese', new RegExp(`^(?:大题\\s*)?(${N})\\s*(?:[、.．,，:：)）]|[ \\u3000\\t]+)\\s*`)],
  ['bracket', new RegExp(`^[（(]\\s*(${N})\\s*[)）]\\s*[、.．]?\\s*`)],
  ['roman', new RegExp(`^(${R})\\s*[、.．]\\s*`)],
]
/** What sections ask for. */
const ASKED = /题|卷|阅读|听力|写作|作文|默写|表达|填空|选择|解答|计算|判断|完形|翻译|改错|鉴赏|实验|作图|证明|简答|论述|语法|材料/
/** A heading without a number is nothing but the name of a kind, and what it is worth. */
const NAME_ALONE = /^(?:单项|多项|不定项|双项)?选择题?$|^[单多]选题?$|^(?:非选择|填空|判断|解答|计算|证明|简答|论述|实验|实验探究|作图|应用|综合|问答|材料分析|辨析|名词解释|必做|选做|主观|客观)题$|^(?:阅读理解|完形填空|语法填空|七选五|书面表达|作文|听力)$/
const MOST_NAME = 24

const lineStarts = (text: string): number[] => [...text.matchAll(/(?<=^|\n)[^\n]/g)].map((match) => match.index)
const lineAt = (text: string, at: number) => text.slice(at, text.indexOf('\n', at) < 0 ? undefined : text.indexOf('\n', at))

interface Line {
  section: SectionName
  /** Length of number and name, from the beginning of the line. */
  length: number
  /** Length of the name alone. */
  words: number
  rest: string
}

/** Number and name of a section at the beginning of a line; null when there is neither. */
function sectionIn(line: string): Line | null {
  const open = /^[\s\u3000]*[【[]?\s*/.exec(line)?.[0].length ?? 0
  let at = open
  const take = (pattern: RegExp) => {
    const match = pattern.exec(line.slice(at))
    if (match) at += match[0].length
    return match?.[1] ?? null
  }
  const volume = take(VOLUME)
  if (volume) take(/^[【[（(]?\s*/)
  let level: Level = 'none'
  let ordinal: number | null = null
  for (const [one, pattern] of ORDINALS) {
    const written: string | null = ordinal === null ? take(pattern) : null
    if (written) [level, ordinal] = [one, valueOf(written)]
  }
  const name = /^[^（(【[】\]）)：:。，,；;\d\n]*/.exec(line.slice(at))?.[0] ?? ''
  if (volume === null && ordinal === null && name.trim() === '') return null
  const clean = name.replace(/(?:参考|试题|标准)?答案.*$/, '').replace(/[\s\u3000]+/g, '')
  return { section: { volume: volume ? valueOf(volume) : null, level, ordinal, name: clean, kind: kindOf(clean) }, length: at + name.length, words: name.length, rest: line.slice(at + name.length) }
}

/** What may follow the name of a section: its points in brackets, how it is marked. */
const REMARK = /^\s*[】\]）)]?\s*(?:[（(【[][^（()）\n]{0,80}[)）】\]])?\s*[:：]?\s*/

/** All headings of sections, whether they head questions or answers. */
export function headingsIn(text: string): Heading[] {
  const found: Heading[] = []
  for (const index of lineStarts(text)) {
    const line = lineAt(text, index)
    const read = sectionIn(line)
    if (!read) continue
    const { section, length, words, rest } = read
    const isNumbered = section.ordinal !== null || section.volume !== null
    const asks = ASKED.test(section.name) && section.name.length <= MOST_NAME
    const remark = REMARK.exec(rest)?.[0] ?? ''
    // Without a number, the name and its remark are the whole line, or what follows is answers.
    const isAlone = NAME_ALONE.test(section.name) && (rest.slice(remark.length).trim() === '' || /^(?:\d{1,3}\s*[.．、:：)）\-–—~～至]|题号)/.test(rest.slice(remark.length)) || /^[：:]/.test(rest.trim()))
    if (!isNumbered && !isAlone) continue
    const kind = section.kind ?? kindOf(line.replace(/[（(].*$/, '').replace(/^.*?[、.．]/, '')) ?? kindOf(line)
    const each = /每(?:小?题|空)\s*(\d+(?:\.\d)?)\s*分/.exec(line)?.[1]
    const named = asks || isAlone
    // Words that name nothing are what follows the number: 二、略.
    found.push({ ...section, kind, at: index, end: index + line.length, after: index + (named ? length + remark.length : length - words), points: each ? Number(each) : null, sure: named || (isNumbered && ASKED.test(line.slice(0, 60))) })
  }
  return found
}

const ANSWERS = /^([^\n]{0,36}?)((?:参考|试题|标准|正确)?答案(?:(?:与|及|和)?(?:试题)?解析)?(?:(?:与|及|和)?评分(?:标准|参考|细则))?(?:部分|详解|卷)?)\s*[】\])）]?\s*[:：]?[ \t\u3000]*([^\n]*)$/
/** How a list of answers begins: a number or a range. */
export const BEGINS_LIST = /^\s*(?:(?:第\s*)?\d{1,3}\s*(?:题\s*)?(?:[.．、:：)）]|[-–—~～至]\s*\d)|[（(]\s*1\s*[)）])/

/** All lines with which answers may begin. */
export function answerHeadingsIn(text: string): AnswerHeading[] {
  const found: AnswerHeading[] = []
  for (const index of lineStarts(text)) {
    const line = lineAt(text, index)
    const match = line.includes('答案') ? ANSWERS.exec(line) : null
    if (!match) continue
    const [, before = '', word = '', tail = ''] = match
    const title = before.replace(/[【[\s\u3000]/g, '')
    if (/[。？！；,，?!;=＝]|(?<!解)答题|填[涂写在入]/.test(title) || (tail !== '' && !BEGINS_LIST.test(tail))) continue
    const section = sectionIn(line)?.section
    const named = section && (section.ordinal !== null || section.volume !== null || NAME_ALONE.test(section.name) || section.kind !== null && /^.{2,10}题$/.test(section.name)) ? section : null
    const isBare = title === ''
    const sure = isBare ? tail === '' && !/^(?:正确)?答案$/.test(word) : named !== null || /[题卷试测考练习作业学期]|[\u4e00-\u9fff]{4,}/.test(title)
    found.push({ at: index, after: index + line.length - tail.length, section: named, sure })
  }
  return found
}

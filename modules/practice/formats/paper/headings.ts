/** Headings of a paper, in all their spellings: volumes, sections, answer parts. */
import { kindOf, type Kind } from '../text/facts.ts'

/** How the number of a heading is written; headings of one level are written alike. */
type Level = 'part' | 'unit' | 'chinese' | 'bracket' | 'roman' | 'none'

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
  /** Points of each question, or of each blank in it. */
  points: number | null
  perBlank: boolean
  /** Whether each question is said to have one right option, or several. */
  single: boolean
  multiple: boolean
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
  ['unit', new RegExp(`^第\\s*(${N}|\\d{1,2})\\s*节\\s*[、.．:：]?\\s*`)],
  ['chinese', new RegExp(`^(?:大题\\s*)?(${N})\\s*(?:[、.．,，:：)）]|[ \\u3000\\t]+)\\s*`)],
  ['bracket', new RegExp(`^[（(]\\s*(${N})\\s*[)）]\\s*[、.．]?\\s*`)],
  ['roman', new RegExp(`^(${R})\\s*[、.．]\\s*`)],
]
/** What sections ask for. */
const ASKED = /题|卷|阅读|听力|写作|作文|默写|表达|填空|选择|解答|计算|判断|完形|翻译|改错|鉴赏|实验|作图|证明|简答|论述|语法|材料|拼写|词汇|词语|句子|句型|短文|对话|连线|辨析|探究|积累|运用|口语|口算|巩固|应用|操作|解决问题|填一填|选一选|判一判|算一算|做一做/
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
  if (ordinal !== null) take(new RegExp(`^[（(]\\s*${N}\\s*[)）]\\s*(?=\\d)`))
  const name = /^[^（(【[】\]）)：:。，,；;\d\n]*/.exec(line.slice(at))?.[0] ?? ''
  if (volume === null && ordinal === null && name.trim() === '') return null
  const clean = name.replace(/(?:参考|试题|标准)?答案.*$/, '').replace(/[\s\u3000]+/g, '').replace(/(?<=题)(?:共|计|共计|合计|满分)$/, '')
  return { section: { volume: volume ? valueOf(volume) : null, level, ordinal, name: clean, kind: kindOf(clean) }, length: at + name.length, words: name.length, rest: line.slice(at + name.length) }
}

/** What may follow the name of a section: its points in brackets, how it is marked. */
const REMARK = /^\s*[】\]）)]?\s*(?:[（(【[][^（()）\n]{0,80}[)）】\]])?\s*[:：]?\s*/

/** Several numbered questions share what follows or stands before: 阅读短文，完成 21～23 题. */
export const SHARED = /(?:完成|回答|做|解答)\s*(?:第|下面|下列)?\s*(?:第\s*)?(\d{1,3})\s*(?:题)?\s*[~～\-–—至到、和，]+\s*(?:第\s*)?(\d{1,3})\s*(?:小?题|各题|两题)/
/** What is asked for when only the line behind the heading says it. */
const TOLD: readonly (readonly [RegExp, Kind])[] = [
  [/短文后的选项中选出|从(?:方框|下面|所给).{0,12}选出.{0,10}(?:补全|空白处|还原)|有两项为?多余/, { type: 5, category: '七选五' }],
  [/选出.{0,8}(?:填入|空白处)/, { type: 5, category: '完形填空' }],
  [/(?:空白处|横线上|空白处)填入.{0,8}(?:单词|内容|词语)|填入\s*1?\s*个?(?:适当|恰当)/, { type: 5, category: '语法填空' }],
  [/听下[面列]|听(?:第|录音|短文|对话)/, { type: 6, category: '听力' }],
  [/阅读下[列面].{0,30}(?:选出|回答|完成)/, { type: 6, category: '阅读理解' }],
]
const told = (text: string) => TOLD.find(([pattern]) => pattern.test(text))?.[1] ?? null

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
    const below = text.slice(index + line.length + 1, index + line.length + 160).split('\n').slice(0, 2).join('')
    const kind = section.kind ?? kindOf(line.replace(/[（(].*$/, '').replace(/^.*?[、.．]/, '')) ?? (section.name === '' ? told(below) : null) ?? kindOf(line)
    const [, unit = '', each] = /每(小?题|空|格|个?词)\s*(\d+(?:\.\d)?)\s*分/.exec(line) ?? []
    const about = line + below
    const named = asks || isAlone
    // Words that name nothing are what follows the number: 二、略.
    found.push({ ...section, kind, at: index, end: index + line.length, after: index + (named ? length + remark.length : length - words), points: each ? Number(each) : null, perBlank: /[空格词]/.test(unit), single: /单选|单项|只有(?:一|1)\s*[项个]|的一项/.test(about) && !/多项?选|有多|多个|不定项/.test(about), multiple: /多选|多项|双选|双项/.test(section.name) && !/不定项/.test(about), sure: named || (isNumbered && ASKED.test(line.slice(0, 60))) })
  }
  return found
}

const ANSWERS = /^([^\n]{0,36}?)((?:参考|试题|标准|正确)?答案(?:(?:与|及|和)?(?:试题)?解析)?(?:(?:与|及|和)?(?:听力(?:材料|原文)|评分(?:标准|参考|细则)))?(?:部分|详解|卷)?|参考解答|评分(?:标准|参考|细则)|(?:answer\s*)?keys?|answers?)\s*[】\])）]?\s*[:：]?[ \t\u3000]*([^\n]*)$/i
/** How a list of answers begins: a number or a range. */
export const BEGINS_LIST = /^\s*(?:(?:第\s*)?\d{1,3}\s*(?:题\s*)?(?:[.．、:：)）]|[-–—~～至]\s*\d)|[（(]\s*1\s*[)）])/

/** All lines with which answers may begin. */
export function answerHeadingsIn(text: string): AnswerHeading[] {
  const found: AnswerHeading[] = []
  for (const index of lineStarts(text)) {
    const line = lineAt(text, index)
    const match = ANSWERS.exec(line)
    if (!match) continue
    const [, before = '', word = '', tail = ''] = match
    const title = before.replace(/[【[\s\u3000]/g, '')
    if (/[。？！；,，?!;=＝]|(?<!解)答题|填[涂写在入]|^\d+[.．、)）]|[我你]的|[A-Za-z]$/.test(title) || (tail !== '' && !BEGINS_LIST.test(tail))) continue
    const section = sectionIn(line)?.section
    const named = section && (section.ordinal !== null || section.volume !== null || NAME_ALONE.test(section.name) || section.kind !== null && /^.{2,10}题$/.test(section.name)) ? section : null
    const isBare = title === ''
    const sure = isBare ? tail === '' && !/^(?:正确)?答案$|^[a-z]/i.test(word) : named !== null || /[题卷试测考练习作业学期]|[\u4e00-\u9fff]{4,}/.test(title)
    found.push({ at: index, after: index + line.length - tail.length, section: named, sure })
  }
  return found
}

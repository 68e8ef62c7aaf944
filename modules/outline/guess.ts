/** Which node a file belongs to, by its name. Pure. */
import { foldText } from '../../core/field/field.ts'

/** A node as guesses need it. */
export interface Guessable {
  readonly key: string
  readonly name: string
  /** Names above it, from the top. */
  readonly above: readonly string[]
}

/** A node that a name may mean. */
export interface Guess {
  readonly key: string
  /** 0 to 1. */
  readonly confidence: number
}

/** Confidence from which a guess is taken until a person says otherwise; below it the person chooses. */
export const SURE = 0.75
/** Below this nothing is offered. */
const FAINT = 0.35

const DIGITS = '零一二三四五六七八九'
/** 十二 → 12 */
function fromChinese(words: string): number {
  if (!words.includes('十')) return Number([...words].map((one) => Math.max(0, DIGITS.indexOf(one === '〇' ? '零' : one))).join(''))
  const [tens = '', units = ''] = words.split('十')
  return (tens === '' ? 1 : DIGITS.indexOf(tens)) * 10 + (units === '' ? 0 : DIGITS.indexOf(units))
}

/** Names without suffix, with numbers as digits. */
function plain(name: string): string {
  return foldText(name.replace(/\.[A-Za-z0-9]{1,5}$/, '')).toLowerCase().replace(/[零〇一二三四五六七八九十]+(?=\s*[单元章节课讲时])/g, (words) => String(fromChinese(words)))
}

/** The number that a name gives its lesson: 第3讲, 课时 3, L03, 03-…. */
function lessonNumber(name: string): number | undefined {
  const found = /(?:第\s*(\d+)\s*(?:课时|课|讲|节)|课时\s*(\d+)|\b(?:lesson|l|p)\s*0*(\d+)\b|^0*(\d{1,3})(?=[\s_、-]|\.(?!\d)|$))/.exec(name)
  const digits = found?.slice(1).find((part) => part !== undefined)
  return digits === undefined ? undefined : Number(digits)
}

/** Numbers of the parts above: 第3章 and 3.2 mean section 2 of chapter 3. */
function sectionNumber(name: string): string | undefined {
  return /(?<![\d.])(\d+\.\d+)(?![\d])/.exec(name)?.[1]
}
const chapterNumber = (name: string): number | undefined => {
  const digits = /第\s*(\d+)\s*(?:章|单元)|\bunit\s*(\d+)/.exec(name)
  return digits ? Number(digits[1] ?? digits[2]) : undefined
}

/** The words of a name without numbers and signs. */
const words = (name: string): string => name.replace(/第\s*\d+\s*(?:课时|单元|[章节课讲])|课时\s*\d*|\b(?:lesson|unit)\s*\d*/g, '').replace(/[\d\s._\-—–、，,:：()（）[\]【】《》「」]/g, '')

const pairs = (text: string): Set<string> => new Set(Array.from({ length: Math.max(0, text.length - 1) }, (_, index) => text.slice(index, index + 2)))

/** How alike two texts are by the pairs of letters that they share, 0 to 1. */
function alike(a: string, b: string): number {
  if (a === '' || b === '') return 0
  if (a === b) return 1
  const [left, right] = [pairs(a), pairs(b)]
  if (left.size === 0 || right.size === 0) return a.includes(b) || b.includes(a) ? 0.5 : 0
  const shared = left.intersection(right).size
  const contained = a.includes(b) || b.includes(a) ? 0.2 : 0
  return Math.min(0.99, (2 * shared) / (left.size + right.size) + contained)
}

/**
 * The nodes that names of files may mean, best first, at most five for each. No two files are sure of one node: of those the
 * less like one has to be chosen by a person.
 * @param nodes lessons, in the order of the outline
 */
export function guessNodes(names: readonly string[], nodes: readonly Guessable[]): Guess[][] {
  const known = nodes.map((node, index) => {
    const name = plain(node.name)
    const chain = [...node.above.map(plain), name]
    return { ...node, index, text: words(name), number: lessonNumber(name), section: chain.map(sectionNumber).findLast((one) => one !== undefined), chapter: chain.map(chapterNumber).findLast((one) => one !== undefined) }
  })
  const guesses = names.map((file) => {
    const name = plain(file)
    const [text, number, section, chapter] = [words(name), lessonNumber(name), sectionNumber(name), chapterNumber(name)]
    return known.flatMap((node): Guess[] => {
      let confidence = alike(text, node.text) * 0.85
      if (section !== undefined && node.section !== undefined) confidence += section === node.section ? 0.12 : -0.4
      if (chapter !== undefined && node.chapter !== undefined) confidence += chapter === node.chapter ? 0.1 : -0.4
      // Where lessons carry no numbers of their own the third file is for the third one.
      const own = node.number ?? node.index + 1
      if (number !== undefined) confidence += own === number ? (text === '' ? (node.number === undefined ? 0.5 : 0.7) : 0.15) : node.number === undefined ? 0 : -0.15
      return confidence >= FAINT ? [{ key: node.key, confidence: Math.min(1, Math.round(confidence * 100) / 100) }] : []
    }).sort((a, b) => b.confidence - a.confidence).slice(0, 5)
  })
  const best = new Map<string, number>()
  for (const [first] of guesses) if (first) best.set(first.key, Math.max(best.get(first.key) ?? 0, first.confidence))
  const taken = new Set<string>()
  return guesses.map((own) => own.map((guess, index) => {
    const clash = index > 0 || guess.confidence < (best.get(guess.key) ?? 0) || taken.has(guess.key)
    if (index === 0 && !clash) taken.add(guess.key)
    // Two that are equally alike, and a node that fits another file better, are questions.
    const tie = index === 0 && (own[1]?.confidence ?? 0) > guess.confidence - 0.05
    return clash || tie ? { ...guess, confidence: Math.min(guess.confidence, SURE - 0.05) } : guess
  }))
}

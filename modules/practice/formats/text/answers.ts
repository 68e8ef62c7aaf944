/** Answers as people write them. */
import { cut, flat, trim, type Flow } from './flow.ts'

/** Text of an answer in which letters stand: formulas of letters are letters. */
export function plainAnswer(flow: Flow): string {
  return flow.map((token) => (typeof token === 'string' ? token : token.t === 'text' ? token.text : token.t === 'tex' ? token.tex.replace(/\\(?:mathrm|text|textbf|mathbf|rm|mathit)\s*|[{}~]|\\[,;! ]/g, '') : token.t === 'br' ? '\n' : token.t === 'format' ? '' : '\uFFFC')).join('').normalize('NFKC').trim()
}

const PREFIX = /^(?:【答案】|\[答案\]|(?:参考|正确|标准)?答案\s*(?:为|是|选|[:：])?|(?:故|应|本题|因此|所以)?\s*选\s*(?:择)?\s*[:：]?|答\s*[:：]|answer\s*[:：]?|the (?:correct )?answer is)\s*/i

/** Only letters of options and what parts them. */
const LETTERS = /^[\s(（[【]*([A-H]{1,8}|[A-H](?:[\s,，、;；.&/+和与]+[A-H])+)[\s)）\]】]*(?:项|选项)?[\s.．。;；]*$/

/** @returns the letters of a choice in order, or null when it is no answer of letters */
export function lettersOf(source: string): string[] | null {
  const text = source.normalize('NFKC').trim().replace(PREFIX, '').replace(PREFIX, '').trim()
  const only = LETTERS.exec(text) ?? (/^[a-h](?:[\s,，、;；]*[a-h])*$/.test(text) && text.replace(/[^a-h]/g, '').length <= 5 ? LETTERS.exec(text.toUpperCase()) : null)
  // Behind the letters may stand how they are marked: "AD（D给3分）".
  const noted = /^([A-H]{2,5})\s*[(（]/.exec(text) ?? /^([A-H])\s*[(（](?=[^()（）]{0,12}\d\s*分)/.exec(text)
  const letters = [...((only?.[1] ?? noted?.[1] ?? '').replace(/[^A-H]/g, ''))]
  // A letter that comes twice is the answer of another question.
  if (letters.length > 0) return new Set(letters).size === letters.length ? letters : null
  const first = /^[（(]?([A-H])[)）]?\s*(?:[.．、:：]|\s{1,3})\s*(?![A-H]\b|[和或与及])\S/.exec(text)
  return first?.[1] && !/^[A-H]\s+[a-z]/.test(text) ? [first[1]] : null
}

/** The letters that an explanation ends with, and whether it says that they are the answer: 故选：AC. */
export function lettersInAnalysis(source: string): { letters: string[]; sure: boolean } | null {
  const text = source.normalize('NFKC')
  const found = [...text.matchAll(/(?<![不未别])(故选|故本题选|应选|故答案(?:为|选|是)|正确答案(?:为|是|选)?|本题答案(?:为|是|选)?|答案(?:为|是|选)?|所以选|因此选|选择|可选|选)\s*[:：]?\s*[（(]?([A-H](?:[\s,，、]*[A-H])*)(?![a-z])/g)]
  const last = found.at(-1)
  if (!last?.[2]) return null
  const end = text.slice(last.index + last[0].length)
  return { letters: [...new Set(last[2].replace(/[^A-H]/g, ''))], sure: !['选', '选择', '可选'].includes(last[1] ?? '') && !/^\s*(?:项|选项)?(?:错|不)/.test(end) }
}

/** A stem that asks for what is wrong. */
const ASKS_WRONG = /错误|不正确|不符|不是|不能|不属于|不对|有误|不合|不可能|除了|失实|\bnot\b|except|incorrect/i

/**
 * The letters that an explanation says are right, surely: as its last words, or as the only option that it calls right.
 * @param stem asks for the right ones, or for the wrong ones
 */
export function explainedLetters(source: string, stem: string): string[] | null {
  const said = lettersInAnalysis(source)
  if (said?.sure) return said.letters
  const text = source.normalize('NFKC').trim()
  const last = /(?:^|[\s,，。;；])(?:故|所以|因此|应)?选\s*[:：]?\s*([A-H](?:[\s,，、]*[A-H])*)\s*[.。]?$/.exec(text)?.[1]
  if (last) return [...new Set(last.replace(/[^A-H]/g, ''))]
  if (ASKS_WRONG.test(stem)) return null
  const right = new Set([...text.matchAll(/(?<![A-Za-z])([A-H])\s*(?:项|选项)?\s*(?:是)?正确(?!的是)/g)].map((match) => match[1] ?? ''))
  const wrong = new Set([...text.matchAll(/(?<![A-Za-z])([A-H])\s*(?:项|选项)?\s*(?:是)?(?:错误|不正确|不对)/g)].map((match) => match[1] ?? ''))
  return right.size === 1 && ![...right].some((letter) => wrong.has(letter)) ? [...right] : null
}

const RIGHT = /^(?:正确|对|√|✓|✔|☑|true)$/i
const WRONG = /^(?:错误|错|不对|不正确|×|✗|✘|false)$/i
const SHORT_RIGHT = /^(?:是|T|right|yes|Y|1)$/i
const SHORT_WRONG = /^(?:否|x|F|wrong|no|N|0)$/i

/**
 * Whether a statement is right; null when it is no such answer.
 * @param expected the question is one of right and wrong, so that T, F, 1 and 0 are answers too
 */
export function truthOf(source: string, expected: boolean): boolean | null {
  const text = source.normalize('NFKC').trim().replace(PREFIX, '').replace(/\(\s*\d+(?:\.\d)?\s*分\s*\)$/, '').replace(/[.。()（）\s]/g, '')
  if (RIGHT.test(text) || (expected && SHORT_RIGHT.test(text))) return true
  return WRONG.test(text) || (expected && SHORT_WRONG.test(text)) ? false : null
}

const AMOUNTS: Readonly<Record<string, number>> = { 一: 1, 两: 2, 二: 2, 三: 3, 四: 4, 五: 5, l: 1 }
const GRADED = /([A-H])\s*项?\s*(?:[给得]\s*)?(\d|[一两二三四五l])\s*分/g

/**
 * Letters of an answer that gives points to each: 答E给3分，答A给2分，答C给1分.
 * @param wanted how many the question asks for
 */
export function gradedLetters(source: string, wanted: number): string[] | null {
  const text = source.normalize('NFKC')
  const given = [...text.matchAll(GRADED)].map((match) => ({ letter: match[1] ?? '', points: AMOUNTS[match[2] ?? ''] ?? Number(match[2]) }))
  if (given.length < 2) return null
  const best = given.toSorted((a, b) => b.points - a.points).slice(0, wanted)
  return best.map((one) => one.letter).sort()
}

/** How many options a stem asks for: 最恰当的两项. */
export function wantedCount(stem: string): number {
  const match = /([两二三四2-4])\s*项/.exec(stem.normalize('NFKC'))
  return match?.[1] ? (AMOUNTS[match[1]] ?? Number(match[1])) : 1
}

const SEPARATORS: readonly RegExp[] = [/\s*[;；]\s*/g, /\s*\n\s*/g, /\s*\|\s*/g, /[ \u00A0\u3000\t]{2,}/g, /\s*[,，]\s*/g, /\s*、\s*/g, /[ \u3000]+/g]

/** Parts between the matches of a pattern, none of them empty. */
function partsOf(flow: Flow, separator: RegExp): Flow[] {
  const text = flat(flow)
  const parts: Flow[] = []
  let from = 0
  for (const match of text.matchAll(separator)) {
    parts.push(slice(flow, from, match.index))
    from = match.index + match[0].length
  }
  parts.push(slice(flow, from, text.length))
  return parts.map(trim).filter((part) => flat(part).trim() !== '')
}

function slice(flow: Flow, from: number, to: number): Flow {
  return trim(cut(flow, from, to))
}

/** Numbers before answers that only repeat the order: (1) … (2) …, ①…②…. */
const ORDINALS = /(?:^|(?<=[\s;；,，。]))[1-9]\d{0,2}\s*[.．、](?!\d)\s*|[（(]\s*\d{1,2}\s*[)）]\s*[.．]?\s*|[①-⑳]\s*[.．]?\s*/g

/**
 * Splits what was written for several blanks.
 * @param count number of blanks, 0 when it is not known
 * @returns one flow for each blank, or null when the number of parts cannot be made to fit
 */
export function blankAnswers(flow: Flow, count: number): Flow[] | null {
  const whole = trim(flow)
  if (flat(whole).trim() === '') return null
  if (count === 1) return [dropEnd(dropOrdinal(whole))]
  const text = flat(whole)
  const ordinals = [...text.matchAll(ORDINALS)]
  // Numbered answers: every number begins one, or a line of several.
  if (ordinals.length >= 2 && ordinals[0]?.index === 0) {
    const numbered = ordinals.map((match, index) => slice(whole, match.index + match[0].length, ordinals[index + 1]?.index ?? text.length))
    if (count === 0 || numbered.length === count) return numbered.map(dropEnd)
    for (const separator of SEPARATORS) {
      const parts = numbered.flatMap((part) => partsOf(part, separator))
      if (parts.length === count) return parts.map(dropEnd)
    }
  }
  for (const separator of SEPARATORS) {
    const parts = partsOf(whole, separator)
    if (parts.length === count) return parts.map((part) => dropEnd(dropOrdinal(part)))
    if (count === 0 && parts.length > 1 && separator !== SEPARATORS.at(-1) && separator !== SEPARATORS[4] && separator !== SEPARATORS[5]) return parts.map((part) => dropEnd(dropOrdinal(part)))
  }
  return count === 0 ? [dropEnd(dropOrdinal(whole))] : null
}

const dropOrdinal = (flow: Flow): Flow => {
  const match = /^\s*(?:[（(]\s*\d{1,2}\s*[)）]|[①-⑳]|第[一二三四五六\d]空\s*[:：]?)\s*/.exec(flat(flow))
  return match ? trim(cut(flow, match[0].length)) : flow
}

/** A full stop after an answer belongs to the page, not to the answer. */
const dropEnd = (flow: Flow): Flow => {
  const text = flat(flow)
  const end = /\s*[.。．;；]\s*$/.exec(text)
  return end && end.index > 0 && !text.endsWith('..') ? trim(cut(flow, 0, end.index)) : flow
}

/** Alternatives of one blank: "that|which", "3 或 5", "color/colour" for words. */
export function alternatives(flow: Flow): Flow[] {
  const bars = partsOf(flow, /\s*[|｜]\s*|\s*\/\/\s*/g)
  if (bars.length > 1) return bars
  const text = flat(flow)
  if (/^[A-Za-z][A-Za-z' -]*(?:\s*\/\s*[A-Za-z][A-Za-z' -]*)+$/.test(text)) return partsOf(flow, /\s*\/\s*/g)
  const either = partsOf(flow, /\s*(?:或者?|或写成|\bor\b)\s*/g)
  // "x<1或x>2" is one answer; two words beside each other are two.
  return either.length > 1 && either.length <= 4 && either.every((part) => flat(part).length >= 1 && !/[<>≤≥=＜＞]/.test(flat(part)) && !part.some((token) => typeof token !== 'string' && token.t === 'tex' && /[<>=]|\\(?:le|ge|neq?|lt|gt)/.test(token.tex))) ? either : [flow]
}

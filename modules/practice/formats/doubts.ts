/** What is to be doubted in a question that was made of a record: texts that went nowhere, answers without their options, points that disagree. */
import { assetsOf } from '../../../core/rich-text/rich-doc.ts'
import { answerLetters, docsOf, type Question, type QuestionContent } from '../content/question.ts'
import type { Part } from '../content/question-rules.ts'
import { hint, uncertain, type Warning } from './item.ts'
import { ofOptions } from './paper/suspect.ts'
import { partsIn } from './text/compose-written.ts'
import { pointsIn, type Kind } from './text/facts.ts'
import { flowDoc, type Flow, type Token } from './text/flow.ts'
import { wholeAnswer, type Raw } from './text/raw.ts'

/** What a record said, before anything was made of it. */
export interface Told {
  raw: Raw
  /** Points, and whether they are those of each sub-question. */
  score: number | null
  scoreOfEach: boolean
  kind: Kind | null
}

/** Words that only frame a question: points, titles of its parts. */
const FRAME = /[\d分本小题满共计每空处合]|[A-H]/i
const TITLES = /【[^【】\n]{1,14}】|(?:参考|正确|标准)?答案\s*[:：]|(?<=^|\n)\s*解\s*[:：]|\[\[|\]\]|或者?|或写成|\bor\b/g

/** Words and formulas of a value that may be a document, a block or a flow, in their order. */
function wordsOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.map(wordsOf).join('')
  if (typeof value !== 'object' || value === null) return ''
  return Object.entries(value).map(([name, inner]) => (['c', 'text', 'tex', 'rows', 'items', 'lines', 'turns', 'who', 'block'].includes(name) ? wordsOf(inner) : '')).join('')
}

const lettersIn = (text: string) => text.normalize('NFKC').replace(/[^\p{L}\p{N}]/gu, '')

type Texts = Readonly<Record<'text' | 'answer' | 'analysis', Token[]>>

/** All texts of a record: passage, stem, options and sub-questions in one, its answers, its explanations. */
function textsOf({ text, options = [], answer, analysis = {}, children = [] }: Raw): Texts {
  const inner = children.map(textsOf)
  const join = (own: readonly Flow[], of: keyof Texts) => [...own, ...inner.map((one) => one[of])].flatMap((flow): Token[] => [...flow, '\n'])
  return { text: join([text, ...options], 'text'), answer: join([wholeAnswer(answer)], 'answer'), analysis: join(Object.values(analysis), 'analysis') }
}

/** Characters of a text that are nowhere in another one. */
function lostIn(source: string, found: string): string {
  const left = new Map<string, number>()
  for (const char of found) left.set(char, (left.get(char) ?? 0) + 1)
  return [...source].filter((char) => {
    const count = left.get(char) ?? 0
    left.set(char, count - 1)
    return count <= 0
  }).join('')
}

/** Length of a piece that is looked for in the whole. */
const PIECE = 4
/** Longest piece that a warning shows. */
const SHOWN = 24

/** Says what of a part of the record has no place in the question. */
function lostText(part: Part, name: string, flow: Flow, found: string): Warning[] {
  const source = lettersIn(wordsOf(flow).replace(TITLES, ''))
  const whole = lettersIn(found)
  const lost = [...lostIn(source, whole)].filter((char) => !FRAME.test(char)).join('')
  if (lost === '') return []
  const at = [...source].findIndex((_, index) => lost.includes(source[index] ?? '') && !whole.includes(source.slice(index, index + PIECE)))
  return [uncertain(part, `${name}中有文字没有读入：「${(at < 0 ? lost : source.slice(at)).slice(0, SHOWN)}」`)]
}

/** Pictures and sounds of the record that the question does not show. */
function lostPictures(flow: Flow, shown: readonly string[]): Warning[] {
  const lost = [...new Set(assetsOf(flowDoc(flow)))].filter((asset) => !shown.includes(asset))
  return lost.length > 0 ? [uncertain('stem', `有 ${lost.length} 个图片或音频没有放进题中`)] : []
}

/** A sentence between dollars: a sum of money was taken for a formula. */
const PROSE = /(?:^|[^\\a-zA-Z])[A-Za-z]{2,}[,.]?\s+[A-Za-z]{2,}[,.]?\s+[A-Za-z]{3,}/

/** Formulas that are sentences. */
function proseInMath(question: QuestionContent): Warning[] {
  const found = [...JSON.stringify(question).matchAll(/"tex":"((?:[^"\\]|\\.)*)"/g)].map((match) => JSON.parse(`"${match[1] ?? ''}"`) as string).find((tex) => PROSE.test(tex.replace(/\\(?:text|mathrm|operatorname|textbf|mbox)\s*\{[^{}]*\}/g, '')))
  return found === undefined ? [] : [uncertain('stem', '两个 $ 之间的文字像是句子，不像公式，可能是金额', found.slice(0, SHOWN))]
}

/** Places of pictures that stand in a text as words. */
const PLACEHOLDER = /<image[\s_]?\d*>|\[(?:image|img|图片?|图\d{1,2})\]|!\[[^\]]*\]\([^)]*\)|\b[\w/-]+\.(?:png|jpe?g|gif|svg|bmp|webp)\b/i

/** A picture of which only its name was found. */
function namedPictures(texts: Texts): Warning[] {
  const found = PLACEHOLDER.exec(wordsOf(Object.values(texts)))?.[0]
  return found === undefined ? [] : [uncertain('stem', `题中有图片的位置「${found.slice(0, 40)}」，图片没有读入`)]
}

const leavesOf = (question: QuestionContent): QuestionContent[] => (question.children.length > 0 ? question.children : [question])

/** A letter as a written answer: the options were not found. */
function bareLetter({ answer }: QuestionContent): string | null {
  const docs = answer.k === 'blanks' ? answer.b.flatMap((blank) => blank.accept) : answer.k === 'free' ? answer.parts.flatMap((part) => part.ref ?? []) : []
  const [only] = docs
  const [block] = only?.c ?? []
  const text = docs.length === 1 && only?.c.length === 1 && block?.t === 'p' && block.c.length === 1 && typeof block.c[0] === 'string' ? block.c[0].trim() : ''
  return /^[A-H]{1,5}[.．。]?$/.test(text) ? text : null
}

/** Options that bring a share of the points each: E给3分，D给2分. */
const GRADED = /[A-H]\s*项?\s*[给得]?\s*[\d一二两三四]\s*分/

/** Letters in groups of several, as answers of several places are: C；AB；E. */
const GROUPED = /(?<![A-Za-z])[A-H]\s*[;；]\s*[A-H]\s*[A-H](?![a-z])|(?<![A-Za-z])[A-H]\s*[A-H]\s*[;；]\s*[A-H](?![a-z])/

/** Room that a file shows: a line, brackets, an answer in double brackets. */
const SHOWN_ROOM = /[_＿﹍]{2,}|[（(][\s\u3000_]*[)）]|\[\[|[—﹣]{4,}/
/** What may stand behind a line at the end of a stem: a stop, a remark, a unit. */
const REST = /^(?:[（(][^（）()]{1,30}[)）]|(?:个单位(?:长度)?|种|个|条|次|人|元|项|名|对|组|块|张|米|千米|厘米|分钟|小时|度|年|天|倍)(?:得到|不同的?\S{0,4})?|[\s.．。；;])*$/

/** Where the line of a fill-in was lost, its place is certain at the end only. */
function restoredBlank(question: QuestionContent, text: Flow): Warning[] {
  if (question.type !== 3 || SHOWN_ROOM.test(wordsOf(text)) || text.some((token) => typeof token !== 'string' && token.t === 'blank')) return []
  const inline = (question.stem?.c ?? []).flatMap((block) => (block.t === 'p' ? block.c : []))
  const at = inline.findIndex((one) => typeof one !== 'string' && one.t === 'blank')
  const rest = wordsOf(inline.slice(at + 1))
  const blanks = inline.filter((one) => typeof one !== 'string' && one.t === 'blank').length
  if (at >= 0 && blanks === 1 && REST.test(rest.trim())) return []
  return [uncertain('stem', '题干中没有画线，空的位置是推测的', `${wordsOf(inline.slice(Math.max(0, at - 2), at)).slice(-12)}____${rest.slice(0, 12)}`)]
}

function points(question: Question, { raw, score, scoreOfEach }: Told): Warning[] {
  if (score === null) return []
  const text = wordsOf(raw.text).trim()
  const written = question.children.length > 0 ? null : (pointsIn(text.slice(0, 24)) ?? pointsIn(text.slice(-10)))
  if (written && written.points !== score && partsIn(raw.text).parts.length === 0) return [hint(`文件中的分值是 ${score}，题中写的是 ${written.points} 分，已按文件中的分值`)]
  const each = leavesOf(question).map((one) => one.score)
  const known = scoreOfEach && question.children.length > 0 ? each.find((one) => one !== score) : question.score === score ? undefined : question.score
  return known === undefined || known === null ? [] : [uncertain('score', `文件中的分值是 ${score}${scoreOfEach ? '（每小题）' : ''}，题中写的是 ${known} 分`, `${known} 分`)]
}

/**
 * Everything of a record that its question does not show for certain.
 * @param told the record's own texts
 */
export function doubtsOf(question: Question, told: Told): Warning[] {
  const leaves = leavesOf(question)
  const texts = textsOf(told.raw)
  const docs = docsOf(question)
  const words = (places: RegExp) => docs.filter(({ place }) => places.test(place)).map(({ doc }) => wordsOf(doc)).join('\n')
  const facts = `${question.source_paper ?? ''}${question.source_years.join('')}${question.source_order ?? ''}`
  const asked = told.kind?.type
  const isChoice = (asked === 1 || asked === 2) && question.children.length === 0 && question.type > 2
  const isJudged = leaves.every((one) => one.category === '判断题')
  return [
    ...lostText('stem', '题干', texts.text, words(/题干$|选项.$|空答案$/) + facts),
    ...(isJudged ? [] : lostText('answer', '答案', texts.answer, words(/./))),
    ...(GRADED.test(wordsOf(texts.answer)) && leaves.some((one) => one.answer.k === 'one' || one.answer.k === 'many') ? [uncertain('answer', '答案按选项给分，部分分没有保留', leaves.map(answerLetters).filter(Boolean).join('、'))] : []),
    ...(GROUPED.test(wordsOf(texts.answer)) && leaves.length === 1 && question.type <= 2 ? [uncertain('answer', '答案分为几组，像是几个空的答案', answerLetters(question))] : []),
    ...lostText('analysis', '解析', texts.analysis, words(/详解$|思路$|点评$|易错$|答案$/)),
    ...lostPictures(Object.values(texts).flat(), docs.flatMap(({ doc }) => assetsOf(doc))),
    ...(isChoice ? [uncertain('options', `标为${told.kind?.category || '选择题'}，但没有找到选项`)] : []),
    ...leaves.flatMap((one, index) => {
      const letter = isChoice ? null : bareLetter(one)
      return letter ? [uncertain('options', `${leaves.length > 1 ? `第 ${index + 1} 小题` : ''}答案是字母 ${letter}，但没有找到选项`)] : []
    }),
    ...(told.raw.options ? [] : ofOptions(question)),
    ...namedPictures(texts),
    ...proseInMath(question),
    ...restoredBlank(question, texts.text),
    ...points(question, told),
  ]
}

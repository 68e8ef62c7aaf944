/** Questions that are written: blanks to fill in, and free answers with their parts. */
import type { AnswerPart, BlankAnswer, BlankMatch, QuestionContent } from '../../content/question.ts'
import type { RichDoc } from '../../../../core/rich-text/rich-doc.ts'
import { hint, problem, uncertain, type Warning } from '../item.ts'
import { alternatives, blankAnswers, plainAnswer } from './answers.ts'
import { wholeAnswer, type Raw } from './raw.ts'
import { pointsIn } from './facts.ts'
import { cut, flat, flowDoc, isBlank, trim, type Flow } from './flow.ts'
import { answeredBlanks, blankAtEnd, blankIds, choiceParens, fillBlanks, gapsIn, lineBlanks, renumber } from './holes.ts'
import { chain, marksOf } from './markers.ts'

/** Words with which a question asks for more than something to fill in. */
const ASKS = /求证|证明|说明理由|简述|简要|分析|概括|论述|阐述|画出|作图|翻译|写出.{0,8}过程|计算|解方程|求[^，。]{1,20}的?(?:值|解析式|方程|面积|范围|概率)|谈谈|评价|赏析|为什么|如何|怎样|哪些|请你/

/** How an answer is compared: a number as a number, a formula as a formula, words without regard to spaces. */
function matchOf(accept: readonly RichDoc[], flows: readonly Flow[]): BlankMatch {
  const texts = flows.map((flow) => plainAnswer(flow))
  if (flows.some((flow) => flow.some((token) => typeof token !== 'string' && token.t === 'tex'))) return texts.every((text) => /^-?\d+(?:\.\d+)?$/.test(text)) ? 'numeric' : 'tex'
  if (texts.every((text) => /^-?\d+(?:\.\d+)?$/.test(text))) return 'numeric'
  if (texts.every((text) => /^[A-Za-z' -]+$/.test(text))) return 'ci'
  return accept.length > 0 ? 'nospace' : 'exact'
}

/** The answer of one blank with all that is accepted. */
export function blankAnswer(id: string, flow: Flow): BlankAnswer {
  const flows = alternatives(flow)
  const accept = flows.flatMap((one) => flowDoc(one) ?? [])
  return { id, accept, match: matchOf(accept, flows) }
}

/** A text that ends where something is to be written: "则 x = ." */
const breaksOff = (text: Flow) => /(?:[为是=＝得]|等于|\uFFFC)[ \u3000]*[.．。]?\s*$/.test(flat(text)) && (/[为是=＝]\s*[.．。]?\s*$/.test(flat(text)) || text.some((token) => typeof token !== 'string' && token.t === 'tex' && /=\s*(?:\\q?quad)?$/.test(token.tex)))

/** Whether a blank is the last of a text. */
const endsInBlank = (flow: Flow) => /\uFFFC[\s.．。,，;；]*(?:[（(][^（()）]*[)）]\s*)?$/.test(flat(flow))

/** Answers of numbered parts whose blanks are counted part by part: (1) 甲，乙 (2) 丙. */
function answersByPart(text: Flow, answer: Flow, count: number): Flow[] | null {
  const asked = partsIn(text).parts.map((part) => blankIds(fillBlanks(part.flow, 0)?.flow ?? []).length)
  const { head, parts } = partsIn(answer)
  if (parts.length < 2 || parts.length !== asked.length || !isBlank(head) || asked.reduce((sum, one) => sum + one, 0) !== count) return null
  const split = parts.map((part, index) => (asked[index] === 0 ? [] : blankAnswers(part.flow, asked[index] ?? 0)))
  return split.every((one): one is Flow[] => one !== null) ? split.flat() : null
}

/** Blanks of a stem with their answers, when both fit; null when it is no question of blanks. */
function fillIn(base: QuestionContent, text: Flow, raw: Raw, warnings: Warning[]): QuestionContent | null {
  const answer = wholeAnswer(raw.answer)
  const answered = answeredBlanks(text)
  if (answered.answers.length > 0 && (isBlank(answer) || raw.type === 3)) {
    const flow = renumber(answered.flow)
    return { ...base, type: 3, category: base.category ?? '填空题', stem: flowDoc(flow), answer: { k: 'blanks', b: blankIds(flow).map((id, index) => blankAnswer(id, answered.answers[index] ?? [])) } }
  }
  // A short answer to a text that breaks off at a blank, in a set of such questions or by its own look.
  const isShort = !isBlank(answer) && flat(trim(answer)).length <= 80 && !/[解证]\s*[:：]|故答案/.test(flat(answer))
  const isRecited = raw.likely !== 4 && /默写|名篇|名句|补写出下列(?:名|句子)/.test(flat(text).slice(0, 200))
  const isDeclared = raw.type === 3 || isRecited || (isShort && (raw.likely === 3 || (raw.likely !== 4 && flat(trim(answer)).length <= 30 && breaksOff(text))))
  const existing = blankIds(text).length
  const lined = fillBlanks(text, existing)
  const lines = existing || (lined && !lined.guessed ? blankIds(lined.flow).length : 0)
  if (isBlank(answer)) {
    if (!isDeclared) return null
    const blanks = lined && !lined.guessed ? lined.flow : blankAtEnd(text)
    warnings.push(problem('没有答案'))
    return { ...base, type: 3, category: base.category ?? '填空题', stem: flowDoc(blanks), answer: { k: 'blanks', b: [] } }
  }
  let answers = lines > 0 ? (answersByPart(text, answer, lines) ?? blankAnswers(answer, lines)) : null
  const gaps = lines === 0 && isDeclared ? gapsIn(text) : 0
  if (gaps > 1) answers = blankAnswers(answer, gaps)
  if (!answers && gaps > 1) warnings.push(uncertain('stem', `题干像是有 ${gaps} 空，答案有 ${blankAnswers(answer, 0)?.length ?? 0} 处`, flat(answer).slice(0, 40)))
  if (!answers && isDeclared) answers = lines > 1 ? null : blankAnswers(answer, lines === 1 ? 1 : 0)
  if (!answers) {
    if (!isDeclared) return null
    // The text shows another number of places than the answer has parts.
    answers = blankAnswers(answer, 0) ?? []
    warnings.push(uncertain('answer', `题干有 ${lines} 空，答案有 ${answers.length} 处`, flat(answer).slice(0, 40)))
  }
  const isPlainFill = lines > 0 && lines === answers.length && !flat(text).trim().includes('\n') && answers.every((one) => flat(one).length <= 16)
  // Several numbered questions with blanks in them are a written question as a whole.
  if (!isDeclared && (raw.likely === 4 || answers.some((one) => flat(one).length > 60) || chain(marksOf(flat(text), 'paren'), 1).length >= 2 || (ASKS.test(flat(text)) && !isPlainFill))) return null
  const placed = fillBlanks(text, answers.length)
  const flow = placed ? placed.flow : blankAtEnd(text)
  // Where the text breaks off nothing else can be meant; any other place is a guess.
  if (!placed || placed.guessed) warnings.push((placed ? placed.guessed && answers.length === 1 && endsInBlank(flow) : breaksOff(text)) ? hint('题干中没有画线，已补上空的位置，请核对') : uncertain('stem', '题干中没有画线，补上的空可能不在原处'))
  const holes = renumber(flow)
  const ids = blankIds(holes)
  // More places than answers: what is left over goes to the last one; fewer: the last place takes the rest.
  const given = ids.map((id, index) => blankAnswer(id, index === ids.length - 1 && answers.length > ids.length ? joined(answers.slice(index)) : (answers[index] ?? [])))
  return { ...base, type: 3, category: base.category ?? '填空题', stem: flowDoc(holes), answer: { k: 'blanks', b: given.filter((blank) => blank.accept.length > 0) } }
}

const joined = (flows: readonly Flow[]): Flow => flows.flatMap((flow, index) => (index === 0 ? [...flow] : ['；', ...flow]))

/** Parts (1), (2) … of an answer or a stem, at the beginnings of lines or, failing that, within them. */
export function partsIn(flow: Flow): { head: Flow; parts: { no: number; flow: Flow }[] } {
  const text = flat(flow)
  const leading = chain(marksOf(text, 'paren'), 1)
  const within = [...text.matchAll(/(?<=^|[\s。；;．.：:\uFFFC])[（(]\s*(\d{1,2})\s*[)）]\s*/g)].map((match) => ({ n: Number(match[1]), at: match.index, end: match.index + match[0].length }))
  const inside = chain(within, 1)
  const marks = leading.length >= inside.length ? leading : inside
  if (marks.length === 0 || (marks.length === 1 && marks[0]?.at !== 0)) return { head: flow, parts: [] }
  return {
    head: trim(cut(flow, 0, marks[0]?.at ?? 0)),
    parts: marks.map((mark, index) => ({ no: mark.n, flow: trim(cut(flow, mark.end, marks[index + 1]?.at ?? Infinity)) })),
  }
}

/** Points of the parts of a stem, when every part has them and they add up. */
function partPoints(text: Flow, count: number, score: number | null): number[] | null {
  const { parts } = partsIn(text)
  const points = parts.map((part) => pointsIn(flat(part.flow))?.points)
  const all = points.filter((one): one is number => one !== undefined)
  if (all.length !== count || parts.length !== count) return null
  return score === null || Math.abs(all.reduce((sum, one) => sum + one, 0) - score) < 0.001 ? all : null
}

function free(base: QuestionContent, text: Flow, raw: Raw, warnings: Warning[]): QuestionContent {
  const answer = trim(wholeAnswer(raw.answer))
  // Some files put the whole solution into the explanation.
  const solution = raw.analysis?.solution
  const source = isBlank(answer) && solution && !isBlank(solution) ? trim(solution) : answer
  if (isBlank(answer) && !isBlank(source)) warnings.push(hint('没有单独的答案，已取解析作为答案'))
  const { head, parts } = partsIn(source)
  const numbered = parts.length > 0 && isBlank(head)
  const points = numbered ? partPoints(text, parts.length, base.score) : null
  const answers: AnswerPart[] = numbered
    ? parts.map((part, index) => ({ no: part.no, ref: flowDoc(part.flow), steps: [], ...(points ? { score: points[index] ?? 0 } : {}) }))
    : [{ no: 0, ref: flowDoc(source), steps: [] }]
  // A part without a word has no answer in the file.
  const kept = answers.filter((part) => part.ref !== null)
  if (kept.length < answers.length && kept.length > 0) warnings.push(hint(`第 ${answers.filter((part) => !part.ref).map((part) => `（${part.no}）`).join('')} 问没有答案`))
  if (kept.length === 0) warnings.push(problem('没有答案'))
  // What has been worked out in the answer explains it.
  const isWorked = base.analysis.solution === null && base.analysis.hint === null && !isBlank(answer) && flat(answer).length > 60 && /解\s*[:：]|证明?\s*[:：]|[∵∴]|\\because|\\therefore|因为|所以|从而|可得/.test(answer.map((token) => (typeof token === 'string' ? token : token.t === 'tex' ? token.tex : token.t === 'text' ? token.text : '')).join(''))
  if (isWorked) {
    warnings.push(hint('没有单独的解析，已取解答过程'))
    return { ...base, type: 4, category: base.category ?? '解答题', analysis: { ...base.analysis, solution: flowDoc(answer) }, stem: flowDoc(choiceParens(lineBlanks(text))), answer: { k: 'free', parts: kept } }
  }
  return { ...base, type: 4, category: base.category ?? '解答题', stem: flowDoc(choiceParens(lineBlanks(text))), answer: { k: 'free', parts: kept } }
}

/** A question that is filled in or answered freely. */
export function composeWritten(base: QuestionContent, text: Flow, raw: Raw, warnings: Warning[]): QuestionContent {
  if (raw.type !== 4) {
    const filled = fillIn(base, text, raw, warnings)
    if (filled) return filled
  }
  return free(base, text, raw, warnings)
}

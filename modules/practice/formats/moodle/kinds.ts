/** Kinds of questions that Moodle has, as ours. */
import { emptyContent, NO_ANALYSIS, type AnswerPart, type BlankAnswer, type Option, type QuestionContent } from '../../content/question.ts'
import { fittingLayout, TRUE_FALSE } from '../../content/question-rules.ts'
import { docOf, inlineDoc, paragraph, plainDoc, plainText, type RichDoc } from '../../../../core/rich-text/rich-doc.ts'
import { bestAnswers, bestOption, rangeOf, sharedOptions, toleranceOf } from '../credit.ts'
import { hint, uncertain } from '../item.ts'
import { choiceStem } from '../text/raw.ts'
import { flat, flowDoc, replaceFlow, trim, type Token } from '../text/flow.ts'
import { lineBlanks } from '../text/holes.ts'
import { attr, child, elements, textIn, type XmlElement } from '../xml.ts'
import { moodleDoc, moodleFlow, type MoodleReading } from './texts.ts'

type Kind = (element: XmlElement, reading: MoodleReading) => QuestionContent | string

const fraction = (element: XmlElement) => Number(attr(element, 'fraction') ?? 0)
const isOn = (element: XmlElement | undefined) => ['1', 'true', 'yes'].includes(textIn(element).trim().toLowerCase())

/** Explanations: the general one, and what is said of single answers. */
function analysis(element: XmlElement, reading: MoodleReading, answers: readonly XmlElement[], letter: (index: number) => string): QuestionContent['analysis'] {
  const general = moodleDoc(child(element, 'generalfeedback'), reading)
  const single = answers.flatMap((one, index) => {
    const doc = moodleDoc(child(one, 'feedback'), reading)
    return doc ? [paragraph([`${letter(index)}：`]), ...doc.c] : []
  })
  const hints = elements(element, 'hint').flatMap((one) => moodleDoc(one, reading)?.c ?? [])
  return { ...NO_ANALYSIS, hint: docOf(hints), solution: docOf([...(general?.c ?? []), ...single]) }
}

const letterOf = (index: number) => String.fromCodePoint(65 + index)
const stemOf = (element: XmlElement, reading: MoodleReading, setting = choiceStem) => moodleDoc(child(element, 'questiontext'), reading, setting)

const multichoice: Kind = (element, reading) => {
  const answers = elements(element, 'answer')
  const options = answers.map((one, index): Option => ({ id: `o${index + 1}`, doc: moodleDoc(one, reading) }))
  const isMany = child(element, 'single') !== undefined && !isOn(child(element, 'single'))
  const key = (isMany ? sharedOptions : bestOption)(answers.map(fraction))
  reading.warnings.push(...key.said)
  const right = key.right.map((place) => `o${place + 1}`)
  const base = { stem: stemOf(element, reading), options, option_layout: fittingLayout(options), analysis: analysis(element, reading, answers, letterOf) }
  if (!isMany) return { ...emptyContent(1), ...base, category: '单选题', answer: { k: 'one', ok: right[0] ?? null } }
  return { ...emptyContent(2), ...base, category: right.length === 1 ? '不定项选择题' : '多选题', answer: { k: 'many', ok: right, rule: answers.some((one) => fraction(one) < 0) ? 'gaokao' : 'partial' } }
}

/** All right options have to be chosen. */
const multichoiceset: Kind = (element, reading) => {
  const right = elements(element, 'answer').filter((one) => fraction(one) > 0).length
  const made = multichoice({ ...element, children: element.children.map((one) => (typeof one === 'string' || one.name !== 'answer' ? one : { ...one, attrs: { ...one.attrs, fraction: String(fraction(one) > 0 ? 100 / right : 0) } })).concat({ name: 'single', prefix: '', attrs: {}, children: ['false'], line: element.line }) }, reading)
  return typeof made !== 'string' && made.answer.k === 'many' ? { ...made, answer: { ...made.answer, rule: 'all' } } : made
}

const truefalse: Kind = (element, reading) => {
  const right = elements(element, 'answer').filter((one) => fraction(one) > 0).sort((a, b) => fraction(b) - fraction(a))[0]
  const isTrue = /^(?:true|正确|对|是|√)/i.test(textIn(child(right, 'text')).trim())
  return {
    ...emptyContent(1), stem: stemOf(element, reading), category: TRUE_FALSE, options: [{ id: 'o1', doc: plainDoc('正确') }, { id: 'o2', doc: plainDoc('错误') }], option_layout: 2,
    answer: { k: 'one', ok: right ? (isTrue ? 'o1' : 'o2') : null }, analysis: analysis(element, reading, elements(element, 'answer'), (index) => (index === 0 ? '选“正确”' : '选“错误”')),
  }
}

/** Room to write at the end when the text has none; one blank in any case. */
function blankStem(element: XmlElement, reading: MoodleReading): RichDoc | null {
  const flow = lineBlanks(trim(moodleFlow(child(element, 'questiontext'), reading)))
  const has = flow.some((token) => typeof token !== 'string' && token.t === 'blank')
  return flowDoc(has ? flow : [...flow, { t: 'blank', id: 'b1' }])
}

const shortanswer: Kind = (element, reading) => {
  const answers = elements(element, 'answer')
  const key = bestAnswers(answers.map((one) => ({ element: one, text: textIn(child(one, 'text')).trim(), credit: fraction(one) })), { isPattern: true })
  reading.warnings.push(...key.said)
  const accept = key.right.flatMap((one) => flowDoc(moodleFlow(one.element, reading)) ?? [])
  return { ...emptyContent(3), stem: blankStem(element, reading), category: '填空题', answer: { k: 'blanks', b: [{ id: 'b1', accept, match: isOn(child(element, 'usecase')) ? 'exact' : 'ci' }] }, analysis: analysis(element, reading, answers, (index) => `答案 ${index + 1}`) }
}

const numerical: Kind = (element, reading) => {
  const answers = elements(element, 'answer').filter((one) => fraction(one) > 0)
  const key = bestAnswers(answers.map((one) => ({ text: textIn(child(one, 'text')).trim() || textIn(one).trim().split(/\s/)[0] || '', credit: fraction(one), eps: Number(textIn(child(one, 'tolerance')) || 0) })), { isPattern: true })
  const { eps, said } = toleranceOf(key.right.map((one) => ({ value: one.text, eps: one.eps })))
  reading.warnings.push(...key.said, ...said)
  const units = elements(child(element, 'units'), 'unit').map((unit) => textIn(child(unit, 'unit_name')).trim()).filter(Boolean)
  if (units.length > 0) reading.warnings.push(uncertain('answer', `答案可带单位 ${units.join('、')}，单位的换算和扣分没有保留`, key.right[0]?.text ?? ''))
  const accept = key.right.flatMap((one) => plainDoc(one.text) ?? [])
  return { ...emptyContent(3), stem: blankStem(element, reading), category: '填空题', answer: { k: 'blanks', b: [{ id: 'b1', accept, match: 'numeric', ...(eps > 0 ? { eps } : {}) }] }, analysis: analysis(element, reading, answers, (index) => `答案 ${index + 1}`) }
}

const essay: Kind = (element, reading) => {
  const ref = moodleDoc(child(element, 'graderinfo'), reading)
  const explained = analysis(element, reading, [], letterOf)
  if (textIn(child(element, 'responsetemplate', 'text')).trim() !== '') reading.warnings.push(hint('作答模板没有保留'))
  const parts: AnswerPart[] = [{ no: 0, ref: ref ?? explained.solution, steps: [] }]
  if (!ref && explained.solution) reading.warnings.push(hint('没有评分说明，已取反馈作为参考答案'))
  return { ...emptyContent(4), stem: stemOf(element, reading), category: '解答题', answer: { k: 'free', parts }, analysis: explained }
}

const matching: Kind = (element, reading) => {
  const pairs = elements(element, 'subquestion').map((one) => ({ stem: moodleDoc(one, reading), answer: textIn(child(one, 'answer', 'text')).trim() }))
  const words = [...new Set(pairs.map((pair) => pair.answer).filter(Boolean))]
  const options = words.map((word, index): Option => ({ id: `o${index + 1}`, doc: plainDoc(word) }))
  if (pairs.length === 0 || words.length < 2) return '配对题没有可用的选项'
  return {
    ...emptyContent(6), stem: stemOf(element, reading), category: null, analysis: analysis(element, reading, [], letterOf),
    children: pairs.filter((pair) => pair.stem).map((pair): QuestionContent => ({ ...emptyContent(1), stem: pair.stem, options, option_layout: fittingLayout(options), category: '单选题', answer: { k: 'one', ok: `o${words.indexOf(pair.answer) + 1}` } })),
  }
}

interface Hole {
  kind: string
  weight: number
  choices: { text: string; credit: number }[]
}

const HOLE = /\{(\d*):(MULTICHOICE|MC|MCV|MCH|MCS|MCVS|MCHS|MULTICHOICE_[A-Z]+|MULTIRESPONSE[A-Z_]*|MR|MRH|MRS|SHORTANSWER|SA|MW|SHORTANSWER_C|SAC|MWC|NUMERICAL|NM):((?:\\.|[^{}\\]|\{[^{}]*\})*)\}/g

function holeOf(match: RegExpMatchArray): Hole {
  const choices = (match[3] ?? '').split(/(?<!\\)~/).filter((one) => one.trim() !== '').map((source) => {
    const [text = ''] = source.split(/(?<!\\)#/)
    const marked = /^\s*(=|%(-?[\d.]+)%)?([\s\S]*)$/.exec(text)
    return { text: (marked?.[3] ?? '').replace(/\\(.)/g, '$1').trim(), credit: marked?.[1] === '=' ? 100 : Number(marked?.[2] ?? 0) }
  })
  return { kind: match[2] ?? '', weight: Number(match[1] || 1), choices }
}

/** A text with holes: written ones make a fill-in, lists make children. */
const cloze: Kind = (element, reading) => {
  const flow = moodleFlow(child(element, 'questiontext'), reading)
  const holes = [...flat(flow).matchAll(HOLE)].map(holeOf)
  if (holes.length === 0) return '完形填空中没有设空'
  const isList = (hole: Hole) => /^M(?:C|ULTI|R)/.test(hole.kind)
  const blank = (hole: Hole, id: string, index: number): BlankAnswer => {
    const place = holes.length > 1 ? `第 ${index + 1} 空` : ''
    const isNumber = hole.kind.startsWith('N')
    const key = bestAnswers(hole.choices, { place, isPattern: true })
    const ranges = isNumber ? key.right.map((one) => rangeOf(one.text)) : []
    const { eps, said } = toleranceOf(ranges, place)
    reading.warnings.push(...key.said, ...said)
    const accept = isNumber ? ranges.map((range) => range.value) : key.right.map((one) => one.text)
    return { id, accept: accept.flatMap((text) => plainDoc(text) ?? []), match: isNumber ? 'numeric' : /_C$|^SAC|^MWC/.test(hole.kind) ? 'exact' : 'ci', ...(eps > 0 ? { eps } : {}) }
  }
  const put = (make: (index: number) => Token) => flowDoc(replaceFlow(flow, HOLE, (_, index) => [make(index)]))
  const base = { analysis: analysis(element, reading, [], letterOf) }
  if (!holes.some(isList)) return { ...emptyContent(3), ...base, stem: put((index) => ({ t: 'blank', id: `b${index + 1}` })), category: '填空题', answer: { k: 'blanks', b: holes.map((hole, index) => blank(hole, `b${index + 1}`, index)) } }
  return {
    ...emptyContent(5), ...base, stem: put((index) => ({ t: 'subref', n: index + 1 })), category: '完形填空',
    children: holes.map((hole, index): QuestionContent => {
      if (!isList(hole)) return { ...emptyContent(3), score: hole.weight, answer: { k: 'blanks', b: [blank(hole, 'b1', index)] } }
      const options = hole.choices.map((one, place): Option => ({ id: `o${place + 1}`, doc: inlineDoc([one.text]) }))
      const key = bestOption(hole.choices.map((one) => one.credit))
      if (/^MULTIR|^MR/.test(hole.kind)) reading.warnings.push(uncertain('answer', `第 ${index + 1} 空可以选多项，题干中的空只能记一个答案`))
      else reading.warnings.push(...key.said.map((one) => ({ ...one, message: `第 ${index + 1} 空：${one.message}` })))
      return { ...emptyContent(1), score: hole.weight, options, option_layout: fittingLayout(options), answer: { k: 'one', ok: options[key.right[0] ?? -1]?.id ?? null } }
    }),
  }
}

const description: Kind = (element, reading) => {
  const stem = moodleDoc(child(element, 'questiontext'), reading)
  return plainText(stem) === '' && !stem ? '说明文字是空的' : { ...emptyContent(6), stem, analysis: analysis(element, reading, [], letterOf), score: null, children: [] }
}

/** By the type that Moodle gives them. */
export const KINDS: Readonly<Record<string, Kind>> = { multichoice, multichoiceset, truefalse, shortanswer, numerical, essay, matching, cloze, multianswer: cloze, description }

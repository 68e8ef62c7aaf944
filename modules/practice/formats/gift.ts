/** GIFT, Moodle's text format: braces hold the answer, `#` what is said about it, `$CATEGORY` the place. */
import { emptyContent, NO_ANALYSIS, NO_FACTS, type Option, type Question, type QuestionContent } from '../content/question.ts'
import { fittingLayout, TRUE_FALSE } from '../content/question-rules.ts'
import { docOf, paragraph, plainDoc, plainText, type RichDoc } from '../../../core/rich-text/rich-doc.ts'
import { answerHtml } from './answer-html.ts'
import { bestAnswers, bestOption, rangeOf, sharedOptions, toleranceOf } from './credit.ts'
import { contentHtml, readContentHtml, type ContentStyle } from './content-html.ts'
import { factRows, readFacts } from './fact-rows.ts'
import { htmlFlow, looksLikeHtml } from './html.ts'
import { docHtml, readDocHtml } from './html-own.ts'
import { lost, uncertain, type Asset, type Parsed, type ParsedItem, type Warning } from './item.ts'
import { markdownHtml } from './markdown.ts'
import { subjectIn } from './text/facts.ts'
import { flowDoc, type Token } from './text/flow.ts'
import { blankAtEnd } from './text/holes.ts'
import { choiceStem } from './text/raw.ts'
import { textFlow } from './text/read-text.ts'

const escape = (text: string) => text.replace(/[\\~=#{}:]/g, (char) => `\\${char}`).replace(/\n/g, '\\n')
const unescape = (text: string) => text.replace(/\\(n|.)/g, (_, char: string) => (char === 'n' ? '\n' : char))

/** Whether a text is in this format. Braces alone are not enough: a set is written with them too. */
export const isGift = (text: string) => /(?:^|\n)\s*::[^\n]*::|(?:^|\n)\$CATEGORY:/.test(text) || (/\{\s*(?:[=~][^{}]*|T|F|TRUE|FALSE|#[\d.:=~]+)\}/.test(text) && !/【|参考答案|(?:^|\n)\s*[A-D]\s*[.．、]/.test(text))

/** Questions of a text, each with the line that it begins on: an empty line parts them. */
function blocks(text: string): { line: number; text: string; comments: string[] }[] {
  const found: { line: number; text: string; comments: string[] }[] = []
  let open: string[] = []
  let comments: string[] = []
  let start = 1
  let depth = 0
  const give = () => {
    if (open.join('').trim() !== '') found.push({ line: start, text: open.join('\n'), comments })
    if (open.join('').trim() !== '') comments = []
    open = []
    depth = 0
  }
  for (const [index, line] of text.split(/\r\n?|\n/).entries()) {
    if (/^\s*\/\//.test(line) && depth === 0) {
      comments.push(line.replace(/^\s*\/\/\s?/, ''))
      continue
    }
    const plain = line.replace(/\\./g, '')
    // A brace that is never closed must not swallow the rest: an empty line before a title ends it.
    if (line.trim() === '' && depth <= 0) give()
    else if (/^\s*(?:::|\$CATEGORY:)/.test(line) && open.length > 0) {
      give()
      open = [line]
      start = index + 1
      depth = count(plain)
    } else {
      if (open.length === 0) start = index + 1
      open.push(line)
      depth += count(plain)
    }
  }
  give()
  return found
}

const count = (line: string) => (line.match(/\{/g)?.length ?? 0) - (line.match(/\}/g)?.length ?? 0)

interface Reading {
  warnings: Warning[]
  assets: Map<string, Asset>
}

function flowOf(source: string, { warnings, assets }: Reading): Token[] {
  const format = /^\s*\[(html|moodle|plain|markdown)\]/i.exec(source)
  const text = unescape(format ? source.slice(format[0].length) : source).trim()
  if (format?.[1]?.toLowerCase() === 'markdown') return htmlFlow(markdownHtml(text, warnings), { warnings, assets, files: new Map() })
  return format?.[1] !== 'plain' && looksLikeHtml(text) ? htmlFlow(text, { warnings, assets, files: new Map() }) : textFlow(text, warnings, { wrapped: false })
}

/** Text without loss when we wrote it. */
function docIn(source: string, reading: Reading, setting: (flow: Token[]) => RichDoc | null = flowDoc): RichDoc | null {
  const own = readDocHtml(unescape(source.replace(/^\s*\[html\]/, '')), () => null)
  return own === undefined ? setting(flowOf(source, reading)) : own
}

interface Choice {
  sign: '=' | '~'
  weight: number | null
  text: string
  feedback: string
}

/** Percent of the points; an equals sign alone means all of them. */
const creditOf = ({ sign, weight }: Choice) => weight ?? (sign === '=' ? 100 : 0)

/** The answers between the braces: each begins with an equals sign or a tilde. */
function choicesOf(source: string): Choice[] {
  return [...source.matchAll(/(?<!\\)([=~])((?:\\.|[^=~\\])*)/g)].map((match) => {
    const [text = '', ...feedback] = (match[2] ?? '').split(/(?<!\\)#/)
    const weight = /^\s*%(-?[\d.]+)%/.exec(text)
    return { sign: match[1] as '=', weight: weight ? Number(weight[1]) : null, text: weight ? text.slice(weight[0].length) : text, feedback: feedback.join('#') }
  })
}

const said = (choices: readonly { name?: string; feedback: string }[], general: string, reading: Reading): QuestionContent['analysis'] => {
  const single = choices.flatMap((one, index) => {
    const doc = one.feedback.trim() ? docIn(one.feedback, reading) : null
    return doc ? [paragraph([`${one.name ?? String.fromCodePoint(65 + index)}：`]), ...doc.c] : []
  })
  return { ...NO_ANALYSIS, solution: docOf([...((general.trim() ? docIn(general, reading) : null)?.c ?? []), ...single]) }
}

function contentOf(stem: string, tail: string, inside: string | null, reading: Reading): QuestionContent | string {
  const whole = (setting?: (flow: Token[]) => RichDoc | null) => docIn(stem, reading, setting ?? choiceStem)
  if (inside === null) return { ...emptyContent(6), stem: whole() }
  const [answers = '', general = ''] = inside.split(/(?<!\\)####/)
  const truth = /^\s*(T|F|TRUE|FALSE)\s*(?:(?<!\\)#((?:\\.|[^#\\])*)(?:#([\s\S]*))?)?$/i.exec(answers)
  if (truth) {
    const isTrue = /^t/i.test(truth[1] ?? '')
    return { ...emptyContent(1), stem: whole(), category: TRUE_FALSE, option_layout: 2, options: [{ id: 'o1', doc: plainDoc('正确') }, { id: 'o2', doc: plainDoc('错误') }], answer: { k: 'one', ok: isTrue ? 'o1' : 'o2' }, analysis: said([{ name: '选错', feedback: truth[2] ?? '' }, { name: '选对', feedback: truth[3] ?? '' }], general, reading) }
  }
  if (answers.trim() === '') return { ...emptyContent(4), stem: whole(), category: '解答题', analysis: said([], general, reading), answer: { k: 'free', parts: [{ no: 0, ref: general.trim() ? docIn(general, reading) : null, steps: [] }] } }
  const blank = () => {
    const before = flowOf(stem, reading)
    return flowDoc(tail.trim() === '' ? blankAtEnd(before) : [...before, ' ', { t: 'blank', id: 'b1' }, ' ', ...flowOf(tail, reading)])
  }
  if (answers.trimStart().startsWith('#')) {
    const body = answers.trimStart().slice(1)
    const values = /(?<!\\)=/.test(body) ? choicesOf(body).filter((one) => one.sign === '=').map((one) => ({ text: one.text.trim(), credit: creditOf(one) })) : [{ text: (body.split(/(?<!\\)#/)[0] ?? '').trim(), credit: 100 }]
    const key = bestAnswers(values)
    const ranges = key.right.map((one) => rangeOf(one.text))
    const { eps, said: tolerances } = toleranceOf(ranges)
    const feedback = /(?<!\\)=/.test(body) ? choicesOf(body).map((one, index) => ({ name: `答案 ${index + 1}`, feedback: one.feedback })) : [{ name: '答案', feedback: body.split(/(?<!\\)#/).slice(1).join('#') }]
    reading.warnings.push(...key.said, ...tolerances)
    return { ...emptyContent(3), stem: blank(), category: '填空题', answer: { k: 'blanks', b: [{ id: 'b1', accept: ranges.flatMap((range) => plainDoc(range.value) ?? []), match: 'numeric', ...(eps > 0 ? { eps } : {}) }] }, analysis: said(feedback, general, reading) }
  }
  const choices = choicesOf(answers)
  if (choices.length === 0) return '花括号中没有答案'
  if (choices.every((one) => one.text.includes('->'))) return matching(choices, whole(), reading)
  if (choices.every((one) => one.sign === '=')) {
    const key = bestAnswers(choices.map((one) => ({ text: one.text.trim(), credit: creditOf(one) })), { isPattern: true })
    reading.warnings.push(...key.said)
    return { ...emptyContent(3), stem: blank(), category: '填空题', answer: { k: 'blanks', b: [{ id: 'b1', accept: key.right.flatMap((one) => docIn(one.text, reading) ?? []), match: 'ci' }] }, analysis: said(choices, general, reading) }
  }
  const options = choices.map((one, index): Option => ({ id: `o${index + 1}`, doc: docIn(one.text, reading) }))
  const base = { stem: tail.trim() === '' ? whole() : flowDoc([...flowOf(stem, reading), { t: 'paren' }, ...flowOf(tail, reading)]), options, option_layout: fittingLayout(options), analysis: said(choices, general, reading) }
  // An equals sign among tildes asks for one option; without it, shares add up.
  const isSingle = choices.some((one) => one.sign === '=')
  const key = (isSingle ? bestOption : sharedOptions)(choices.map(creditOf))
  reading.warnings.push(...key.said)
  const ok = key.right.map((place) => `o${place + 1}`)
  if (isSingle) return { ...emptyContent(1), ...base, category: '单选题', answer: { k: 'one', ok: ok[0] ?? null } }
  return { ...emptyContent(2), ...base, category: ok.length === 1 ? '不定项选择题' : '多选题', answer: { k: 'many', ok, rule: choices.some((one) => creditOf(one) < 0) ? 'gaokao' : 'partial' } }
}

function matching(choices: readonly Choice[], stem: RichDoc | null, reading: Reading): QuestionContent | string {
  const pairs = choices.map((one) => one.text.split('->').map((part) => part.trim()))
  const words = [...new Set(pairs.map((pair) => pair[1] ?? ''))]
  const options = words.map((word, index): Option => ({ id: `o${index + 1}`, doc: docIn(word, reading) }))
  return { ...emptyContent(6), stem, children: pairs.filter((pair) => pair[0]).map((pair): QuestionContent => ({ ...emptyContent(1), category: '单选题', stem: docIn(pair[0] ?? '', reading), options, option_layout: fittingLayout(options), answer: { k: 'one', ok: `o${words.indexOf(pair[1] ?? '') + 1}` } })) }
}

const OWN = 'practice '

/** Reads a text; a question that is wrong is named with its line. */
export function readGift(text: string): Parsed {
  const assets = new Map<string, Asset>()
  let category = ''
  const items = blocks(text.replace(/^\uFEFF/, '')).flatMap(({ line, text: source, comments }): ParsedItem[] => {
    const place = `第 ${line} 行`
    const named = /^\s*\$CATEGORY:\s*(.*)/.exec(source)
    if (named) {
      category = named[1]?.trim() ?? ''
      return []
    }
    const reading: Reading = { warnings: [], assets }
    const extra = comments.find((comment) => comment.startsWith(OWN))
    if (extra) return [ownItem(extra.slice(OWN.length), source, place, reading)]
    const body = source.replace(/^\s*::(?:\\.|[^\\:]|:(?!:))*::/, '')
    const open = body.search(/(?<!\\)\{/)
    const close = open < 0 ? -1 : body.slice(open).search(/(?<!\\)\}/)
    if (open >= 0 && close < 0) return [lost(place, '花括号没有写完')]
    const content = open < 0 ? contentOf(body, '', null, reading) : contentOf(body.slice(0, open), body.slice(open + close + 1), body.slice(open + 1, open + close), reading)
    if (typeof content === 'string') return [lost(place, content)]
    const rest = open < 0 ? '' : body.slice(open + close + 1)
    if (/(?<!\\)\{/.test(rest)) reading.warnings.push(uncertain('stem', '题中有几处花括号，只读了第一处的答案', rest.slice(0, 40)))
    const path = category.split('/').map((name) => name.trim()).filter((name) => name !== '' && name !== 'top' && !/^\$.*\$$/.test(name)).slice(-8)
    const below = path.filter((name, index) => !(index === 0 && subjectIn(name)))
    return [{ place, question: { ...content, ...NO_FACTS, subject: path.map(subjectIn).find(Boolean) ?? null, labels: below.length > 0 ? [below] : [] }, warnings: reading.warnings }]
  })
  return { items, assets, warnings: [] }
}

/** A question of ours: what GIFT has no place for stands in the comment before it. */
function ownItem(extra: string, source: string, place: string, reading: Reading): ParsedItem {
  const [html = '', facts = ''] = extra.split('\t')
  const doc = (inner: string) => readDocHtml(inner, () => null) ?? null
  const content = readContentHtml(html, { doc, right: (choices) => (choices.attrs.find((one) => one.name === 'data-right')?.value ?? '').split(' ').filter(Boolean) })
  const body = source.replace(/^\s*::(?:\\.|[^\\:]|:(?!:))*::/, '')
  const open = body.search(/(?<!\\)\{/)
  const close = body.search(/(?<!\\)\}\s*$/)
  if (!content || (open >= 0 && close < 0)) return lost(place, '花括号没有写完')
  const stem = docIn(open < 0 ? body : body.slice(0, open), reading)
  const known = readFacts(JSON.parse(facts || '[]') as [string, string][])
  if (content.type > 2) return { place, question: { ...content, ...known, stem }, warnings: [] }
  const choices = choicesOf(body.slice(open + 1, close))
  const options = choices.map((one, index): Option => ({ id: `o${index + 1}`, doc: docIn(one.text, reading) }))
  const right = choices.flatMap((one, index) => (one.sign === '=' || (one.weight ?? 0) > 0 ? [`o${index + 1}`] : []))
  return { place, question: { ...content, ...known, stem, options, answer: content.answer.k === 'many' ? { ...content.answer, ok: right } : { k: 'one', ok: right[0] ?? null } }, warnings: [] }
}

const STYLE: ContentStyle = {
  math: 'tex', address: () => '',
  choices: (content) => `<ol class="q-options" data-right="${content.answer.k === 'one' ? (content.answer.ok ?? '') : content.answer.k === 'many' ? content.answer.ok.join(' ') : ''}">${content.options.map((option) => `<li class="q-option" id="${option.id}">${docHtml(option.doc, STYLE)}</li>`).join('')}</ol>`,
  kept: (html) => `<div class="q-kept">${html}</div>`,
}

function bracesOf(content: QuestionContent): string {
  const { answer } = content
  const solution = content.analysis.solution ? `####[html]${escape(docHtml(content.analysis.solution, STYLE))}` : ''
  if (answer.k === 'one') return `{${content.options.map((option) => `${option.id === answer.ok ? '=' : '~'}[html]${escape(docHtml(option.doc, STYLE))}`).join(' ')}${solution}}`
  if (answer.k === 'many') return `{${content.options.map((option) => `~%${answer.ok.includes(option.id) ? Number((100 / answer.ok.length).toFixed(5)) : -100}%[html]${escape(docHtml(option.doc, STYLE))}`).join(' ')}${solution}}`
  if (answer.k === 'blanks') return `{${answer.b.flatMap((blank) => blank.accept).map((doc) => `=${escape(plainText(doc)).replace(/\s+/g, ' ')}`).join(' ')}${solution}}`
  return answer.k === 'free' ? `{####[html]${escape(answerHtml(answer, STYLE))}}` : ''
}

const hasFile = (question: Question) => /"t":"(?:img|image|audio)"/.test(JSON.stringify(question))

/** All questions as text. Pictures and sounds cannot be said: such questions are named and left out. */
export function writeGift(questions: readonly Question[]): { text: string; notes: string[] } {
  const notes: string[] = []
  let category = ''
  const text = questions.flatMap((question, index) => {
    if (hasFile(question)) {
      notes.push(`第 ${index + 1} 题（${question.no ?? '无题号'}）有图片或音频，GIFT 不能表示，没有导出`)
      return []
    }
    const own = ['$course$', 'top', question.subject ?? '试题', ...(question.labels[0] ?? [])].map((name) => name.replaceAll('/', '//')).join('/')
    const head = own === category ? '' : `$CATEGORY: ${own.replace(/[\r\n]/g, ' ')}\n\n`
    category = own
    const rest: QuestionContent = { ...question, stem: null, options: question.type <= 2 ? [] : question.options }
    const extra = `// ${OWN}${contentHtml(rest, 'q', STYLE).replaceAll('\t', '&#9;').replaceAll('\n', '&#10;')}\t${JSON.stringify(factRows(question))}`
    return [`${head}${extra}\n::${index + 1}::[html]${escape(docHtml(question.stem, STYLE))}${bracesOf(question)}\n\n`]
  }).join('')
  return { text, notes }
}


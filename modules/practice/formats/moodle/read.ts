/** Questions of a Moodle XML file, no matter who wrote it: kinds of Moodle as ours, ours without loss. */
import { NO_FACTS, type QuestionContent, type QuestionFacts } from '../../content/question.ts'
import { readContentHtml } from '../content-html.ts'
import { readFacts } from '../fact-rows.ts'
import { lost, problem, type Asset, type Parsed, type ParsedItem } from '../item.ts'
import { subjectIn } from '../text/facts.ts'
import { attr, child, elements, parseXml, textIn, XmlError, type XmlElement } from '../xml.ts'
import { KINDS } from './kinds.ts'
import { moodleDoc, ownDoc, type MoodleReading } from './texts.ts'

/** A question that brings what Moodle has no place for. */
function ownQuestion(element: XmlElement, extra: XmlElement, reading: MoodleReading): QuestionContent | null {
  const doc = (html: string) => ownDoc(html, extra, reading) ?? null
  const content = readContentHtml(textIn(child(extra, 'text')), {
    doc,
    right: (choices) => (choices.attrs.find((one) => one.name === 'data-right')?.value ?? '').split(' ').filter(Boolean),
  })
  if (!content) return null
  const ids = (attr(extra, 'options') ?? '').split(' ').filter(Boolean)
  const answers = elements(element, 'answer')
  const right = answers.flatMap((one, index) => (Number(attr(one, 'fraction')) > 0 ? [ids[index] ?? `o${index + 1}`] : []))
  const chosen: QuestionContent = content.type > 2 ? content : {
    ...content, options: answers.map((one, index) => ({ id: ids[index] ?? `o${index + 1}`, doc: moodleDoc(one, reading) })),
    answer: content.answer.k === 'many' ? { ...content.answer, ok: right } : { k: 'one', ok: right[0] ?? null },
  }
  return { ...chosen, stem: moodleDoc(child(element, 'questiontext'), reading), analysis: { ...content.analysis, solution: moodleDoc(child(element, 'generalfeedback'), reading) } }
}

/** What the categories above a question name. */
function categoryFacts(path: string): Partial<QuestionFacts> {
  const names = path.replaceAll('//', '\u0000').split('/').map((name) => name.replaceAll('\u0000', '/').trim()).filter((name) => name !== '' && name !== 'top' && !/^\$.*\$$/.test(name))
  const subject = names.map(subjectIn).find(Boolean) ?? null
  const rest = names.filter((name, index) => !(index === 0 && subjectIn(name)))
  return { subject, ...(rest.length > 0 ? { labels: [rest.slice(-8)] } : {}) }
}

function foreignQuestion(element: XmlElement, reading: MoodleReading): QuestionContent | string {
  const type = attr(element, 'type') ?? ''
  const kind = KINDS[type]
  if (!kind) return `不支持 Moodle 的「${type}」题`
  const content = kind(element, reading)
  if (typeof content === 'string') return content
  const grade = Number(textIn(child(element, 'defaultgrade')) || Number.NaN)
  return { ...content, score: content.score ?? (Number.isFinite(grade) && grade > 0 && grade <= 300 ? grade : null) }
}

const SHARED = /阅读|材料|短文|完成|回答|据此|根据|passage|read|following|questions/i

/** Reads the questions of a tree. */
function readTree(questions: readonly XmlElement[]): { items: ParsedItem[]; assets: Map<string, Asset> } {
  const assets = new Map<string, Asset>()
  const items: ParsedItem[] = []
  let category = ''
  let passage: { item: ParsedItem; own: number | null } | null = null
  for (const [index, element] of questions.entries()) {
    const type = attr(element, 'type') ?? ''
    if (type === 'category') {
      category = textIn(child(element, 'category', 'text'))
      passage = null
      continue
    }
    const reading: MoodleReading = { warnings: [], assets, prefix: `q${index + 1}` }
    const place = `第 ${index + 1} 题（第 ${element.line} 行）`
    const extra = child(element, 'practice')
    const own = extra ? ownQuestion(element, extra, reading) : null
    const content = own ?? foreignQuestion(element, reading)
    if (typeof content === 'string') {
      items.push(lost(place, content))
      continue
    }
    const facts = child(element, 'facts')
    const idnumber = textIn(child(element, 'idnumber')).trim().slice(0, 100)
    const tags = elements(child(element, 'tags'), 'tag').map((tag) => textIn(child(tag, 'text')).trim()).filter((tag) => tag !== '' && tag.length <= 100).slice(0, 20)
    const known: QuestionFacts = facts ? readFacts(elements(facts, 'fact').map((fact) => [attr(fact, 'name') ?? '', textIn(child(fact, 'text'))] as const)) : { ...NO_FACTS, ...categoryFacts(category), no: idnumber || null, tags }
    if (passage && (passage.own === null ? !facts : passage.own > 0)) {
      const { question, warnings } = passage.item
      if (question && content.type <= 4) {
        question.children.push(content)
        warnings.push(...reading.warnings)
        if (passage.own !== null) passage.own--
        continue
      }
    }
    const item: ParsedItem = { place, question: { ...content, ...known }, warnings: reading.warnings }
    items.push(item)
    const count = own && type === 'description' ? Number(attr(extra, 'children') ?? 0) : null
    passage = type === 'description' ? (own ? { item, own: count } : SHARED.test(textIn(child(element, 'questiontext'))) ? { item, own: null } : null) : null
  }
  return { items: items.map(finished), assets }
}

/** A description without questions behind it is none. */
function finished(item: ParsedItem): ParsedItem {
  const { question } = item
  if (question?.type !== 6 || question.children.length > 0) return item
  return { ...item, warnings: [...item.warnings, problem('这是一段说明文字，后面没有小题')] }
}

/**
 * Reads a Moodle XML file. When it is broken somewhere, the questions before and behind the place are still read.
 * @returns null when it is no file of Moodle
 */
export function readMoodle(text: string): Parsed | null {
  if (!/<quiz[\s>]/.test(text.slice(0, 4000))) return null
  try {
    const { items, assets } = readTree(elements(parseXml(text), 'question'))
    return { items, assets, warnings: [] }
  } catch (error) {
    if (!(error instanceof XmlError)) throw error
    return salvage(text)
  }
}

function salvage(text: string): Parsed {
  const whole: XmlElement[] = []
  const broken: ParsedItem[] = []
  for (const match of text.matchAll(/<question[\s>][\s\S]*?(?:<\/question>|(?=<question[\s>])|$)/g)) {
    const line = text.slice(0, match.index).split('\n').length
    try {
      whole.push({ ...parseXml(match[0]), line })
    } catch (error) {
      if (!(error instanceof XmlError)) throw error
      broken.push(lost(`第 ${line} 行的题`, `第 ${line + error.line - 1} 行：${error.message}`))
    }
  }
  const { items, assets } = readTree(whole)
  return { items: [...items, ...broken], assets, warnings: [] }
}

/** One item of QTI. */
import { emptyContent, NO_ANALYSIS, optionLetter, type BlankAnswer, type Option, type QuestionContent } from '../../content/question.ts'
import { fittingLayout } from '../../content/question-rules.ts'
import { docOf, paragraph, plainDoc, type RichDoc } from '../../../../core/rich-text/rich-doc.ts'
import { readContentHtml } from '../content-html.ts'
import { htmlFlow } from '../html.ts'
import { readDocHtml } from '../html-own.ts'
import { bestAnswers, bestOption, sharedOptions } from '../credit.ts'
import { assetAddress, uncertain, type Asset, type Warning } from '../item.ts'
import { choiceStem } from '../text/raw.ts'
import { flowDoc } from '../text/flow.ts'
import { elements, escapeXml, textIn, type XmlElement, type XmlNode } from '../xml.ts'
import { all, is, value } from './names.ts'
import { processingOf } from './processing.ts'

export interface QtiReading {
  warnings: Warning[]
  assets: Map<string, Asset>
  /** Files of the package by their paths. */
  files: ReadonlyMap<string, Asset>
  title: string
}

/** Interactions that stand between paragraphs. */
const BLOCKS = ['choiceInteraction', 'extendedTextInteraction'] as const
/** Interactions that are read. */
const KNOWN = [...BLOCKS, 'textEntryInteraction', 'inlineChoiceInteraction'] as const
/** Elements without an end in HTML. */
const VOID = new Set(['br', 'hr', 'img', 'col', 'input', 'source', 'track', 'wbr'])

/** A tree as HTML; `put` may replace an element. */
function html(nodes: readonly XmlNode[], put: (element: XmlElement) => string | null = () => null): string {
  return nodes.map((node) => {
    if (typeof node === 'string') return escapeXml(node)
    const replaced = put(node)
    if (replaced !== null) return replaced
    // QTI 2 has labels where HTML has titles.
    const attributes = Object.entries(node.attrs).filter(([name]) => !name.startsWith('xmlns')).map(([name, text]) => ` ${name === 'label' ? 'title' : name}="${escapeXml(text)}"`).join('')
    return VOID.has(node.name) ? `<${node.name}${attributes}>` : `<${node.name}${attributes}>${html(node.children, put)}</${node.name}>`
  }).join('')
}

interface Declared {
  cardinality: string
  type: string
  correct: string[]
  /** Whether upper and lower case differ. */
  isExact: boolean
  /** Points that answers bring. */
  mapped: { text: string; credit: number }[]
}

/** Points as percent of the most that one answer brings. */
function percents(entries: readonly { text: string; credit: number }[]): { text: string; credit: number }[] {
  const most = Math.max(0, ...entries.map((one) => one.credit))
  return entries.map((one) => ({ ...one, credit: most > 0 ? (one.credit / most) * 100 : 0 }))
}

function declarations(root: XmlElement): Map<string, Declared> {
  return new Map(all(root, 'responseDeclaration').map((one) => [value(one, 'identifier') ?? '', {
    cardinality: value(one, 'cardinality') ?? 'single', type: value(one, 'baseType') ?? 'string',
    correct: all(all(one, 'correctResponse')[0], 'value').map((found) => textIn(found).trim()),
    isExact: all(one, 'mapEntry').some((entry) => value(entry, 'caseSensitive') === 'true'),
    mapped: percents(all(one, 'mapEntry').map((entry) => ({ text: value(entry, 'mapKey') ?? '', credit: Number(value(entry, 'mappedValue') ?? 0) }))),
  }]))
}

/** Reads an item. @returns what is wrong with it when nothing can be made of it */
export function readItem(root: XmlElement, reading: QtiReading): QuestionContent | string {
  const body = all(root, 'itemBody')[0] ?? all(root, 'stimulusBody')[0]
  if (!body) return '试题没有正文'
  const declared = declarations(root)
  return own(body, declared, reading) ?? foreign(root, body, declared, reading)
}

function own(body: XmlElement, declared: ReadonlyMap<string, Declared>, reading: QtiReading): QuestionContent | null {
  if (!elements(body).some((one) => /(?:^|\s)q-question(?:\s|$)/.test(one.attrs['class'] ?? ''))) return null
  let failed = false
  const content = readContentHtml(html(body.children), {
    doc: (source) => {
      const doc = readDocHtml(source, (address) => {
        const wanted = decodeURIComponent(address.replace(/^(?:\.\.?\/)+/, ''))
        const found = [...reading.files.values()].find((file) => file.name === wanted || file.name.endsWith(`/${wanted}`))
        if (!found) return null
        reading.assets.set(found.name, found)
        return assetAddress(found.name)
      })
      if (doc === undefined) failed = true
      return doc ?? null
    },
    right: (choices) => declared.get(choices.attrs.find((one) => one.name === 'responseidentifier' || one.name === 'response-identifier')?.value ?? '')?.correct ?? [],
  })
  return failed ? null : content
}

function foreign(root: XmlElement, body: XmlElement, declared: ReadonlyMap<string, Declared>, reading: QtiReading): QuestionContent | string {
  const unknown = collect(body).find((one) => /interaction$/i.test(one.name) && !KNOWN.some((name) => is(one, name)))
  if (unknown) return `不支持「${unknown.name}」题`
  const rules = processingOf(root)
  if (rules.unknown.length > 0) reading.warnings.push(uncertain('answer', `评分规则中有不能保留的部分：${rules.unknown.slice(0, 4).join('、')}`))
  if ([...all(root, 'templateDeclaration'), ...all(root, 'printedVariable')].length > 0) reading.warnings.push(uncertain('stem', '题中有每次不同的变量，题目和答案中的变量没有保留'))
  const right = (id: string | undefined) => {
    const found = declared.get(id ?? '')
    const correct = found?.correct.length ? found.correct : (rules.matched.get(id ?? '') ?? [])
    const mapped = bestAnswers(found?.mapped ?? [])
    return { correct, accept: [...new Set([...correct, ...mapped.right.map((one) => one.text)])], said: mapped.said, declared: found }
  }
  const flow = (source: string) => htmlFlow(source, { warnings: reading.warnings, assets: reading.assets, files: reading.files })
  const blocks = BLOCKS.flatMap((name) => all(body, name))
  const entries = collect(body).filter((one) => is(one, 'textEntryInteraction') || is(one, 'inlineChoiceInteraction'))
  const lists = entries.filter((one) => is(one, 'inlineChoiceInteraction'))
  const text = html(body.children, (element) => {
    if (BLOCKS.some((name) => is(element, name))) return ''
    if ((is(element, 'rubricBlock') && !/candidate/.test(value(element, 'view') ?? '')) || is(element, 'feedbackBlock') || is(element, 'feedbackInline') || is(element, 'templateBlock')) return ''
    const place = entries.indexOf(element)
    if (place < 0) return null
    return lists.length > 0 ? `<span class="q-hole q-n-${place + 1}"></span>` : `<span class="q-blank q-id-b${place + 1}"></span>`
  })
  const analysis = { ...NO_ANALYSIS, solution: docOf([...(explained(root, flow)?.c ?? []), ...saidOfOptions(body, flow)]) }
  const stem = choiceStem(flow(text))
  const interactions = blocks.map((block) => (is(block, 'choiceInteraction') ? choice(block, right(value(block, 'responseIdentifier')), flow, reading) : free(block, root, flow)))
  const blank = (element: XmlElement, id: string): BlankAnswer => {
    const { accept, declared: of, said } = right(value(element, 'responseIdentifier'))
    reading.warnings.push(...said)
    const tolerance = rules.tolerances.get(value(element, 'responseIdentifier') ?? '')
    const eps = tolerance?.isShare ? Math.abs(Number(accept[0] ?? 0)) * (tolerance.amount / 100) : (tolerance?.amount ?? 0)
    const match = of && /float|integer/.test(of.type) ? 'numeric' : of?.isExact ? 'exact' : 'ci'
    return { id, accept: accept.flatMap((one) => plainDoc(one) ?? []), match, ...(match === 'numeric' && eps > 0 ? { eps: Number(eps.toPrecision(12)) } : {}) }
  }
  if (blocks.length === 0 && entries.length === 0) return { ...emptyContent(6), stem, analysis }
  if (blocks.length === 0 && lists.length === 0) return { ...emptyContent(3), stem, analysis, category: '填空题', answer: { k: 'blanks', b: entries.map((one, index) => blank(one, `b${index + 1}`)) } }
  if (blocks.length === 0) {
    return { ...emptyContent(5), stem, analysis, category: '完形填空', children: entries.map((one): QuestionContent => {
      if (is(one, 'textEntryInteraction')) return { ...emptyContent(3), answer: { k: 'blanks', b: [blank(one, 'b1')] } }
      const made = options(all(one, 'inlineChoice'), flow)
      const { declared: of } = right(value(one, 'responseIdentifier'))
      if (of && of.mapped.length > 0) reading.warnings.push(...bestOption(creditsOf(made.ids, of)).said)
      return { ...emptyContent(1), options: made.list, option_layout: fittingLayout(made.list), answer: { k: 'one', ok: made.ids.get(right(value(one, 'responseIdentifier')).correct[0] ?? '') ?? null } }
    }) }
  }
  if (entries.length > 0) reading.warnings.push(uncertain('answer', `题中另有 ${entries.length} 个空，没有读入`, entries.flatMap((one) => right(value(one, 'responseIdentifier')).accept).join('、').slice(0, 40)))
  const [only] = interactions
  if (only && interactions.length === 1 && entries.length === 0) return { ...only, stem: docOf([...(stem?.c ?? []), ...(only.stem?.c ?? [])]), analysis: { ...analysis, solution: analysis.solution } }
  return { ...emptyContent(6), stem, analysis, children: interactions.map((one) => ({ ...one, stem: one.stem ?? stem })) }
}

const collect = (parent: XmlElement): XmlElement[] => elements(parent).flatMap((one) => [one, ...collect(one)])

type Flow = ReturnType<typeof htmlFlow>
type Read = (source: string) => Flow

function options(choices: readonly XmlElement[], flow: Read): { list: Option[]; ids: Map<string, string> } {
  const ids = new Map(choices.map((one, index) => [value(one, 'identifier') ?? '', `o${index + 1}`]))
  const isFeedback = (element: XmlElement) => (is(element, 'feedbackInline') || is(element, 'feedbackBlock') ? '' : null)
  return { list: choices.map((one, index) => ({ id: `o${index + 1}`, doc: flowDoc(flow(html(one.children, isFeedback))) })), ids }
}

const prompt = (block: XmlElement, flow: Read): RichDoc | null => choiceStem(flow(html(all(block, 'prompt')[0]?.children ?? [])))

/** Points of options as percent of the best. */
const creditsOf = (ids: ReadonlyMap<string, string>, declared: Declared | undefined) => [...ids.keys()].map((id) => declared?.mapped.find((one) => one.text === id)?.credit ?? 0)

function choice(block: XmlElement, { correct, declared }: { correct: string[]; declared: Declared | undefined }, flow: Read, reading: QtiReading): QuestionContent {
  const { list, ids } = options(all(block, 'simpleChoice'), flow)
  const isSingle = declared?.cardinality !== 'multiple' && Number(value(block, 'maxChoices') ?? 1) === 1
  // Without a key, the points that options bring tell it; with one, they may say more than it.
  const points = creditsOf(ids, declared)
  const sum = points.reduce((total, one) => total + Math.max(0, one), 0)
  const key = correct.length > 0 && sum === 0 ? { right: [], said: [] } : isSingle ? bestOption(points) : sharedOptions(points.map((one) => (sum > 0 ? (one / sum) * 100 : 0)))
  reading.warnings.push(...key.said)
  const right = correct.length > 0 ? correct.flatMap((id) => ids.get(id) ?? []) : key.right.flatMap((place) => list[place]?.id ?? [])
  const base = { stem: prompt(block, flow), options: list, option_layout: fittingLayout(list) }
  if (isSingle) return { ...emptyContent(1), ...base, category: '单选题', answer: { k: 'one', ok: right[0] ?? null } }
  return { ...emptyContent(2), ...base, category: right.length === 1 ? '不定项选择题' : '多选题', answer: { k: 'many', ok: right, rule: 'gaokao' } }
}

function free(block: XmlElement, root: XmlElement, flow: Read): QuestionContent {
  const ref = docOf(all(root, 'rubricBlock').flatMap((one) => flowDoc(flow(html(one.children)))?.c ?? [])) ?? explained(root, flow)
  return { ...emptyContent(4), stem: prompt(block, flow), category: '解答题', answer: { k: 'free', parts: [{ no: 0, ref, steps: [] }] } }
}

/** What is said when an option is chosen. */
const saidOfOptions = (body: XmlElement, flow: Read) => all(body, 'choiceInteraction').flatMap((block) => all(block, 'simpleChoice').flatMap((one, index) => all(one, 'feedbackInline').flatMap((feedback) => {
  const doc = flowDoc(flow(html(feedback.children)))
  return doc ? [paragraph([`${optionLetter(index)}：`]), ...doc.c] : []
})))

/** What is said after answering. */
const explained = (root: XmlElement, flow: Read): RichDoc | null => docOf(['modalFeedback', 'feedbackBlock'].flatMap((name) => all(root, name)).flatMap((one) => flowDoc(flow(html(one.children)))?.c ?? []))

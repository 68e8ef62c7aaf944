/** A whole question as HTML in sections, for formats that nest them: QTI items, and what Moodle has no place for. */
import { parseFragment, serialize, type DefaultTreeAdapterMap } from 'parse5'
import { emptyContent, MANY_RULES, NO_ANALYSIS, type Answer, type Option, type OptionLayout, type QuestionContent, type QuestionType } from '../content/question.ts'
import type { RichDoc } from '../../../core/rich-text/rich-doc.ts'
import { answerHtml, readAnswerHtml } from './answer-html.ts'
import { docHtml, type HtmlStyle } from './html-own.ts'
import { escapeXml } from './xml.ts'

type Element = DefaultTreeAdapterMap['element']

/** How a format writes what is its own. */
export interface ContentStyle extends HtmlStyle {
  /** Options; they are elements whose `identifier` is the option's id. */
  choices: (content: QuestionContent, name: string) => string
  /** Explanations and keys, kept from learners. */
  kept: (html: string) => string
  /** Room for a written answer. */
  written?: (content: QuestionContent, name: string) => string
}

const PARTS = ['hint', 'solution', 'comment', 'pitfall'] as const
const token = (name: string, value: string | number | null | undefined) => (value === null || value === undefined ? '' : ` q-${name}-${value}`)

/**
 * The sections of a question and its children.
 * @param name unique in the file; children are called name_1, name_2 …
 */
export function contentHtml(content: QuestionContent, name: string, style: ContentStyle): string {
  const { answer, analysis } = content
  const rule = answer.k === 'many' ? answer.rule : undefined
  const own: ContentStyle = style
  const kept = [
    ...PARTS.flatMap((part) => (analysis[part] ? [`<div class="q-part q-${part}">${docHtml(analysis[part], own)}</div>`] : [])),
    ...(answer.k === 'blanks' || answer.k === 'free' ? [`<div class="q-key">${answerHtml(answer, own)}</div>`] : []),
  ].join('')
  return `<div class="q-question${token('type', content.type)}${token('layout', content.option_layout)}${token('score', content.score)}${token('rule', rule)}"${content.category === null ? '' : ` title="${escapeXml(content.category)}"`}>` +
    `<div class="q-stem">${docHtml(content.stem, own)}</div>` +
    (content.options.length > 0 || content.type <= 2 ? style.choices(content, name) : '') +
    content.children.map((child, index) => `<div class="q-child">${contentHtml(child, `${name}_${index + 1}`, style)}</div>`).join('') +
    (style.written?.(content, name) ?? '') + (kept ? style.kept(kept) : '') + '</div>'
}

const isElement = (node: DefaultTreeAdapterMap['childNode']): node is Element => 'tagName' in node
const inner = (element: Element) => element.childNodes.filter(isElement)
const attribute = (element: Element, name: string) => element.attrs.find((one) => one.name === name)?.value
const classes = (element: Element) => (attribute(element, 'class') ?? '').split(/\s+/)
const has = (name: string) => (element: Element) => classes(element).includes(name)

/** Elements that a test finds, not looking into child questions. */
function find(element: Element, test: (one: Element) => boolean): Element[] {
  return inner(element).flatMap((one) => (test(one) ? [one] : has('q-child')(one) ? [] : find(one, test)))
}

/** How a format is read. */
export interface ContentReading {
  /** Rich text of our HTML; null for nothing. */
  doc: (html: string) => RichDoc | null
  /** Ids of the right options of the element that holds options. */
  right: (choices: Element) => readonly string[]
}

const isChoice = (element: Element) => ['simplechoice', 'qti-simple-choice'].includes(element.tagName) || has('q-option')(element)
const isChoices = (element: Element) => ['choiceinteraction', 'qti-choice-interaction'].includes(element.tagName) || has('q-options')(element)

function read(element: Element, reading: ContentReading): QuestionContent {
  const value = (name: string) => classes(element).find((one) => one.startsWith(`q-${name}-`))?.slice(name.length + 3)
  const type = Number(value('type') ?? 4) as QuestionType
  const html = (part: Element | undefined) => (part ? reading.doc(serialize(part)) : null)
  const choices = find(element, isChoices)[0]
  const options = choices ? find(choices, isChoice).map((one): Option => ({ id: attribute(one, 'identifier') ?? attribute(one, 'id') ?? '', doc: html(one) })) : []
  const right = choices ? reading.right(choices) : []
  const key = find(element, has('q-key'))[0]
  const written = key ? readAnswerHtml(serialize(key), reading.doc) : null
  const rule = MANY_RULES.find((one) => one.value === value('rule'))?.value ?? 'gaokao'
  const answers: Readonly<Record<QuestionType, Answer>> = {
    1: { k: 'one', ok: right[0] ?? null }, 2: { k: 'many', ok: [...right], rule }, 3: written?.k === 'blanks' ? written : { k: 'blanks', b: [] }, 4: written?.k === 'free' ? written : { k: 'free', parts: [] }, 5: { k: 'sub' }, 6: { k: 'sub' },
  }
  const score = value('score')
  return {
    ...emptyContent(type), stem: html(find(element, has('q-stem'))[0]), options, option_layout: Number(value('layout') ?? 1) as OptionLayout, answer: answers[type], score: score === undefined ? null : Number(score),
    category: attribute(element, 'title') ?? null, analysis: { ...NO_ANALYSIS, ...Object.fromEntries(PARTS.map((part) => [part, html(find(element, (one) => has('q-part')(one) && has(`q-${part}`)(one))[0])])) },
    children: find(element, has('q-child')).flatMap((child) => inner(child).filter(has('q-question')).map((one) => read(one, reading))),
  }
}

/**
 * Reads what `contentHtml` has written.
 * @returns null when there is no question of ours in the HTML
 */
export function readContentHtml(html: string, reading: ContentReading): QuestionContent | null {
  const fragment = parseFragment(html)
  const top = fragment.childNodes.find(isElement)
  const found = top && (has('q-question')(top) ? top : find(top, has('q-question'))[0])
  return found ? read(found, reading) : null
}

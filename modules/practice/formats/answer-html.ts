/** Answers that formats of other systems have no place for: what is accepted in a blank, parts with their points and steps. */
import { parseFragment, serialize, type DefaultTreeAdapterMap } from 'parse5'
import type { Answer, AnswerPart, BlankAnswer, BlankMatch } from '../content/question.ts'
import type { RichDoc } from '../../../core/rich-text/rich-doc.ts'
import { docHtml, type HtmlStyle } from './html-own.ts'

type Element = DefaultTreeAdapterMap['element']
type Written = Extract<Answer, { k: 'blanks' | 'free' }>

const data = (values: Readonly<Record<string, string | number | undefined>>) => Object.entries(values).map(([name, value]) => (value === undefined ? '' : ` data-${name}="${value}"`)).join('')

/** An answer as HTML that people can read too. */
export function answerHtml(answer: Written, style: HtmlStyle): string {
  if (answer.k === 'blanks') {
    return `<ol class="q-blanks">${answer.b.map(({ id, accept, match, eps, group, score }) => `<li${data({ id, match, eps, group, score })}>${accept.map((doc) => `<div class="q-accept">${docHtml(doc, style)}</div>`).join('')}</li>`).join('')}</ol>`
  }
  return `<ol class="q-parts">${answer.parts.map(({ no, score, ref, steps }) => `<li${data({ no, score })}><div class="q-ref">${docHtml(ref, style)}</div>${steps.map((step) => `<div class="q-step"${data({ score: step.score })}>${docHtml(step.text, style)}</div>`).join('')}</li>`).join('')}</ol>`
}

const isElement = (node: DefaultTreeAdapterMap['childNode']): node is Element => 'tagName' in node
const inner = (element: Element) => element.childNodes.filter(isElement)
const attribute = (element: Element, name: string) => element.attrs.find((one) => one.name === name)?.value
const number = (element: Element, name: string) => {
  const value = attribute(element, `data-${name}`)
  return value === undefined ? {} : { [name]: Number(value) }
}
const isOf = (name: string) => (element: Element) => attribute(element, 'class') === name

/**
 * Reads what `answerHtml` has written.
 * @param read makes a text of the HTML in it
 * @returns null when it is something else
 */
export function readAnswerHtml(html: string, read: (html: string) => RichDoc | null): Written | null {
  const list = parseFragment(html).childNodes.find(isElement)
  const kind = list && attribute(list, 'class')
  if (!list || (kind !== 'q-blanks' && kind !== 'q-parts')) return null
  const doc = (element: Element) => read(serialize(element))
  if (kind === 'q-blanks') {
    return { k: 'blanks', b: inner(list).map((item): BlankAnswer => ({
      id: attribute(item, 'data-id') ?? 'b1', match: (attribute(item, 'data-match') ?? 'exact') as BlankMatch, accept: inner(item).filter(isOf('q-accept')).flatMap((one) => doc(one) ?? []), ...number(item, 'eps'), ...number(item, 'group'), ...number(item, 'score'),
    })) }
  }
  return { k: 'free', parts: inner(list).map((item): AnswerPart => {
    const ref = inner(item).find(isOf('q-ref'))
    return { no: Number(attribute(item, 'data-no') ?? 0), ref: ref ? doc(ref) : null, ...number(item, 'score'), steps: inner(item).filter(isOf('q-step')).flatMap((step) => {
      const words = doc(step)
      return words ? [{ text: words, score: Number(attribute(step, 'data-score') ?? 0) }] : []
    }) }
  }) }
}

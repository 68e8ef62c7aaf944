/** Names of QTI whatever the version: `choiceInteraction` and `qti-choice-interaction` are one. */
import { elements, type XmlElement } from '../xml.ts'

const plain = (name: string) => name.toLowerCase().replace(/^qti-/, '').replaceAll('-', '')

/** Whether an element is of a kind. */
export const is = (element: XmlElement, name: string) => plain(element.name) === plain(name)

/** Elements of a kind at any depth, in their order. */
export function all(parent: XmlElement | undefined, name: string): XmlElement[] {
  return elements(parent).flatMap((one) => [...(is(one, name) ? [one] : []), ...all(one, name)])
}

/** An attribute under both of its names. */
export function value(element: XmlElement | undefined, name: string): string | undefined {
  if (!element) return undefined
  return element.attrs[name] ?? element.attrs[name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)]
}

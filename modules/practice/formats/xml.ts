/** XML as a tree. Document types and entities are refused: they can load other files and grow without end. */
import { SaxesParser } from 'saxes'

export interface XmlElement {
  /** Name without its prefix. */
  name: string
  /** Prefix of the name, '' when it has none. */
  prefix: string
  /** Attributes by their full name. */
  attrs: Readonly<Record<string, string>>
  children: XmlNode[]
  /** Line in the file, from 1. */
  line: number
}

export type XmlNode = XmlElement | string

/** Deepest nesting and most elements of a file: far above any real one. */
const MAX_DEPTH = 400
const MAX_ELEMENTS = 3_000_000

/** What is wrong with a file, with its line. */
export class XmlError extends Error {
  override readonly name = 'XmlError'
  readonly line: number

  constructor(message: string, line: number) {
    super(message)
    this.line = line
  }
}

const localName = (name: string): [prefix: string, local: string] => {
  const colon = name.indexOf(':')
  return colon < 0 ? ['', name] : [name.slice(0, colon), name.slice(colon + 1)]
}

/**
 * Reads a document. @public for the readers
 * @throws XmlError when it is not well formed, has a document type, or is too deep or too large
 */
export function parseXml(text: string): XmlElement {
  const parser = new SaxesParser({ position: true })
  const root: XmlElement = { name: '', prefix: '', attrs: {}, children: [], line: 0 }
  const open: XmlElement[] = [root]
  let count = 0
  let failure: XmlError | undefined
  const fail = (message: string) => {
    failure ??= new XmlError(message, parser.line)
  }
  parser.on('error', () => fail('XML 写法有误'))
  parser.on('doctype', () => fail('不支持带 DOCTYPE 的文件'))
  parser.on('opentag', (tag) => {
    if (failure) return
    count++
    if (open.length > MAX_DEPTH || count > MAX_ELEMENTS) {
      fail('XML 嵌套太深或内容太多')
      return
    }
    const [prefix, name] = localName(tag.name)
    const element: XmlElement = { name, prefix, attrs: tag.attributes as Record<string, string>, children: [], line: parser.line }
    open.at(-1)?.children.push(element)
    open.push(element)
  })
  parser.on('closetag', () => {
    if (!failure) open.pop()
  })
  const addText = (words: string) => {
    if (!failure && words !== '') open.at(-1)?.children.push(words)
  }
  parser.on('text', addText)
  parser.on('cdata', addText)
  try {
    // In parts, so that a refused file is not read to its end.
    const clean = text.replace(/^\uFEFF/, '')
    for (let at = 0; at < clean.length && !failure; at += 65_536) parser.write(clean.slice(at, at + 65_536))
    if (!failure) parser.close()
  } catch {
    fail('XML 写法有误')
  }
  if (failure) throw failure
  const top = root.children.find((child): child is XmlElement => typeof child !== 'string')
  if (!top) throw new XmlError('文件中没有内容', 1)
  return top
}

/** Child elements, all or those of a name. */
export function elements(parent: XmlElement | undefined, name?: string): XmlElement[] {
  return (parent?.children ?? []).filter((child): child is XmlElement => typeof child !== 'string' && (name === undefined || child.name === name))
}

/** First child element of a name. @public for the readers */
export function child(parent: XmlElement | undefined, ...names: string[]): XmlElement | undefined {
  let at: XmlElement | undefined = parent
  for (const name of names) at = elements(at, name)[0]
  return at
}

/** All text in an element. */
export function textIn(element: XmlElement | undefined): string {
  return (element?.children ?? []).map((node) => (typeof node === 'string' ? node : textIn(node))).join('')
}

/** Elements of a name at any depth, in document order, without those inside one another. */
export function descendants(parent: XmlElement | undefined, name: string): XmlElement[] {
  return elements(parent).flatMap((one) => (one.name === name ? [one] : descendants(one, name)))
}

/** An attribute whatever its prefix is. */
export function attr(element: XmlElement | undefined, name: string): string | undefined {
  if (!element) return undefined
  if (element.attrs[name] !== undefined) return element.attrs[name]
  const key = Object.keys(element.attrs).find((one) => one.endsWith(`:${name}`))
  return key === undefined ? undefined : element.attrs[key]
}

/** @public for the writers. Text that may stand in an element or an attribute; characters that XML cannot hold are dropped. */
export function escapeXml(text: string): string {
  return text.replace(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g, '').toWellFormed().replace(/[&<>"']/g, (char) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' })[char] ?? char)
}

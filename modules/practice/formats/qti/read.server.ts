/** Questions of a QTI package or a single item, of any version from 2.0 to 3.0. */
import { emptyContent, NO_FACTS, type Question, type QuestionContent, type QuestionFacts } from '../../content/question.ts'
import { docOf } from '../../../../core/rich-text/rich-doc.ts'
import { readFacts } from '../fact-rows.ts'
import { hint, lost, uncertain, type Asset, type Parsed, type ParsedItem, type Warning } from '../item.ts'
import { attr, elements, parseXml, textIn, XmlError, type XmlElement } from '../xml.ts'
import { unzip } from '../zip.server.ts'
import { readItem, type QtiReading } from './item.ts'
import { all, is } from './names.ts'

const TYPES: Readonly<Record<string, string>> = { png: 'image/png', jpg: 'image/jpeg', jpeg: 'image/jpeg', gif: 'image/gif', svg: 'image/svg+xml', webp: 'image/webp', mp3: 'audio/mpeg' }
const decoder = new TextDecoder()

/** Version 1 has another model altogether. */
export const QTI_1 = '这是 QTI 1.2 格式（Canvas、Blackboard 等导出），不能读取；请在原系统中导出为 QTI 2.1 或 2.2，或导出为 Moodle XML 后上传'

/** A path that stands beside another one. */
function beside(path: string, href: string): string {
  const parts = path.split('/').slice(0, -1)
  for (const part of decoded(href).split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '.' && part !== '') parts.push(part)
  }
  return parts.join('/')
}

function decoded(href: string): string {
  try {
    return decodeURIComponent(href.replace(/[?#].*$/, ''))
  } catch {
    return href
  }
}

interface Listed {
  path: string
  facts: QuestionFacts | null
}

/** Items in the order of the manifest; without one, every file that is an item. */
function listed(parts: ReadonlyMap<string, Uint8Array>, trees: (path: string) => XmlElement | null): Listed[] {
  const manifest = [...parts.keys()].filter((path) => /(?:^|\/)imsmanifest\.xml$/i.test(path)).sort((a, b) => a.length - b.length)[0]
  const root = manifest ? trees(manifest) : null
  const named = root && manifest ? all(root, 'resource').flatMap((resource): Listed[] => {
    const href = attr(resource, 'href')
    const path = href ? beside(manifest, href) : ''
    if (!parts.has(path) || !/item/i.test(attr(resource, 'type') ?? '')) return []
    const facts = all(resource, 'facts')[0]
    return [{ path, facts: facts ? readFacts(elements(facts, 'fact').map((fact) => [attr(fact, 'name') ?? '', textIn(fact)] as const)) : null }]
  }) : []
  if (named.length > 0) return named
  return [...parts.keys()].filter((path) => /\.xml$/i.test(path) && path !== manifest).sort((a, b) => a.localeCompare(b, 'en', { numeric: true })).map((path) => ({ path, facts: null }))
}

/** Reads a package. */
export async function readQti(bytes: Buffer): Promise<Parsed> {
  const { parts, broken } = await unzip(bytes)
  const warnings: Warning[] = broken.map((name) => hint(`压缩文件中的「${name}」已损坏，没有读取`))
  const files = new Map([...parts].flatMap(([path, content]): [string, Asset][] => {
    const type = TYPES[/\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? '']
    return type ? [[path, { name: path, bytes: content, type }]] : []
  }))
  const errors = new Map<string, string>()
  const cache = new Map<string, XmlElement | null>()
  const tree = (path: string): XmlElement | null => {
    const known = cache.get(path)
    if (known !== undefined) return known
    const found = parts.get(path)
    let made: XmlElement | null = null
    try {
      if (found) made = parseXml(decoder.decode(found))
    } catch (error) {
      if (!(error instanceof XmlError)) throw error
      errors.set(path, `第 ${error.line} 行：${error.message}`)
    }
    cache.set(path, made)
    return made
  }
  const assets = new Map<string, Asset>()
  const items: ParsedItem[] = []
  /** Groups that share a passage, by its file. */
  const groups = new Map<string, Question>()
  for (const { path, facts } of listed(parts, tree)) {
    const root = tree(path)
    if (!root) {
      items.push(lost(path, errors.get(path) ?? '找不到这个文件'))
      continue
    }
    if (!is(root, 'assessmentItem')) {
      if (is(root, 'assessmentTest') || is(root, 'assessmentStimulus') || is(root, 'manifest')) continue
      items.push(lost(path, is(root, 'questestinterop') ? QTI_1 : '不是 QTI 试题'))
      continue
    }
    const reading: QtiReading = { warnings: [], assets, files, title: attr(root, 'title') ?? '' }
    const content = readItem(root, reading)
    if (typeof content === 'string') {
      items.push(lost(path, content))
      continue
    }
    const href = attr(all(root, 'assessmentStimulusRef')[0], 'href')
    const stimulus = href ? beside(path, href) : null
    const passage = stimulus ? groups.get(stimulus) : undefined
    if (passage && content.type <= 4) {
      passage.children.push(content)
      items.find((one) => one.question === passage)?.warnings.push(...reading.warnings)
      continue
    }
    const question: Question = { ...content, ...(facts ?? NO_FACTS) }
    const root2 = stimulus ? tree(stimulus) : null
    if (stimulus && !root2) reading.warnings.push(uncertain('stem', `找不到共用材料「${stimulus.slice(-40)}」`))
    if (stimulus && root2 && content.type <= 4) {
      const body = readItem(root2, reading)
      const group: Question = { ...emptyContent(6), ...(facts ?? NO_FACTS), stem: typeof body === 'string' ? null : docOf(body.stem?.c ?? []), children: [content] satisfies QuestionContent[] }
      groups.set(stimulus, group)
      items.push({ place: path, question: group, warnings: reading.warnings })
    } else items.push({ place: path, question, warnings: reading.warnings })
  }
  if (items.length === 0) items.push(lost('文件', '压缩文件中没有 QTI 试题'))
  return { items, assets, warnings }
}

/** Reads one item that stands alone; null when the text is none. */
export function readQtiItem(text: string): Parsed | null {
  if (!/<(?:\w+:)?(?:assessmentItem|qti-assessment-item)[\s>]/.test(text.slice(0, 8000))) return null
  const assets = new Map<string, Asset>()
  try {
    const reading: QtiReading = { warnings: [], assets, files: new Map(), title: '' }
    const content = readItem(parseXml(text), reading)
    const item: ParsedItem = typeof content === 'string' ? lost('试题', content) : { place: '第 1 题', question: { ...content, ...NO_FACTS }, warnings: reading.warnings }
    return { items: [item], assets, warnings: [] }
  } catch (error) {
    if (!(error instanceof XmlError)) throw error
    return { items: [lost(`第 ${error.line} 行`, error.message)], assets, warnings: [] }
  }
}

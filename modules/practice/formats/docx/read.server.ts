/** Questions of a Word file: those of our own by their marks, all others by their numbers. */
import { badRequest } from '../../../../core/error/error.ts'
import { compileTex, texErrorText } from '../../../../core/rich-text/tex-compile.ts'
import { docsOf, mapDocs, type Question } from '../../content/question.ts'
import { formulasOf, rewriteDoc } from '../../../../core/rich-text/rich-doc.ts'
import { normaliseTex } from '../../../../core/rich-text/tex.ts'
import { hint, problem, type Asset, type Parsed, type ParsedItem, type Warning } from '../item.ts'
import { paperHead } from '../paper/head.ts'
import { paperItems } from '../paper/items.ts'
import { attr, elements, parseXml, XmlError, type XmlElement } from '../xml.ts'
import { unzip } from '../zip.server.ts'
import { readBody, type WordBlock } from './body.ts'
import { flowTokens, texReader } from './read-flow.ts'
import { beginsRecord, hasRecords, readRecord } from './read-record.ts'

const TYPES: Readonly<Record<string, string>> = { png: 'image/png', jpg: 'image/jpeg', jpeg: 'image/jpeg', gif: 'image/gif', webp: 'image/webp', svg: 'image/svg+xml', bmp: 'image/bmp', emf: 'image/x-emf', wmf: 'image/x-wmf' }
const decoder = new TextDecoder()

/**
 * Reads a .docx file.
 * @throws AppError when it is no Word file at all
 */
export async function readDocx(bytes: Buffer): Promise<Parsed> {
  if (bytes.subarray(0, 4).toString('hex') === 'd0cf11e0') throw badRequest('不支持旧的 .doc 格式或加密的文件，请在 Word 中另存为 .docx')
  const { parts, broken } = await unzip(bytes)
  const warnings: Warning[] = broken.map((name) => hint(`文件中的「${name}」已损坏，没有读取`))
  const names = new Map([...parts.keys()].map((name) => [name.toLowerCase(), name]))
  const part = (name: string) => parts.get(names.get(name.toLowerCase()) ?? '')
  const tree = (name: string): XmlElement | undefined => {
    const found = part(name)
    if (!found) return undefined
    try {
      return parseXml(decoder.decode(found))
    } catch (error) {
      if (!(error instanceof XmlError)) throw error
      if (name.endsWith('/document.xml')) throw badRequest(`Word 文件的正文第 ${error.line} 行已损坏：${error.message}`)
      warnings.push(hint(`「${name}」已损坏，没有读取`))
      return undefined
    }
  }
  const main = mainPart(tree('_rels/.rels')) ?? 'word/document.xml'
  const document = tree(main)
  if (!document) throw badRequest('文件不是有效的 Word 文件')
  const folder = main.replace(/[^/]*$/, '')
  const media = new Map<string, Asset>()
  for (const relation of elements(tree(`${folder}_rels/${main.slice(folder.length)}.rels`))) {
    const target = attr(relation, 'Target') ?? ''
    const name = target.startsWith('/') ? target.slice(1) : folder + target
    const type = TYPES[/\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? '']
    const found = type && attr(relation, 'TargetMode') !== 'External' ? part(name) : undefined
    if (found && type) media.set(attr(relation, 'Id') ?? '', { name, bytes: found, type })
  }
  const assets = new Map<string, Asset>()
  const blocks = readBody({ document, numbering: tree(`${folder}numbering.xml`), styles: tree(`${folder}styles.xml`), media }, assets)
  return hasRecords(blocks) ? { items: records(blocks), warnings, assets } : { items: foreign(blocks), warnings, assets, ...paperHead(flowTokens(blocks, texReader([]))) }
}

const mainPart = (relations: XmlElement | undefined) => attr(elements(relations).find((one) => (attr(one, 'Type') ?? '').endsWith('/officeDocument')), 'Target')?.replace(/^\//, '')

/** Questions that are found by their numbers. */
function foreign(blocks: readonly WordBlock[]): ParsedItem[] {
  const warnings: Warning[] = []
  const items = paperItems(flowTokens(blocks, texReader(warnings)))
  // A formula belongs to the question that shows it.
  for (const warning of warnings) (items.find((item) => item.question && docsOf(item.question).some(({ doc }) => formulasOf(doc).some((tex) => warning.message.includes(tex.slice(0, 30))))) ?? items[0])?.warnings.push(warning)
  return items
}

/** Records, and questions that were written between them by hand. */
function records(blocks: readonly WordBlock[]): ParsedItem[] {
  const items: ParsedItem[] = []
  const begins = blocks.flatMap((block, index) => (beginsRecord(block) ? [index] : []))
  const before = foreignIn(blocks.slice(0, begins[0] ?? 0))
  items.push(...before)
  for (const [index, start] of begins.entries()) {
    const { question, rest } = readRecord(blocks.slice(start, begins[index + 1]))
    const warnings: Warning[] = []
    items.push({ place: `第 ${index + 1} 题`, question: checked(question, warnings), warnings }, ...foreignIn(rest))
  }
  return items
}

/** Titles between records are no questions. */
const foreignIn = (blocks: readonly WordBlock[]) => foreign(blocks).filter((item) => item.question && (item.question.options.length > 0 || item.question.analysis.solution || /题/.test(item.place)) && item.question.answer.k !== 'free')

/** Formulas in our spelling; what does not compile is said. */
function checked(question: Question, warnings: Warning[]): Question {
  const spelt = mapDocs(question, (doc) => rewriteDoc(doc, {
    inline: (inline) => [typeof inline !== 'string' && inline.t === 'tex' ? { ...inline, tex: normaliseTex(inline.tex) } : inline],
    block: (block) => [block.t === 'math' ? { ...block, tex: normaliseTex(block.tex) } : block],
  }))
  for (const { place, doc } of docsOf(spelt)) {
    for (const tex of formulasOf(doc)) {
      const error = compileTex(tex)
      if (error) warnings.push(problem(`${place}：公式「${tex.slice(0, 30)}」${texErrorText(error)}`))
    }
  }
  return spelt
}

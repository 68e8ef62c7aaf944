/** Questions as a package of QTI 2.1, 2.2 or 3.0: a manifest, an item for each question, its pictures. */
import { docsOf, type Question, type QuestionContent } from '../../content/question.ts'
import { assetsOf, plainText } from '../../../../core/rich-text/rich-doc.ts'
import { contentHtml, type ContentStyle } from '../content-html.ts'
import { factRows } from '../fact-rows.ts'
import { docHtml } from '../html-own.ts'
import type { Asset } from '../item.ts'
import { escapeXml } from '../xml.ts'
import { zip } from '../zip.server.ts'

export type QtiVersion = '2.1' | '2.2' | '3.0'

interface Edition {
  item: string
  itemNamespace: string
  manifestNamespace: string
  schema: string
  processing: string
}

const EDITIONS: Readonly<Record<QtiVersion, Edition>> = {
  '2.1': { item: 'imsqti_item_xmlv2p1', itemNamespace: 'http://www.imsglobal.org/xsd/imsqti_v2p1', manifestNamespace: 'http://www.imsglobal.org/xsd/imscp_v1p1', schema: 'QTIv2.1 Package', processing: 'http://www.imsglobal.org/question/qti_v2p1/rptemplates/match_correct' },
  '2.2': { item: 'imsqti_item_xmlv2p2', itemNamespace: 'http://www.imsglobal.org/xsd/imsqti_v2p2', manifestNamespace: 'http://www.imsglobal.org/xsd/imscp_v1p1', schema: 'QTIv2.2 Package', processing: 'http://www.imsglobal.org/question/qti_v2p2/rptemplates/match_correct' },
  '3.0': { item: 'imsqti_item_xmlv3p0', itemNamespace: 'http://www.imsglobal.org/xsd/imsqtiasi_v3p0', manifestNamespace: 'http://www.imsglobal.org/xsd/qti/qtiv3p0/imscp_v1p1', schema: 'QTI Package', processing: 'https://purl.imsglobal.org/spec/qti/v3p0/rptemplates/match_correct.xml' },
}

const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
/** Names of elements and attributes: QTI 3 writes them with hyphens. */
const namer = (version: QtiVersion) => ({ tag: (name: string) => (version === '3.0' ? `qti-${kebab(name)}` : name), at: (name: string) => (version === '3.0' ? kebab(name) : name) })

interface Declared {
  id: string
  cardinality: 'single' | 'multiple'
  type: 'identifier' | 'string'
  correct: string[]
  /** Other answers that are right too. */
  other: string[]
}

const words = (content: QuestionContent, id: string) => (content.answer.k === 'blanks' ? (content.answer.b.find((blank) => blank.id === id)?.accept ?? []).map((doc) => plainText(doc)) : [])

function itemXml(question: Question, name: string, version: QtiVersion, assets: ReadonlyMap<string, Asset>): string {
  const { tag, at } = namer(version)
  const edition = EDITIONS[version]
  const declared: Declared[] = []
  const style: ContentStyle = {
    math: 'mathml',
    address: (address) => (assets.has(address) ? `../media/${encodeURIComponent(assets.get(address)?.name ?? '')}` : address),
    choices: (content, id) => {
      const right = content.answer.k === 'one' ? [content.answer.ok ?? []].flat() : content.answer.k === 'many' ? content.answer.ok : []
      const isMany = content.answer.k === 'many'
      declared.push({ id: `R_${id}`, cardinality: isMany ? 'multiple' : 'single', type: 'identifier', correct: [...right], other: [] })
      return `<${tag('choiceInteraction')} ${at('responseIdentifier')}="R_${id}" shuffle="false" ${at('maxChoices')}="${isMany ? 0 : 1}">` + content.options.map((option) => `<${tag('simpleChoice')} identifier="${option.id}">${docHtml(option.doc, style)}</${tag('simpleChoice')}>`).join('') + `</${tag('choiceInteraction')}>`
    },
    kept: (html) => `<${tag('rubricBlock')} view="tutor scorer">${html}</${tag('rubricBlock')}>`,
    written: (content, id) => {
      if (content.type !== 4) return ''
      declared.push({ id: `R_${id}`, cardinality: 'single', type: 'string', correct: [], other: [] })
      return `<${tag('extendedTextInteraction')} ${at('responseIdentifier')}="R_${id}"></${tag('extendedTextInteraction')}>`
    },
  }
  // Blanks are written into where they stand.
  const own = (content: QuestionContent, id: string): ContentStyle => ({
    ...style,
    hole: (node) => {
      if (node.t !== 'blank' || content.type !== 3) return node.t === 'subref' ? String(node.n) : '______'
      const [first, ...other] = words(content, node.id)
      declared.push({ id: `R_${id}_${node.id}`, cardinality: 'single', type: 'string', correct: first === undefined ? [] : [first], other })
      return `<${tag('textEntryInteraction')} ${at('responseIdentifier')}="R_${id}_${node.id}"></${tag('textEntryInteraction')}>`
    },
  })
  const body = contentHtml(question, 'q', question.type === 3 ? own(question, 'q') : style)
  const declarations = declared.map((one) => {
    const mapping = one.other.length > 0 ? `<${tag('mapping')} ${at('defaultValue')}="0">${[...new Set([...one.correct, ...one.other])].map((key) => `<${tag('mapEntry')} ${at('mapKey')}="${escapeXml(key)}" ${at('mappedValue')}="1"/>`).join('')}</${tag('mapping')}>` : ''
    const correct = one.correct.length > 0 ? `<${tag('correctResponse')}>${one.correct.map((value) => `<${tag('value')}>${escapeXml(value)}</${tag('value')}>`).join('')}</${tag('correctResponse')}>` : ''
    return `<${tag('responseDeclaration')} identifier="${one.id}" cardinality="${one.cardinality}" ${at('baseType')}="${one.type}">${correct}${mapping}</${tag('responseDeclaration')}>`
  }).join('')
  const xml = `<?xml version="1.0" encoding="UTF-8"?>\n<${tag('assessmentItem')} xmlns="${edition.itemNamespace}" identifier="${name}" title="${escapeXml(plainText(question.stem).replace(/\s+/g, ' ').slice(0, 60) || name)}" adaptive="false" ${at('timeDependent')}="false">` +
    `${declarations}<${tag('outcomeDeclaration')} identifier="SCORE" cardinality="single" ${at('baseType')}="float"${question.score === null ? '' : ` ${at('normalMaximum')}="${question.score}"`}/>` +
    `<${tag('itemBody')}>${version === '3.0' ? body : body.replaceAll(' title="', ' label="')}</${tag('itemBody')}>` +
    (declared.length === 1 ? `<${tag('responseProcessing')} template="${edition.processing}"/>` : '') + `</${tag('assessmentItem')}>\n`
  return xml
}

/** All questions as one package. */
export async function writeQti(questions: readonly Question[], assets: ReadonlyMap<string, Asset>, version: QtiVersion): Promise<Buffer> {
  const edition = EDITIONS[version]
  const items = questions.map((question, index) => ({ name: `q${index + 1}`, question, xml: itemXml(question, `q${index + 1}`, version, assets), files: [...new Set(docsOf(question).flatMap(({ doc }) => assetsOf(doc)))].flatMap((address) => assets.get(address) ?? []) }))
  const media = new Map(items.flatMap(({ files }) => files.map((file) => [file.name, file.bytes] as const)))
  const resources = items.map(({ name, question, files }) => `<resource identifier="${name}" type="${edition.item}" href="items/${name}.xml">` +
    `<metadata><d:facts xmlns:d="urn:daoyuan:facts">${factRows(question).map(([key, value]) => `<d:fact name="${escapeXml(key)}">${escapeXml(value)}</d:fact>`).join('')}</d:facts></metadata>` +
    `<file href="items/${name}.xml"/>${files.map((file) => `<file href="media/${encodeURIComponent(file.name)}"/>`).join('')}</resource>`).join('')
  const manifest = `<?xml version="1.0" encoding="UTF-8"?>\n<manifest xmlns="${edition.manifestNamespace}" identifier="practice"><metadata><schema>${edition.schema}</schema><schemaversion>${version === '3.0' ? '3.0.0' : '1.0.0'}</schemaversion></metadata><organizations/><resources>${resources}</resources></manifest>\n`
  return zip([['imsmanifest.xml', manifest], ...items.map(({ name, xml }) => [`items/${name}.xml`, xml] as const), ...[...media].map(([name, bytes]) => [`media/${name}`, bytes] as const)])
}

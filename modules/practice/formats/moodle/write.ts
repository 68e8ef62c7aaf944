/** Questions as Moodle XML. What Moodle has no place for stands in an element of ours that it passes over. */
import { emptyContent, type Question, type QuestionContent } from '../../content/question.ts'
import { inlinesOf, plainText, type RichDoc } from '../../../../core/rich-text/rich-doc.ts'
import { contentHtml, type ContentStyle } from '../content-html.ts'
import { factRows } from '../fact-rows.ts'
import { docHtml } from '../html-own.ts'
import type { Asset } from '../item.ts'
import { escapeXml } from '../xml.ts'

const cdata = (text: string) => `<![CDATA[${text.replaceAll(']]>', ']]]]><![CDATA[>')}]]>`
const base64 = (bytes: Uint8Array) => {
  let binary = ''
  for (let at = 0; at < bytes.length; at += 0x8000) binary += String.fromCharCode(...bytes.subarray(at, at + 0x8000))
  return btoa(binary)
}

/** HTML with the files that it names beside it. */
class Texts {
  readonly #assets: ReadonlyMap<string, Asset>
  constructor(assets: ReadonlyMap<string, Asset>) {
    this.#assets = assets
  }

  /** An element with a text and its files. */
  element(name: string, write: (style: ContentStyle) => string, attributes = ' format="html"'): string {
    const used = new Map<string, Asset>()
    const html = write(this.style((asset) => used.set(asset.name, asset)))
    return `<${name}${attributes}><text>${html === '' ? '' : cdata(html)}</text>${[...used.values()].map((file) => `<file name="${escapeXml(file.name)}" path="/" encoding="base64">${base64(file.bytes)}</file>`).join('')}</${name}>`
  }

  style(use: (asset: Asset) => void): ContentStyle {
    return {
      math: 'tex',
      address: (address) => {
        const asset = this.#assets.get(address)
        if (!asset) return address
        use(asset)
        return `@@PLUGINFILE@@/${encodeURIComponent(asset.name)}`
      },
      choices: (content) => `<ol class="q-options" type="A" data-right="${content.answer.k === 'one' ? (content.answer.ok ?? '') : content.answer.k === 'many' ? content.answer.ok.join(' ') : ''}">${content.options.map((option) => `<li class="q-option" id="${option.id}">${docHtml(option.doc, this.style(use))}</li>`).join('')}</ol>`,
      kept: (html) => `<div class="q-kept">${html}</div>`,
    }
  }
}

const isRight = ({ answer }: QuestionContent, id: string) => (answer.k === 'one' ? answer.ok === id : answer.k === 'many' && answer.ok.includes(id))
const plain = (doc: RichDoc | null) => plainText(doc).replace(/\s+/g, ' ')

/** A cloze code takes text only; its own signs are escaped. */
const code = (text: string) => text.replace(/[\\{}~#/"=]/g, (char) => `\\${char}`)

/** What stands in the hole of a text: Moodle draws an input or a list there. */
function clozeOf(child: QuestionContent, pool: QuestionContent['options']): string {
  const weight = Math.max(1, Math.round(child.score ?? 1))
  const options = child.options.length > 0 ? child.options : pool
  if (child.answer.k === 'one') return `{${weight}:MULTICHOICE:${options.map((option) => `${isRight(child, option.id) ? '=' : ''}${code(plain(option.doc))}`).join('~')}}`
  const accept = child.answer.k === 'blanks' ? (child.answer.b[0]?.accept ?? []) : []
  return `{${weight}:SHORTANSWER:${accept.map((doc) => `=${code(plain(doc))}`).join('~')}}`
}

/** Blanks of one question as the children of a text with holes. */
const blankChild = (content: QuestionContent, id: string): QuestionContent => ({ ...emptyContent(3), answer: content.answer.k === 'blanks' ? { k: 'blanks', b: content.answer.b.filter((blank) => blank.id === id) } : content.answer })

const KINDS: Readonly<Record<QuestionContent['type'], string>> = { 1: 'multichoice', 2: 'multichoice', 3: 'cloze', 4: 'essay', 5: 'cloze', 6: 'description' }

/** What is Moodle's own, beside name and text. */
function nativeParts(content: QuestionContent, texts: Texts): string {
  if (content.type <= 2) {
    const right = content.options.filter((option) => isRight(content, option.id)).length
    return `<single>${content.type === 1}</single><shuffleanswers>0</shuffleanswers><answernumbering>ABCD</answernumbering>` + content.options.map((option) => {
      const fraction = isRight(content, option.id) ? Number((100 / Math.max(1, right)).toFixed(5)) : content.answer.k === 'many' && content.answer.rule !== 'partial' ? -100 : 0
      return texts.element('answer', (style) => docHtml(option.doc, style), ` fraction="${fraction}" format="html"`)
    }).join('')
  }
  if (content.type === 4) return '<responseformat>editorfilepicker</responseformat><responserequired>0</responserequired><attachments>3</attachments>'
  return ''
}

function questionXml(content: QuestionContent, texts: Texts, more: { facts?: Question; group?: number; no: string }): string {
  const holes = content.type === 5 ? inlinesOf(content.stem, 'subref').map((hole) => hole.n) : []
  const stem = (style: ContentStyle) => docHtml(content.stem, {
    ...style,
    ...(content.type === 3 || content.type === 5 ? { hole: (node) => escapeXml(node.t === 'blank' ? (content.type === 3 ? clozeOf(blankChild(content, node.id), []) : '______') : clozeOf(content.children[holes.indexOf(node.n)] ?? emptyContent(3), content.options)) } : {}),
  })
  // What stands in elements of Moodle is not written twice.
  const rest: QuestionContent = { ...content, stem: null, options: content.type <= 2 ? [] : content.options, analysis: { ...content.analysis, solution: null }, children: content.type === 6 ? [] : content.children }
  const extra = texts.element('practice', (style) => contentHtml(rest, 'q', style), `${content.options.map((option) => option.id).join(' ') && content.type <= 2 ? ` options="${content.options.map((option) => option.id).join(' ')}"` : ''}${content.type === 6 ? ` children="${content.children.length}"` : ''}`)
  return `<question type="${KINDS[content.type]}"><name><text>${escapeXml(`${more.no} ${plain(content.stem).slice(0, 60)}`.trim())}</text></name>` +
    texts.element('questiontext', stem) + texts.element('generalfeedback', (style) => docHtml(content.analysis.solution, style)) +
    `<defaultgrade>${content.score ?? 1}</defaultgrade><penalty>0</penalty><hidden>0</hidden><idnumber>${escapeXml(more.facts?.no ?? '')}</idnumber>` +
    nativeParts(content, texts) + extra +
    (more.facts ? `<facts>${factRows(more.facts).map(([name, value]) => `<fact name="${escapeXml(name)}"><text>${cdata(value)}</text></fact>`).join('')}</facts><tags>${more.facts.tags.map((tag) => `<tag><text>${escapeXml(tag)}</text></tag>`).join('')}</tags>` : '') +
    '</question>\n' + (content.type === 6 ? content.children.map((child, index) => questionXml(child, texts, { no: `${more.no}-${index + 1}` })).join('') : '')
}

const categoryOf = ({ subject, labels }: Question) => ['$course$', 'top', ...[subject ?? '试题', ...(labels[0] ?? [])].map((name) => name.replaceAll('/', '//'))].join('/')

/** All questions as one file, under the categories of their main labels. */
export function writeMoodle(questions: readonly Question[], assets: ReadonlyMap<string, Asset>): string {
  const texts = new Texts(assets)
  let category = ''
  const body = questions.map((question, index) => {
    const own = categoryOf(question)
    const head = own === category ? '' : `<question type="category"><category><text>${escapeXml(own)}</text></category></question>\n`
    category = own
    return head + questionXml(question, texts, { facts: question, no: String(index + 1) })
  }).join('')
  return `<?xml version="1.0" encoding="UTF-8"?>\n<quiz>\n${body}</quiz>\n`
}

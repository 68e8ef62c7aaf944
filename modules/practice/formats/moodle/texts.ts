/** Texts of a Moodle file with the files that they bring. */
import type { RichDoc } from '../../../../core/rich-text/rich-doc.ts'
import { htmlFlow, looksLikeHtml } from '../html.ts'
import { readDocHtml } from '../html-own.ts'
import { assetAddress, hint, type Asset, type Warning } from '../item.ts'
import { flowDoc, type Token } from '../text/flow.ts'
import { textFlow } from '../text/read-text.ts'
import { attr, child, elements, textIn, type XmlElement } from '../xml.ts'

/** What belongs to one question while it is read. */
export interface MoodleReading {
  warnings: Warning[]
  assets: Map<string, Asset>
  /** Names the files of this question in the whole set. */
  prefix: string
}

/** Files of a text element by their names. */
function filesOf(element: XmlElement | undefined, { prefix, warnings }: MoodleReading): Map<string, Asset> {
  return new Map(elements(element, 'file').flatMap((file): [string, Asset][] => {
    const name = attr(file, 'name') ?? ''
    const data = textIn(file).replace(/\s+/g, '')
    if (!/^[A-Za-z0-9+/]*={0,2}$/.test(data) || data === '') {
      warnings.push(hint(`图片「${name.slice(0, 40)}」的数据不完整`))
      return []
    }
    const bytes = Uint8Array.from(atob(data.length % 4 === 1 ? data.slice(0, -1) : data), (char) => char.charCodeAt(0))
    return [[name, { name: `${prefix}/${name}`, bytes, type: typeOf(name) }]]
  }))
}

const TYPES: Readonly<Record<string, string>> = { png: 'image/png', jpg: 'image/jpeg', jpeg: 'image/jpeg', gif: 'image/gif', svg: 'image/svg+xml', webp: 'image/webp', mp3: 'audio/mpeg' }
const typeOf = (name: string) => TYPES[/\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? ''] ?? 'application/octet-stream'

/** Text of an element as a flow, by its format. */
export function moodleFlow(element: XmlElement | undefined, reading: MoodleReading): Token[] {
  const text = textIn(child(element, 'text')) || (elements(element).length === 0 ? textIn(element) : '')
  const format = attr(element, 'format') ?? 'html'
  if (format !== 'plain_text' && (format === 'html' || looksLikeHtml(text))) return htmlFlow(text, { warnings: reading.warnings, assets: reading.assets, files: filesOf(element, reading) })
  return textFlow(text, reading.warnings)
}

/** Text of an element; our own HTML without loss. */
export function moodleDoc(element: XmlElement | undefined, reading: MoodleReading, setting: (flow: Token[]) => RichDoc | null = flowDoc): RichDoc | null {
  const own = ownDoc(textIn(child(element, 'text')), element, reading)
  return own === undefined ? setting(moodleFlow(element, reading)) : own
}

/** Text that we have written; undefined for any other. */
export function ownDoc(html: string, element: XmlElement | undefined, reading: MoodleReading): RichDoc | null | undefined {
  const files = filesOf(element, reading)
  return readDocHtml(html, (source) => {
    const name = source.startsWith('@@PLUGINFILE@@/') ? decodeURIComponent(source.slice(15)) : ''
    const found = files.get(name)
    if (!found) return null
    reading.assets.set(found.name, found)
    return assetAddress(found.name)
  })
}

/** A question and a text with everything in them, and a Word file opened by other people's libraries. */
import { DOMParser, type Document, type Element } from '@xmldom/xmldom'
import { Uint8ArrayReader, Uint8ArrayWriter, ZipReader } from '@zip.js/zip.js'

/** A red point as PNG. */
export const PNG = Uint8Array.from(atob('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='), (char) => char.charCodeAt(0))

export interface OpenedWord {
  parts: ReadonlyMap<string, Uint8Array>
  body: Document
  /** Elements of `word/document.xml` by their full name. */
  all: (name: string) => Element[]
  /** Bytes of every picture that the text shows, in order. */
  pictures: Uint8Array[]
}

/**
 * Opens a Word file without any code of ours.
 * @throws when it is no zip, a part is not well formed, or a picture is not in it
 */
export async function openWord(bytes: Uint8Array): Promise<OpenedWord> {
  const entries = await new ZipReader(new Uint8ArrayReader(bytes)).getEntries()
  const parts = new Map<string, Uint8Array>()
  for (const entry of entries) if (!entry.directory) parts.set(entry.filename, await entry.getData(new Uint8ArrayWriter()))
  const parse = (name: string) => {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(parts.get(name))
    return new DOMParser({ onError: (level, message) => { throw new Error(`${name}: ${level} ${message}`) } }).parseFromString(text, 'text/xml')
  }
  for (const name of parts.keys()) if (/\.(?:xml|rels)$/.test(name)) parse(name)
  const body = parse('word/document.xml')
  const all = (name: string) => [...body.getElementsByTagName(name)]
  const targets = new Map([...parse('word/_rels/document.xml.rels').getElementsByTagName('Relationship')].map((one) => [one.getAttribute('Id'), one.getAttribute('Target')]))
  const pictures = all('a:blip').map((one) => {
    const target = targets.get(one.getAttribute('r:embed'))
    const found = parts.get(`word/${target}`)
    if (!found) throw new Error(`no picture ${target}`)
    return found
  })
  return { parts, body, all, pictures }
}

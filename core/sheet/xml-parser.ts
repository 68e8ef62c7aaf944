import { SaxesParser } from 'saxes'

export type Attributes = Readonly<Record<string, string>>

/** What to do at each piece of a document. Names come without their namespace prefix, attribute names with it. */
export interface XmlHandler {
  open(name: string, attributes: Attributes): void
  text?(text: string): void
  close?(name: string): void
}

/** A parser fed with the bytes of one document, in pieces of any size. */
export interface XmlParser {
  /** @throws when the document is not well-formed */
  write(bytes: Uint8Array): void
  /** Says that the document is over. @throws when it is not */
  end(): void
}

/** Makes a parser of a UTF-8 document; entities that the document itself declares are refused. */
export function createXmlParser(handler: XmlHandler): XmlParser {
  const parser = new SaxesParser<{ xmlns: false }>({ xmlns: false })
  const decoder = new TextDecoder('utf-8')
  parser.on('opentag', (tag) => handler.open(localName(tag.name), tag.attributes))
  if (handler.text) parser.on('text', (text) => handler.text?.(text))
  if (handler.close) parser.on('closetag', (tag) => handler.close?.(localName(tag.name)))
  return {
    write(bytes) {
      parser.write(decoder.decode(bytes, { stream: true }))
    },
    end() {
      parser.write(decoder.decode())
      parser.close()
    },
  }
}

/**
 * Parses a whole document.
 * @throws when it is not well-formed
 */
export async function parseXml(chunks: AsyncIterable<Uint8Array>, handler: XmlHandler): Promise<void> {
  const parser = createXmlParser(handler)
  for await (const chunk of chunks) parser.write(chunk)
  parser.end()
}

function localName(name: string): string {
  const colon = name.indexOf(':')
  return colon < 0 ? name : name.slice(colon + 1)
}

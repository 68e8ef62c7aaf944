import { Readable, type Writable } from 'node:stream'
import { finished, pipeline } from 'node:stream/promises'
import { ZipFile } from 'yazl'
import { drawingXml, pictureEnding, relationsXml, type PlacedPicture } from './drawing-xml.ts'
import { contentTypesXml, rootRelationsXml, stylesXml, workbookRelationsXml, workbookXml } from './workbook-xml.ts'

/** A sheet about to be written. */
export interface SheetPart {
  name: string
  hidden?: boolean
  /** The document of the sheet, in pieces; pulled only as fast as the target takes it. */
  xml: AsyncIterable<string> | Iterable<string>
  /** Pictures over its cells; the sheet's document then ends with `drawingElement`. */
  pictures?: readonly PlacedPicture[]
}

/**
 * Writes a workbook, sheet after sheet, holding no more than a few pieces at a time. Ends the target; when anything fails
 * or is aborted, the target is destroyed and the source of the sheets is closed.
 * @throws what the source or the target threw, or the reason of the abort
 */
export async function packWorkbook(
  target: Writable,
  sheets: AsyncIterable<SheetPart> | Iterable<SheetPart>,
  signal?: AbortSignal,
): Promise<void> {
  const zip = new ZipFile()
  const stop = new AbortController()
  const stopped = AbortSignal.any(signal ? [signal, stop.signal] : [stop.signal])
  let failure: { error: unknown } | undefined
  const fail = (error: unknown) => {
    failure ??= { error: signal?.aborted ? signal.reason : error }
    stop.abort()
  }
  zip.on('error', fail)
  await Promise.all([
    pipeline(zip.outputStream, target, { signal: stopped }).catch(fail),
    addParts(zip, sheets, stopped).catch(fail),
  ])
  if (failure) throw failure.error
}

async function addParts(zip: ZipFile, sheets: AsyncIterable<SheetPart> | Iterable<SheetPart>, signal: AbortSignal): Promise<void> {
  const written: { name: string; hidden?: boolean }[] = []
  const drawn: number[] = []
  const endings = new Set<string>()
  const add = (name: string, content: string | Uint8Array) => zip.addBuffer(Buffer.from(content), name)
  for await (const { xml, pictures = [], ...sheet } of sheets) {
    written.push(sheet)
    // The zip library looks at no error of what it reads, so the stream is watched and ended from here.
    const source = Readable.from(xml, { objectMode: false, signal })
    zip.addReadStream(source, `xl/worksheets/sheet${written.length}.xml`)
    await finished(source)
    if (pictures.length === 0) continue
    const number = written.length
    drawn.push(number)
    const names = pictures.map((picture, index) => `sheet${number}-${index + 1}.${pictureEnding(picture)}`)
    for (const [index, picture] of pictures.entries()) {
      endings.add(pictureEnding(picture))
      add(`xl/media/${names[index]}`, picture.bytes)
    }
    add(`xl/worksheets/_rels/sheet${number}.xml.rels`, relationsXml('drawing', [`../drawings/drawing${number}.xml`]))
    add(`xl/drawings/drawing${number}.xml`, drawingXml(pictures))
    add(`xl/drawings/_rels/drawing${number}.xml.rels`, relationsXml('image', names.map((name) => `../media/${name}`)))
  }
  add('xl/styles.xml', stylesXml())
  add('xl/workbook.xml', workbookXml(written))
  add('xl/_rels/workbook.xml.rels', workbookRelationsXml(written.length))
  add('_rels/.rels', rootRelationsXml())
  add('[Content_Types].xml', contentTypesXml(written.length, drawn, [...endings]))
  zip.end()
}

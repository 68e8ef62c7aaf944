import { escapeXml } from './xml-text.ts'

const DRAWING = 'http://schemas.openxmlformats.org/drawingml/2006'
const OFFICE_RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE_RELATIONS = 'http://schemas.openxmlformats.org/package/2006/relationships'
/** Units of drawings in a pixel at 96 dpi. */
const EMU = 9525
/** Points in a pixel at 96 dpi. */
const POINTS = 0.75
/** A picture in a sheet is no larger than this, in pixels; enlarged by hand it is as sharp as it was. */
const [MAX_WIDTH, MAX_HEIGHT] = [240, 160]
/** Distance from the edges of its cell, in pixels. */
const INSET = 4

/** A picture to be laid over a cell. */
export interface PlacedPicture {
  /** From 1; the header is row 1. */
  rowNumber: number
  /** From 0. */
  column: number
  /** Kept as its description, so that a reader knows which one it is. */
  name: string
  bytes: Uint8Array
  /** MIME type. */
  type: string
  /** Its own size in pixels. */
  width: number
  height: number
}

/** Size in a sheet, in pixels. */
function shownSize({ width, height }: PlacedPicture): { width: number; height: number } {
  const scale = Math.min(1, MAX_WIDTH / width, MAX_HEIGHT / height)
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}

/** Height of a row that holds these pictures side by side, in points. */
export const rowHeightFor = (pictures: readonly PlacedPicture[]) => (Math.max(...pictures.map((one) => shownSize(one).height)) + 2 * INSET) * POINTS

/** Ending of the file that a picture becomes. */
export const pictureEnding = ({ type }: Pick<PlacedPicture, 'type'>) => (type.split('/')[1] ?? 'png').replace('jpeg', 'jpg').replace(/\+.*/, '')

/** The element of a sheet that names its drawing; stands before `</worksheet>`. */
export const drawingElement = `<drawing xmlns:r="${OFFICE_RELATIONS}" r:id="rId1"/>`

/** The drawing of a sheet: several pictures of one cell stand one beside the other. */
export function drawingXml(pictures: readonly PlacedPicture[]): string {
  const ends = new Map<string, number>()
  const anchors = pictures.map((picture, index) => {
    const { width, height } = shownSize(picture)
    const cell = `${picture.rowNumber} ${picture.column}`
    const left = ends.get(cell) ?? INSET
    ends.set(cell, left + width + INSET)
    const name = escapeXml(picture.name)
    return `<xdr:oneCellAnchor><xdr:from><xdr:col>${picture.column}</xdr:col><xdr:colOff>${left * EMU}</xdr:colOff><xdr:row>${picture.rowNumber - 1}</xdr:row><xdr:rowOff>${INSET * EMU}</xdr:rowOff></xdr:from>`
      + `<xdr:ext cx="${width * EMU}" cy="${height * EMU}"/><xdr:pic><xdr:nvPicPr><xdr:cNvPr id="${index + 2}" name="${name}" descr="${name}"/><xdr:cNvPicPr><a:picLocks noChangeAspect="1"/></xdr:cNvPicPr></xdr:nvPicPr>`
      + `<xdr:blipFill><a:blip r:embed="rId${index + 1}"/><a:stretch><a:fillRect/></a:stretch></xdr:blipFill><xdr:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="${width * EMU}" cy="${height * EMU}"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></xdr:spPr></xdr:pic><xdr:clientData/></xdr:oneCellAnchor>`
  })
  return `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<xdr:wsDr xmlns:xdr="${DRAWING}/spreadsheetDrawing" xmlns:a="${DRAWING}/main" xmlns:r="${OFFICE_RELATIONS}">${anchors.join('')}</xdr:wsDr>`
}

/** Relations of a part, in the order of the list. @param type last word of the relations' type */
export const relationsXml = (type: string, targets: readonly string[]) => `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<Relationships xmlns="${PACKAGE_RELATIONS}">${
  targets.map((target, index) => `<Relationship Id="rId${index + 1}" Type="${OFFICE_RELATIONS}/${type}" Target="${target}"/>`).join('')}</Relationships>`

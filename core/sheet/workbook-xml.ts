import { columnLetters } from './cell-reference.ts'
import { escapeXml } from './xml-text.ts'

const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const OFFICE_RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE_RELATIONS = 'http://schemas.openxmlformats.org/package/2006/relationships'
const CONTENT_TYPES = 'http://schemas.openxmlformats.org/package/2006/content-types'
const SPREADSHEET_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/** Longest name of a sheet. */
const MAX_NAME = 31

/** Styles of the workbooks that are written; the values are places in the list of cell formats of `stylesXml`. */
export const STYLE = { general: 0, header: 1, text: 2, date: 3, time: 4, money: 5, requiredHeader: 6, reason: 7, wrapped: 8 } as const
export type Style = (typeof STYLE)[keyof typeof STYLE]

/** A column of a sheet that is written. */
export interface SheetColumnLayout {
  label: string
  /** In characters. */
  width: number
  /** Style of the cells, also of those that are still empty. */
  style: Style
  headerStyle: Style
}

/** Fonts, fills, number formats and the cell formats that `STYLE` names. */
export function stylesXml(): string {
  const wrap = '<alignment vertical="top" wrapText="1"/>'
  return `${DECLARATION}<styleSheet xmlns="${MAIN}">`
    + '<numFmts count="3"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/><numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd\\ hh:mm"/><numFmt numFmtId="166" formatCode="#,##0.00"/></numFmts>'
    + `<fonts count="4">${font('')}${font('<b/>')}${font('<b/><color rgb="FFC00000"/>')}${font('<color rgb="FFC00000"/>')}</fonts>`
    + `<fills count="4"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill>${fill('FFF2F2F2')}${fill('FFFFF2CC')}</fills>`
    + '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>'
    + '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>'
    // 49 is the built-in format of text.
    + '<cellXfs count="9">' + cellFormat(0, 0, 0) + cellFormat(49, 1, 2) + cellFormat(49, 0, 0) + cellFormat(164, 0, 0) + cellFormat(165, 0, 0)
    + cellFormat(166, 0, 0) + cellFormat(49, 2, 2) + cellFormat(49, 3, 3, wrap) + cellFormat(49, 0, 0, wrap) + '</cellXfs>'
    + '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>'
}

/** The list of sheets. */
export function workbookXml(sheets: readonly { name: string; hidden?: boolean }[]): string {
  const list = sheets.map(({ name, hidden }, index) =>
    `<sheet name="${escapeXml(name)}" sheetId="${index + 1}"${hidden ? ' state="hidden"' : ''} r:id="rId${index + 1}"/>`)
  return `${DECLARATION}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE_RELATIONS}"><bookViews><workbookView/></bookViews><sheets>${list.join('')}</sheets></workbook>`
}

/** Which part each sheet of the list is, and the styles. */
export function workbookRelationsXml(sheets: number): string {
  const list = Array.from({ length: sheets }, (_, index) => relation(index + 1, 'worksheet', `worksheets/sheet${index + 1}.xml`))
  return relations([...list, relation(sheets + 1, 'styles', 'styles.xml')])
}

/** Which part is the workbook. */
export function rootRelationsXml(): string {
  return relations([relation(1, 'officeDocument', 'xl/workbook.xml')])
}

/**
 * What each part holds.
 * @param drawn numbers of the sheets that have a drawing
 * @param pictures endings of the pictures in them
 */
export function contentTypesXml(sheets: number, drawn: readonly number[] = [], pictures: readonly string[] = []): string {
  const list = Array.from({ length: sheets }, (_, index) => contentType(`worksheets/sheet${index + 1}`, 'worksheet'))
  return `${DECLARATION}<Types xmlns="${CONTENT_TYPES}"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>`
    + `<Default Extension="xml" ContentType="application/xml"/>${contentType('workbook', 'sheet.main')}${contentType('styles', 'styles')}${list.join('')}`
    + `${pictures.map((ending) => `<Default Extension="${ending}" ContentType="image/${ending === 'jpg' ? 'jpeg' : ending}"/>`).join('')}${drawn.map((number) => `<Override PartName="/xl/drawings/drawing${number}.xml" ContentType="application/vnd.openxmlformats-officedocument.drawing+xml"/>`).join('')}</Types>`
}

/**
 * Beginning of a sheet: frozen header, column widths, header row. Rows follow, from the second on, then `sheetEnd`.
 * @param selected whether the sheet is the one shown on opening
 */
export function sheetStart(columns: readonly SheetColumnLayout[], selected: boolean): string {
  const widths = columns.map(({ width, style }, index) => `<col min="${index + 1}" max="${index + 1}" width="${width}" style="${style}" customWidth="1"/>`)
  const header = columns.map(({ label, headerStyle }, index) => textCell(columnLetters(index), 1, label, headerStyle))
  return `${DECLARATION}<worksheet xmlns="${MAIN}"><sheetViews><sheetView${selected ? ' tabSelected="1"' : ''} workbookViewId="0">`
    + '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/><selection pane="bottomLeft" activeCell="A2" sqref="A2"/></sheetView></sheetViews>'
    + `<cols>${widths.join('')}</cols><sheetData>${row(1, header.join(''))}`
}

/** End of a sheet. @param extra elements that follow the rows, such as data validations */
export function sheetEnd(extra = ''): string {
  return `</sheetData>${extra}</worksheet>`
}

/** A row of a sheet. @param number from 1 @param cells the cells' XML, in column order @param height in points, where it is not the usual one */
export function row(number: number, cells: string, height?: number): string {
  return `<row r="${number}"${height === undefined ? '' : ` ht="${height}" customHeight="1"`}>${cells}</row>`
}

/** A cell that holds text whatever it looks like; empty text makes no cell. */
export function textCell(letters: string, rowNumber: number, text: string, style: Style): string {
  const safe = escapeXml(text)
  if (safe === '') return ''
  const space = /^\s|\s$|[\n\t]/.test(safe) ? ' xml:space="preserve"' : ''
  return `<c r="${letters}${rowNumber}" s="${style}" t="inlineStr"><is><t${space}>${safe}</t></is></c>`
}

/** A cell that holds a number; dates and money are numbers with a style. */
export function numberCell(letters: string, rowNumber: number, value: number, style: Style): string {
  return `<c r="${letters}${rowNumber}" s="${style}"><v>${value}</v></c>`
}

/** A cell that holds a truth value, which the program shows in its own words. */
export function booleanCell(letters: string, rowNumber: number, value: boolean): string {
  return `<c r="${letters}${rowNumber}" t="b"><v>${value ? 1 : 0}</v></c>`
}

/**
 * Makes a name fit for a sheet: without the characters that the format forbids, and short enough.
 * @param part which sheet of several under one name, from 1; the second is called `name(2)`
 */
export function sheetName(name: string, part = 1): string {
  const clean = name.replace(/[\\/?*[\]:\u0000-\u001F]/g, ' ').replace(/^[\s']+|[\s']+$/g, '') || '数据'
  const suffix = part === 1 ? '' : `(${part})`
  return clean.slice(0, MAX_NAME - suffix.length) + suffix
}

/** A width that holds the label, Chinese characters being two wide. */
export function widthOf(label: string, least: number): number {
  return Math.min(60, Math.max(least, [...label].reduce((sum, character) => sum + (character > '\u00FF' ? 2 : 1), 4)))
}

function font(extra: string): string {
  return `<font>${extra}<sz val="11"/><name val="等线"/><family val="2"/></font>`
}

function fill(color: string): string {
  return `<fill><patternFill patternType="solid"><fgColor rgb="${color}"/><bgColor indexed="64"/></patternFill></fill>`
}

/** A cell format, by the places of its font and fill in their lists. */
function cellFormat(format: number, fontId: number, fillId: number, alignment = ''): string {
  return `<xf numFmtId="${format}" fontId="${fontId}" fillId="${fillId}" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1" applyFill="1"${
    alignment === '' ? '/>' : ` applyAlignment="1">${alignment}</xf>`}`
}

function contentType(part: string, type: string): string {
  return `<Override PartName="/xl/${part}.xml" ContentType="${SPREADSHEET_TYPE}.${type}+xml"/>`
}

function relation(id: number, type: string, target: string): string {
  return `<Relationship Id="rId${id}" Type="${OFFICE_RELATIONS}/${type}" Target="${target}"/>`
}

function relations(list: readonly string[]): string {
  return `${DECLARATION}<Relationships xmlns="${PACKAGE_RELATIONS}">${list.join('')}</Relationships>`
}

import type { Writable } from 'node:stream'
import { columnLetters, MAX_ROWS } from './cell-reference.ts'
import { packWorkbook, type SheetPart } from './pack-workbook.server.ts'
import type { SheetColumnType } from './cell-content.ts'
import { columnLayout } from './write.server.ts'
import { numberCell, row, sheetEnd, sheetName, sheetStart, STYLE, textCell, widthOf, type SheetColumnLayout } from './workbook-xml.ts'
import { escapeXml } from './xml-text.ts'

const RULES_SHEET = '填写说明'
const CHOICES_SHEET = '下拉选项'
/** Longest list of choices that a drop-down can hold by itself, in characters. */
const MAX_INLINE_LIST = 255
const DAY = 86_400_000
/** Day number of 1 January 1970. */
const UNIX_EPOCH = 25_569

export interface TemplateColumn {
  key: string
  label: string
  required: boolean
  /** What the example row shows; a date as `2026-09-01`, a time as `2026-09-01 08:00`, money in yuan. */
  example: string | number
  /** Text by default. */
  type?: SheetColumnType
  /** Values of the drop-down. */
  choices?: readonly string[]
  /** Rule of the column, in words. */
  note?: string
}

export interface TemplateOptions {
  sheetName: string
  columns: readonly TemplateColumn[]
  signal?: AbortSignal
}

/**
 * Writes an import template: a sheet with the header, required columns marked with `*`, and one example row; drop-downs
 * for columns with choices; columns of text formatted as text, so that leading zeros and long numbers survive typing; and a
 * sheet 填写说明 with the rules of every column. Ends the target; when anything fails, the target is destroyed.
 * @throws what the target threw, or the reason of the abort
 */
export async function writeTemplate(target: Writable, { sheetName: name, columns, signal }: TemplateOptions): Promise<void> {
  const lists = columns.filter(({ choices = [] }) => choices.length > 0 && !fitsInline(choices))
  const sheets: SheetPart[] = [
    { name: sheetName(name), xml: [dataSheet(columns, lists)] },
    { name: RULES_SHEET, xml: [rulesSheet(columns)] },
  ]
  if (lists.length > 0) sheets.push({ name: CHOICES_SHEET, hidden: true, xml: [choicesSheet(lists)] })
  await packWorkbook(target, sheets, signal)
}

function dataSheet(columns: readonly TemplateColumn[], lists: readonly TemplateColumn[]): string {
  const layout = columns.map<SheetColumnLayout>((column) => ({
    ...columnLayout({ label: headerLabel(column), type: column.type ?? 'text' }),
    headerStyle: column.required ? STYLE.requiredHeader : STYLE.header,
  }))
  const example = columns.map((column, index) => exampleCell(columnLetters(index), column, layout[index]?.style ?? STYLE.text))
  const validations = columns.flatMap(({ choices = [] }, index) => {
    if (choices.length === 0) return []
    const place = lists.findIndex((list) => list === columns[index])
    return dropDown(columnLetters(index), place < 0 ? `"${choices.join(',')}"` : listRange(place, choices.length))
  })
  const extra = validations.length > 0 ? `<dataValidations count="${validations.length}">${validations.join('')}</dataValidations>` : ''
  return sheetStart(layout, true) + row(2, example.join('')) + sheetEnd(extra)
}

function headerLabel({ label, required }: TemplateColumn): string {
  return required ? `${label}*` : label
}

function exampleCell(letters: string, { example, type = 'text' }: TemplateColumn, style: SheetColumnLayout['style']): string {
  if (typeof example === 'number' && type !== 'text') return numberCell(letters, 2, example, style)
  const text = String(example)
  const days = type === 'date' || type === 'time' ? Date.parse(`${text.replace(' ', 'T')}${text.includes(' ') ? 'Z' : ''}`) / DAY + UNIX_EPOCH : Number.NaN
  return Number.isNaN(days) ? textCell(letters, 2, text, STYLE.text) : numberCell(letters, 2, days, style)
}

function fitsInline(choices: readonly string[]): boolean {
  return choices.join(',').length <= MAX_INLINE_LIST && !choices.some((choice) => /[,"]|^\s|\s$/.test(choice))
}

function listRange(place: number, length: number): string {
  const letters = columnLetters(place)
  return `${CHOICES_SHEET}!$${letters}$2:$${letters}$${length + 1}`
}

function dropDown(letters: string, formula: string): string {
  return `<dataValidation type="list" allowBlank="1" showErrorMessage="1" errorTitle="填写有误" error="请从下拉列表中选择" sqref="${letters}2:${letters}${MAX_ROWS}">`
    + `<formula1>${escapeXml(formula)}</formula1></dataValidation>`
}

/** One column for each long list, under the label of the column that uses it. */
function choicesSheet(lists: readonly TemplateColumn[]): string {
  const layout = lists.map(({ label }) => columnLayout({ label, type: 'text' }))
  const longest = Math.max(...lists.map(({ choices = [] }) => choices.length))
  const rows = Array.from({ length: longest }, (_, index) =>
    row(index + 2, lists.map(({ choices = [] }, place) => textCell(columnLetters(place), index + 2, choices[index] ?? '', STYLE.text)).join('')))
  return sheetStart(layout, false) + rows.join('') + sheetEnd()
}

function rulesSheet(columns: readonly TemplateColumn[]): string {
  const layout = ['列名', '是否必填', '填写规则', '示例', '可选值'].map<SheetColumnLayout>((label, index) => ({
    label, width: widthOf(label, index === 2 || index === 4 ? 48 : 16), style: STYLE.wrapped, headerStyle: STYLE.header,
  }))
  const rules = columns.map(({ label, required, note = '', example, choices = [] }) => [
    label, required ? '必填' : '选填', note, String(example), choices.join('、'),
  ])
  const hints = ['第 2 行是示例，填写前请删除或覆盖', '请勿修改表头的文字，列的先后可以调整', '带 * 的列必须填写']
  const lines = [...rules, [], ...hints.map((hint) => [hint])]
  const rows = lines.map((texts, index) =>
    row(index + 2, texts.map((text, place) => textCell(columnLetters(place), index + 2, text, STYLE.wrapped)).join('')))
  return sheetStart(layout, false) + rows.join('') + sheetEnd()
}

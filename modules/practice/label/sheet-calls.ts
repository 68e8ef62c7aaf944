import * as z from 'zod/mini'
import { defineEndpoint } from '../../../core/endpoint/define.ts'
import { sheetInput, type SheetReport } from '../outline/sheet.ts'
import { EDITORS, VIEWERS } from './calls.ts'
import { LABEL_KINDS } from './label.ts'

const BASE = '/daoyuan/api/end/label_sheets'
const kind = z.enum(LABEL_KINDS.map(({ value }) => value), '标签种类有误')

/** domain 3.4: 一级 … 五级, added to the tree or in its place; without `write` it says what would happen. */
export const readLabelSheet = defineEndpoint<SheetReport>()({
  method: 'POST', path: BASE, summary: '导入标签表', grant: EDITORS,
  input: z.object({ ...sheetInput, kind, cat_id: z.int('请选择学科').check(z.positive('请选择学科')) }),
})

/** The tree of a subject as a workbook, in the form in which it is read. */
export const labelSheet = defineEndpoint<unknown>()({
  method: 'GET', path: BASE, summary: '导出标签表', grant: VIEWERS, stream: true,
  input: z.object({ kind, cat_id: z.string('请选择学科').check(z.regex(/^\d{1,15}$/, '请选择学科')) }),
})

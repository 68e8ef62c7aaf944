import * as z from 'zod/mini'
import { defineEndpoint } from '../endpoint/define.ts'
import type { RichDoc } from '../rich-text/rich-doc.ts'
import { templateDoc } from '../rich-text/rich-schema.ts'

const BASE = '/daoyuan/api/end/print'

/** Records that are printed at a time: more is a job for a workbook. */
export const MOST_PRINTED = 100

/** Paper in millimetres; a receipt's is as long as what stands on it. */
export const PAPERS = {
  a4: { label: 'A4', width: 210, height: 297, margin: 16 },
  a5: { label: 'A5（横向）', width: 210, height: 148, margin: 10 },
  receipt: { label: '80 毫米小票', width: 80, height: null, margin: 4 },
} as const
export type Paper = keyof typeof PAPERS

/** A value that can stand in a template. */
export interface PrintField {
  path: string
  label: string
  /** What it belongs to: the record itself, what it refers to, or its lines, which repeat the row of a table. */
  of: string
  repeats: boolean
}

/** A template as people choose one. */
export interface TemplateChoice { id: number; name: string; resource: string; paper: Paper }

/** Values of one record as text: by path, and for what repeats, a map of each line. */
export interface PrintedRecord {
  id: number
  title: string
  values: Record<string, string>
  lines: Record<string, Record<string, string>[]>
}

/** What is printed: a template of one version, and records to fill it with. */
export interface Printed {
  template: { name: string; paper: Paper; version: number; doc: RichDoc }
  records: PrintedRecord[]
  /** When and by whom, for the foot of each page. */
  at: number
  by: string
}

export interface TemplateVersion { n: number; at: number; by: string | null; paper: Paper }

export interface TemplateDetail { id: number; rev: number; name: string; resource: string; paper: Paper; version: number; status: number; doc: RichDoc; versions: TemplateVersion[] }

const name = z.string('请填写模板名称').check(z.trim(), z.minLength(1, '请填写模板名称'), z.maxLength(30, '模板名称最多 30 个字'))
const paper = z.enum(['a4', 'a5', 'receipt'], '请选择纸张')
const ids = z.array(z.int(), '请选择要打印的记录').check(z.minLength(1, '请选择要打印的记录'), z.maxLength(MOST_PRINTED, `一次最多打印 ${MOST_PRINTED} 条`), z.overwrite((list) => [...new Set(list)]))

/** Templates that are in use, by which this person may print something. */
export const printChoices = defineEndpoint<{ items: TemplateChoice[] }>()({ method: 'GET', path: `${BASE}/choices`, summary: '可用的打印模板', grant: 'staff' })

/** Fills a template; with `log` it is printed and written down, otherwise looked at. */
export const printRecords = defineEndpoint<Printed>()({
  method: 'POST', path: `${BASE}/records`, summary: '按模板打印记录', back: 'reads', grant: 'staff',
  input: z.object({ template_id: z.int('请选择模板'), ids, log: z._default(z.boolean(), false) }),
})

/** What template editors ask; each takes the right to keep templates. */
export const templateCalls = (grant: readonly number[]) => ({
  resources: defineEndpoint<{ items: { name: string; label: string }[] }>()({ method: 'GET', path: `${BASE}/resources`, summary: '可以设计打印模板的记录', grant }),
  fields: defineEndpoint<{ items: PrintField[] }>()({ method: 'GET', path: `${BASE}/fields`, summary: '模板可用的字段', grant, input: z.object({ resource: z.string('请选择记录类型') }) }),
  read: defineEndpoint<TemplateDetail>()({ method: 'GET', path: `${BASE}/templates/{id}`, summary: '打印模板和历史版本', grant }),
  version: defineEndpoint<{ doc: RichDoc; paper: Paper }>()({ method: 'GET', path: `${BASE}/templates/{id}/versions/{n}`, summary: '打印模板的一个版本', grant }),
  create: defineEndpoint<{ id: number }>()({ method: 'POST', path: `${BASE}/templates`, summary: '新增打印模板', grant, input: z.object({ name, resource: z.string('请选择记录类型'), paper, doc: templateDoc }) }),
  save: defineEndpoint<{ id: number; version: number }>()({ method: 'PUT', path: `${BASE}/templates/{id}`, summary: '保存打印模板为新版本', grant, input: z.object({ name, paper, doc: templateDoc, status: z._default(z.union([z.literal(0), z.literal(1)]), 1), rev: z.int('请刷新后再试') }) }),
  preview: defineEndpoint<Printed>()({ method: 'POST', path: `${BASE}/preview`, summary: '用真实记录预览打印模板', grant, input: z.object({ resource: z.string('请选择记录类型'), paper, doc: templateDoc, id: z.optional(z.int()) }) }),
})

import * as z from 'zod/mini'
import { defineEndpoint, type Endpoint } from '../endpoint/define.ts'
import type { Resource } from '../resource/define.ts'
import type { SheetProblem } from './level-sheet.ts'

/** What reading a sheet into a tree does. */
export interface SheetEffect {
  added: number
  changed: number
  /** Nodes that the sheet does not name: taken away when the tree is rebuilt, unless something needs them. */
  missing: number
  /** Those of them that stay for that reason. */
  used: number
  /** Names of some of those that would go or stay. */
  examples: string[]
}

/** What a sheet would do, or has done, to a tree. */
export interface SheetReport {
  nodes: number
  problems: SheetProblem[]
  effect: SheetEffect
  written: boolean
}

const input = z.object({
  file_id: z.string('请选择文件').check(z.uuid('文件编号不正确')),
  /** Whether what the sheet does not name stays or goes. */
  mode: z.enum(['add', 'rebuild'], '导入方式有误'),
  /** Without it the sheet is only counted. */
  write: z.boolean('请说明是否写入'),
  /** Which tree is meant: ids by the fields by which the table falls into trees. */
  group: z.optional(z.record(z.string(), z.int('编号有误'), '请选择要导入的树')),
})
export type SheetInput = z.output<typeof input>

export interface SheetEndpoints {
  /** The tree as a workbook, in the form in which it is read. */
  writeSheet?: Endpoint<Record<string, unknown>, unknown>
  readSheet?: Endpoint<SheetInput, SheetReport>
}

/** Whether a sheet can say everything that a new node has to have. */
function isComplete({ fields, tree, title, where }: Pick<Resource, 'fields' | 'tree' | 'title' | 'where'>): boolean {
  const told = new Set([title, ...(tree?.group ?? []), ...(tree?.facts ?? []), ...Object.keys(where)])
  return Object.entries(fields).every(([key, field]) => !field.required || field.readonly || field.initial !== undefined || told.has(key))
}

/** The calls by which a tree goes out and comes in as a sheet with a column for each level. */
export function treeSheetEndpoints(resource: Resource): SheetEndpoints {
  const { api, label, actions } = resource
  const path = `${api.list}/tree/sheet`
  return {
    ...(actions.export !== undefined && {
      writeSheet: defineEndpoint<unknown>()({ method: 'GET', path, summary: `导出${label}表`, grant: [actions.export], stream: true, input: z.record(z.string(), z.unknown()) }),
    }),
    ...(actions.update !== undefined && isComplete(resource) && {
      readSheet: defineEndpoint<SheetReport>()({ method: 'POST', path, summary: `导入${label}表`, grant: [actions.update], input }),
    }),
  }
}

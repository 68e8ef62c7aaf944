import * as z from 'zod/mini'
import type { OutlineProblem } from './outline.ts'

/** What reading a sheet into a tree does. */
export interface OutlineEffect {
  added: number
  changed: number
  /** Nodes that the sheet does not name: taken away when the tree is rebuilt, unless something hangs on them. */
  missing: number
  /** Those of them that stay for that reason. */
  used: number
  /** Names of some of those that would go or stay. */
  examples: string[]
}

/** What a sheet would do, or has done, to a tree. */
export interface SheetReport {
  nodes: number
  problems: OutlineProblem[]
  effect: OutlineEffect
  written: boolean
}

/** How a sheet of a tree is read: which file, whether what it leaves out goes, and whether it is written or only counted. */
export const sheetInput = {
  file_id: z.string('请选择文件').check(z.uuid('文件编号不正确')),
  mode: z.enum(['add', 'rebuild'], '导入方式有误'),
  write: z.boolean('请说明是否写入'),
}

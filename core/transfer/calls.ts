import * as z from 'zod/mini'
import { defineEndpoint, type Endpoint } from '../endpoint/define.ts'
import { FILE_ID } from '../file/url.ts'
import type { JobInfo } from '../job/calls.ts'
import { transitionGrant, weighs, type Resource } from '../resource/define.ts'
import { reasonSchema } from '../resource/endpoints.ts'

/** Records that can be named one by one in one call; more are named by a filter. */
const MAX_IDS = 10_000

const ids = z.optional(z.array(z.int()).check(z.minLength(1, '请选择要处理的记录'), z.maxLength(MAX_IDS, `一次最多选择 ${MAX_IDS} 条记录`)))
const anything = z.record(z.string(), z.unknown())
const jobId = z.int('请先检查文件')

const exportInput = z.object({
  /** Query of the list whose records are wanted, all pages of it. */
  query: z.optional(anything),
  ids,
  /** Columns in this order; those of the list by default. */
  columns: z.optional(z.array(z.string()).check(z.minLength(1, '请选择要导出的列'))),
  format: z._default(z.enum(['xlsx', 'csv']), 'xlsx'),
  /** Mobiles as they are; needs the right to see them, and is logged. */
  plain: z.optional(z.boolean()),
})

/** New texts of cells by field, as they would stand in the file. */
const mendedCells = z.record(z.string(), z.string().check(z.maxLength(2000, '一格最多 2000 个字')))

const importInput = z.object({
  file_id: z.string('请上传文件').check(z.regex(FILE_ID, '请上传文件')),
  /** The file's column, 0-based, for a field; null leaves the field out. What is not named is found by the header. */
  mapping: z.optional(z.record(z.string(), z.nullable(z.int()))),
  /** Row that holds the labels, 1-based; found by default. */
  header_row: z.optional(z.int()),
  /** Values that all rows share, such as the school; their fields need no column. */
  fixed: z.optional(anything),
  /** Cells that were mended in an earlier check, by row and field: they stand for those of the file. */
  mended: z.optional(z.record(z.string().check(z.regex(/^[1-9]\d{0,6}$/)), mendedCells)),
  mode: z.optional(z.literal('check')),
})

const commitInput = z.object({
  /** The job that checked the file. */
  job_id: jobId,
  /** Rows that are wrong: write nothing, or leave them out. */
  bad: z._default(z.enum(['refuse', 'skip']), 'refuse'),
  /** Rows whose record is there already: count as wrong, or update it. Empty cells then change nothing. */
  existing: z._default(z.enum(['refuse', 'update']), 'refuse'),
})

const rowsInput = z.object({
  job_id: z.coerce.number('请先检查文件').check(z.int('请先检查文件')),
  /** The wrong rows alone. */
  bad: z.optional(z.literal('1')),
  /** Rows after this one, as the spreadsheet program counts them. */
  after: z.optional(z.coerce.number().check(z.int(), z.minimum(0))),
})

const mendInput = z.object({
  job_id: jobId,
  row_number: z.int('请选择要修改的行'),
  cells: mendedCells,
})

const bulkInput = z.object({
  /** remove, restore, update, or the name of a transition. */
  action: z.string('请选择操作'),
  ids,
  /** All records of this list query, in place of ids. */
  query: z.optional(anything),
  /** For update: the same values for all. */
  values: z.optional(anything),
  reason: z.optional(reasonSchema),
})

export type ExportInput = z.infer<typeof exportInput>
export type ImportInput = z.infer<typeof importInput>
export type RowsInput = z.infer<typeof rowsInput>
export type MendInput = z.infer<typeof mendInput>
export type CommitInput = z.infer<typeof commitInput>
export type BulkInput = z.infer<typeof bulkInput>

/** A file that a job made; it is private to the person who asked, and gone after some days. */
export interface JobFile {
  file_id: string
  url: string
  rows: number
}

/** What came of checking a file. */
export interface ImportChecked {
  /** Why nothing can be imported as it is, such as a missing column; absent when the rows were checked. */
  problem?: string
  counts: { good: number; bad: number; new: number; update: number }
  /** Labels of the file by column, for choosing by hand. */
  columns: { index: number; label: string }[]
  header_row: number | null
  /** The file's column, 0-based, for each field that was found. */
  mapping: Record<string, number>
  /** Labels that belong to no field. */
  unknown: string[]
  /** The first rows: as they stand in the file, and what will become of each. */
  preview: { row_number: number; state: 'new' | 'update' | 'bad'; reason: string | null; cells: Record<string, string> }[]
  /** The first wrong rows. */
  problems: { row_number: number; reason: string }[]
  /** The wrong rows with their reasons, to be mended and uploaded again. */
  errors?: JobFile
}

/** What became of a row that was mended, and of the whole with it. */
export interface ImportMended extends Pick<ImportChecked, 'counts' | 'problems'> {
  row: ImportChecked['preview'][number]
}

/** What came of writing a checked file. */
export interface ImportWritten {
  created: number
  updated: number
  /** Rows whose record was already as they say. */
  unchanged: number
  /** Rows that were left out. */
  skipped: number
  /** Rows that were good when they were checked and no longer so when they were written. */
  late: { row_number: number; reason: string }[]
  /** Call that takes it back, with this job's id as `job_id`. */
  undo: string
}

/** What came of taking an import back. */
export interface ImportUndone {
  removed: number
  reverted: number
  /** Records that stay as they are, the first of them with why. */
  kept: number
  reasons: { row_number: number; id: number; reason: string }[]
}

/** What came of a bulk action. */
export interface BulkDone {
  done: number
  skipped: number
  /** The first records that were left alone, and why. */
  reasons: { id: number; name: string; reason: string }[]
  /** By which number it is taken back; absent where nothing of it can be. */
  undo?: number
}

/** What a bulk action would do, tried on the first records and given up again. */
export interface BulkPreview {
  /** How many records are meant, capped at `COUNT_CAP`. */
  count: number
  rows: {
    id: number
    name: string
    /** The fields that change, as the record has them and as it would; null where it is refused. */
    before: Record<string, unknown>
    after: Record<string, unknown> | null
    /** Why this record would be left alone. */
    why: string | null
  }[]
}

/** Id that a bulk action asks for: that of the same action on one record; undefined when there is no such action. */
export function bulkGrant(resource: Resource, action: string): number | undefined {
  if (action === 'update') return resource.actions.update
  if (action === 'remove' || action === 'restore') return resource.actions.remove
  const transition = resource.transitions.find((known) => known.name === action)
  return transition && transitionGrant(resource, transition)
}

type Started = { job: JobInfo }

/** The calls that move many records of a resource at once. Those that it does not offer are absent. */
export function transferEndpoints(resource: Resource): {
  export?: Endpoint<ExportInput, Started>
  template?: Endpoint<Record<string, unknown>, unknown>
  import?: Endpoint<ImportInput, Started>
  importRows?: Endpoint<RowsInput, { items: ImportChecked['preview'] }>
  importMend?: Endpoint<MendInput, ImportMended>
  importCommit?: Endpoint<CommitInput, Started>
  importUndo?: Endpoint<{ job_id: number }, Started>
  bulk?: Endpoint<BulkInput, Started>
  bulkPreview?: Endpoint<BulkInput, BulkPreview>
} {
  const { api: { list }, label, actions } = resource
  const names = ['remove', 'restore', 'update', ...resource.transitions.map((transition) => transition.name)]
  // A sheet is not read yet when it is sent: whether a row weighs so much is not known.
  const heavySheet = resource.import?.columns.some((key) => key in resource.fresh) ?? false
  const bulk = [...new Set(names.flatMap((name) => bulkGrant(resource, name) ?? []))]
  return {
    ...(actions.export && {
      export: defineEndpoint<Started>()({ method: 'POST', path: `${list}/export`, summary: `导出${label}`, grant: [actions.export], input: exportInput, back: 'reads', fresh: ({ plain }) => plain === true }),
    }),
    ...(actions.import && {
      template: defineEndpoint<unknown>()({
        method: 'GET', path: `${list}/import_template`, summary: `${label}导入模板`, grant: [actions.import], stream: true, input: anything,
      }),
      import: defineEndpoint<Started>()({ method: 'POST', path: `${list}/import`, summary: `检查要导入的${label}`, grant: [actions.import], input: importInput, ...(heavySheet && { fresh: true }) }),
      importRows: defineEndpoint<{ items: ImportChecked['preview'] }>()({ method: 'GET', path: `${list}/import_rows`, summary: `检查过的${label}的各行`, grant: [actions.import], input: rowsInput }),
      importMend: defineEndpoint<ImportMended>()({ method: 'POST', path: `${list}/import_mend`, summary: `改正要导入的一行${label}`, grant: [actions.import], input: mendInput }),
      importCommit: defineEndpoint<Started>()({ method: 'POST', path: `${list}/import_commit`, summary: `写入检查过的${label}`, grant: [actions.import], input: commitInput, ...(heavySheet && { fresh: true }) }),
      importUndo: defineEndpoint<Started>()({
        method: 'POST', path: `${list}/import_undo`, summary: `撤销导入的${label}`, grant: [actions.import], input: z.object({ job_id: jobId }), ...(heavySheet && { fresh: true }),
      }),
    }),
    ...(bulk.length > 0 && {
      bulk: defineEndpoint<Started>()({
        method: 'POST', path: `${list}/bulk`, summary: `批量处理${label}`, grant: bulk, input: bulkInput, back: 'undo',
        fresh: ({ action, values }) => weighs(resource, values) || resource.transitions.some(({ name, fresh }) => name === action && fresh === true),
      }),
      bulkPreview: defineEndpoint<BulkPreview>()({ method: 'POST', path: `${list}/bulk/preview`, summary: `批量处理${label}会怎样`, grant: bulk, input: bulkInput, back: 'reads' }),
    }),
  }
}

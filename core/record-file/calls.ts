import * as z from 'zod/mini'
import { defineEndpoint, type Endpoint } from '../endpoint/define.ts'
import type { Resource } from '../resource/define.ts'
import { UPLOAD_KINDS } from '../file/kinds.ts'

/** Files that one record may have. */
export const MOST_FILES = 200

/** What may be kept with a record: papers, pictures, sound and film as phones make them. */
export const RECORD_FILE_KINDS = ['image', 'file', 'video', 'audio', 'footage'] as const satisfies readonly (keyof typeof UPLOAD_KINDS)[]

/** A file that is kept with a record. */
export interface RecordFile {
  id: number
  name: string
  type: string
  bytes: number
  at: number
  staff_name: string | null
}

/** How it is taken back. */
interface Changed {
  undo?: number
}

/** What the calls need to know of a resource. */
type Of = Pick<Resource, 'api' | 'label' | 'grant' | 'actions'>

/** Path by which a browser fetches a file of a record, under the record's own rights. */
export const recordFileUrl = ({ api }: Pick<Resource, 'api'>, id: number, file: number, download = false): string => `${api.item}/${id}/files/${file}${download ? '?download=1' : ''}`

/** The right by which files come and go: that of changing the record; where nobody changes it, that of seeing it. */
export const filesRight = ({ grant, actions }: Pick<Resource, 'grant' | 'actions'>): number => actions.update ?? grant

/** The calls of the files of one record. */
export function recordFileEndpoints(resource: Of): {
  list: Endpoint<undefined, { items: RecordFile[] }>
  add: Endpoint<{ file_id: string }, RecordFile & Changed>
  fetch: Endpoint<{ download?: string | undefined }, unknown>
  remove: Endpoint<undefined, Changed>
} {
  const { api, label, grant } = resource
  const path = `${api.item}/{id}/files`
  const right = [filesRight(resource)]
  return {
    list: defineEndpoint<{ items: RecordFile[] }>()({ method: 'GET', path, summary: `${label}的文件`, grant: [grant] }),
    add: defineEndpoint<RecordFile & Changed>()({
      method: 'POST', path, summary: `给${label}添加文件`, grant: right, input: z.object({ file_id: z.string('请上传文件').check(z.uuid('请重新上传文件')) }),
    }),
    fetch: defineEndpoint<unknown>()({ method: 'GET', path: `${path}/{file}`, summary: `${label}的文件内容`, grant: [grant], stream: true, input: z.object({ download: z.optional(z.string()) }) }),
    remove: defineEndpoint<Changed>()({ method: 'DELETE', path: `${path}/{file}`, summary: `移除${label}的文件`, grant: right }),
  }
}

import * as z from 'zod/mini'
import { defineEndpoint } from '../endpoint/define.ts'

/** A file as the one who uploaded it is told. */
export interface UploadedFile {
  id: string
  name: string
  type: string
  bytes: number
  url: string
}

/** Takes one file as multipart; `?kind=` names one of UPLOAD_KINDS, whose limits hold. */
export const uploadFile = defineEndpoint<UploadedFile>()({
  method: 'POST', path: '/daoyuan/api/end/files', summary: '上传文件', grant: 'staff', upload: true,
})

/** Answers the bytes; ranges and ETags as HTTP knows them. `download=1` saves instead of showing. */
export const fetchFile = defineEndpoint<unknown>()({
  method: 'GET', path: '/daoyuan/api/end/files/{id}', summary: '文件内容', grant: 'staff', stream: true,
  input: z.object({ download: z.optional(z.string()) }),
})

/** Where large files are uploaded in pieces, by the tus protocol (https://tus.io); metadata `filename` and `kind`. */
export const RESUMABLE_UPLOADS = '/daoyuan/api/end/uploads'

import * as z from 'zod/mini'
import { defineEndpoint } from '../../../core/endpoint/define.ts'
import { standardId } from '../../../core/grant/grant.ts'
import type { BlockTarget } from '../../outline/module.ts'
import { BASE, book } from '../book.ts'
import { bookPage } from '../book-page.ts'
import { spotsSchema, type Hotspot } from '../hotspot.ts'
import type { Lost } from './carry.ts'

/** 读取中→待核对→在用→已换下, 失败. */
export const PDF_STATE = { reading: 1, ready: 2, used: 3, replaced: 4, failed: 5 } as const

/** A page that could not be drawn. */
export const UNREAD = 9

/** A file that a book is printed from. */
export interface BookPdf {
  id: number
  no: number
  name: string
  url: string | null
  state: number
  /** Pages that were read, of those that it has. */
  read: number
  pages: number
  error: string | null
  staff_name: string | null
  at: number
  /** Prints that were made from it. */
  prints: number[]
}

/** A page of such a file beside the one that it goes back to. */
export interface ComparedPage {
  page_no: number
  image: string
  spots: Hotspot[]
  from_page: number | null
  note: number
  w_mm: number
  h_mm: number
}

export interface Compared {
  pdf: BookPdf
  pages: ComparedPage[]
  /** The pages of now. */
  before: { page_no: number; image: string; spots: Hotspot[] }[]
  lost: Lost[]
  targets: BlockTarget[]
}

const EDIT = [standardId(bookPage.grant, 'edit')]
const PDF = `${BASE}/peb_pdf`

export const readPdfs = defineEndpoint<{ items: BookPdf[] }>()({ method: 'GET', path: `${bookPage.api.list}/pdfs/{id}`, summary: '图书的印刷文件', grant: [bookPage.grant] })
export const addPdf = defineEndpoint<{ id: number; job_id: number }>()({
  method: 'POST', path: `${book.api.item}/{id}/pdfs`, summary: '上传印刷文件', grant: EDIT,
  input: z.object({ url: z.string('请上传 PDF').check(z.regex(/^\/daoyuan\/api\/end\/files\/[0-9a-f-]{36}$/, '请重新上传文件')), name: z.string('文件名应为文字').check(z.trim(), z.minLength(1, '文件名不能为空'), z.maxLength(200, '文件名过长')) }),
})
/** Gives up a file that is not used. */
export const dropPdf = defineEndpoint<{ id: number }>()({ method: 'DELETE', path: `${PDF}/{id}`, summary: '放弃印刷文件', grant: EDIT })
export const readCompared = defineEndpoint<Compared>()({ method: 'GET', path: `${PDF}/{id}`, summary: '新旧印刷文件对版', grant: [bookPage.grant] })
export const savePdfPage = defineEndpoint<{ page_no: number }>()({
  method: 'PUT', path: `${PDF}/{id}/pages/{no}`, summary: '修改待核对页面的热区', grant: EDIT, input: z.object({ spots: spotsSchema }),
})
/** Says what becomes of a place that was not found again. */
export const decideLost = defineEndpoint<{ lost: Lost[] }>()({
  method: 'PUT', path: `${PDF}/{id}/lost`, summary: '处理没有对上的热区', grant: EDIT,
  input: z.object({
    keys: z.array(z.string('热区有误'), '请选择热区').check(z.minLength(1, '请选择热区'), z.maxLength(2000, '一次最多处理 2000 个热区')),
    /** Absent: it is not needed any more. */
    page_no: z.optional(z.int('页码有误').check(z.positive('页码有误'))),
  }),
})
export const usePdf = defineEndpoint<{ pages: number }>()({ method: 'POST', path: `${PDF}/{id}/use`, summary: '采用印刷文件', grant: EDIT })

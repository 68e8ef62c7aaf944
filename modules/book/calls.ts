import * as z from 'zod/mini'
import { defineEndpoint } from '../../core/endpoint/define.ts'
import { standardId } from '../../core/grant/grant.ts'
import type { WireRow } from '../../core/resource/endpoints.ts'
import type { BlockTarget } from '../outline/module.ts'
import type { PracticeCard } from '../practice/module.ts'
import { book } from './book.ts'
import { bookPage } from './book-page.ts'
import { SPOT_KINDS } from './hotspot.ts'

/** A thing that is looked at before a book is printed. */
export interface PrintCheck {
  label: string
  ok: boolean
  /** The book is not printed while it is wrong. */
  must: boolean
  detail: string | null
}

/** A time that a book was printed. */
export interface BookPrint {
  no: number
  copies: number
  fresh: number
  note: string | null
  staff_name: string | null
  at: number
}

export const readPrints = defineEndpoint<{ prints: BookPrint[]; checks: PrintCheck[]; base: string | null }>()({ method: 'GET', path: `${book.api.item}/{id}/prints`, summary: '图书的印次和印前检查', grant: [book.grant] })

/** Sends a book to the printer's: from then on its codes are what they are. */
export const printBook = defineEndpoint<WireRow<typeof book>>()({
  method: 'POST', path: `${book.api.item}/{id}/prints`, summary: '图书付印', grant: [book.rights.id('print')],
  input: z.object({
    copies: z.int('请填写印数').check(z.gte(1, '印数至少 1 册'), z.lte(10_000_000, '印数过大')),
    note: z.optional(z.string('备注应为文字').check(z.trim(), z.maxLength(100, '备注最多 100 个字'))),
    /** Errata that this print does not have any more. */
    fixed: z.optional(z.array(z.int('勘误有误'), '勘误有误').check(z.maxLength(500, '一次最多改正 500 条勘误'))),
    rev: z.optional(z.int('版本有误')),
  }),
})

/** The pages of a book with what their places lead to. */
export interface BookContent {
  book: WireRow<typeof book>
  pages: WireRow<typeof bookPage>[]
  targets: BlockTarget[]
}

export const readPages = defineEndpoint<BookContent>()({ method: 'GET', path: `${bookPage.api.list}/of/{id}`, summary: '电子书的全部页面', grant: [bookPage.grant] })
export const findSpotTargets = defineEndpoint<{ items: BlockTarget[] }>()({
  method: 'GET', path: `${bookPage.api.list}/targets`, summary: '热区可绑定的内容', grant: [standardId(bookPage.grant, 'edit')],
  input: z.object({
    kind: z.enum(SPOT_KINDS.map(({ value }) => value), '内容类型不正确'), book_id: z.string('请选择图书').check(z.regex(/^\d{1,15}$/, '请选择图书')),
    keyword: z.optional(z.string('关键词有误').check(z.trim(), z.maxLength(60, '关键词最多 60 个字'))),
  }),
})
/** A question that a place leads to, as it is printed. */
export const readSpotCard = defineEndpoint<{ cards: PracticeCard[] }>()({ method: 'GET', path: `${bookPage.api.list}/card/{id}`, summary: '热区绑定的试题', grant: [bookPage.grant] })

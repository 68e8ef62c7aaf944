import * as z from 'zod/mini'
import { defineEndpoint } from '../../../core/endpoint/define.ts'
import { READ_GRANTS } from '../paper.ts'
import { EDITIONS, MAX_WATERMARK, SHEETS } from './edition.ts'

/** A paper as a Word document with Word's own formulas; the answer is the file. */
export const paperWord = defineEndpoint<unknown>()({
  method: 'GET', path: '/daoyuan/api/end/paper/{id}/word', summary: '下载 Word 试卷', grant: READ_GRANTS,
  input: z.object({
    edition: z.optional(z.enum(EDITIONS.map(({ value }) => value), '请选择下载的内容')),
    sheet: z.optional(z.enum(SHEETS.map(({ value }) => value), '请选择纸张')),
    seal: z.optional(z.enum(['0', '1'], '密封线有误')),
    codes: z.optional(z.enum(['0', '1'], '二维码有误')),
    watermark: z.optional(z.string('水印有误').check(z.trim(), z.regex(/^[^\p{Cc}\p{Cs}\uFFFE\uFFFF]*$/u, '水印有不能打印的字符'), z.maxLength(MAX_WATERMARK, `水印最多 ${MAX_WATERMARK} 个字`))),
    blank_lines: z.optional(z.string('留白行数有误').check(z.regex(/^([0-9]|[1-3][0-9]|40)$/, '留白行数应为 0 到 40'))),
  }),
})

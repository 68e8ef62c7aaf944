import * as z from 'zod/mini'
import { defineEndpoint } from '../../core/endpoint/define.ts'
import { number } from '../../core/field/number.ts'
import { reference } from '../../core/field/reference.ts'
import { defineRights } from '../../core/grant/rights.ts'
import { agent } from '../agent/module.ts'
import { codeFamily } from '../code/module.ts'
import { screenId } from '../screens.ts'
import { BASE, book } from './book.ts'
import { bookLine } from './line.ts'

/** Codes that lie in printed books or are scratched free in shops: each opens what is sold with a book (domain 1.10). */
export const bookCodeFamily = codeFamily({
  name: 'book_code',
  label: '图书激活码',
  line: bookLine.line.code,
  base: BASE,
  screens: { batch: screenId('/practiceBook/activeCode'), code: screenId('/practiceBook/activeDetail') },
  owner: { key: 'agent_id', label: '书店', target: () => agent, scope: { agent: 'agent_id', subject: 'offer_id.subject_id', level: 'offer_id.subject_id.level' } },
  product: { key: 'offer_id', label: '商品', target: () => bookLine.offers },
  batchFields: {
    book_id: reference('图书', () => book, { createOnly: true }),
    print_no: number('印次', { createOnly: true, min: 1, max: 99, help: '随第几次印刷的书发出' }),
  },
  holderFields: {},
  scope: {},
  columns: { batch: ['book_id', 'print_no'], code: [] },
  filters: { batch: ['book_id', 'print_no'], code: [] },
})

export const bookCodeGroup = bookCodeFamily.batch
export const bookCode = bookCodeFamily.code

/** Rights of the codes' screen beside those of every family. */
export const BOOK_CODE_RIGHTS = defineRights(bookCode.grant, { activate: [21, '代激活'] })

/** Activates a code for somebody who called, under their mobile number. */
export const activateBookCode = defineEndpoint<{ code_id: number; expire_at: number; offer_name: string }>()({
  method: 'POST', path: `${bookCode.api.item}/activate`, summary: '代用户激活图书激活码', grant: [BOOK_CODE_RIGHTS.id('activate')],
  input: z.object({
    code: z.string('请输入激活码').check(z.maxLength(100, '激活码过长')),
    mobile: z.string('请填写手机号').check(z.trim(), z.regex(/^1[3-9]\d{9}$/, '手机号应为 11 位数字')),
    name: z.optional(z.string('姓名应为文字').check(z.trim(), z.maxLength(20, '姓名最多 20 个字'))),
  }),
})

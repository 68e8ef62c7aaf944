import * as z from 'zod/mini'
import { defineEndpoint } from '../../core/endpoint/define.ts'
import { screenId } from '../screens.ts'
import { defineRights } from '../../core/grant/rights.ts'

const ERRORS_SCREEN = screenId('/system/errors')

/** Forgetting errors is a right of its own. */
export const ERROR_RIGHTS = defineRights(ERRORS_SCREEN, { clear: [11, '清除'] })

export interface ClientErrorEntry {
  id: number
  first_at: number
  at: number
  staff_id: number | null
  staff_name: string | null
  message: string
  stack: string | null
  url: string | null
  release: string | null
  user_agent: string | null
  times: number
}

/** Errors of browsers, the one that happened last first. */
export const clientErrors = defineEndpoint<{ items: ClientErrorEntry[]; total: number }>()({
  method: 'GET',
  path: '/daoyuan/api/end/client_errors',
  summary: '前端错误',
  grant: [ERRORS_SCREEN],
  input: z.object({
    keyword: z.optional(z.string()),
    release: z.optional(z.string()),
    page: z.optional(z.string().check(z.regex(/^\d{1,6}$/, '分页参数有误'))),
    page_size: z.optional(z.string().check(z.regex(/^\d{1,3}$/, '分页参数有误'))),
  }),
})

/** Forgets some errors, or all of them with `all=1`. */
export const clearClientErrors = defineEndpoint<{ removed: number }>()({
  method: 'DELETE',
  path: '/daoyuan/api/end/client_errors',
  summary: '清除前端错误', back: { instead: '清除不能撤销，再次发生时重新记录' },
  grant: [ERROR_RIGHTS.id('clear')],
  input: z.object({ ids: z.optional(z.union([z.string(), z.array(z.string())])), all: z.optional(z.literal('1')) }),
})

import * as z from 'zod/mini'
import { defineEndpoint } from '../../core/endpoint/define.ts'

/** An agent as everybody may see them. */
export interface ProxyUser {
  id: number
  name: string
  type: number
  status: number
}

const paging = z.optional(z.string('分页参数有误').check(z.regex(/^\d{1,6}$/, '分页参数有误')))

/** spec 7: read with page=0 when the console starts. A lookup: up to 1000 at once, with page_size=0 all of them (domain 0.1, 5). */
export const proxyUsers = defineEndpoint<{ proxy_users: ProxyUser[]; total: number }>()({
  method: 'GET',
  path: '/daoyuan/api/proxy_users',
  summary: '代理，供选择',
  grant: 'staff',
  input: z.object({ page: paging, page_size: paging }),
})

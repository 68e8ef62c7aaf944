import * as z from 'zod/mini'
import { defineEndpoint } from '../endpoint/define.ts'

/** Cuts a text that is longer than what is kept; a report is never refused for its length. */
const cut = (length: number) => z.string().check(z.overwrite((text) => text.slice(0, length)))

/** An error in the console, told by the browser in which it happened. */
export const reportClientError = defineEndpoint<Record<string, never>>()({
  method: 'POST',
  path: '/daoyuan/api/end/client_errors',
  summary: '上报前端错误',
  grant: 'staff',
  input: z.object({
    message: cut(1000).check(z.minLength(1, '请填写错误内容')),
    stack: z.optional(z.nullable(cut(8000))),
    url: z.optional(z.nullable(cut(500))),
    release: z.optional(z.nullable(cut(60))),
  }),
})

export type HealthState = 'ok' | 'failing'

/** Whether this process can serve, and what of what it needs can: for load balancers, container platforms and monitors. */
export const health = defineEndpoint<{ ok: boolean; database: HealthState; disk: HealthState; scanner?: HealthState; demo?: 'filling' }>()({
  method: 'GET', path: '/healthz', summary: '健康检查', grant: 'public', unlimited: true,
})

/** Measurements in Prometheus' text format. */
export const metrics = defineEndpoint<unknown>()({ method: 'GET', path: '/metrics', summary: '监控指标', grant: 'public', unlimited: true, stream: true })

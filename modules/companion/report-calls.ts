import * as z from 'zod/mini'
import { defineEndpoint } from '../../core/endpoint/define.ts'
import { standardId } from '../../core/grant/grant.ts'
import { reasonSchema, type WireRow } from '../../core/resource/endpoints.ts'
import { screenId } from '../screens.ts'
import type { Companion } from './companion.ts'
import type { Facts, ReportResource } from './report.ts'

/** Reports that are drafted at once. */
export const MOST_DRAFTS = 200

const day = (words: string) => z.coerce.number(words).check(z.int(words), z.positive(words))

/** A report as its teacher sees it. */
export interface OwnReport { id: number; rev: number; student_id: number; student_name: string; period: number; from_at: number; to_at: number; words: string; plan: string | null; facts: Facts | null; state: number; sent_at: number | null; read_at: number | null; reply: string | null }

/** Calls of a business's reports beside the standard ones. */
export function reportEndpoints({ kind: { base, screens } }: Pick<Companion, 'kind'>, reports: Pick<ReportResource, 'api' | 'grant'>) {
  const screen = screenId(screens.tutor?.report ?? screens.students)
  const [own, edit] = [`${base}/teacher/reports`, standardId(screen, 'edit')]
  const period = { from_at: day('请选择起始日期'), to_at: day('请选择结束日期') }
  return {
    own: defineEndpoint<{ items: OwnReport[]; total: number }>()({ method: 'GET', path: own, summary: '我写的报告', grant: [screen], input: z.object({ student_id: z.optional(day('学生编号有误')) }) }),
    facts: defineEndpoint<Facts>()({ method: 'GET', path: `${own}/facts`, summary: '报告的学习数据', grant: [screen], input: z.object({ student_id: day('请选择学生'), ...period }) }),
    write: defineEndpoint<WireRow>()({ method: 'POST', path: own, summary: '写报告', grant: [edit], input: z.intersection(z.record(z.string(), z.unknown()), z.object({ id: z.optional(z.int('报告编号有误')), send: z.optional(z.boolean('是否发送有误')) })) }),
    drop: defineEndpoint<Record<string, never>>()({ method: 'DELETE', path: `${own}/{id}`, summary: '删除或撤回报告', grant: [edit], input: z.object({ reason: z.optional(reasonSchema) }) }),
    link: defineEndpoint<{ path: string }>()({ method: 'GET', path: `${own}/{id}/link`, summary: '家长打开报告的链接', grant: [screen, reports.grant] }),
    drafts: defineEndpoint<{ made: number; left_out: number }>()({
      method: 'POST', path: `${reports.api.list}/drafts`, summary: '批量生成报告草稿', back: { instead: '草稿没有发出，删除即可' }, grant: [standardId(reports.grant, 'edit')],
      input: z.object({ ids: z.array(z.int('请选择学生'), '请选择学生').check(z.minLength(1, '请选择学生'), z.maxLength(MOST_DRAFTS, `一次最多 ${MOST_DRAFTS} 人`)), period: z.int('请选择周期').check(z.gte(1, '请选择周期'), z.lte(3, '请选择周期')), ...period }),
    }),
  }
}

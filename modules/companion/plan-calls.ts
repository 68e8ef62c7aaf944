import * as z from 'zod/mini'
import { defineEndpoint } from '../../core/endpoint/define.ts'
import type { Companion } from './companion.ts'
import { MOST_WEEKS, type TemplateResource } from './template.ts'

/** A task of a plan before it is made; `why` says why it will not be. */
export interface Planned { class_id: number; class_name: string; template_id: number; week: number; title: string; start_at: number; due_at: number; why: string | null }

const input = z.object({
  season: z.string('请选择期次').check(z.minLength(1, '请选择期次'), z.maxLength(20, '期次最多 20 个字')),
  class_ids: z.array(z.int('请选择班级').check(z.positive('请选择班级')), '请选择班级').check(z.minLength(1, '请选择班级'), z.maxLength(50, '一次最多 50 个班级')),
  weeks: z.array(z.int('请选择周').check(z.gte(1, '请选择周'), z.lte(MOST_WEEKS, `最多 ${MOST_WEEKS} 周`)), '请选择周').check(z.minLength(1, '请选择周'), z.maxLength(MOST_WEEKS, `最多 ${MOST_WEEKS} 周`)),
  holidays: z._default(z.array(z.int('假期有误'), '假期有误').check(z.maxLength(60, '假期最多 60 天')), []),
})

/** Calls of the week plan. */
export function planEndpoints({ kind: { label } }: Pick<Companion, 'kind'>, { api: { list }, rights }: Pick<TemplateResource, 'api' | 'rights'>) {
  const grant = [rights.id('plan')]
  return {
    preview: defineEndpoint<{ items: Planned[] }>()({ method: 'POST', path: `${list}/plan/preview`, summary: `预览${label}周计划`, back: 'reads', grant, input }),
    plan: defineEndpoint<{ made: number }>()({ method: 'POST', path: `${list}/plan`, summary: `按${label}周计划布置任务`, back: { instead: '布置错了，没有人提交前可撤回任务' }, grant, input }),
  }
}

import * as z from 'zod/mini'
import { defineEndpoint } from '../../../core/endpoint/define.ts'
import { BASE_EDIT_GRANTS } from '../paper.ts'

const BASE = '/daoyuan/api/end/paper_skeletons'

/** A skeleton as people choose one for a new paper. */
export interface SkeletonChoice { id: number; name: string; level: number; subject_name: string; region: string | null; questions: number; points: number }

export const skeletonChoices = defineEndpoint<{ items: SkeletonChoice[] }>()({
  method: 'GET', path: `${BASE}/choices`, summary: '可选的试卷模板', grant: BASE_EDIT_GRANTS, input: z.object({ level: z.optional(z.enum(['0', '1', '2'], '学段有误')) }),
})

/** Begins a paper with the sections and the words of a skeleton. */
export const paperFromSkeleton = defineEndpoint<{ id: number; detail: string }>()({
  method: 'POST', path: `${BASE}/{id}/papers`, summary: '用模板新建试卷', grant: BASE_EDIT_GRANTS,
  input: z.object({ name: z.string('请填写试卷名称').check(z.trim(), z.minLength(1, '请填写试卷名称'), z.maxLength(100, '试卷名称最多 100 个字')) }),
})

import * as z from 'zod/mini'
import { defineEndpoint } from '../../core/endpoint/define.ts'
import { reasonSchema } from '../../core/resource/endpoints.ts'
import type { Companion } from './companion.ts'

/** Lines of a sheet of scores at once. */
export const MOST_SCORES = 2000

/** What a line of a sheet comes to. */
export interface ScoreLine { row: number; student_id: number | null; name: string | null; score: number | null; why: string | null }

/** A learner by rank, and on which side of the line they are. */
export interface Ranked { student_id: number; name: string; score: number; rank: number; above: boolean; class_name: string | null; next_class_name: string | null }

const line = z.number('请填写分数线').check(z.gte(0, '分数线不能小于 0'), z.lte(1000, '分数线不能超过 1000'))
const id = (words: string) => z.int(words).check(z.positive(words))

/** Calls of a selection: scores, rank, who goes on. */
export function rankEndpoints({ kind: { label }, students: { api: { list }, rights } }: Pick<Companion, 'kind' | 'students'>) {
  const grant = [rights.id('rank')]
  const sheet = z.object({ class_id: id('请选择班级'), lines: z.array(z.object({ key: z.string('请填写手机号').check(z.trim(), z.maxLength(40, '手机号有误')), score: z.string('请填写成绩').check(z.trim(), z.maxLength(10, '成绩有误')) }), '请粘贴成绩').check(z.minLength(1, '请粘贴成绩'), z.maxLength(MOST_SCORES, `一次最多 ${MOST_SCORES} 行`)) })
  return {
    checkScores: defineEndpoint<{ items: ScoreLine[] }>()({ method: 'POST', path: `${list}/scores/preview`, summary: `检查${label}成绩`, back: 'reads', grant, input: sheet }),
    scores: defineEndpoint<{ saved: number }>()({ method: 'POST', path: `${list}/scores`, summary: `录入${label}成绩`, back: { instead: '录错了，重新录入这次成绩' }, grant, input: sheet }),
    ranking: defineEndpoint<{ items: Ranked[]; above: number }>()({ method: 'GET', path: `${list}/ranking`, summary: `${label}排名和分数线`, grant, input: z.object({ class_id: z.coerce.number('请选择班级'), line: z.coerce.number('请填写分数线') }) }),
    promote: defineEndpoint<{ up: number; out: number; undo?: number }>()({ method: 'POST', path: `${list}/promote`, summary: `${label}晋级和淘汰`, grant, fresh: true, input: z.object({ class_id: id('请选择班级'), next_class_id: id('请选择晋级的班级'), line, expected: z.int('人数有误'), reason: reasonSchema }) }),
  }
}

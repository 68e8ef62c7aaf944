import * as z from 'zod/mini'
import { defineEndpoint } from '../../../core/endpoint/define.ts'
import { bodyId, type PracticeCard } from '../bank/calls.ts'
import { BANK_SCREENS, bankGrants } from '../bank/practice.ts'

const END = '/daoyuan/api/end'
/** domain appendix A: adding and taking away have the same body. */
const body = z.object({ practice_id: bodyId, child_ids: z.array(bodyId, '请选择试题').check(z.minLength(1, '请选择试题'), z.maxLength(50, '一次最多 50 道题')) })
const grant = [...bankGrants('back', 'similar'), ...bankGrants('official', 'similar')]

/** spec 7: 举一反三, questions to practise the same thing again with. */
export const addOneToThree = defineEndpoint<{ count: number }>()({ method: 'POST', path: `${END}/practice_one_2_three`, summary: '举一反三：添加', back: { instead: '添加错了，移除即可' }, grant, input: body })
export const removeOneToThree = defineEndpoint<{ count: number }>()({ method: 'POST', path: `${END}/practice_one_2_three/remove`, summary: '举一反三：移除', back: { instead: '移除错了，重新添加即可' }, grant, input: body })
export const listOneToThree = defineEndpoint<{ items: { practice: PracticeCard; score: number | null; by: string | null; at: number }[]; total: number }>()({
  method: 'GET', path: `${END}/practice_one_2_three/list/{id}`, summary: '举一反三：列表', grant: BANK_SCREENS,
})

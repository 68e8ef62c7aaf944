import * as z from 'zod/mini'
import { defineEndpoint } from '../../../core/endpoint/define.ts'
import { TEACHER_RIGHTS } from '../rights.ts'
import type { SaidItem } from '../said/calls.ts'
import { commentTeacher } from './teacher.ts'

const BASE = `${commentTeacher.api.list}/asks`
export const ASK_QUEUES = ['mine', 'free', 'late', 'all'] as const
export type AskQueue = (typeof ASK_QUEUES)[number]

/** A question that waits, with when it has to be answered and what it is about. */
export interface Ask extends SaidItem { due_at: number | null; about: string; subject: string | null; assignee_id: number | null; to: string }

/** Questions that wait for an answer, what is due first, first, with how many there are in each queue. */
export const openAsks = defineEndpoint<{ items: Ask[]; total: number; counts: Record<AskQueue, number> }>()({ method: 'GET', path: BASE, summary: '待回答的提问', grant: [TEACHER_RIGHTS.screen], input: z.object({ queue: z.enum(ASK_QUEUES, '队列有误'), staff_id: z.optional(z.coerce.number('教师有误').check(z.int('教师有误'), z.positive('教师有误'))) }) })

/** Gives questions to a teacher. */
export const assignAsks = defineEndpoint<{ assigned: number; left_alone: { id: number; why: string }[] }>()({
  method: 'POST', path: `${BASE}/assign`, summary: '分配提问', back: { instead: '分配错了，重新分配即可' }, grant: [TEACHER_RIGHTS.id('edit')],
  input: z.object({ ids: z.array(z.int('提问有误').check(z.positive('提问有误')), '请选择提问').check(z.minLength(1, '请选择提问'), z.maxLength(200, '一次最多 200 条')), staff_id: z.int('请选择教师').check(z.positive('请选择教师')) }),
})

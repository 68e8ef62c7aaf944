import * as z from 'zod/mini'
import { defineEndpoint } from '../../../core/endpoint/define.ts'
import type { PracticeCard } from '../../practice/module.ts'
import { switchSchema } from '../../../core/resource/endpoints.ts'
import { LESSON_APPROVE_GRANTS, LESSON_EDIT_GRANTS, LESSON_GRANTS } from './lesson.ts'

const MICRO = '/micro_material/api/end'
/** Questions that one lesson can lead to. */
const MOST_PRACTICES = 50

const digits = (words: string) => z.optional(z.string(words).check(z.regex(/^\d{1,9}$/, words)))
const idList = (words: string) => z.array(z.int(words).check(z.positive(words)), words)

/** A micro lesson as the spec's own calls know it. */
export interface MicroLesson {
  id: number
  name: string
  cat_id: number
  label_ids: number[]
  teacher: string | null
  video: string
  duration: number
  cover: string | null
  code_url: string | null
  /** 1 on the shelf, else 0; `state` says why. */
  status: number
  state: number
}

/** spec 7: micro lessons of all stages; a label stands for everything below it. */
export const microLessons = defineEndpoint<{ items: MicroLesson[]; total: number }>()({
  method: 'GET', path: `${MICRO}/knowledge/micro/lesson`, summary: '微课', grant: LESSON_GRANTS,
  input: z.object({
    cat_id: digits('学科有误'), label_id: digits('知识点有误'), status: z.optional(z.enum(['0', '1'], '状态有误')), page: digits('页码有误'), page_size: digits('每页条数有误'),
    keyword: z.optional(z.string('关键词有误').check(z.trim(), z.maxLength(60, '关键词最多 60 个字'))),
  }),
})

const practiceIds = z.optional(idList('题号不正确').check(z.maxLength(MOST_PRACTICES, `最多关联 ${MOST_PRACTICES} 题`)))
/** Domain appendix A. The lesson's own fields are checked by the rules of its form. */
const lessonBody = { label_ids: z.optional(idList('知识点有误').check(z.maxLength(20, '最多 20 个知识点'))), practice_ids: practiceIds }

/** spec 7. The first of `label_ids` is the main one. */
export const createMicroLesson = defineEndpoint<{ id: number }>()({
  method: 'POST', path: `${MICRO}/knowledge/micro/lesson`, summary: '新增微课', grant: LESSON_EDIT_GRANTS,
  input: z.looseObject({ cat_id: z.int('请选择学科').check(z.positive('请选择学科')), ...lessonBody }),
})

/** spec 7. What is absent stays. */
export const updateMicroLesson = defineEndpoint<Record<string, never>>()({
  method: 'PUT', path: `${MICRO}/knowledge/micro/lesson/{id}`, summary: '修改微课', grant: LESSON_EDIT_GRANTS, input: z.looseObject(lessonBody),
})

/** spec 4 and 7: puts a lesson on the shelf (1) or takes it off (0). */
export const setMicroLessonStatus = defineEndpoint<Record<string, never>>()({
  method: 'PUT', path: `${MICRO}/knowledge/micro/lesson/{id}/status`, summary: '微课上下架', grant: LESSON_APPROVE_GRANTS,
  input: z.object({ status: switchSchema }),
})

/** The questions that a lesson leads to, in their order. */
export const lessonPractices = defineEndpoint<{ items: PracticeCard[] }>()({
  method: 'GET', path: `${MICRO}/micro_lesson/{id}/practices`, summary: '微课关联试题', grant: LESSON_GRANTS,
})
export const setLessonPractices = defineEndpoint<{ items: PracticeCard[] }>()({
  method: 'PUT', path: `${MICRO}/micro_lesson/{id}/practices`, summary: '修改微课关联试题', grant: LESSON_EDIT_GRANTS,
  input: z.object({ practice_ids: idList('题号不正确').check(z.maxLength(MOST_PRACTICES, `最多关联 ${MOST_PRACTICES} 题`)) }),
})

const play = z.object({
  lesson_id: z.int('微课有误').check(z.positive('微课有误')),
  user_id: z.optional(z.int('用户有误').check(z.positive('用户有误'))),
  seconds: z.int('观看时长应为整数').check(z.gte(0, '观看时长不能为负'), z.lte(86_400, '观看时长有误')),
  /** Unix seconds. */
  at: z.int('时间有误').check(z.gte(1_000_000_000, '时间有误'), z.lte(9_999_999_999, '时间有误')),
})

/** Takes what learners watched; a person who watched nine tenths has finished. A play that is sent twice counts once. */
export const receivePlays = defineEndpoint<{ received: number }>()({
  method: 'POST', path: `${MICRO}/micro_lesson/plays`, summary: '接收微课播放记录', grant: LESSON_EDIT_GRANTS,
  input: z.object({ plays: z.array(play, '播放记录有误').check(z.maxLength(1000, '每次最多 1000 条')) }),
})

/** How often a lesson was played, day by day. */
export const lessonPlays = defineEndpoint<{ days: { day: string; plays: number; finished: number }[] }>()({
  method: 'GET', path: `${MICRO}/micro_lesson/{id}/plays`, summary: '微课播放统计', grant: LESSON_GRANTS,
})

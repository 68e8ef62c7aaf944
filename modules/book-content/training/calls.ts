import * as z from 'zod/mini'
import { defineEndpoint } from '../../../core/endpoint/define.ts'
import { standardId } from '../../../core/grant/grant.ts'
import { BASE } from '../../book/module.ts'
import type { SetChapter } from '../../practice/module.ts'
import { TRAINING, TRAINING_GROUPS } from '../sets.ts'

/** Most questions of a set (as the sets have it). */
const MOST = 200
/** Most chapters that are named in one call: those of the thickest textbook. */
const MOST_CHAPTERS = 500

/** A writing order that is open at a hole. */
export interface OpenOrder {
  id: number
  chapter_id: number
  group_key: number
  staff_name: string | null
  wanted: number
  due_at: number
}

/** A question that stands in several sets of a book. */
export interface Double {
  practice_id: number
  no: string
  places: { chapter_id: number; name: string; group_key: number }[]
}

/** A chapter of the book with the materials that were made of it. */
export interface TrainingChapter extends SetChapter {
  materials: { id: number; name: string; state: number }[]
}

/** The training of a book: what each chapter has and lacks. */
export interface Training {
  book: { id: number; name: string; level: number; subject_id: number; subject_name: string; partwork_id: number | null; partwork_name: string | null }
  chapters: TrainingChapter[]
  doubles: Double[]
  orders: OpenOrder[]
}

const EDIT = [standardId(TRAINING, 'edit')]
const bodyId = z.int('编号有误').check(z.positive('编号有误'))
const chapterIds = z.optional(z.array(bodyId, '请选择章节').check(z.minLength(1, '请选择章节'), z.maxLength(MOST_CHAPTERS, `一次最多 ${MOST_CHAPTERS} 个章节`)))
const group = z.int('请选择习题类型').check(z.refine((value) => TRAINING_GROUPS.some((one) => one.value === value), '请选择习题类型'))

export const readTraining = defineEndpoint<Training>()({ method: 'GET', path: `${BASE}/training/{id}`, summary: '图书的训练', grant: [TRAINING] })

/** How many questions the sets of many chapters should have: of those named, or of every chapter that has none below it. */
export const setBookTargets = defineEndpoint<Training>()({
  method: 'PUT', path: `${BASE}/training/{id}/targets`, summary: '批量设训练目标', grant: EDIT,
  input: z.object({
    targets: z.array(z.object({ group_key: group, target_n: z.int('目标题数应为整数').check(z.gte(1, '目标题数至少 1'), z.lte(MOST, `目标题数最多 ${MOST}`)) }), '请填写目标题数').check(
      z.minLength(1, '请填写目标题数'), z.maxLength(TRAINING_GROUPS.length, '习题类型重复'), z.refine((list) => new Set(list.map(({ group_key }) => group_key)).size === list.length, '习题类型重复'),
    ),
    chapter_ids: chapterIds,
    /** Only where nobody has said anything yet. */
    only_new: z._default(z.boolean('参数有误'), false),
  }),
})

/** Fills what the sets lack with what the bank has: no question twice in the book, nearest to the difficulty of its kind. */
export const fillBook = defineEndpoint<{ filled: number; left: number; training: Training }>()({
  method: 'POST', path: `${BASE}/training/{id}/fill`, summary: '训练补齐缺题', grant: EDIT, input: z.object({ chapter_ids: chapterIds }),
})

import * as z from 'zod/mini'
import { defineEndpoint } from '../../core/endpoint/define.ts'
import { DIRECTORY_RIGHTS } from './api.ts'
import { classCourse, juniorCourse, seniorCourse } from './course.ts'

const SPEC = '/micro_material/api/end'
const bodyId = z.int('编号有误').check(z.positive('编号有误'))
const queryId = z.string('编号有误').check(z.regex(/^\d{1,15}$/, '编号有误'))
/** Most things that a lesson is given at once. */
const MOST_CONTENTS = 200
/** Courses of one page of the specification's list. */
const MOST_COURSES = 200

/** The outline of a course, which is made when it is opened for the first time. */
export const openOutline = defineEndpoint<{ outline_id: number; name: string }>()({ method: 'POST', path: `${classCourse.api.item}/{id}/outline`, summary: '打开课堂课程的目录', grant: [DIRECTORY_RIGHTS.screen] })

/** A course as the specification's list answers it. */
export interface SeniorCourse {
  id: number
  name: string
  cat_id: number
  cat_name: string
  cover: string | null
  status: 0 | 1
  video_count: number
  version_no: number
  updated_at: number
}

/** A video of a course, where it stands. */
export interface CourseVideo {
  id: number
  kind: 'video' | 'micro'
  name: string
  cover: string | null
  /** The address that plays; null for a micro lesson, which has a player of its own. */
  url: string | null
  minutes: number
  node_id: number
  node_name: string
}

/** spec 7: senior class courses of a subject, or of all. */
export const seniorCourses = defineEndpoint<{ items: SeniorCourse[]; total: number }>()({
  method: 'GET', path: `${SPEC}/senior_high/course/list`, summary: '高中课堂课程', grant: [seniorCourse.grant, DIRECTORY_RIGHTS.screen],
  input: z.object({ cat_id: z.optional(queryId), page: z.optional(queryId), page_size: z.optional(queryId.check(z.refine((text) => Number(text) <= MOST_COURSES, `每页最多 ${MOST_COURSES} 门`))) }),
})

/** spec 7: the videos of a senior class course in their order, as learners see them; none while no course is named. */
export const seniorVideos = defineEndpoint<{ items: CourseVideo[]; total: number }>()({
  method: 'GET', path: `${SPEC}/senior_high/course/video`, summary: '高中课堂课程的视频', grant: [seniorCourse.grant, DIRECTORY_RIGHTS.screen], input: z.object({ course_id: z.optional(queryId) }),
})

/** spec 7: gives a lesson of a course its contents as a whole; what rooms see follows at once. */
export const putContents = defineEndpoint<{ added: number; moved: number; removed: number; node_id: number; version_no: number }>()({
  method: 'PUT', path: `${SPEC}/lesson_class_v2/content/course`, summary: '更新课堂课程的内容', grant: [DIRECTORY_RIGHTS.id('publish')],
  input: z.object({
    course_id: bodyId, node_id: z.optional(z.nullable(bodyId)),
    contents: z._default(z.array(z.object({ kind: z.string('内容类型有误').check(z.regex(/^[a-z][a-z_]{0,19}$/, '内容类型有误')), ref_id: bodyId }), '内容有误').check(z.maxLength(MOST_CONTENTS, `最多 ${MOST_CONTENTS} 项内容`)), []),
  }),
})

/** Something that a course lacks before it can be shelved, or should have. */
export interface CourseCheck { label: string; ok: boolean; must: boolean; detail: string | null }

const checkOf = (resource: typeof juniorCourse) => defineEndpoint<{ items: CourseCheck[] }>()({ method: 'GET', path: `${resource.api.item}/{id}/check`, summary: `${resource.label}上架体检`, grant: [resource.grant] })

/** 上架体检 of the courses of each stage. */
export const courseChecks = { [juniorCourse.name]: checkOf(juniorCourse), [seniorCourse.name]: checkOf(seniorCourse) }

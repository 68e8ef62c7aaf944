import { defineRights } from '../../core/grant/rights.ts'
import { screenId } from '../screens.ts'

/** Where the calls of class courses stand (domain 1.5). */
export const BASE = '/daoyuan/api/end/lesson_class'

/** Rights of the screen on which what class courses teach is edited. */
export const DIRECTORY_RIGHTS = defineRights(screenId('/classCourse/courseDirectories'), { publish: [12, '发布'], outline: [13, '编辑目录'] })

/** Path of the editor of a course's outline. */
export const outlinePath = (courseId: number): string => `/classCourse/courseDirectories?course_id=${courseId}`

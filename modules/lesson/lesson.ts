import { choice } from '../../core/field/choice.ts'
import { computed } from '../../core/field/json.ts'
import { examYear } from '../reference/module.ts'
import { reference, referenceList } from '../../core/field/reference.ts'
import { text } from '../../core/field/text.ts'
import { defineRights } from '../../core/grant/rights.ts'
import { itemsTotal, type Resource } from '../../core/resource/define.ts'
import { defineOffers } from '../offer/module.ts'
import { subject } from '../reference/module.ts'
import { screenId } from '../screens.ts'
import { defineLearners, type LearnerLine } from '../user/module.ts'
import { LESSON_LINE } from './row.ts'
import { lessonTag } from './tag.ts'

/** How a course is taught (domain 1.2). */
export const LESSON_TYPES = [{ value: 1, label: '系统课' }, { value: 2, label: '专题' }, { value: 3, label: '直播回放' }] as const

/**
 * The courses of /course: offers with their own calls (spec 7). The list is the specification's; what the console does with one
 * course stands below a path of its own, because POST, PUT and DELETE of the specification take its videos along.
 */
export const lesson = defineOffers(LESSON_LINE, screenId('/course/list'), {
  textbooks: undefined, series: undefined,
  more: {
    label: '课程',
    api: { list: '/daoyuan/api/lessons/end', item: '/daoyuan/api/end/lesson', reply: itemsTotal },
    fields: {
      title: text('课程名称', { required: true, max: 60, search: true, wire: 'name' }),
      subject_id: reference('学科', () => subject, { required: true, createOnly: true, wire: 'cat_id' }),
      lesson_type: choice('课程类型', LESSON_TYPES),
      tag_ids: referenceList('标签', () => lessonTag),
      exam_year: examYear('高考届', { help: '适用学生的高考年份；标签含「高考提升营」时必填' }),
      is_parent: { ...computed('含下级课程'), wire: 'isParent' },
      section_cnt: computed('章节数'),
      video_cnt: computed('视频数'),
      star: computed('评分'),
      comment_cnt: computed('评价数'),
      unhealthy: computed('待处理', 'text'),
    },
    columns: ['unhealthy', 'lesson_type', 'tag_ids', 'section_cnt', 'video_cnt', 'star', 'comment_cnt', 'is_parent', 'exam_year'],
    filters: ['lesson_type', 'tag_ids', 'exam_year'],
    inputs: ['lesson_type', 'tag_ids', 'exam_year'],
    // Nobody orders here: spec 2 gives /course no orders. Courses are opened by staff, or come with others.
    lacks: ['sold', 'stock', 'buy_limit', 'sales_base', 'sale_state', 'gift'],
  },
})

/** Rights of the screen on which sections are edited. */
export const sectionRights = defineRights(screenId('/course/sections/:courseId'), { edit: [1, '编辑章节'], publish: [12, '发布'] })
/** Rights of the screen on which videos are put into sections. */
export const videoRights = defineRights(screenId('/course/videoManagement/:courseId'), { edit: [1, '管理视频'] })
/** Rights of the screen that shows which papers sections have. */
export const matrixRights = defineRights(screenId('/course/paper/index/:type/:id'), { edit: [1, '绑定试卷'] })

export const lessonLearnerLine: LearnerLine = { code: LESSON_LINE.code, name: LESSON_LINE.name, grant: screenId('/course/users'), product: { label: '课程', target: () => lesson } }
/** Who may use a course. */
export const lessonLearners = defineLearners(lessonLearnerLine)

/** Kind under which outlines know courses. */
export const OUTLINE_KIND = lesson.name

/** Its kinds of records. @public tables are made from what files export */
export const lessonResources: readonly Resource[] = [lesson, lessonLearners]

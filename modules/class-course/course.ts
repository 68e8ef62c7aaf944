import { choice, shelf } from '../../core/field/choice.ts'
import { image } from '../../core/field/file.ts'
import { computed } from '../../core/field/json.ts'
import { sortOrder } from '../../core/field/number.ts'
import { reference, referenceList } from '../../core/field/reference.ts'
import { longText, text } from '../../core/field/text.ts'
import { time } from '../../core/field/time.ts'
import { defineRights } from '../../core/grant/rights.ts'
import { api, defineResource } from '../../core/resource/define.ts'
import { LEVELS, subject } from '../reference/module.ts'
import { anyRoom } from '../room/module.ts'
import { screenId } from '../screens.ts'
import { staff } from '../staff/module.ts'
import { partner, roomType, school } from '../study-room/module.ts'
import { BASE, DIRECTORY_RIGHTS } from './api.ts'

export const COURSE_STATE = { draft: 1, on: 2, off: 3, archived: 4 } as const
export const COURSE_STATES = [
  { value: COURSE_STATE.draft, label: '草稿', tone: 'idle' }, { value: COURSE_STATE.on, label: '上架', tone: 'success' },
  { value: COURSE_STATE.off, label: '下架', tone: 'default' }, { value: COURSE_STATE.archived, label: '归档', tone: 'default' },
] as const

const { draft, on, off, archived } = COURSE_STATE

/** A stage that has class courses, and its screen. */
interface Stage { readonly level: 0 | 1; readonly name: string; readonly path: '/classCourse/juniorSpecialUse' | '/classCourse/seniorSpecialUse'; readonly calls: string }

const JUNIOR: Stage = { level: 1, name: 'junior_class_course', path: '/classCourse/juniorSpecialUse', calls: 'junior_course' }
const SENIOR: Stage = { level: 0, name: 'senior_class_course', path: '/classCourse/seniorSpecialUse', calls: 'senior_course' }

/** Fields of every course. @param within narrows its subject to those of its stage */
const fields = (within: { readonly level: 'level' } | Record<never, never>) => ({
  level: choice('学段', LEVELS, { required: true, readonly: true }),
  name: text('课程名称', { required: true, max: 60, search: true }),
  subject_id: reference('学科', () => subject, { required: true, createOnly: true, within, alias: 'cat_id' }),
  cover: image('封面'),
  teacher_ids: referenceList('主讲', () => staff),
  // Nothing chosen: any room of the types above may be given it.
  room_type_ids: referenceList('自习室类型', () => roomType, { help: '不选则不限' }),
  partner_ids: referenceList('限合伙人', () => partner, { help: '合伙人、学校、自习室都不选则不限' }),
  school_ids: referenceList('限学校', () => school),
  room_ids: referenceList('限自习室', () => anyRoom),
  open_at: time('开放时间'),
  close_at: time('截止时间'),
  intro: longText('介绍', { max: 1000 }),
  lesson_cnt: computed('课时数'),
  outline: computed('目录', 'text'),
  room_cnt: computed('授权自习室'),
  account_cnt: computed('使用人数'),
  sort: sortOrder(),
  state: choice('状态', COURSE_STATES, { readonly: true, initial: draft }),
})

const WAIVED = 'Courses are made by our own teachers for rooms everywhere; which of them a room may use is said by its grants.'
const common = {
  table: 'class_course',
  label: '课堂课程',
  measure: '门',
  indexes: [['level', 'subject_id', 'id']],
  unique: [['level', 'subject_id', 'name']],
  pick: { offered: { state: on } },
  logged: [{ name: 'put_contents', label: '更新课程内容' }],
  scope: { subject: 'subject_id', level: 'level' },
  unscoped: { agent: WAIVED, partner: WAIVED, school: WAIVED },
} as const

/** The courses of a stage, for rooms; all of them are of one shape and in one table. */
function coursesOf({ level, name, path, calls }: Stage) {
  return defineResource({
    ...common,
    name,
    grant: screenId(path),
    rights: defineRights(screenId(path), { shelve: [11, '上下架和归档'] }),
    api: api(BASE, `${calls}s`, calls),
    where: { level },
    fields: { ...fields({ level: 'level' }), status: shelf('上架', { state: 'state', on: [on], off }) },
    list: {
      columns: ['name', 'subject_id', 'outline', 'lesson_cnt', 'state', 'status', 'room_cnt', 'account_cnt', 'room_type_ids', 'open_at', 'close_at', 'teacher_ids', 'updated_at', 'cover', 'partner_ids', 'school_ids', 'room_ids'],
      filters: ['subject_id', 'state', 'status', 'room_type_ids', 'teacher_ids', 'open_at', 'close_at', 'created_at'],
    },
    form: [
      { title: '课程', fields: ['name', 'subject_id', 'cover', 'teacher_ids', 'intro', 'sort'] },
      { title: '开放给哪些自习室', fields: ['room_type_ids', 'partner_ids', 'school_ids', 'room_ids', 'open_at', 'close_at'] },
    ],
    transitions: [
      { name: 'shelve', label: '上架', field: 'state', from: [draft, off], to: on, right: 'shelve', instead: '上架错了，下架即可' },
      { name: 'unshelve', label: '下架', field: 'state', from: [on], to: off, right: 'shelve', confirm: '下架后不能再授权给新的自习室，已授权的照常使用。' },
      { name: 'archive', label: '归档', field: 'state', from: [off], to: archived, right: 'shelve', danger: true, instead: '归档不能撤销，需要时新建课程' },
    ],
  })
}

export const juniorCourse = coursesOf(JUNIOR)
export const seniorCourse = coursesOf(SENIOR)

/** Courses of all stages, to be picked and to have their outlines edited. */
export const classCourse = defineResource({
  ...common,
  name: 'class_course',
  grant: DIRECTORY_RIGHTS.screen,
  api: api(BASE, 'courses', 'course'),
  fields: fields({}),
  list: {
    columns: ['name', 'level', 'subject_id', 'outline', 'lesson_cnt', 'state', 'room_cnt', 'account_cnt', 'teacher_ids', 'updated_at'], filters: ['level', 'subject_id', 'state', 'teacher_ids', 'created_at'],
  },
  without: ['create', 'update', 'edit', 'remove', 'import', 'export'],
})

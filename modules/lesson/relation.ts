import { choice } from '../../core/field/choice.ts'
import { computed } from '../../core/field/json.ts'
import { sortOrder } from '../../core/field/number.ts'
import { reference } from '../../core/field/reference.ts'
import { defineRights } from '../../core/grant/rights.ts'
import { api, defineResource } from '../../core/resource/define.ts'
import { screenId } from '../screens.ts'
import { lesson } from './lesson.ts'
import { RELATIONS } from './relation-kind.ts'

/** Rights of the screen: what goes with a course is set as a whole. */
export const relationRights = defineRights(screenId('/course/relation'), { edit: [1, '设置关联'] })

/** Which course goes with which. Written as the whole set of one course and kind (spec 7), never one by one. */
export const lessonRelation = defineResource({
  name: 'lesson_relation',
  label: '课程关联',
  title: 'child_id',
  grant: relationRights.screen,
  api: api('/daoyuan/api', 'lesson_relations', 'lesson_relations'),
  fields: {
    parent_id: reference('主课程', () => lesson, { required: true, createOnly: true, onRemove: 'cascade' }),
    child_id: reference('关联课程', () => lesson, { required: true, createOnly: true, onRemove: 'cascade' }),
    kind: choice('关系', RELATIONS, { required: true, createOnly: true }),
    is_parent: { ...computed('还有下级'), wire: 'isParent' },
    sort: sortOrder(),
  },
  list: { columns: ['parent_id', 'child_id', 'kind', 'is_parent', 'sort', 'updated_at'], filters: ['parent_id', 'child_id', 'kind', 'created_at'], sort: 'sort' },
  scope: { subject: 'parent_id.subject_id', level: 'parent_id.subject_id.level' },
  without: ['create', 'update', 'edit', 'remove'],
})

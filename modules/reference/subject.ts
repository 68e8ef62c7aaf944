import { choice, choiceLabel, toggle } from '../../core/field/choice.ts'
import { number, sortOrder } from '../../core/field/number.ts'
import { text } from '../../core/field/text.ts'
import { api, defineResource } from '../../core/resource/define.ts'
import { screenId } from '../screens.ts'
import { LEVELS } from './level.ts'

/**
 * A school subject, `cat` on the wire. Ids are given (spec 3: below 100 senior, 101-199 junior, 201-299 primary), so
 * subjects come with the product and only their wording, order and label tree are edited.
 * Each is the root of a label tree, hence the screen.
 */
export const subject = defineResource({
  name: 'subject',
  label: '学科',
  grant: screenId('/practice/labels'),
  api: api('/daoyuan/api/end', 'subjects', 'subjects'),
  fields: {
    name: text('学科名称', { required: true, max: 20, search: true }),
    level: choice('学段', LEVELS, { required: true, readonly: true }),
    root_label_id: number('根标签编号', { min: 1 }),
    ebook_only: toggle('使用范围', { on: '仅电子书', off: '全部' }, { required: true, readonly: true, initial: 0 }),
    sort: sortOrder(),
  },
  list: { columns: ['name', 'level', 'root_label_id', 'ebook_only', 'sort', 'updated_at', 'id'], under: ['id'], filters: ['level'], sort: 'id' },
  unique: [['level', 'name']],
  scope: { subject: 'id', level: 'level' },
  without: ['create', 'remove'],
})

/** spec 3: the entry that stands for every subject. */
export const ALL_SUBJECTS = { id: 999, name: '全部学科' } as const

/** A subject's name with its stage, as lists over all stages show it: 数学（高中）. */
export function fullName(name: string, level: number): string {
  return `${name}（${choiceLabel(LEVELS, level)}）`
}

import { choice, toggle } from '../../../core/field/choice.ts'
import { sortOrder } from '../../../core/field/number.ts'
import { reference } from '../../../core/field/reference.ts'
import { text } from '../../../core/field/text.ts'
import { api, defineResource } from '../../../core/resource/define.ts'
import { subject } from '../../reference/module.ts'
import { screenId } from '../../screens.ts'
import { TYPES } from '../content/question.ts'

/** A subject's own name for a kind of question, on top of one of the six structures (domain 0.2): 实验题, 听力, 作文. */
export const practiceCategory = defineResource({
  name: 'practice_category',
  label: '题型分类',
  grant: screenId('/practice/labels'),
  api: api('/daoyuan/api/end', 'practice_categories', 'practice_category_item'),
  fields: {
    subject_id: reference('学科', () => subject, { required: true, alias: 'cat_id' }),
    name: text('名称', { required: true, max: 20, search: true }),
    type: choice('题型', TYPES, { required: true }),
    sort: sortOrder(),
    status: toggle('状态', { on: '启用', off: '停用' }, { required: true }),
  },
  list: { columns: ['name', 'subject_id', 'type', 'status', 'sort', 'updated_at', 'id'], under: ['id'], filters: ['subject_id', 'type', 'status'], sort: 'sort' },
  import: { columns: ['subject_id', 'name', 'type', 'sort'], key: ['subject_id', 'name'] },
  unique: [['subject_id', 'name']],
  scope: { subject: 'subject_id', level: 'subject_id.level' },
})

import { choice } from '../../core/field/choice.ts'
import { computed } from '../../core/field/json.ts'
import { sortOrder } from '../../core/field/number.ts'
import { text } from '../../core/field/text.ts'
import { api, defineResource } from '../../core/resource/define.ts'
import { screenId } from '../screens.ts'

/** Tags that mean something to the product (spec 3): what a course that carries one has to fulfil stands in tag-rules.ts. */
export const SPECIAL_TAGS = { boost: '高考提升营', joint: '联报课程' } as const

const COLOURS = [
  { value: 'default', label: '灰' }, { value: 'processing', label: '蓝', tone: 'processing' }, { value: 'success', label: '绿', tone: 'success' }, { value: 'warning', label: '橙', tone: 'warning' }, { value: 'error', label: '红', tone: 'error' },
] as const

/** What a course is marked with: 名师, 高考提升营. */
export const lessonTag = defineResource({
  name: 'lesson_tag',
  label: '课程标签',
  grant: screenId('/course/tag'),
  api: api('/daoyuan/api', 'lesson_tags', 'lesson_tags'),
  fields: {
    name: text('标签名称', { required: true, max: 12, unique: true, search: true, example: '名师' }),
    colour: choice('颜色', COLOURS, { required: true, initial: 'default' }),
    effect: computed('固定规则', 'text'),
    lesson_cnt: computed('课程数'),
    sort: sortOrder(),
  },
  list: { columns: ['name', 'colour', 'effect', 'lesson_cnt', 'sort', 'updated_at'], filters: ['colour', 'created_at'], sort: 'sort' },
  form: [{ fields: ['name', 'colour', 'sort'] }],
})

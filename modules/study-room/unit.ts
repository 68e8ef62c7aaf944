import { toggle } from '../../core/field/choice.ts'
import { number, sortOrder } from '../../core/field/number.ts'
import { text } from '../../core/field/text.ts'
import { tags } from '../../core/field/json.ts'
import { api, defineResource } from '../../core/resource/define.ts'
import { screenId } from '../screens.ts'
import { BASE } from './api.ts'

/** What a code opens: a package of subjects for a number of months (domain 2.7). */
export const unit = defineResource({
  name: 'unit',
  label: '套餐',
  grant: screenId('/new-study-room/authorization-code'),
  api: api(BASE, 'units', 'unit'),
  fields: {
    name: text('套餐名称', { required: true, max: 40, unique: true, search: true }),
    subjects: tags('学科', { required: true }),
    months: number('有效月数', { required: true, min: 1, max: 120, initial: 12 }),
    sort: sortOrder(),
    status: toggle('状态', { on: '上架', off: '下架' }, { required: true }),
  },
  list: { columns: ['name', 'subjects', 'months', 'sort', 'status', 'updated_at'], filters: ['status'], sort: 'sort' },
})

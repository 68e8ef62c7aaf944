import { choice, toggle } from '../../core/field/choice.ts'
import { mobile } from '../../core/field/mobile.ts'
import { reference, referenceList } from '../../core/field/reference.ts'
import { tags } from '../../core/field/json.ts'
import { text } from '../../core/field/text.ts'
import { defineResource, itemsTotal } from '../../core/resource/define.ts'
import { screenId } from '../screens.ts'
import { staff } from '../staff/module.ts'
import { BASE } from './api.ts'
import { school } from './school.ts'
import { schoolCell } from './school-cell.ts'

/** Staff of a school: head, supervisor (督学) or class teacher. Read as teachers, written as school_staff (spec 7). */
export const schoolTeacher = defineResource({
  name: 'school_teacher',
  label: '学校教师',
  measure: '名',
  grant: screenId('/new-study-room/school/school-teacher'),
  api: { list: `${BASE}/school_teachers`, item: `${BASE}/school_staff`, reply: itemsTotal },
  fields: {
    name: text('姓名', { required: true, max: 20, search: true, example: '王老师' }),
    mobile: mobile('手机', { required: true, unique: true, search: true }),
    school_id: reference('学校', () => school, { required: true }),
    role: choice('角色', [
      { value: 1, label: '校长' }, { value: 2, label: '督学' }, { value: 3, label: '班主任' },
    ], { required: true, initial: 2 }),
    subjects: tags('学科'),
    cell_ids: referenceList('班级', () => schoolCell, { within: { school_id: 'school_id' } }),
    staff_id: reference('登录账号', () => staff, { help: '登录本后台用的员工账号' }),
    status: toggle('状态', { on: '在职', off: '离职', onDone: '已设为在职', offDone: '已设为离职' }),
  },
  list: {
    columns: ['name', 'status', 'mobile', 'school_id', 'subjects', 'cell_ids', 'updated_at', 'role'], under: ['role'],
    filters: ['school_id', 'role', 'status', 'mobile'],
  },
  import: { columns: ['name', 'mobile', 'role', 'subjects', 'cell_ids'], key: ['mobile'] },
  scope: { school: 'school_id', partner: 'school_id.partner_id', agent: 'school_id.partner_id.agent_id' },
})

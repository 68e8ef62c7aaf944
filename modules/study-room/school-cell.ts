import { number } from '../../core/field/number.ts'
import { choice } from '../../core/field/choice.ts'
import { reference } from '../../core/field/reference.ts'
import { text } from '../../core/field/text.ts'
import { api, defineResource } from '../../core/resource/define.ts'
import { screenId } from '../screens.ts'
import { BASE } from './api.ts'
import { GRADES } from '../reference/module.ts'
import { school } from './school.ts'

/** A class of a school. The wire calls it a cell (spec 7), so that it is not mistaken for a class of a course. */
export const schoolCell = defineResource({
  name: 'school_cell',
  label: '班级',
  grant: screenId('/new-study-room/school/school-student'),
  api: api(BASE, 'school_cells', 'school_cell'),
  fields: {
    school_id: reference('学校', () => school, { required: true, createOnly: true }),
    name: text('班级名称', { required: true, max: 30, search: true }),
    grade: choice('年级', GRADES, { required: true }),
    capacity: number('人数上限', { max: 1000, initial: 50 }),
  },
  list: { columns: ['name', 'school_id', 'grade', 'capacity', 'updated_at'], under: ['grade'], filters: ['school_id', 'grade'] },
  unique: [['school_id', 'name']],
  scope: { school: 'school_id', partner: 'school_id.partner_id', agent: 'school_id.partner_id.agent_id' },
})

import { sql } from 'drizzle-orm'
import { choiceLabel } from '../../core/field/choice.ts'
import type { OverviewSection } from '../../core/kernel/overview.server.ts'
import { shownName } from '../../core/resource/names.ts'
import { listCondition } from '../../core/resource/where.server.ts'
import { GRADES } from '../reference/module.ts'
import { schoolStudent } from './school-student.ts'

/** Records that one section shows. */
const SHOWN = 50

const statusField = schoolStudent.fields['status']
const statuses = statusField?.kind === 'choice' ? statusField.choices : []

/** Where somebody studies, or whose parent they are: students carry no user id, only numbers. */
export const studentOverview: OverviewSection = {
  name: 'study-room',
  title: '自习室学员',
  grant: schoolStudent.grant,
  async load(db, staff, { mobile }) {
    const rows = await db.query<Record<string, unknown>>(sql`select t.id, t.name, s.name as school_name, t.grade, c.name as cell_name,
        t.mobile = ${mobile} as own, t.start_at, t.expire_at, t.last_study_at, t.status
      from (select * from school_student where ${listCondition(schoolStudent, staff, {})} and (mobile = ${mobile} or parent_mobile = ${mobile}) order by id desc limit ${sql.raw(String(SHOWN))}) t
      join app_school s on s.id = t.school_id left join school_cell c on c.id = t.cell_id order by t.id desc`)
    return {
      screen: '/new-study-room/school/school-student',
      columns: [
        { key: 'name', title: '姓名', as: 'text' }, { key: 'relation', title: '关系', as: 'text' }, { key: 'school_name', title: '学校', as: 'text' },
        { key: 'grade', title: '年级', as: 'text' }, { key: 'cell_name', title: '班级', as: 'text' }, { key: 'start_at', title: '开通日期', as: 'date' },
        { key: 'expire_at', title: '有效期', as: 'date' }, { key: 'last_study_at', title: '最近学习', as: 'time' }, { key: 'status', title: '状态', as: 'text' },
      ],
      rows: rows.map(({ own, grade, status, ...row }) => ({
        ...row, name: shownName(schoolStudent, staff, String(row['name'])), relation: own ? '本人' : '家长', grade: choiceLabel(GRADES, grade), status: choiceLabel(statuses, status),
      })),
    }
  },
}

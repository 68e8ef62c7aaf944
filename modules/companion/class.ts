import { choice } from '../../core/field/choice.ts'
import { image } from '../../core/field/file.ts'
import { group } from '../../core/field/group.ts'
import { computed } from '../../core/field/json.ts'
import { number } from '../../core/field/number.ts'
import { reference, referenceList } from '../../core/field/reference.ts'
import { longText, text } from '../../core/field/text.ts'
import { date, timeRange } from '../../core/field/time.ts'
import { defineRights } from '../../core/grant/rights.ts'
import { api, defineResource } from '../../core/resource/define.ts'
import { GRADES, subject } from '../reference/module.ts'
import { screenId } from '../screens.ts'
import type { ClassScreen, CompanionKind } from './kind.ts'
import { companionTeacher } from './teacher.ts'

export const CLASS_STATUS = { enrolling: 1, running: 2, over: 3, cancelled: 4 } as const

const S = CLASS_STATUS

export const WEEKDAYS = ['周一', '周二', '周三', '周四', '周五', '周六', '周日'].map((label, index) => ({ value: index + 1, label }))

/** Classes of a business; all of them lie in one table. */
export function defineClasses(kind: CompanionKind, { category, label, screen, path }: ClassScreen) {
  const rights = defineRights(screenId(screen), { run: [11, '开课、结课和取消'] })
  return defineResource({
    name: `${kind.value}_${category}_class`,
    table: 'companion_class',
    label,
    grant: rights.screen,
    rights,
    api: api(kind.base, path, path),
    fields: {
      kind: choice('业务', [{ value: kind.value, label: kind.label }], { required: true, readonly: true }),
      category: choice('类别', [{ value: category, label }], { required: true, readonly: true }),
      name: text('班级名称', { required: true, max: 40, search: true }),
      season: text('期次', { max: 20, example: '2026 秋' }),
      subject_id: reference('学科', () => subject, { required: true }),
      grade: choice('年级', GRADES, { required: true }),
      teacher_id: reference('主讲', () => companionTeacher, { required: true, neededWhile: { status: [S.enrolling, S.running] } }),
      helper_ids: referenceList('助教', () => companionTeacher),
      capacity: number('人数上限', { required: true, min: 1, max: 2000, initial: 30, unit: '名' }),
      student_cnt: computed('学生'),
      slots: group('上课时间', { weekday: choice('星期', WEEKDAYS, { required: true }), hours: timeRange('时间', { required: true }) }, { max: 14 }),
      start_at: date('开课日期'),
      end_at: date('结课日期'),
      qr: image('班级群二维码'),
      qr_until: date('二维码有效至'),
      weeks: number('教学周数', { min: 1, max: 60, unit: '周' }),
      syllabus: longText('教学安排', { max: 1000 }),
      status: choice('状态', [
        { value: S.enrolling, label: '招生中', tone: 'processing' }, { value: S.running, label: '进行中', tone: 'success' },
        { value: S.over, label: '已结课', tone: 'default' }, { value: S.cancelled, label: '已取消', tone: 'default' },
      ], { readonly: true, initial: S.enrolling }),
    },
    list: {
      columns: ['name', 'status', 'teacher_id', 'subject_id', 'grade', 'student_cnt', 'capacity', 'slots', 'start_at', 'end_at', 'weeks', 'season', 'helper_ids', 'qr_until', 'updated_at'],
      under: ['season'],
      filters: ['status', 'subject_id', 'grade', 'teacher_id', 'start_at', 'qr_until', 'created_at'],
    },
    form: [
      { title: '班级', fields: ['name', 'season', 'subject_id', 'grade', 'capacity'] },
      { title: '教学', fields: ['teacher_id', 'helper_ids', 'slots', 'start_at', 'end_at', 'weeks', 'syllabus'] },
      { title: '班级群', fields: ['qr', 'qr_until'] },
    ],
    transitions: [
      { name: 'start', label: '开课', field: 'status', from: [S.enrolling], to: S.running, right: 'run', instead: '开课错了，结课后另建班级' },
      { name: 'finish', label: '结课', field: 'status', from: [S.running], to: S.over, right: 'run', confirm: '结课后不能再布置任务，确认结课？', instead: '结课不能撤销，需要时另建班级' },
      { name: 'cancel', label: '取消', field: 'status', from: [S.enrolling], to: S.cancelled, right: 'run', reason: true, danger: true, instead: '取消不能撤销，需要时另建班级' },
    ],
    policies: [{ of: ['edit'], policy: 'while', field: 'status', values: [S.enrolling, S.running], why: '班级已结束，不能修改' }],
    pick: { offered: { status: S.running } },
    where: { kind: kind.value, category },
    scope: { subject: 'subject_id', level: 'subject_id.level' },
    indexes: [['kind', 'category', 'status']],
  })
}

/** Classes of whatever business. */
export type ClassResource = ReturnType<typeof defineClasses>

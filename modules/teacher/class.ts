import { behind } from '../../core/field/behind.ts'
import { choice, toggle } from '../../core/field/choice.ts'
import { computed } from '../../core/field/json.ts'
import { number } from '../../core/field/number.ts'
import { reference } from '../../core/field/reference.ts'
import { longText, text } from '../../core/field/text.ts'
import { time } from '../../core/field/time.ts'
import { defineRights } from '../../core/grant/rights.ts'
import { api, defineResource } from '../../core/resource/define.ts'
import { GRADES, subject } from '../reference/module.ts'
import { screenId } from '../screens.ts'
import { CLASS_STATES, CLASS_STATUS, MOST } from './states.ts'
import { teacherProfile } from './teacher.ts'

const S = CLASS_STATUS

export const CLASS_PATH = '/teacher/class'

export const CLASS_RIGHTS = defineRights(screenId(CLASS_PATH), { transfer: [11, '转让'], graduate: [12, '毕业和恢复'], dissolve: [13, '解散'], members: [14, '移出学生'] })

/** Years in which classes begin; a school year is called by its first. */
export const SCHOOL_YEARS = Array.from({ length: 16 }, (_, index) => ({ value: 2023 + index, label: `${2023 + index}–${2024 + index} 学年` }))

/** The school year of a moment in Beijing: it begins in August. */
export function schoolYear(seconds: number): number {
  const day = new Date((seconds + 8 * 3600) * 1000)
  return day.getUTCMonth() >= 7 ? day.getUTCFullYear() : day.getUTCFullYear() - 1
}

/** domain 1.15: a class that a teacher leads in the app. Learners join it by its code. */
export const teacherClass = defineResource({
  name: 'teacher_class',
  label: '教师班级',
  grant: CLASS_RIGHTS.screen,
  rights: CLASS_RIGHTS,
  api: api('/daoyuan/api/end', 'teacher_classes', 'teacher_classes'),
  fields: {
    name: text('班级名称', { required: true, max: 40, search: true, example: '高一（3）班' }),
    code: text('班级码', { readonly: true, unique: true, max: 8, search: true }),
    teacher_id: reference('教师', () => teacherProfile, { required: true, neededWhile: { status: [S.running] } }),
    school: behind<string>('teacher_id', 'school', { label: '学校' }),
    subject_id: reference('学科', () => subject, { required: true }),
    grade: choice('年级', GRADES, { required: true }),
    school_year: choice('学年', SCHOOL_YEARS, { required: true }),
    max_members: number('人数上限', { required: true, min: 1, max: MOST.members, initial: 60, unit: '人' }),
    member_cnt: computed('学生'),
    homework_cnt: computed('布置次数'),
    done_rate: computed('平均完成率', 'percent'),
    score_rate: computed('平均得分率', 'percent'),
    join_open: toggle('加入方式', { on: '凭班级码', off: '已关闭', onDone: '班级码已开放', offDone: '班级码已关闭' }, { required: true, initial: 1 }),
    founder_id: reference('建班教师', () => teacherProfile, { readonly: true, onRemove: 'keep' }),
    last_homework_at: time('最近布置', { readonly: true, audit: false }),
    graduated_at: time('毕业时间', { readonly: true }),
    remark: longText('备注', { max: 200 }),
    status: choice('状态', CLASS_STATES, { readonly: true, initial: S.running }),
  },
  list: {
    columns: ['name', 'status', 'code', 'teacher_id', 'member_cnt', 'homework_cnt', 'done_rate', 'score_rate', 'subject_id', 'grade', 'school_year', 'max_members', 'join_open', 'last_homework_at', 'founder_id', 'graduated_at', 'remark', 'created_at'],
    under: ['school'],
    filters: ['status', 'teacher_id', 'subject_id', 'grade', 'school_year', 'join_open', 'school', 'last_homework_at', 'created_at'],
  },
  form: [
    { title: '班级', fields: ['name', 'teacher_id', 'subject_id', 'grade', 'school_year'] },
    { title: '加入', fields: ['max_members', 'join_open', 'remark'] },
  ],
  transitions: [
    { name: 'graduate', label: '毕业', field: 'status', from: [S.running], to: S.graduated, right: 'graduate', confirm: '毕业后不能再加入和布置，学生名单保留。' },
    { name: 'reopen', label: '恢复', field: 'status', from: [S.graduated], to: S.running, right: 'graduate' },
    { name: 'dissolve', label: '解散', field: 'status', from: [S.running], to: S.dissolved, right: 'dissolve', reason: true, danger: true, confirm: '解散后全部学生退出，不能恢复。', instead: '解散不能撤销，需要时由教师新建班级' },
  ],
  logged: [{ name: 'recode', label: '更换班级码' }, { name: 'transfer', label: '转让' }, { name: 'expel', label: '移出学生' }, { name: 'join', label: '加入班级' }, { name: 'quit', label: '退出班级' }, { name: 'found', label: '建班' }, { name: 'assign_homework', label: '布置作业' }, { name: 'hand_homework', label: '交作业' }],
  policies: [{ of: ['edit'], policy: 'while', field: 'status', values: [S.running], why: '班级已结束，不能修改' }],
  scope: { subject: 'subject_id', level: 'subject_id.level', agent: 'teacher_id.user_id.agent_id' },
  indexes: [['teacher_id', 'status'], ['school_year', 'grade', 'status'], ['founder_id']],
  without: ['remove'],
})

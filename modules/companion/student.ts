import { choice } from '../../core/field/choice.ts'
import { computed } from '../../core/field/json.ts'
import { mobile } from '../../core/field/mobile.ts'
import { number } from '../../core/field/number.ts'
import { personName } from '../../core/field/person-name.ts'
import { reference } from '../../core/field/reference.ts'
import { longText, text } from '../../core/field/text.ts'
import { date, time } from '../../core/field/time.ts'
import type { AnyField } from '../../core/field/any-field.ts'
import { defineRights, type RightTable } from '../../core/grant/rights.ts'
import { api, defineResource, type OpenResource } from '../../core/resource/define.ts'
import type { KnownFields } from '../../core/resource/shape.ts'
import { GRADES } from '../reference/module.ts'
import { screenId } from '../screens.ts'
import { appUser } from '../user/module.ts'
import type { ClassResource } from './class.ts'
import type { CompanionKind } from './kind.ts'
import { companionTeacher } from './teacher.ts'

/** domain 1.12: 试听 → 在读 ⇄ 停课 → 结课; 退费 follows from the order's refund alone. */
export const STUDENT_STATUS = { trial: 1, reading: 2, paused: 3, ended: 4, refunded: 5 } as const

const S = STUDENT_STATUS

/** States in which somebody learns, or will again: one enrolment of a business at a time. */
export const LIVING: readonly number[] = [S.trial, S.reading, S.paused]

export const STUDENT_STATES = [
  { value: S.trial, label: '试听', tone: 'processing' }, { value: S.reading, label: '在读', tone: 'success' }, { value: S.paused, label: '停课', tone: 'warning' },
  { value: S.ended, label: '结课', tone: 'default' }, { value: S.refunded, label: '退费', tone: 'error' },
] as const

/** How much a learner needs somebody now; the reasons stand beside it. */
export const RISKS = [{ value: 0, label: '正常', tone: 'success' }, { value: 1, label: '留意', tone: 'warning' }, { value: 2, label: '高', tone: 'error' }] as const

/** What a selection came to. */
export const CUT = { open: 0, up: 1, out: 2 } as const
const CUTS = [{ value: CUT.open, label: '待定', tone: 'idle' }, { value: CUT.up, label: '晋级', tone: 'success' }, { value: CUT.out, label: '淘汰', tone: 'default' }] as const

/** Times that somebody may pause, and for how many days at once (operations 1.2). */
export const PAUSES = { times: 2, days: 90 } as const

function studentFields(kind: CompanionKind, classes: readonly ClassResource[]) {
  const [first, ...others] = classes
  if (!first) throw new Error(`${kind.value} has no classes`)
  const second = others[0]
  return {
    kind: choice('业务', [{ value: kind.value, label: kind.label }], { required: true, readonly: true }),
    name: personName('姓名', { required: true, search: true }),
    mobile: mobile('手机号', { required: true, createOnly: true, search: true }),
    parent_mobile: mobile('家长手机号'),
    user_id: reference('用户', () => appUser, { readonly: true }),
    grade: choice('年级', GRADES, { required: true }),
    school: text('学校', { max: 40, search: true }),
    teacher_id: reference('教师', () => companionTeacher, { neededWhile: { status: LIVING } }),
    class_id: reference(first.label, () => first, { neededWhile: { status: LIVING } }),
    ...(second && { next_class_id: reference(second.label, () => second, { neededWhile: { status: LIVING } }) }),
    start_at: date('开始日期'),
    end_at: date('结束日期'),
    lessons_bought: number('购买课时', { readonly: true, audit: false, initial: 0, min: 0, unit: '节' }),
    lessons_left: number('剩余课时', { readonly: true, audit: false, initial: 0, min: 0, unit: '节' }),
    pause_cnt: number('停课次数', { readonly: true, initial: 0 }),
    paused_at: time('停课时间', { readonly: true }),
    last_study_at: time('最近学习', { readonly: true, audit: false }),
    last_talk_at: time('最近沟通', { readonly: true, audit: false }),
    risk: choice('风险', RISKS, { readonly: true, audit: false, initial: 0 }),
    risk_why: text('风险原因', { readonly: true, audit: false, max: 200 }),
    done: computed('任务完成', 'text'),
    unread: computed('未读'),
    score: number('选拔成绩', { readonly: true, digits: 1, max: 1000 }),
    rank: number('名次', { readonly: true, min: 1 }),
    cut: choice('选拔结果', CUTS, { readonly: true, initial: CUT.open }),
    remark: longText('备注', { max: 200 }),
    status: choice('状态', STUDENT_STATES, { readonly: true, initial: S.trial }),
  }
}

/** Who is kept company in a business: one enrolment of a person. */
export function defineStudents(kind: CompanionKind, classes: readonly ClassResource[]) {
  const rights = defineRights(screenId(kind.screens.students), { assign: [11, '分配教师'], pause: [12, '停课和复课'], finish: [13, '转在读和结课'], ...(kind.ranked && { rank: [14, '录入成绩和晋级'] }) } as RightTable<'assign' | 'pause' | 'finish' | 'rank'>)
  const two = classes.length > 1 ? ['next_class_id'] : []
  const ranked = kind.ranked ? ['score', 'rank', 'cut'] : []
  return defineResource<Record<string, AnyField>, 'assign' | 'pause' | 'finish' | 'rank', 'read' | 'pause' | 'resume' | 'finish', 'assign' | 'score' | 'promote' | 'follow' | 'say' | 'learner_say' | 'learner_step'>({
    name: `${kind.value}_student`,
    table: 'companion_student',
    label: kind.learner,
    measure: '名',
    grant: rights.screen,
    rights,
    // The specification creates where it lists.
    api: api(kind.base, 'manager/students', 'manager/students'),
    fields: studentFields(kind, classes),
    list: {
      columns: ['name', 'status', 'risk', 'teacher_id', 'class_id', ...two, ...ranked, 'grade', 'lessons_left', 'done', 'last_study_at', 'last_talk_at', 'end_at', 'mobile', 'parent_mobile', 'school', 'lessons_bought', 'start_at', 'pause_cnt', 'risk_why', 'remark', 'created_at'],
      under: ['school'],
      filters: ['status', 'teacher_id', 'class_id', ...two, ...ranked, 'grade', 'risk', 'mobile', 'lessons_left', 'end_at', 'last_study_at', 'created_at'],
    },
    form: [
      { title: kind.learner, fields: ['name', 'mobile', 'parent_mobile', 'grade', 'school'] },
      { title: '学习', fields: ['teacher_id', 'class_id', ...two, 'start_at', 'end_at', 'remark'] },
    ],
    import: { columns: ['name', 'mobile', 'parent_mobile', 'grade', 'school', 'teacher_id', 'class_id', 'start_at', 'end_at'], key: ['mobile'] },
    transitions: [
      { name: 'read', label: '转在读', field: 'status', from: [S.trial], to: S.reading, right: 'finish', instead: '转错了，停课或结课' },
      { name: 'pause', label: '停课', field: 'status', from: [S.reading], to: S.paused, right: 'pause', reason: true },
      { name: 'resume', label: '复课', field: 'status', from: [S.paused], to: S.reading, right: 'pause' },
      { name: 'finish', label: '结课', field: 'status', from: [S.trial, S.reading, S.paused], to: S.ended, right: 'finish', confirm: '结课后不再收到任务，确认结课？', danger: true, instead: '结课不能撤销，续读时再登记一次' },
    ],
    logged: [
      { name: 'assign', label: '分配教师' }, { name: 'follow', label: '记录跟进' }, { name: 'say', label: '发消息' }, { name: 'learner_say', label: '学生发消息' }, { name: 'learner_step', label: '学生做任务' },
      ...(kind.ranked ? [{ name: 'score' as const, label: '录入成绩' }, { name: 'promote' as const, label: '晋级' }] : [])],
    policies: [{ of: ['edit'], policy: 'while', field: 'status', values: LIVING, why: '已结课或退费，不能修改' }],
    responsible: ['teacher_id.staff_id'],
    where: { kind: kind.value },
    scope: { agent: 'user_id.agent_id' },
    unscoped: { subject: 'A learner may be taught several subjects by their companion.', level: 'A learner may be taught subjects of several levels by their companion.' },
    indexes: [['kind', 'status'], ['teacher_id', 'status'], ['kind', 'user_id'], ['kind', 'mobile']],
  }) as StudentResource
}

/** The learners of whatever business. */
export type StudentResource = OpenResource<KnownFields<ReturnType<typeof studentFields>>>

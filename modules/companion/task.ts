import { choice, multiChoice, toggle } from '../../core/field/choice.ts'
import type { AnyField } from '../../core/field/any-field.ts'
import { computed } from '../../core/field/json.ts'
import { number } from '../../core/field/number.ts'
import { reference, referenceList } from '../../core/field/reference.ts'
import { longText, text } from '../../core/field/text.ts'
import { time } from '../../core/field/time.ts'
import { defineRights } from '../../core/grant/rights.ts'
import { api, defineResource, type OpenResource } from '../../core/resource/define.ts'
import type { KnownFields } from '../../core/resource/shape.ts'
import { definePapers } from '../paper/module.ts'
import { screenId } from '../screens.ts'
import type { ClassResource } from './class.ts'
import type { CompanionKind } from './kind.ts'
import type { PackResource } from './pack.ts'
import type { StudentResource } from './student.ts'
import { companionTeacher } from './teacher.ts'

/** domain 1.12. 已截止 follows from the moment when it is due; nothing depends on the state being set in time. */
export const TASK_STATE = { draft: 1, running: 2, archived: 3, withdrawn: 4 } as const

const S = TASK_STATE

/** What a learner is asked to do. Of those without `marked` the hand-in is the end. */
export const TASK_KINDS = [
  { value: 'read', label: '阅读', marked: false }, { value: 'exercise', label: '练习', marked: true }, { value: 'paper', label: '试卷', marked: true },
  { value: 'video', label: '视频', marked: false }, { value: 'recite', label: '背诵', marked: true }, { value: 'check_in', label: '打卡', marked: false },
] as const

/** Whether a teacher looks at what is handed in. */
export const isMarked = (kind: string): boolean => TASK_KINDS.find(({ value }) => value === kind)?.marked ?? true

const NEEDS = [{ value: 'text', label: '文字' }, { value: 'image', label: '图片' }, { value: 'voice', label: '语音' }] as const

/** A task for so many learners at once (operations 3). */
export const MOST_LEARNERS = 2000

/** Lessons that a task can be worth. */
export const MOST_LESSONS = 5

/** What a kind's tasks name. */
export interface TaskParts {
  readonly classes: readonly ClassResource[]
  readonly students: StudentResource
  readonly packs: PackResource
  readonly papers: ReturnType<typeof definePapers>[number]
}

function taskFields(kind: CompanionKind, { classes, students, packs, papers }: TaskParts) {
  const [first] = classes
  if (!first) throw new Error(`${kind.value} has no classes`)
  return {
    kind: choice('业务', [{ value: kind.value, label: kind.label }], { required: true, readonly: true }),
    title: text('标题', { required: true, max: 60, search: true }),
    task_kind: choice('类型', TASK_KINDS, { required: true, createOnly: true }),
    pack_id: reference('资料包', () => packs),
    pack_version: number('资料包版本', { readonly: true, min: 1 }),
    item_key: text('资料内容', { readonly: true, max: 40 }),
    paper_id: reference('试卷', () => papers),
    paper_version: number('试卷版本', { readonly: true, min: 1 }),
    class_id: reference('班级', () => first, { createOnly: true, onRemove: 'keep' }),
    student_ids: referenceList('学生', () => students, { createOnly: true, onRemove: 'keep' }),
    teacher_id: reference('布置教师', () => companionTeacher, { onRemove: 'keep' }),
    template_id: number('任务模板', { readonly: true }),
    start_at: time('开始时间'),
    due_at: time('截止时间', { required: true }),
    needs: multiChoice('提交要求', NEEDS),
    full: number('满分', { required: true, min: 1, max: 1000, digits: 1, initial: 100 }),
    lessons: number('计课时', { required: true, min: 0, max: MOST_LESSONS, initial: 1, unit: '节', help: '批改后从学生剩余课时中扣减' }),
    auto: toggle('自动批改', { on: '是', off: '否' }, { initial: 0, help: '只有客观题的试卷，提交后直接得分' }),
    body: longText('要求', { max: 1000 }),
    done: computed('完成', 'text'),
    late_cnt: computed('逾期'),
    marking_cnt: computed('待批改'),
    unread: computed('未读'),
    mean: computed('平均分'),
    state: choice('状态', [
      { value: S.draft, label: '草稿', tone: 'idle' }, { value: S.running, label: '进行中', tone: 'processing' }, { value: S.archived, label: '已归档', tone: 'default' }, { value: S.withdrawn, label: '已撤回', tone: 'error' },
    ], { readonly: true, initial: S.draft }),
  }
}

/** Tasks of a business: what learners are asked to do until when. How each of them does stands beside them (`task_student`). */
export function defineTasks(kind: CompanionKind, parts: TaskParts) {
  const rights = defineRights(screenId(kind.screens.tasks), { publish: [11, '发布、撤回和归档'], mark: [12, '批改'] })
  return defineResource<Record<string, AnyField>, 'publish' | 'mark', 'publish' | 'withdraw' | 'archive', 'mark' | 'remind' | 'send'>({
    name: `${kind.value}_task`,
    table: 'companion_task',
    label: '学习任务',
    title: 'title',
    grant: rights.screen,
    rights,
    api: api(kind.base, 'manager/tasks', 'manager/tasks'),
    fields: taskFields(kind, parts),
    list: {
      columns: ['title', 'state', 'task_kind', 'done', 'marking_cnt', 'unread', 'late_cnt', 'mean', 'due_at', 'teacher_id', 'class_id', 'pack_id', 'paper_id', 'lessons', 'start_at', 'created_by_name', 'created_at'],
      filters: ['state', 'task_kind', 'teacher_id', 'class_id', 'pack_id', 'due_at', 'created_at'],
    },
    form: [
      { title: '任务', fields: ['title', 'task_kind', 'pack_id', 'paper_id', 'body', 'needs'] },
      { title: '学生和时间', fields: ['class_id', 'student_ids', 'teacher_id', 'start_at', 'due_at'] },
      { title: '批改', fields: ['full', 'lessons', 'auto'] },
    ],
    transitions: [
      { name: 'publish', label: '发布', field: 'state', from: [S.draft], to: S.running, right: 'publish', instead: '发布错了，还没有人提交时可撤回' },
      { name: 'withdraw', label: '撤回', field: 'state', from: [S.running], to: S.withdrawn, right: 'publish', reason: true, danger: true, instead: '撤回不能撤销，需要时重新布置' },
      { name: 'archive', label: '归档', field: 'state', from: [S.running], to: S.archived, right: 'publish', confirm: '归档后不再提醒学生，确认归档？', instead: '归档后记录照常可查，需要时重新布置' },
    ],
    logged: [{ name: 'mark', label: '批改' }, { name: 'remind', label: '催交' }, { name: 'send', label: '下发' }],
    policies: [
      { of: ['edit'], policy: 'while', field: 'state', values: [S.draft, S.running], why: '任务已结束，不能修改' },
      { of: ['remove'], policy: 'while', field: 'state', values: [S.draft], why: '只有草稿可以删除，已发布的任务请撤回' },
    ],
    responsible: ['teacher_id.staff_id'],
    where: { kind: kind.value },
    unscoped: {
      subject: 'A task may hold material of a subject and is seen by whoever looks after its learners.', level: 'A task may hold material of a level and is seen by whoever looks after its learners.',
      agent: 'A task is for learners who came by several agents, and is one task all the same.',
    },
    indexes: [['kind', 'state', 'due_at'], ['class_id', 'state']],
  }) as TaskResource
}

export type TaskResource = OpenResource<KnownFields<ReturnType<typeof taskFields>>>

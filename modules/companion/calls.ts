import * as z from 'zod/mini'
import { defineAppScope } from '../../core/endpoint/app-scope.ts'
import { defineEndpoint } from '../../core/endpoint/define.ts'
import { standardId } from '../../core/grant/grant.ts'
import { reasonSchema, type WireRow } from '../../core/resource/endpoints.ts'
import { screenId } from '../screens.ts'
import type { Companion } from './companion.ts'
import type { AssetFacts } from '../asset/door.server.ts'
import type { PackItem } from './pack-item.ts'
import type { Difference, PackTerm } from './pack-term.ts'
import { TOOLS, type Marks, type MessageKind, type Progress, type Tool } from './progress.ts'
import { MOST_LEARNERS } from './task.ts'
import { companionTeacher, MAX_RATE, TEACHER_RIGHTS } from './teacher.ts'

const id = (words: string) => z.int(words).check(z.positive(words))
const optionalId = (words: string) => z.optional(z.coerce.number(words).check(z.int(words), z.positive(words)))
const ids = (words: string) => z.array(id(words), words).check(z.minLength(1, words), z.maxLength(MOST_LEARNERS, `一次最多 ${MOST_LEARNERS.toLocaleString('zh-CN')} 人`))
const moment = (words: string) => z.int(words).check(z.positive(words))

/** A rate of a teacher. */
export interface Rate { id: number; mode: 'lesson' | 'month'; rate: number; valid_from: number; staff_name: string | null }

const oneTeacher = `${companionTeacher.api.item}/{id}`

export const teacherRates = defineEndpoint<{ items: Rate[] }>()({ method: 'GET', path: `${oneTeacher}/rates`, summary: '教师的费率', grant: [companionTeacher.grant] })

export const setRate = defineEndpoint<WireRow>()({
  method: 'POST', path: `${oneTeacher}/rates`, summary: '调整教师费率', grant: [TEACHER_RIGHTS.id('rate')],
  input: z.object({
    mode: z.enum(['lesson', 'month'], '请选择计费方式'),
    rate: z.int('费率应为整数分').check(z.gte(0, '费率不能小于 0'), z.lte(MAX_RATE, `费率不能超过 ${MAX_RATE / 100} 元`)),
    valid_from: moment('请选择生效日期'),
    reason: reasonSchema,
  }),
})

/** What learners' apps may do here: open, hand in, say, with a key of their own. */
export const COMPANION_APP = defineAppScope('companion', '伴学任务和消息')

/** Who somebody is as a teacher. */
export interface TeacherCheck { id: number; kind: string; name: string; level: number; students: number; unread: number; marking: number }

/** A learner as their teacher sees them. */
export interface OwnStudent {
  student_id: number; name: string; mobile: string; grade: number; status: number; class_name: string | null
  newMessages: number; marking: number; open_tasks: number; last_study_at: number | null; last_talk_at: number | null; risk: number; risk_why: string | null; lessons_left: number
}

/** A learner within one task, as the specification answers it. */
export interface TaskStudent { student_id: number; name: string; mobile: string; task_id: number; status: Progress; newMessages: number; score: number | null; late: number; submitted_at: number | null; graded_at: number | null }

/** A task as its teacher sees it: with `student_id` for one learner. */
export interface OwnTask {
  id: number; task_id: number; title: string; task_kind: string; state: number; due_at: number; start_at: number | null; full: number
  total: number; finished: number; marking: number; newMessages: number
  student_id?: number; status?: Progress; messages?: number; score?: number | null; late?: number
}

/** Something that was said about a task. */
export interface Message { id: number; at: number; side: 'student' | 'teacher' | 'system'; kind: MessageKind; staff_name: string | null; body: string | null; files: string[]; marks: Marks | null; seconds: number | null }

/** A thread: what was said after a message, and how the learner stands. */
export interface Thread { task: { id: number; title: string; body: string | null; full: number; due_at: number; state: number; task_kind: string; needs: string[] }; student: { id: number; name: string }; status: Progress; score: number | null; late: number; graded_at: number | null; graded_name: string | null; read_id: number; items: Message[] }

/** What a term sounds and looks like. */
export type TermAsset = Pick<AssetFacts, 'id' | 'name' | 'url' | 'health'>

/** What a further version of a pack would change, and who stays with which one. */
export interface Publication { version: number; items: Difference; terms: Difference; stays: { version: number; tasks: number; students: number }[] }

/** A pack as teachers see it. */
export interface SharedPack { id: number; name: string; subject_id: number; subject_name: string | null; grade: number | null; season: string | null; note: string | null; version: number; item_cnt: number; cover: string | null; items?: PackItem[]; terms?: PackTerm[]; assets?: TermAsset[]; used?: { task_id: number; title: string; at: number }[] }

/** A learner of today's list. */
export interface TodayStudent { student_id: number; name: string; grade: number; risk: number; why: string[]; days_silent: number | null; weight: number; done: boolean }

/** The three-minute card of a learner. */
export interface TodayCard {
  student_id: number; name: string
  facts: { label: string; value: string }[]
  said: { side: 'student' | 'teacher'; body: string; at: number }[]
  tasks: { id: number; title: string; due_at: number; status: Progress }[]
  report: { sent_at: number; read_at: number | null } | null
  follows: { at: number; body: string; name: string }[]
  draft: string
}

const points = z.array(z.tuple([z.number('坐标有误'), z.number('坐标有误')]), '坐标有误').check(z.minLength(1, '坐标有误'), z.maxLength(2000, '一笔太长，请分开画'))
const marksSchema = z.object({
  message_id: id('请选择图片'), picture: z.int('请选择图片').check(z.gte(0, '请选择图片'), z.lte(20, '请选择图片')),
  strokes: z.array(z.object({ tool: z.enum(TOOLS.map(({ value }) => value) as [Tool, ...Tool[]], '画笔工具有误'), points, colour: z.string('颜色有误').check(z.regex(/^#[0-9a-f]{6}$/i, '颜色有误')), text: z.optional(z.string('文字有误').check(z.maxLength(60, '批注文字最多 60 个字'))) }), '批注有误').check(z.maxLength(500, '一张图最多 500 笔')),
})

const files = z._default(z.array(z.string('请重新上传文件').check(z.regex(/^\/daoyuan\/api\/end\/files\/[0-9a-f-]{36}$/, '请重新上传文件')), '请重新上传文件').check(z.maxLength(9, '一次最多 9 个文件')), [])
const said = {
  kind: z.enum(['text', 'image', 'voice', 'file', 'marks'], '消息类型有误'),
  body: z._default(z.string('请输入内容').check(z.trim(), z.maxLength(500, '最多 500 字')), ''),
  files,
  seconds: z.optional(z.int('语音时长有误').check(z.gte(1, '语音时长有误'), z.lte(60, '语音最长 60 秒'))),
  client_key: z.string('消息编号有误').check(z.regex(/^[\w-]{8,64}$/, '消息编号有误')),
}

const newMessage = z.object({ ...said, marks: z.optional(marksSchema) })

/** What is sent as a message. */
export type NewMessage = z.infer<typeof newMessage>

/** One of the specification's calls sets learners' rows of a task: their status, what was read, the mark. */
const setRows = {
  student_ids: z.optional(ids('请选择学生')),
  status: z.optional(z.int('状态有误').check(z.gte(0, '状态有误'), z.lte(5, '状态有误'))),
  newMessages: z.optional(z.literal(0, '未读数只能清零')),
  read_to: z.optional(z.int('消息编号有误').check(z.gte(0, '消息编号有误'))),
  seen_id: z.optional(z.int('消息编号有误')),
  seen_mark_at: z.optional(z.nullable(z.number('批改时间有误'))),
  score: z.optional(z.nullable(z.number('请填写分数'))),
  reason: z.optional(reasonSchema),
}

/** Ids of the screens of a business on which a teacher works; managers of a business without such screens work on the list of tasks. */
export function workGrants({ kind: { screens } }: Pick<Companion, 'kind'>): number[] {
  const { tutor } = screens
  return tutor ? [tutor.students, tutor.tasks, tutor.thread, tutor.report, tutor.content].map(screenId) : [screenId(screens.tasks), screenId(screens.students)]
}

/** Id of the right to set tasks and that to mark, for those who work with a business's learners. */
export function workRights({ kind: { screens }, tasks }: Pick<Companion, 'kind' | 'tasks'>): { set: number; mark: number } {
  return screens.tutor ? { set: standardId(screenId(screens.tutor.tasks), 'edit'), mark: standardId(screenId(screens.tutor.thread), 'edit') } : { set: standardId(tasks.grant, 'edit'), mark: tasks.rights.id('mark') }
}

/** The calls of a business that the specification names, and those around them. */
export function companionEndpoints(companion: Pick<Companion, 'kind' | 'tasks' | 'students'>) {
  const { kind: { base, taskPath, screens, label } } = companion
  const [work, { set, mark }] = [workGrants(companion), workRights(companion)]
  const [tasks, thread] = [`${base}/${taskPath}`, `${base}/${taskPath}/{id}/students/{student}`]
  return {
    check: defineEndpoint<TeacherCheck>()({ method: 'GET', path: `${base}/teacher`, summary: `${label}教师身份`, grant: work, input: z.object({}) }),
    ownStudents: defineEndpoint<{ items: (OwnStudent | TaskStudent)[]; total: number }>()({
      method: 'GET', path: `${base}/teacher/students`, summary: `${label}教师的学生`, grant: work,
      input: z.object({ task_id: optionalId('任务编号有误'), status: optionalId('状态有误'), keyword: z.optional(z.string().check(z.maxLength(40, '关键字最多 40 个字'))) }),
    }),
    ownTasks: defineEndpoint<{ items: OwnTask[]; total: number }>()({
      method: 'GET', path: tasks, summary: `${label}任务`, grant: work,
      input: z.object({ student_id: optionalId('学生编号有误'), marking: z.optional(z.literal('1')), page: optionalId('页码有误'), page_size: optionalId('每页条数有误') }),
    }),
    setTask: defineEndpoint<WireRow>()({ method: 'POST', path: tasks, summary: `布置${label}任务`, grant: [set], input: z.intersection(z.record(z.string(), z.unknown()), z.object({ publish: z.optional(z.boolean('是否发布有误')) })) }),
    changeTask: defineEndpoint<Record<string, unknown>>()({ method: 'PUT', path: `${tasks}/{id}`, summary: `修改${label}任务，批改和已读`, grant: [set, mark], input: z.intersection(z.record(z.string(), z.unknown()), z.object(setRows)) }),
    dropTask: defineEndpoint<Record<string, unknown>>()({ method: 'DELETE', path: `${tasks}/{id}`, summary: `撤回${label}任务`, grant: [set], input: z.object({ reason: z.optional(reasonSchema) }) }),
    thread: defineEndpoint<Thread>()({ method: 'GET', path: thread, summary: '任务的消息', grant: work, input: z.object({ after: optionalId('消息编号有误') }) }),
    say: defineEndpoint<{ id: number }>()({ method: 'POST', path: `${thread}/messages`, summary: '发任务消息', grant: [mark], input: newMessage }),
    remind: defineEndpoint<{ reminded: number }>()({ method: 'POST', path: `${tasks}/{id}/remind`, summary: '催交任务', back: { instead: '催交已经发出，不能收回' }, grant: [mark], input: z.object({ student_ids: ids('请选择学生') }) }),
    assign: defineEndpoint<{ assigned: number; undo?: number }>()({
      method: 'POST', path: `${companion.students.api.list}/assign`, summary: `分配${label}教师`, back: 'undo', grant: [companion.students.rights.id('assign')],
      input: z.object({ ids: z.array(id('请选择学生'), '请选择学生').check(z.minLength(1, '请选择学生'), z.maxLength(500, '一次最多 500 人')), teacher_id: id('请选择教师'), reason: reasonSchema }),
    }),
    packs: defineEndpoint<{ lesson_packs: SharedPack[]; total: number }>()({
      method: 'GET', path: `${base}/research/lesson_packs`, summary: `${label}资料包`, grant: [...new Set([...work, screenId(screens.packs)])], input: z.object({ lesson_pack_id: optionalId('资料包编号有误'), keyword: z.optional(z.string().check(z.maxLength(40, '关键字最多 40 个字'))) }),
    }),
    // Learners' apps: each is a call with a key, and what is sent twice happens once.
    deviceThread: defineEndpoint<Thread>()({ method: 'GET', path: `/daoyuan/api/device/${companion.kind.value}/tasks/{id}/students/{student}`, summary: '学生端：任务和消息', grant: 'device', app: COMPANION_APP, input: z.object({ after: optionalId('消息编号有误') }) }),
    deviceStep: defineEndpoint<{ status: Progress }>()({ method: 'POST', path: `/daoyuan/api/device/${companion.kind.value}/tasks/{id}/students/{student}/step`, summary: '学生端：打开或提交任务', grant: 'device', app: COMPANION_APP, input: z.object({ action: z.enum(['open', 'submit'], '操作有误'), score: z.optional(z.number('得分有误')) }) }),
    deviceSay: defineEndpoint<{ id: number; late: boolean }>()({ method: 'POST', path: `/daoyuan/api/device/${companion.kind.value}/tasks/{id}/students/{student}/messages`, summary: '学生端：发任务消息', grant: 'device', app: COMPANION_APP, input: z.object({ ...said, kind: z.enum(['text', 'image', 'voice', 'file'], '消息类型有误') }) }),
  }
}

/** Calls of today's list of a business with tutors' screens. */
export function todayEndpoints({ kind: { base, screens } }: Pick<Companion, 'kind'>) {
  const screen = screenId(screens.tutor?.students ?? screens.students)
  return {
    today: defineEndpoint<{ items: TodayStudent[] }>()({ method: 'GET', path: `${base}/teacher/today`, summary: '今日清单', grant: [screen] }),
    card: defineEndpoint<TodayCard>()({ method: 'GET', path: `${base}/teacher/today/{id}`, summary: '三分钟卡片', grant: [screen] }),
    follow: defineEndpoint<{ id: number }>()({
      method: 'POST', path: `${base}/teacher/today/{id}`, summary: '记录跟进', grant: [standardId(screen, 'edit')],
      input: z.object({ way: z.enum(['call', 'message', 'meet'], '请选择方式'), body: z.string('请填写跟进内容').check(z.trim(), z.minLength(2, '请填写跟进内容'), z.maxLength(500, '最多 500 字')), seconds: z.optional(z.int().check(z.gte(0), z.lte(86_400))) }),
    }),
    phrases: defineEndpoint<{ items: { id: number; body: string; used_n: number }[] }>()({ method: 'GET', path: `${base}/teacher/phrases`, summary: '常用评语', grant: workGrants({ kind: { base, screens } as Companion['kind'] }) }),
    keepPhrase: defineEndpoint<{ id: number }>()({ method: 'POST', path: `${base}/teacher/phrases`, summary: '保存常用评语', grant: workGrants({ kind: { base, screens } as Companion['kind'] }), input: z.object({ body: z.string('请输入内容').check(z.trim(), z.minLength(1, '请输入内容'), z.maxLength(200, '最多 200 字')) }) }),
  }
}

/** The call that publishes a further version of a pack on the shelf. */
export const packEndpoints = ({ api: { item }, rights }: Pick<Companion['packs'], 'api' | 'rights'>) => ({
  publish: defineEndpoint<WireRow>()({ method: 'POST', path: `${item}/{id}/publish`, summary: '发布资料包新版本', grant: [rights.id('approve')] }),
  publication: defineEndpoint<Publication>()({ method: 'GET', path: `${item}/{id}/publication`, summary: '发布资料包新版本会怎样', grant: [rights.screen] }),
  assets: defineEndpoint<{ items: TermAsset[] }>()({ method: 'GET', path: `${item}/{id}/assets`, summary: '资料包词条的声音和图片', grant: [rights.screen] }),
})

/** How the learners of one task stand, for those who manage tasks. */
export const progressEndpoint = ({ tasks: { api: { item }, grant } }: Pick<Companion, 'tasks'>) => defineEndpoint<{ items: TaskStudent[] }>()({ method: 'GET', path: `${item}/{id}/students`, summary: '任务的学生', grant: [grant] })

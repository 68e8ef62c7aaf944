import * as z from 'zod/mini'
import type { AnyField } from '../../../core/field/any-field.ts'
import { choice, toggle } from '../../../core/field/choice.ts'
import { computed, json } from '../../../core/field/json.ts'
import { number } from '../../../core/field/number.ts'
import { personName } from '../../../core/field/person-name.ts'
import { reference } from '../../../core/field/reference.ts'
import { segment } from '../../../core/field/segment.ts'
import { text } from '../../../core/field/text.ts'
import { time } from '../../../core/field/time.ts'
import { api, defineResource, type Resource } from '../../../core/resource/define.ts'
import { videoAsset } from '../../asset/module.ts'
import { COMMENT_STATE, saidFields } from '../../comment/module.ts'
import { lesson } from '../../lesson/module.ts'
import { subject } from '../../reference/module.ts'
import { staff } from '../../staff/module.ts'
import { PRACTICE_RIGHTS, VIDEO_RIGHTS } from '../rights.ts'
import type { Hit } from '../word/match.ts'

const S = COMMENT_STATE

export const SAID_STATES = [{ value: S.waiting, label: '待审', tone: 'warning' }, { value: S.shown, label: '已通过', tone: 'success' }, { value: S.hidden, label: '已屏蔽', tone: 'default' }] as const

/** What somebody wants who says something: a question waits for an answer, a way to solve may become the solution. */
export const PURPOSE = { talk: 1, ask: 2, solve: 3 } as const
export const PURPOSES = [{ value: PURPOSE.talk, label: '讨论' }, { value: PURPOSE.ask, label: '提问', tone: 'processing' }, { value: PURPOSE.solve, label: '解法' }] as const

/** Longest thing that is said. */
export const LONGEST = 500
/** Hours within which a question is answered. */
export const ANSWER_HOURS = 24

/** What is spoken of. */
export const TARGETS = [{ value: 'video', label: '视频' }, { value: 'practice', label: '习题' }] as const
export type SaidTarget = (typeof TARGETS)[number]['value']

const hitSchema: z.ZodMiniType<Hit[]> = z.array(z.object({ id: z.number(), word: z.string(), level: z.number(), from: z.number(), to: z.number(), unsure: z.boolean() }), '命中有误')

/** Kept for the machine: no list, record or sheet shows it. */
const inner = <F extends AnyField>(field: F) => ({ ...field, unlisted: true as const })

/** Fields of what is said of videos and questions. */
const fieldsOf = (target: SaidTarget, label: string) => ({
  ...saidFields(target, label),
  nickname: personName('昵称', { required: true, readonly: true, max: 30 }),
  subject_id: reference('学科', () => subject, { readonly: true }),
  purpose: choice('类型', PURPOSES, { readonly: true, initial: PURPOSE.talk }),
  /** What stands at the head of the thread, and what it answers; 0 at the head itself. */
  root_id: inner(number('主评论编号', { readonly: true, initial: 0 })),
  parent_id: inner(number('被回复编号', { readonly: true, initial: 0 })),
  official: toggle('身份', { on: '官方', off: '学员' }, { readonly: true, initial: 0 }),
  likes: number('点赞', { readonly: true, initial: 0, audit: false }),
  replies: computed('回复数'),
  /** Words that were found when it was said, as they were then. */
  hits: json('命中词', hitSchema, { readonly: true }),
  word_version: inner(number('词库版本', { readonly: true, initial: 0, audit: false })),
  assignee_id: reference('应答人', () => staff, { readonly: true, onRemove: 'keep' }),
  due_at: time('应答期限', { readonly: true }),
  adopted_at: time('采纳时间', { readonly: true }),
  client_key: inner(text('重试标识', { readonly: true, max: 60, audit: false })),
  trait: segment('特征', [{ value: 'hit', label: '命中敏感词' }, { value: 'reported', label: '被举报' }, { value: 'root', label: '主评论' }, { value: 'reply', label: '回复' }]),
  answering: segment('答疑', [{ value: 'open', label: '待回答' }, { value: 'free', label: '未分配' }, { value: 'late', label: '已超时' }, { value: 'done', label: '已回答' }]),
  state: choice('状态', SAID_STATES, { readonly: true, initial: S.waiting }),
}) satisfies Record<string, AnyField>

const transitions = [
  { name: 'pass', label: '通过', field: 'state', from: [S.waiting, S.hidden], to: S.shown, right: 'review', instead: '通过错了，屏蔽即可' },
  { name: 'hide', label: '屏蔽', field: 'state', from: [S.waiting, S.shown], to: S.hidden, right: 'review', danger: true, instead: '屏蔽错了，通过即可' },
] as const

const logged = [
  { name: 'say', label: '发表' }, { name: 'answer', label: '官方回复' }, { name: 'review', label: '审核处理' }, { name: 'undo_review', label: '撤销审核' }, { name: 'assign', label: '分配应答' },
  { name: 'accept_answer', label: '采纳回答' }, { name: 'like', label: '点赞' }, { name: 'adopt', label: '采纳为解析' }, { name: 'learner_report', label: '举报' }, { name: 'mute', label: '禁言' }, { name: 'report_practice', label: '试题报错' },
] as const

const AGENTS = 'What is said of a thing is read by everybody who looks after the thing, whoever sold it to the one who said it.'

const indexes = [['target', 'target_id', 'state'], ['target', 'target_id', 'id'], ['target', 'state', 'id'], ['user_id', 'id'], ['assignee_id', 'state'], ['root_id', 'id']] as const

/** 视频评论: what learners say at a second of a video, and what the house answers. */
export const videoComment = defineResource({
  name: 'video_comment',
  table: 'comment',
  label: '视频评论',
  measure: '条',
  title: 'content',
  grant: VIDEO_RIGHTS.screen,
  rights: VIDEO_RIGHTS,
  api: api('/daoyuan/api/end', 'video_comments', 'video_comment'),
  fields: {
    ...fieldsOf('video', '视频'),
    target_id: reference('视频', () => videoAsset, { required: true, readonly: true, onRemove: 'keep' }),
    course_id: reference('课程', () => lesson, { readonly: true, onRemove: 'keep' }),
    teacher_id: reference('主讲', () => staff, { readonly: true, onRemove: 'keep' }),
    at_sec: number('视频时间', { readonly: true, max: 86_400, unit: '秒' }),
  },
  list: {
    columns: ['content', 'state', 'user_id', 'target_id', 'at_sec', 'likes', 'replies', 'created_at', 'course_id', 'subject_id', 'purpose', 'top', 'teacher_id', 'official', 'assignee_id', 'due_at', 'answerer_id', 'answered_at', 'adopted_at', 'updated_at'],
    filters: ['state', 'trait', 'answering', 'purpose', 'subject_id', 'course_id', 'target_id', 'teacher_id', 'user_id', 'assignee_id', 'official', 'top', 'at_sec', 'created_at'],
  },
  form: [{ fields: ['top'] }],
  transitions, logged,
  where: { target: 'video' },
  scope: { subject: 'subject_id', level: 'subject_id.level' },
  unscoped: { agent: AGENTS },
  indexes: [...indexes, ['target', 'course_id', 'id'], ['target', 'created_at', 'id']],
  without: ['create', 'import'],
})

/** 习题评论: what learners say of a question; a good way to solve it may become its solution. */
export const practiceComment = defineResource({
  name: 'practice_comment',
  table: 'comment',
  label: '习题评论',
  measure: '条',
  title: 'content',
  grant: PRACTICE_RIGHTS.screen,
  rights: PRACTICE_RIGHTS,
  api: api('/daoyuan/api/end', 'practice_comments', 'practice_comment'),
  fields: {
    ...fieldsOf('practice', '习题'),
    target_id: number('试题编号', { required: true, readonly: true, min: 1, grouped: false }),
    practice_no: text('题号', { readonly: true, max: 24 }),
  },
  list: {
    columns: ['content', 'state', 'user_id', 'practice_no', 'purpose', 'likes', 'replies', 'created_at', 'subject_id', 'top', 'official', 'assignee_id', 'due_at', 'answerer_id', 'answered_at', 'adopted_at', 'target_id', 'updated_at'],
    filters: ['state', 'purpose', 'trait', 'answering', 'subject_id', 'practice_no', 'target_id', 'user_id', 'assignee_id', 'official', 'top', 'adopted_at', 'created_at'],
  },
  form: [{ fields: ['top'] }],
  transitions, logged,
  where: { target: 'practice' },
  scope: { subject: 'subject_id', level: 'subject_id.level' },
  unscoped: { agent: AGENTS },
  indexes: [...indexes],
  without: ['create', 'import'],
})

/** Both kinds, by what is spoken of. */
export const SAID: Readonly<Record<SaidTarget, Resource>> = { video: videoComment, practice: practiceComment }

/** The right to answer, by what is spoken of. */
export const ANSWERS: Readonly<Record<SaidTarget, number>> = { video: VIDEO_RIGHTS.id('answer'), practice: PRACTICE_RIGHTS.id('answer') }

/** Seconds of a video as a clock shows them: 12:05. */
export function clockText(seconds: number): string {
  const whole = Math.floor(seconds)
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60), whole % 60]
  return `${hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}` : minutes}:${String(rest).padStart(2, '0')}`
}

/** Address of what is said of one video, and of one of it. */
export const detailPath = (videoId: number, commentId?: number): string => `/comment/search/detail?id=${videoId}${commentId === undefined ? '' : `&comment=${commentId}`}`

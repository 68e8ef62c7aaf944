import * as z from 'zod/mini'
import { choice } from '../../../core/field/choice.ts'
import { json } from '../../../core/field/json.ts'
import { number } from '../../../core/field/number.ts'
import { reference } from '../../../core/field/reference.ts'
import { segment } from '../../../core/field/segment.ts'
import { longText, text } from '../../../core/field/text.ts'
import { time } from '../../../core/field/time.ts'
import { api, defineResource } from '../../../core/resource/define.ts'
import { subject } from '../../reference/module.ts'
import { staff } from '../../staff/module.ts'
import { appUser } from '../../user/module.ts'
import { MANAGE_RIGHTS } from '../rights.ts'
import { TARGETS } from '../said/said.ts'

/** Why something waits for a person: before others see it, after they do, because somebody complains, to check a colleague, or because a decision was taken back. */
export const CAUSE = { before: 1, after: 2, report: 3, recheck: 4, undone: 5 } as const
export const CAUSES = [
  { value: CAUSE.before, label: '先审后发', tone: 'warning' }, { value: CAUSE.report, label: '举报', tone: 'error' }, { value: CAUSE.recheck, label: '抽查复核', tone: 'processing' },
  { value: CAUSE.undone, label: '撤销重审', tone: 'warning' }, { value: CAUSE.after, label: '先发后审', tone: 'idle' },
] as const

/** What was decided. Nothing leads back from here: what is said again of it is another row. */
export const REVIEW = { open: 0, passed: 1, hidden: 2, removed: 3, void: 4 } as const
export const REVIEWS = [
  { value: REVIEW.open, label: '待审', tone: 'warning' }, { value: REVIEW.passed, label: '已通过', tone: 'success' }, { value: REVIEW.hidden, label: '已屏蔽', tone: 'default' },
  { value: REVIEW.removed, label: '已删除', tone: 'error' }, { value: REVIEW.void, label: '已失效', tone: 'default' },
] as const

/** One of the reasons for which something waits, with the words that it is about. */
export interface ReviewReason { why: string; words?: string[] | undefined }
const reasonsSchema: z.ZodMiniType<ReviewReason[]> = z.array(z.object({ why: z.string(), words: z.optional(z.array(z.string())) }), '原因有误')

/** Minutes for which a row belongs to whoever took it. */
export const CLAIM_MINUTES = 10
/** Share of the decisions that another person looks at again. */
export const RECHECKED = 0.03
/** Seconds within which a decision can be taken back by whoever made it. The console offers it for five; the rest is for the way. */
export const UNDO_SECONDS = 30

/** One time that somebody has to look at a comment. What was said is kept in it as it was. */
export const commentReview = defineResource({
  name: 'comment_review',
  label: '审核记录',
  measure: '条',
  title: 'content',
  grant: MANAGE_RIGHTS.screen,
  rights: MANAGE_RIGHTS,
  api: api('/daoyuan/api/end', 'comment_reviews', 'comment_review'),
  fields: {
    content: longText('评论内容', { required: true, readonly: true, max: 500, search: true }),
    target: choice('对象', TARGETS, { required: true, readonly: true }),
    comment_id: number('评论编号', { required: true, readonly: true, min: 1, grouped: false }),
    user_id: reference('用户', () => appUser, { readonly: true, onRemove: 'keep' }),
    subject_id: reference('学科', () => subject, { readonly: true }),
    cause: choice('来由', CAUSES, { required: true, readonly: true }),
    reasons: json('原因', reasonsSchema, { readonly: true }),
    /** The higher, the sooner it is looked at. */
    score: number('紧急度', { readonly: true, max: 1000, initial: 0 }),
    state: choice('结果', REVIEWS, { readonly: true, initial: REVIEW.open }),
    claimed_by: reference('领取人', () => staff, { readonly: true, onRemove: 'keep' }),
    claimed_until: time('领取至', { readonly: true, audit: false }),
    decided_by: reference('处理人', () => staff, { readonly: true, onRemove: 'keep' }),
    decided_at: time('处理时间', { readonly: true }),
    note: text('说明', { readonly: true, max: 200 }),
    undone_at: time('撤销时间', { readonly: true }),
    /** The state of the comment before the decision. */
    was_state: { ...number('原状态', { readonly: true, max: 9, audit: false }), unlisted: true as const },
    /** Who decided first, and what, where this is a second look. */
    first_by: reference('初审人', () => staff, { readonly: true, onRemove: 'keep' }),
    first_state: choice('初审结果', REVIEWS, { readonly: true }),
    /** While it waits, at most one row of a cause and comment. */
    open_key: { ...text('待审标识', { readonly: true, unique: true, max: 40, audit: false }), unlisted: true as const },
    check: segment('抽查', [{ value: 'agreed', label: '与初审一致' }, { value: 'differed', label: '与初审不一致' }]),
  },
  list: {
    columns: ['content', 'state', 'cause', 'user_id', 'decided_by', 'decided_at', 'created_at', 'target', 'subject_id', 'score', 'first_by', 'first_state', 'note', 'undone_at', 'claimed_by', 'comment_id'],
    filters: ['state', 'cause', 'target', 'check', 'subject_id', 'user_id', 'decided_by', 'first_by', 'comment_id', 'decided_at', 'created_at'],
  },
  logged: [{ name: 'claim', label: '领取' }, { name: 'release', label: '放回' }],
  scope: { subject: 'subject_id', level: 'subject_id.level' },
  unscoped: { agent: 'What is said of a thing is read by everybody who looks after the thing, whoever sold it to the one who said it.' },
  indexes: [['state', 'score', 'id'], ['comment_id', 'state'], ['user_id', 'state'], ['state', 'decided_at']],
  without: ['create', 'update', 'edit', 'remove', 'import'],
})

import type { AnyField } from '../../core/field/any-field.ts'
import { choice, shelf, toggle } from '../../core/field/choice.ts'
import { image, images } from '../../core/field/file.ts'
import { reference, type Target } from '../../core/field/reference.ts'
import { longText, text } from '../../core/field/text.ts'
import { time } from '../../core/field/time.ts'
import { defineRights } from '../../core/grant/rights.ts'
import { defineResource, type Api } from '../../core/resource/define.ts'
import { staff } from '../staff/module.ts'
import { subject } from '../reference/module.ts'
import { appUser } from '../user/module.ts'

/** What becomes of what a learner said (operations.md 1.5): 待审→显示⇄隐藏. */
export const COMMENT_STATE = { waiting: 0, shown: 1, hidden: 2 } as const

const S = COMMENT_STATE
const COMMENT_STATES = [{ value: S.waiting, label: '待审', tone: 'warning' }, { value: S.shown, label: '显示', tone: 'success' }, { value: S.hidden, label: '隐藏', tone: 'default' }] as const

/** Stars that something is given. */
const STARS = ([5, 4, 3, 2, 1] as const).map((value) => ({ value, label: `${value} 星` }))

/** A kind of thing on which learners say something; all that is said stands in one table. */
export interface CommentKind {
  /** Value of the column `target`; also begins the name of the resource. Never changed. */
  readonly target: string
  readonly name: string
  readonly label: string
  /** Id of the screen that shows it. */
  readonly grant: number
  readonly api: Api
  /** What is spoken of, and the name under which the specification sends its id. */
  readonly about: { readonly label: string; readonly wire: string; readonly target: () => Target }
}

/** Fields of everything that is said, whatever it is about: who said what, and whether staff answered. */
export const saidFields = <const Target extends string>(target: Target, label: string) => ({
  target: choice('对象类型', [{ value: target, label }], { required: true, readonly: true }),
  user_id: reference('用户', () => appUser, { readonly: true, onRemove: 'keep' }),
  content: longText('内容', { required: true, readonly: true, max: 500, search: true }),
  top: toggle('置顶', { on: '是', off: '否', onDone: '已置顶', offDone: '已取消置顶' }, { initial: 0 }),
  answerer_id: reference('回复人', () => staff, { readonly: true, onRemove: 'keep' }),
  answered_at: time('回复时间', { readonly: true }),
}) satisfies Record<string, AnyField>

/** Fields of evaluations. */
const fieldsOf = ({ target, label, about }: CommentKind) => ({
  nickname: text('昵称', { required: true, max: 20, search: true, example: '小满妈妈' }),
  ...saidFields(target, label),
  content: longText('内容', { required: true, max: 500, search: true }),
  subject_id: reference('学科', () => subject, { required: true, createOnly: true, wire: 'cat_id' }),
  target_id: reference(about.label, about.target, { required: true, createOnly: true, wire: about.wire, within: { subject_id: 'subject_id' }, onRemove: 'cascade' }),
  avatar: image('头像'),
  star: choice('星级', STARS, { required: true }),
  imgs: images('图片'),
  virtual: toggle('来源', { on: '运营添加', off: '学员' }, { readonly: true, initial: 1 }),
  reply: longText('回复', { max: 500 }),
  evaluated_at: time('评价时间', { help: '不填则为当前时间' }),
  state: choice('状态', COMMENT_STATES, { readonly: true, initial: S.waiting }),
  status: { ...shelf('显示', { state: 'state', on: [S.shown], off: S.hidden }, { on: '显示', off: '隐藏' }), alias: 'show' },
} satisfies Record<string, AnyField>)

/**
 * Declares what learners say of a kind of thing.
 * @example export const evaluation = defineComments({ target: 'lesson', name: 'cat_evaluation', label: '课程评价', … })
 */
export function defineComments(kind: CommentKind) {
  return defineResource({
    name: kind.name,
    table: 'comment',
    label: kind.label,
    measure: '条',
    title: 'nickname',
    grant: kind.grant,
    rights: defineRights(kind.grant, { review: [11, '审核和隐藏'] }),
    api: kind.api,
    fields: fieldsOf(kind),
    list: {
      columns: ['nickname', 'content', 'star', 'target_id', 'subject_id', 'virtual', 'reply', 'state', 'status', 'top', 'imgs', 'evaluated_at', 'user_id', 'answerer_id', 'answered_at', 'created_at'],
      filters: ['state', 'subject_id', 'target_id', 'star', 'virtual', 'top', 'status', 'evaluated_at', 'created_at'],
    },
    form: [{ fields: ['subject_id', 'target_id', 'nickname', 'avatar', 'star', 'content', 'imgs', 'evaluated_at'] }, { title: '回复', fields: ['reply', 'top'] }],
    import: { columns: ['subject_id', 'target_id', 'nickname', 'star', 'content', 'evaluated_at'], key: ['target_id', 'nickname', 'content'] },
    transitions: [
      { name: 'show', label: '显示', field: 'state', from: [S.waiting, S.hidden], to: S.shown, right: 'review', instead: '显示错了，隐藏即可' },
      { name: 'hide', label: '隐藏', field: 'state', from: [S.waiting, S.shown], to: S.hidden, right: 'review', danger: true, instead: '隐藏错了，显示即可' },
    ],
    where: { target: kind.target },
    scope: { subject: 'subject_id', level: 'subject_id.level' },
    unscoped: { agent: 'What is said of a thing is read by everybody who looks after the thing, whoever sold it to the one who said it.' },
    indexes: [['target', 'target_id', 'state']],
  })
}

export type CommentResource = ReturnType<typeof defineComments>

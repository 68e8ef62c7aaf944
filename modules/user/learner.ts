import type { AnyField } from '../../core/field/any-field.ts'
import { behind } from '../../core/field/behind.ts'
import { choice } from '../../core/field/choice.ts'
import { computed } from '../../core/field/json.ts'
import { reference, type Target } from '../../core/field/reference.ts'
import { segment } from '../../core/field/segment.ts'
import { longText, text } from '../../core/field/text.ts'
import { time } from '../../core/field/time.ts'
import { defineRights } from '../../core/grant/rights.ts'
import { api, defineResource } from '../../core/resource/define.ts'
import { ENTITLEMENT_SOURCES, ENTITLEMENT_STATES, ENTITLEMENT_STATUS } from './entitlement.ts'
import { appUser } from './user.ts'

/** What tells the learners of one line from those of another. */
export interface LearnerLine {
  /** Value of `line`; also begins the paths of its calls and the name of the resource. */
  readonly code: string
  readonly name: string
  /** Id of the screen that shows them. */
  readonly grant: number
  /** What is opened for somebody: the line's own records. Whoever is limited to subjects sees their learners alone. */
  readonly product: { readonly label: string; readonly target: () => Target }
  readonly more?: LearnerMore
}

/** What the learners of one line have beside those of every line. */
export interface LearnerMore {
  /** Last part of the path of their calls; `users` by default. */
  readonly path?: string
  /** Columns that others leave empty, and computed ones. */
  readonly fields?: Readonly<Record<string, AnyField>>
  /** Those of its fields that the list shows, and by which it is narrowed. */
  readonly columns?: readonly string[]
  readonly filters?: readonly string[]
  /** Those that a person sets. */
  readonly inputs?: readonly string[]
  /** Who is responsible for a learner: a reference among its fields, and the column behind it that holds a staff id. */
  readonly responsible?: readonly string[]
}

/** Openings by staff, by the source that they are stored with: one of these is chosen (domain 0.4, T-USR). */
export const OPEN_SOURCES = ENTITLEMENT_SOURCES.filter(({ value }) => value >= 3)

/**
 * Who learns something of a line: what they are entitled to, with the person's own fields beside it (domain 0.4, T-USR). All
 * lines share the table of entitlements and this definition.
 * @example export const learners = defineLearners({ code: 'sync_course', name: '高中同步', grant: 605, product: { label: '课程', target: () => offers } })
 */
export function defineLearners({ code, name, grant, product, more: { path = 'users', fields = {}, columns = [], filters = [], inputs = [], responsible = [] } = {} }: LearnerLine) {
  // A line's own fields are known to its module; here only their names matter.
  const [ownColumns, ownFilters, ownInputs, ownResponsible] = [columns, filters, inputs, responsible] as never[][]
  return defineResource({
    name: `${code}_learner`,
    table: 'entitlement',
    label: `${name}学员`,
    measure: '名',
    title: 'product',
    grant,
    rights: defineRights(grant, { open: [14, '开通和延期'], takeBack: [15, '停用和换绑'] }),
    api: api(`/daoyuan/api/end/${code}`, path, path),
    fields: {
      user_id: reference('用户', () => appUser, { required: true, readonly: true }),
      user_mobile: behind<string>('user_id', 'mobile'),
      user_real_name: behind<string>('user_id', 'real_name', { label: '姓名', search: true }),
      user_school: behind<string>('user_id', 'school', { search: true }),
      user_grade: behind<number>('user_id', 'grade'),
      user_region_code: behind<string>('user_id', 'region_code'),
      user_exam_year: behind<number>('user_id', 'exam_year'),
      user_channel_id: behind<number>('user_id', 'channel_id'),
      user_agent_id: behind<number>('user_id', 'agent_id'),
      line: choice('产品线', [{ value: code, label: name }], { required: true, readonly: true }),
      product: text('产品', { required: true, readonly: true, max: 100 }),
      offer_id: reference(product.label, product.target, { required: true, readonly: true, neededWhile: { status: [ENTITLEMENT_STATUS.active, ENTITLEMENT_STATUS.stopped] } }),
      source: choice('开通方式', ENTITLEMENT_SOURCES, { required: true, readonly: true }),
      ref: text('来源记录', { required: true, readonly: true, max: 80 }),
      start_at: time('开始时间', { required: true, readonly: true }),
      expire_at: time('到期时间', { required: true, readonly: true }),
      phase: segment('期限', [{ value: 'running', label: '生效中' }, { value: 'coming', label: '未开始' }, { value: 'over', label: '已过期' }]),
      due: segment('即将到期', [{ value: '7', label: '7 天内' }, { value: '30', label: '30 天内' }]),
      ...(fields as object),
      remark: longText('备注', { max: 200 }),
      state: computed('状态', 'text'),
      status: choice('处理', ENTITLEMENT_STATES, { required: true, readonly: true, initial: ENTITLEMENT_STATUS.active }),
    },
    list: {
      columns: ['user_id', 'state', 'user_mobile', 'offer_id', ...(ownColumns ?? []), 'source', 'expire_at', 'user_school', 'user_grade', 'start_at', 'user_real_name', 'user_region_code', 'user_exam_year', 'user_channel_id', 'user_agent_id', 'status', 'remark', 'created_by_name', 'created_at'],
      under: ['user_real_name'],
      filters: ['phase', 'due', 'status', 'offer_id', ...(ownFilters ?? []), 'source', 'user_mobile', 'user_school', 'user_grade', 'user_region_code', 'user_channel_id', 'user_agent_id', 'expire_at', 'user_id', 'created_at'],
    },
    form: [{ fields: [...(ownInputs ?? []), 'remark'] }],
    transitions: [
      { name: 'stop', label: '停用', field: 'status', from: [ENTITLEMENT_STATUS.active], to: ENTITLEMENT_STATUS.stopped, right: 'takeBack', reason: true, danger: true },
      { name: 'resume', label: '恢复', field: 'status', from: [ENTITLEMENT_STATUS.stopped], to: ENTITLEMENT_STATUS.active, right: 'takeBack', reason: true },
    ],
    logged: [{ name: 'open', label: '开通' }, { name: 'extend', label: '延期' }, { name: 'rebind', label: '换绑' }, { name: 'undo_open', label: '撤销开通' }],
    unique: [['source', 'ref']],
    where: { line: code },
    scope: { agent: 'user_id.agent_id', subject: 'offer_id.subject_id', level: 'offer_id.subject_id.level' },
    responsible: ownResponsible ?? [],
    without: ['create', 'remove'],
  })
}

/** The learners of whatever line. */
export type LearnerResource = ReturnType<typeof defineLearners>

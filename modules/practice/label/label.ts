import { choice, toggle } from '../../../core/field/choice.ts'
import { computed, tags } from '../../../core/field/json.ts'
import { number } from '../../../core/field/number.ts'
import { reference, referenceList } from '../../../core/field/reference.ts'
import { longText, text } from '../../../core/field/text.ts'
import { defineResource, itemsTotal, type Resource } from '../../../core/resource/define.ts'
import { mergedInto, treeFields } from '../../../core/tree/fields.ts'
import { subject } from '../../reference/module.ts'
import { screenId, type ScreenPath } from '../../screens.ts'

/** domain 3.4: the trees that share one table. */
export const LABEL_KINDS = [
  { value: 'knowledge', label: '知识点' },
  { value: 'practice', label: '题目标签' },
  { value: 'micro', label: '微课标签' },
] as const
export type LabelKind = (typeof LABEL_KINDS)[number]['value']

/** domain 3.4: at most five levels below the root of a subject. */
export const MAX_DEPTH = 5

export const IMPORTANCE = [{ value: 1, label: '了解' }, { value: 2, label: '理解' }, { value: 3, label: '掌握' }, { value: 4, label: '应用' }] as const
export const EXAM_FREQUENCY = [{ value: 1, label: '低频' }, { value: 2, label: '中频' }, { value: 3, label: '高频' }] as const
const COLOURS = [
  { value: 'blue', label: '蓝' }, { value: 'green', label: '绿' }, { value: 'orange', label: '橙' }, { value: 'red', label: '红' }, { value: 'purple', label: '紫' }, { value: 'cyan', label: '青' },
] as const

/** Each kind refers to itself; a table breaks the circle of types. */
const known = new Map<LabelKind, Resource>()

const fields = (self: () => Resource) => ({
  kind: choice('种类', LABEL_KINDS, { required: true, readonly: true }),
  subject_id: reference('学科', () => subject, { required: true, createOnly: true, alias: 'cat_id' }),
  // Another parent is another path, for everything below too: that is what the call to move is for.
  ...treeFields('上级', self, { createOnly: true, within: { subject_id: 'subject_id' } }),
  name: text('名称', { required: true, max: 60 }),
  alias: tags('别名', { longest: 60, help: '改名前的名称和通俗叫法，搜索时同样有效' }),
  code: text('编码', { max: 40 }),
  colour: choice('颜色', COLOURS),
  importance: choice('要求', IMPORTANCE),
  exam_freq: choice('考频', EXAM_FREQUENCY),
  prereq_ids: referenceList('前置知识', self, { within: { subject_id: 'subject_id' } }),
  remark: longText('说明', { max: 200 }),
  merged_into: mergedInto(self),
  /** Read by the release before alone; the next one drops it. */
  sort: number('原排序', { readonly: true, initial: 0 }),
  /** Questions of each bank that carry it or anything below it. */
  back_count: computed('后台题量'),
  official_count: computed('正式题量'),
  status: toggle('状态', { on: '启用', off: '停用' }, { required: true }),
})

/** The resource of one kind of label; all kinds lie in one table. */
function labelResource(kind: LabelKind, label: string, path: ScreenPath, list: string, item: string) {
  const found = defineResource({
    name: `${kind}_label`,
    table: 'label',
    label,
    grant: screenId(path),
    api: { list, item, reply: itemsTotal },
    fields: fields(() => {
      const self = known.get(kind)
      if (!self) throw new Error(`no labels of kind ${kind}`)
      return self
    }),
    list: { columns: ['id', 'name', 'subject_id', 'parent_id', 'depth', 'code', 'importance', 'exam_freq', 'status', 'updated_at'], filters: ['subject_id', 'parent_id', 'importance', 'exam_freq', 'status'], sort: 'id' },
    form: [{ fields: ['subject_id', 'parent_id', 'name', 'alias', 'code', 'colour', 'importance', 'exam_freq', 'prereq_ids', 'status', 'remark'] }],
    logged: [{ name: 'order', label: '排序' }, { name: 'split', label: '拆分' }],
    indexes: [['kind', 'subject_id', 'parent_id'], ['path']],
    where: { kind },
    // Knowledge hangs below the root of its subject; the groups of the other kinds have nothing above them.
    tree: { levels: MAX_DEPTH, ...(kind === 'knowledge' && { rooted: true }), shows: ['status', 'back_count', 'official_count'], facts: ['code', 'alias', 'importance', 'exam_freq'] },
    scope: { subject: 'subject_id', level: 'subject_id.level' },
  })
  known.set(kind, found)
  return found
}

const END = '/daoyuan/api/end'
export const knowledgeLabel = labelResource('knowledge', '知识点', '/practice/knowledge-label', `${END}/knowledge_labels`, `${END}/knowledge_label`)
/** domain 1.11: POST, PUT and DELETE stand below the spec's own `p_labels`. */
export const practiceLabel = labelResource('practice', '题目标签', '/practice/labels', `${END}/practice_labels`, '/daoyuan/api/p_labels')
export const microLabel = labelResource('micro', '微课标签', '/practice/knowledge-label', `${END}/micro_labels`, `${END}/micro_label`)

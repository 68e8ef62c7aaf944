import { choice, shelf } from '../../core/field/choice.ts'
import { image } from '../../core/field/file.ts'
import { computed, json } from '../../core/field/json.ts'
import { number } from '../../core/field/number.ts'
import { reference, treeReferenceList } from '../../core/field/reference.ts'
import { segment } from '../../core/field/segment.ts'
import { longText, text } from '../../core/field/text.ts'
import { defineRights } from '../../core/grant/rights.ts'
import { api, defineResource } from '../../core/resource/define.ts'
import { materialTag } from '../asset/module.ts'
import { subject } from '../reference/module.ts'
import { screenId } from '../screens.ts'
import { itemsSchema } from './items.ts'

export const COMBINATION_STATE = { draft: 0, live: 1, off: 2 } as const
export const COMBINATION_STATES = [
  { value: COMBINATION_STATE.draft, label: '草稿', tone: 'idle' }, { value: COMBINATION_STATE.live, label: '已发布', tone: 'success' }, { value: COMBINATION_STATE.off, label: '停用', tone: 'default' },
] as const

const { draft, live, off } = COMBINATION_STATE
const GRANT = screenId('/material/combination')

/** Address of the screen on which one is put together. */
export const detailPath = (id: number): string => `/material/combination/detail/${id}`

/** domain 1.17: content that is used together, in order, under one name. */
export const combination = defineResource({
  name: 'combination',
  label: '素材组合',
  grant: GRANT,
  rights: defineRights(GRANT, { publish: [12, '发布和停用'] }),
  api: api('/material/api/end', 'combinations', 'combination'),
  fields: {
    name: text('名称', { required: true, max: 80, search: true }),
    cover: image('封面'),
    subject_id: reference('学科', () => subject, { required: true, alias: 'cat_id' }),
    tag_ids: treeReferenceList('标签', () => materialTag),
    remark: longText('备注', { max: 200 }),
    items: json('内容', itemsSchema, { initial: [] }),
    /** What those see who use it: the items of the version that was published last. */
    published: json('已发布的内容', itemsSchema, { readonly: true, initial: [], audit: false }),
    version_no: number('版本', { readonly: true, initial: 0 }),
    item_count: computed('内容数'),
    page_count: computed('页数'),
    use_count: computed('引用'),
    needs: segment('待整理', [{ value: 'changed', label: '有未发布的改动' }, { value: 'empty', label: '还没有内容' }, { value: 'unused', label: '无引用' }]),
    state: choice('状态', COMBINATION_STATES, { readonly: true, initial: draft }),
    status: shelf('启用', { state: 'state', on: [live], off }, { on: '启用', off: '停用' }),
  },
  list: {
    columns: ['name', 'subject_id', 'item_count', 'page_count', 'use_count', 'state', 'status', 'tag_ids', 'version_no', 'updated_at', 'cover', 'remark', 'created_by_name', 'created_at', 'id'],
    filters: ['state', 'subject_id', 'tag_ids', 'needs', 'status', 'created_at'],
  },
  form: [{ fields: ['name', 'subject_id', 'tag_ids', 'cover', 'remark'] }],
  transitions: [
    { name: 'publish', label: '发布', field: 'state', from: [draft, live, off], to: live, right: 'publish', instead: '发布错了，停用即可' },
    { name: 'disable', label: '停用', field: 'state', from: [live], to: off, right: 'publish', danger: true, confirm: '停用后不能再被新内容引用，已引用的地方照常使用。' },
  ],
  indexes: [['state', 'id']],
  scope: { subject: 'subject_id', level: 'subject_id.level' },
})

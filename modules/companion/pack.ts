import { choice, shelf } from '../../core/field/choice.ts'
import { image } from '../../core/field/file.ts'
import { computed, json } from '../../core/field/json.ts'
import { number, sortOrder } from '../../core/field/number.ts'
import { reference } from '../../core/field/reference.ts'
import { longText, text } from '../../core/field/text.ts'
import { defineRights } from '../../core/grant/rights.ts'
import { api, defineResource } from '../../core/resource/define.ts'
import { GRADES, subject } from '../reference/module.ts'
import { screenId } from '../screens.ts'
import { staff } from '../staff/module.ts'
import type { CompanionKind } from './kind.ts'
import { itemsSchema } from './pack-item.ts'
import { termsSchema } from './pack-term.ts'

export const PACK_STATE = { draft: 1, waiting: 2, shelved: 3, off: 4 } as const

const S = PACK_STATE

/** Lesson packs of a business: what tasks are made from. A task keeps the version that it was made with. */
export function definePacks(kind: CompanionKind) {
  const rights = defineRights(screenId(kind.screens.packs), { approve: [11, '审核和上下架'] })
  return defineResource({
    name: `${kind.value}_lesson_pack`,
    table: 'lesson_pack',
    label: '资料包',
    grant: rights.screen,
    rights,
    // `research/lesson_packs` is a call of its own: teachers read it too, and it answers one pack with what is in it.
    api: api(kind.base, 'research/packs', 'research/packs'),
    fields: {
      kind: choice('业务', [{ value: kind.value, label: kind.label }], { required: true, readonly: true }),
      name: text('名称', { required: true, max: 60, search: true }),
      subject_id: reference('学科', () => subject, { required: true }),
      grade: choice('年级', GRADES),
      season: text('期次', { max: 20, example: '2026 秋' }),
      cover: image('封面'),
      note: longText('教师说明', { max: 1000 }),
      items: json('内容', itemsSchema, { initial: [] }),
      terms: json('词条', termsSchema, { initial: [] }),
      item_cnt: computed('内容'),
      term_cnt: computed('词条'),
      task_cnt: computed('用于任务'),
      version: number('版本', { readonly: true, initial: 0 }),
      submitted_by: reference('提交人', () => staff, { readonly: true, onRemove: 'keep' }),
      sort: sortOrder(),
      state: choice('状态', [
        { value: S.draft, label: '草稿', tone: 'idle' }, { value: S.waiting, label: '待审', tone: 'warning' }, { value: S.shelved, label: '已上架', tone: 'success' }, { value: S.off, label: '已下架', tone: 'default' },
      ], { readonly: true, initial: S.draft }),
      status: shelf('上架', { state: 'state', on: [S.shelved], off: S.off }),
    },
    list: {
      columns: ['name', 'cover', 'state', 'status', 'subject_id', 'grade', 'item_cnt', ...(kind.screens.terms ? ['term_cnt' as const] : []), 'task_cnt', 'version', 'season', 'sort', 'updated_at'],
      under: ['season'],
      filters: ['state', 'subject_id', 'grade', 'status', 'created_at'],
      sort: 'sort',
    },
    form: [{ title: '资料包', fields: ['name', 'subject_id', 'grade', 'season', 'cover', 'sort', 'note'] }],
    transitions: [
      { name: 'submit', label: '提交审核', field: 'state', from: [S.draft], to: S.waiting },
      { name: 'approve', label: '审核通过', field: 'state', from: [S.waiting], to: S.shelved, right: 'approve', instead: '通过错了，下架即可' },
      { name: 'reject', label: '退回', field: 'state', from: [S.waiting], to: S.draft, right: 'approve', reason: true, danger: true },
      { name: 'shelve', label: '上架', field: 'state', from: [S.off], to: S.shelved, right: 'approve' },
      { name: 'unshelve', label: '下架', field: 'state', from: [S.shelved], to: S.off, right: 'approve', confirm: '下架后不能再用来布置任务，已布置的任务不受影响，确认下架？' },
    ],
    logged: [{ name: 'publish', label: '发布新版本' }],
    policies: [
      { of: ['approve'], policy: 'another', field: 'submitted_by', why: '提交人不能审核自己提交的资料包' },
      { of: ['edit'], policy: 'unless', field: 'state', values: [S.waiting], why: '资料包正在审核，请先退回再修改' },
    ],
    pick: { offered: { state: S.shelved } },
    where: { kind: kind.value },
    scope: { subject: 'subject_id', level: 'subject_id.level' },
    indexes: [['kind', 'state']],
  })
}

export type PackResource = ReturnType<typeof definePacks>

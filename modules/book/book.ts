import { choice, shelf } from '../../core/field/choice.ts'
import { image } from '../../core/field/file.ts'
import { computed } from '../../core/field/json.ts'
import { number } from '../../core/field/number.ts'
import { reference } from '../../core/field/reference.ts'
import { segment } from '../../core/field/segment.ts'
import { longText, text } from '../../core/field/text.ts'
import { time } from '../../core/field/time.ts'
import { defineRights } from '../../core/grant/rights.ts'
import { api, defineResource, type RowType } from '../../core/resource/define.ts'
import { partwork } from '../practice/module.ts'
import { LEVELS, subject } from '../reference/module.ts'
import { staff } from '../staff/module.ts'
import { screenId } from '../screens.ts'

/** Where calls of practice books begin. */
export const BASE = '/daoyuan/api/end/practice_book'

/** teaching.md 1.4: 编辑中→待审→在用⇄停用→绝版. */
export const BOOK_STATE = { draft: 1, waiting: 2, live: 3, off: 4, gone: 5 } as const

const S = BOOK_STATE

const STATES = [
  { value: S.draft, label: '编辑中', tone: 'idle' }, { value: S.waiting, label: '待审', tone: 'warning' }, { value: S.live, label: '在用', tone: 'success' },
  { value: S.off, label: '停用', tone: 'default' }, { value: S.gone, label: '绝版', tone: 'default' },
] as const

const GRANT = screenId('/practiceBook/content/pebManage')

/** A printed book with its electronic edition (domain 1.10). */
export const book = defineResource({
  name: 'book',
  label: '图书',
  measure: '本',
  grant: GRANT,
  rights: defineRights(GRANT, { shelve: [11, '审核和停用'], print: [16, '印刷锁定'] }),
  api: api(BASE, 'pebs', 'pebs'),
  fields: {
    cover: image('封面'),
    name: text('书名', { required: true, max: 60, search: true }),
    isbn: text('书号（ISBN）', { required: true, unique: true, max: 13, search: true, scanned: true, pattern: [/^97[89]\d{10}$/, '应为 978 或 979 开头的 13 位数字'] }),
    // That of its subject; codes are listed by it.
    level: choice('学段', LEVELS, { required: true, readonly: true }),
    subject_id: reference('学科', () => subject, { required: true, createOnly: true, alias: 'cat_id' }),
    partwork_id: reference('教材册别', () => partwork, { within: { subject_id: 'subject_id' }, help: '训练按它的章节选题' }),
    version: text('教材版本', { max: 40, example: '人教 A 版' }),
    press: text('出版社', { max: 40 }),
    edition: text('版次', { max: 20, example: '2026 年 6 月第 2 版' }),
    trial_pages: number('试读页数', { max: 600, unit: '页', initial: 10 }),
    watermark: text('水印文字', { max: 30 }),
    answers_open: choice('答案', [{ value: 0, label: '不显示' }, { value: 1, label: '显示' }], { required: true, initial: 1 }),
    page_cnt: computed('页数'),
    code_cnt: computed('二维码'),
    unbound_cnt: computed('未绑定热区'),
    print_no: number('印次', { readonly: true, initial: 0, unit: '次' }),
    printed_at: time('最近付印', { readonly: true }),
    copies: number('累计印数', { readonly: true, initial: 0, unit: '册' }),
    needs: segment('待处理', [{ value: 'codes', label: '没有二维码' }, { value: 'pages', label: '没有电子页面' }, { value: 'targets', label: '二维码未设指向' }]),
    remark: longText('备注', { max: 200 }),
    submitted_by: reference('提交人', () => staff, { readonly: true, onRemove: 'keep' }),
    state: choice('状态', STATES, { readonly: true, initial: S.draft }),
    status: shelf('启用', { state: 'state', on: [S.live], off: S.off }, { on: '启用', off: '停用' }),
  },
  list: {
    columns: ['cover', 'name', 'level', 'subject_id', 'code_cnt', 'page_cnt', 'unbound_cnt', 'print_no', 'copies', 'state', 'status', 'isbn', 'version', 'press', 'edition', 'trial_pages', 'answers_open', 'printed_at', 'partwork_id', 'updated_at', 'id'],
    under: ['isbn'],
    filters: ['state', 'level', 'subject_id', 'partwork_id', 'needs', 'version', 'press', 'print_no', 'status', 'created_at'],
  },
  form: [
    { title: '图书', fields: ['name', 'isbn', 'subject_id', 'partwork_id', 'version', 'press', 'edition', 'cover'] },
    { title: '电子书', fields: ['trial_pages', 'watermark', 'answers_open', 'remark'] },
  ],
  import: { columns: ['name', 'isbn', 'subject_id', 'version', 'press', 'edition'], key: ['isbn'] },
  transitions: [
    { name: 'submit', label: '提交审核', field: 'state', from: [S.draft], to: S.waiting },
    { name: 'approve', label: '审核通过', field: 'state', from: [S.waiting], to: S.live, right: 'shelve', confirm: '通过后电子书即可在学习端打开。', instead: '通过错了，下架即可' },
    { name: 'reject', label: '驳回', field: 'state', from: [S.waiting], to: S.draft, right: 'shelve', reason: true, danger: true },
    { name: 'enable', label: '启用', field: 'state', from: [S.off], to: S.live, right: 'shelve' },
    { name: 'disable', label: '停用', field: 'state', from: [S.live], to: S.off, right: 'shelve', danger: true, confirm: '停用后电子书不再打开，书上的二维码照常可扫。' },
    { name: 'retire', label: '绝版', field: 'state', from: [S.off], to: S.gone, right: 'shelve', danger: true, confirm: '绝版后不能再付印和修改，书上的二维码照常可扫。', instead: '绝版不能撤销，再版时新建图书' },
  ],
  policies: [
    { of: ['approve'], policy: 'another', field: 'submitted_by', why: '提交人不能审核自己提交的图书' },
    { of: ['edit'], policy: 'unless', field: 'state', values: [S.waiting], why: '图书正在审核，请先驳回再修改' },
    { of: ['edit'], policy: 'unless', field: 'state', values: [S.gone], why: '图书已绝版，不能修改' },
    { of: ['remove'], policy: 'while', field: 'state', values: [S.draft], why: '只有编辑中的图书可以删除' },
  ],
  logged: [{ name: 'print', label: '付印' }],
  pick: { within: ['level'] },
  scope: { subject: 'subject_id', level: 'subject_id.level' },
})

/** A book as stored. */
export type BookRow = RowType<typeof book>

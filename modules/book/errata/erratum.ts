import { choice } from '../../../core/field/choice.ts'
import { computed } from '../../../core/field/json.ts'
import { number } from '../../../core/field/number.ts'
import { reference } from '../../../core/field/reference.ts'
import { segment } from '../../../core/field/segment.ts'
import { longText, text } from '../../../core/field/text.ts'
import { defineRights } from '../../../core/grant/rights.ts'
import { api, defineResource, type RowType } from '../../../core/resource/define.ts'
import { BASE, book } from '../book.ts'

/** teaching.md 1.4: 待核→已确认→已挂码→已重印, 驳回. */
export const ERRATUM_STATE = { waiting: 1, confirmed: 2, shown: 3, reprinted: 4, refused: 5 } as const

const S = ERRATUM_STATE

/** A fault of printed pages. Confirmed, it stands behind the codes of its page in the prints that have it. */
export const erratum = defineResource({
  name: 'book_erratum',
  label: '勘误',
  measure: '条',
  title: 'wrong',
  grant: book.grant,
  rights: defineRights(book.grant, { confirm: [17, '核定勘误'] }),
  api: api(BASE, 'errata', 'erratum'),
  fields: {
    book_id: reference('图书', () => book, { required: true, createOnly: true, onRemove: 'cascade' }),
    page_no: number('页码', { required: true, min: 1, max: 600 }),
    print_from: number('自第几次印刷', { required: true, min: 1, max: 99, initial: 1 }),
    print_to: number('至第几次印刷', { min: 1, max: 99, help: '不填表示以后各次都有，直到付印时选为已改正' }),
    wrong: longText('误', { required: true, max: 600, search: true, example: '题干：…半径为 3 的圆…' }),
    right: longText('正', { required: true, max: 600, example: '题干：…半径为 2 的圆…' }),
    level: choice('影响', [{ value: 1, label: '文字' }, { value: 2, label: '题意' }, { value: 3, label: '答案' }], { required: true, initial: 1 }),
    practice_id: number('试题编号', { readonly: true }),
    practice_no: text('试题', { readonly: true, max: 40 }),
    code_cnt: computed('挂码'),
    copies: computed('涉及印数'),
    needs: segment('待处理', [{ value: 'reprint', label: '重印待办' }]),
    state: choice('状态', [
      { value: S.waiting, label: '待核', tone: 'warning' }, { value: S.confirmed, label: '已确认', tone: 'processing' }, { value: S.shown, label: '已挂码', tone: 'success' },
      { value: S.reprinted, label: '已重印', tone: 'default' }, { value: S.refused, label: '已驳回', tone: 'idle' },
    ], { required: true, readonly: true, initial: S.waiting }),
  },
  list: {
    columns: ['wrong', 'right', 'book_id', 'page_no', 'print_from', 'print_to', 'level', 'code_cnt', 'copies', 'state', 'practice_no', 'created_by_name', 'created_at', 'id'],
    filters: ['book_id', 'needs', 'state', 'level', 'page_no', 'created_at'],
  },
  form: [{ fields: ['book_id', 'page_no', 'print_from', 'print_to', 'wrong', 'right', 'level'] }],
  transitions: [
    { name: 'confirm', label: '确认', field: 'state', from: [S.waiting], to: S.confirmed, right: 'confirm', confirm: '确认后立即显示在该页二维码的扫码页面，并列入勘误表。' },
    { name: 'refuse', label: '驳回', field: 'state', from: [S.waiting], to: S.refused, right: 'confirm', reason: true, danger: true },
    { name: 'recall', label: '撤下', field: 'state', from: [S.confirmed, S.shown, S.reprinted, S.refused], to: S.waiting, right: 'confirm', reason: true, confirm: '撤下后扫码页面不再显示，可修改后重新确认。', instead: '撤下后重新核定才会再次显示' },
  ],
  policies: [
    { of: ['edit'], policy: 'while', field: 'state', values: [S.waiting], why: '勘误已核定，请先撤下再修改' },
    { of: ['remove'], policy: 'while', field: 'state', values: [S.waiting, S.refused], why: '已核定的勘误不能删除，请先撤下' },
  ],
  indexes: [['book_id', 'page_no'], ['state', 'id']],
  scope: { subject: 'book_id.subject_id', level: 'book_id.subject_id.level' },
})

/** A fault as stored. */
export type ErratumRow = RowType<typeof erratum>

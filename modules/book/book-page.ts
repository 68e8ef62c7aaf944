import { image } from '../../core/field/file.ts'
import { computed, json } from '../../core/field/json.ts'
import { number } from '../../core/field/number.ts'
import { reference } from '../../core/field/reference.ts'
import { api, defineResource } from '../../core/resource/define.ts'
import { screenId } from '../screens.ts'
import { BASE, book } from './book.ts'
import { spotsSchema } from './hotspot.ts'

/** Thickest book, in pages (teaching.md 3). */
export const MAX_PAGES = 600

/** A page of a book's electronic edition, with the places on it that lead somewhere. */
export const bookPage = defineResource({
  name: 'book_page',
  label: '电子书页面',
  measure: '页',
  title: 'page_no',
  grant: screenId('/practiceBook/content/pebDetail'),
  api: api(BASE, 'peb_pages', 'peb_pages'),
  fields: {
    book_id: reference('图书', () => book, { required: true, createOnly: true, onRemove: 'cascade' }),
    page_no: number('页码', { required: true, min: 1, max: MAX_PAGES }),
    image: image('页面图片', { required: true }),
    hotspots: json('热区', spotsSchema, { initial: [] }),
    spot_cnt: computed('热区数'),
    unbound_cnt: computed('未绑定'),
  },
  list: { columns: ['book_id', 'page_no', 'image', 'spot_cnt', 'unbound_cnt', 'updated_at'], filters: ['book_id', 'page_no'], sort: 'page_no' },
  form: [{ fields: ['book_id', 'page_no', 'image'] }],
  unique: [['book_id', 'page_no']],
  logged: [{ name: 'add_pdf', label: '上传印刷文件' }, { name: 'compare_pdf', label: '对版' }, { name: 'drop_pdf', label: '放弃印刷文件' }, { name: 'use_pdf', label: '采用印刷文件' }],
  scope: { subject: 'book_id.subject_id', level: 'book_id.subject_id.level' },
})

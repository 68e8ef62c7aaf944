import { choice, toggle } from '../../../core/field/choice.ts'
import { computed } from '../../../core/field/json.ts'
import { number, sortOrder } from '../../../core/field/number.ts'
import { reference, type Target } from '../../../core/field/reference.ts'
import { text } from '../../../core/field/text.ts'
import { api, defineResource } from '../../../core/resource/define.ts'
import { treeFields } from '../../../core/tree/fields.ts'
import { GRADES, subject } from '../../reference/module.ts'
import { screenId } from '../../screens.ts'

const GRANT = screenId('/practice/ebook-catalogue-label')
const END = '/daoyuan/api/end'
const IN_USE = { on: '启用', off: '停用' }

export const TERMS = [{ value: 1, label: '上册' }, { value: 2, label: '下册' }, { value: 3, label: '全册' }] as const

/** 教材版本, as 人教A版, of one subject (domain 2.2). */
export const materialVersion = defineResource({
  name: 'material_version',
  label: '教材版本',
  grant: GRANT,
  api: api(END, 'material_versions', 'material_version'),
  fields: {
    subject_id: reference('学科', () => subject, { required: true, alias: 'cat_id' }),
    name: text('版本名称', { required: true, max: 30, search: true, example: '人教A版' }),
    press: text('出版社', { max: 30 }),
    partwork_cnt: computed('册数'),
    sort: sortOrder(),
    status: toggle('状态', IN_USE, { required: true }),
  },
  list: { columns: ['name', 'subject_id', 'status', 'partwork_cnt', 'sort', 'updated_at', 'id', 'press'], under: ['press'], filters: ['subject_id', 'status'], sort: 'sort' },
  import: { columns: ['subject_id', 'name', 'press', 'sort'], key: ['subject_id', 'name'] },
  unique: [['subject_id', 'name']],
  scope: { subject: 'subject_id', level: 'subject_id.level' },
})

/** 册别, as 必修第一册: one book of a version. */
export const partwork = defineResource({
  name: 'partwork',
  label: '册别',
  measure: '册',
  grant: GRANT,
  api: api(END, 'partworks', 'partwork'),
  fields: {
    version_id: reference('教材版本', () => materialVersion, { required: true }),
    /** That of the version. */
    subject_id: reference('学科', () => subject, { readonly: true, alias: 'cat_id' }),
    name: text('册别名称', { required: true, max: 30, search: true, example: '必修第一册' }),
    grade: choice('年级', GRADES),
    term: choice('学期', TERMS),
    edition_year: number('版次', { min: 1990, max: 2100, unit: '年' }),
    chapter_cnt: computed('章节数'),
    sort: sortOrder(),
    status: toggle('状态', IN_USE, { required: true }),
  },
  list: { columns: ['name', 'subject_id', 'grade', 'term', 'status', 'chapter_cnt', 'updated_at', 'id', 'version_id', 'edition_year', 'sort'], under: ['version_id', 'edition_year'], filters: ['subject_id', 'version_id', 'grade', 'term', 'status'], sort: 'sort' },
  import: { columns: ['version_id', 'name', 'grade', 'term', 'edition_year', 'sort'], key: ['version_id', 'name'] },
  unique: [['version_id', 'edition_year', 'name']],
  scope: { subject: 'subject_id', level: 'subject_id.level' },
})

/** domain 3.4: chapter, section, lesson: at most this many levels. */
export const MAX_CHAPTER_DEPTH = 4

/** A chapter or section of a book. */
export const chapter = defineResource({
  name: 'chapter',
  label: '章节',
  grant: GRANT,
  api: api(END, 'chapters', 'chapter'),
  fields: {
    partwork_id: reference('册别', () => partwork, { required: true, createOnly: true }),
    /** That of the book. */
    subject_id: reference('学科', () => subject, { readonly: true, alias: 'cat_id' }),
    ...treeFields('上级章节', (): Target => chapter, { createOnly: true, within: { partwork_id: 'partwork_id' } }),
    name: text('章节名称', { required: true, max: 80 }),
    page: number('页码', { min: 1, max: 9999 }),
    /** Read by the release before alone; the next one drops it. */
    sort: number('原排序', { readonly: true, initial: 0 }),
    label_count: computed('知识点数'),
    /** Questions that belong to it or to anything below it. */
    practice_count: computed('题量'),
  },
  list: { columns: ['id', 'name', 'partwork_id', 'parent_id', 'depth', 'page', 'updated_at'], filters: ['partwork_id', 'parent_id'], sort: 'id' },
  logged: [{ name: 'label', label: '修改知识点' }],
  tree: { levels: MAX_CHAPTER_DEPTH, shows: ['page', 'label_count', 'practice_count'], facts: ['page'] },
  indexes: [['path']],
  scope: { subject: 'subject_id', level: 'subject_id.level' },
})

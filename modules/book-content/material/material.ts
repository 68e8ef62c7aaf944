import { choice } from '../../../core/field/choice.ts'
import { computed, json } from '../../../core/field/json.ts'
import { number } from '../../../core/field/number.ts'
import { reference } from '../../../core/field/reference.ts'
import { segment } from '../../../core/field/segment.ts'
import { text } from '../../../core/field/text.ts'
import { api, defineResource } from '../../../core/resource/define.ts'
import { BASE, book } from '../../book/module.ts'
import { chapter } from '../../practice/module.ts'
import { screenId } from '../../screens.ts'
import { FIRST_LAYOUT, layoutSchema, piecesSchema } from './pieces.ts'

export const MATERIAL_STATE = { draft: 0, final: 1 } as const
const { draft, final } = MATERIAL_STATE
export const MATERIAL_STATES = [{ value: draft, label: '编辑中', tone: 'idle' }, { value: final, label: '已定稿', tone: 'success' }] as const

/** Address of the editor of one. */
export const materialPath = (id: number): string => `/practiceBook/trainMaterialEdit/${id}`

/** Pages of a book with questions for a chapter, laid out as they are printed; finished, they are kept as a version (domain 1.10). */
export const trainMaterial = defineResource({
  name: 'train_material',
  label: '训练素材',
  measure: '份',
  grant: screenId('/practiceBook/trainMaterialEdit/:id'),
  api: api(BASE, 'train_materials', 'train_material'),
  fields: {
    name: text('名称', { required: true, max: 80, search: true }),
    book_id: reference('图书', () => book, { required: true, createOnly: true }),
    // Of whose sets it was made, where that is one chapter.
    chapter_id: reference('章节', () => chapter, { readonly: true, onRemove: 'keep' }),
    layout: json('版面', layoutSchema, { initial: FIRST_LAYOUT }),
    pieces: json('内容', piecesSchema, { initial: [] }),
    /** What goes to the printer's: the pieces and the layout of the version that was finished last. */
    finished: json('定稿内容', piecesSchema, { readonly: true, initial: [], audit: false }),
    version_no: number('版本', { readonly: true, initial: 0 }),
    question_cnt: computed('题数'),
    needs: segment('待整理', [{ value: 'changed', label: '定稿后有改动' }, { value: 'empty', label: '还没有试题' }]),
    state: choice('状态', MATERIAL_STATES, { readonly: true, initial: draft }),
  },
  list: {
    columns: ['name', 'book_id', 'chapter_id', 'question_cnt', 'version_no', 'state', 'updated_at', 'updated_by_name', 'created_at', 'id'], under: ['book_id'],
    filters: ['state', 'book_id', 'needs', 'created_at'],
  },
  form: [{ fields: ['name', 'book_id'] }],
  transitions: [{ name: 'finish', label: '定稿', field: 'state', from: [draft, final], to: final, instead: '定稿错了，修改后再定一版，旧版本保留' }],
  indexes: [['book_id', 'id']],
  scope: { subject: 'book_id.subject_id', level: 'book_id.subject_id.level' },
})

import { behind } from '../../core/field/behind.ts'
import { choice, toggle } from '../../core/field/choice.ts'
import { image } from '../../core/field/file.ts'
import { computed } from '../../core/field/json.ts'
import { sortOrder } from '../../core/field/number.ts'
import { reference } from '../../core/field/reference.ts'
import { text } from '../../core/field/text.ts'
import { api, defineResource } from '../../core/resource/define.ts'
import { partwork } from '../practice/module.ts'
import { subject, type ProductLine } from '../reference/module.ts'
import { lineBase } from './line.ts'

/** ISBN-13 without hyphens: 978 or 979 and ten digits. */
const ISBN = /^97[89]\d{10}$/

/**
 * Textbooks that a line's courses follow (domain 0.4, T-TXB): one for each book of a version, from the books of the question
 * bank. Its outline is that of all courses that follow it.
 * @param grant id of the screen that shows them
 */
export function defineTextbooks(line: Pick<ProductLine, 'code' | 'name' | 'level'>, grant: number) {
  return defineResource({
    name: `${line.code}_textbook`,
    table: 'textbook',
    label: `${line.name}教材`,
    measure: '本',
    grant,
    api: api(lineBase(line), 'textbooks', 'textbooks'),
    fields: {
      line: choice('产品线', [{ value: line.code, label: line.name }], { required: true, readonly: true }),
      cover: image('封面'),
      name: text('教材名称', { required: true, max: 60, search: true }),
      subject_id: reference('学科', () => subject, { required: true, createOnly: true, alias: 'cat_id' }),
      partwork_id: reference('册别', () => partwork, { required: true, createOnly: true, within: { subject_id: 'subject_id' } }),
      version_id: behind<number>('partwork_id', 'version_id'),
      grade: behind<number>('partwork_id', 'grade'),
      term: behind<number>('partwork_id', 'term'),
      edition_year: behind<number>('partwork_id', 'edition_year'),
      isbn: text('书号', { max: 17, pattern: [ISBN, '书号应为 978 或 979 开头的 13 位数字'], example: '9787107000000' }),
      offer_cnt: computed('课程数'),
      learner_cnt: computed('用户数'),
      sort: sortOrder(),
      status: toggle('状态', { on: '上架', off: '下架' }, { required: true, initial: 0 }),
    },
    list: {
      columns: ['cover', 'name', 'subject_id', 'version_id', 'grade', 'offer_cnt', 'learner_cnt', 'status', 'term', 'edition_year', 'partwork_id', 'isbn', 'sort', 'updated_at'], under: ['version_id'],
      filters: ['subject_id', 'version_id', 'grade', 'term', 'status', 'partwork_id'], sort: 'sort',
    },
    form: [{ fields: ['subject_id', 'partwork_id', 'name', 'cover', 'isbn', 'sort', 'status'] }],
    unique: [['line', 'subject_id', 'partwork_id', 'name']],
    where: { line: line.code },
    scope: { subject: 'subject_id', level: 'subject_id.level' },
  })
}

/** The textbooks of whatever line. */
export type TextbookResource = ReturnType<typeof defineTextbooks>

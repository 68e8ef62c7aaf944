import { choice, toggle } from '../../core/field/choice.ts'
import { image } from '../../core/field/file.ts'
import { computed } from '../../core/field/json.ts'
import { sortOrder } from '../../core/field/number.ts'
import { reference } from '../../core/field/reference.ts'
import { longText, text } from '../../core/field/text.ts'
import { api, defineResource } from '../../core/resource/define.ts'
import { subject, type ProductLine } from '../reference/module.ts'
import { COURSE_DIFFICULTIES, lineBase } from './line.ts'

/**
 * Series of a line (domain 0.4, T-SER): courses that are shown together, in an order of their own. Which courses those are is
 * said by the courses.
 * @param grant id of the screen that shows them
 */
export function defineSeries(line: Pick<ProductLine, 'code' | 'name'>, grant: number) {
  return defineResource({
    name: `${line.code}_series`,
    table: 'series',
    label: `${line.name}系列`,
    grant,
    api: api(lineBase(line), 'series', 'series'),
    fields: {
      line: choice('产品线', [{ value: line.code, label: line.name }], { required: true, readonly: true }),
      cover: image('封面'),
      name: text('系列名称', { required: true, max: 40, search: true }),
      subject_id: reference('学科', () => subject, { required: true, alias: 'cat_id' }),
      difficulty: choice('难度', COURSE_DIFFICULTIES),
      intro: longText('介绍', { max: 2000 }),
      badge: text('角标', { max: 6 }),
      offer_cnt: computed('课程数'),
      price_from: computed('起售价', 'money'),
      sort: sortOrder(),
      status: toggle('状态', { on: '上架', off: '下架' }, { required: true, initial: 0 }),
    },
    list: {
      columns: ['cover', 'name', 'subject_id', 'difficulty', 'offer_cnt', 'price_from', 'badge', 'status', 'sort', 'updated_at'],
      filters: ['subject_id', 'difficulty', 'status'], sort: 'sort',
    },
    form: [{ fields: ['name', 'subject_id', 'difficulty', 'badge', 'cover', 'intro', 'sort', 'status'] }],
    logged: [{ name: 'arrange', label: '管理课程' }],
    unique: [['line', 'subject_id', 'name']],
    where: { line: line.code },
    scope: { subject: 'subject_id', level: 'subject_id.level' },
  })
}

/** The series of whatever line. */
export type SeriesResource = ReturnType<typeof defineSeries>

import { mobile } from '../../core/field/mobile.ts'
import { number } from '../../core/field/number.ts'
import { personName } from '../../core/field/person-name.ts'
import { reference } from '../../core/field/reference.ts'
import { text } from '../../core/field/text.ts'
import { time } from '../../core/field/time.ts'
import { api, defineResource } from '../../core/resource/define.ts'
import { excellentPaper, MOST_POINTS } from './excellent-paper.ts'

/** What somebody scored in a test, with the level and class that followed then: bands that change later do not change it. */
export const excellentScore = defineResource({
  name: 'excellent_score',
  label: '测评成绩',
  measure: '条',
  title: 'student',
  grant: excellentPaper.grant,
  rights: excellentPaper.rights,
  api: api('/daoyuan/api/end/excellent_training', 'scores', 'scores'),
  fields: {
    paper_id: reference('试卷', () => excellentPaper, { required: true, createOnly: true }),
    student: personName('姓名', { required: true, max: 40, search: true }),
    mobile: mobile('手机号', { required: true, createOnly: true, search: true }),
    score: number('得分', { required: true, digits: 1, max: MOST_POINTS }),
    level: text('测评等级', { readonly: true, max: 10 }),
    class_type: text('班型', { readonly: true, max: 20 }),
    taken_at: time('测评时间', { required: true }),
  },
  list: { columns: ['student', 'mobile', 'paper_id', 'score', 'level', 'class_type', 'taken_at', 'created_by_name'], filters: ['paper_id', 'mobile', 'level', 'class_type', 'score', 'taken_at'] },
  form: [{ fields: ['paper_id', 'student', 'mobile', 'score', 'taken_at'] }],
  import: { columns: ['paper_id', 'student', 'mobile', 'score', 'taken_at'], key: ['paper_id', 'mobile'] },
  unique: [['paper_id', 'mobile']],
  scope: { subject: 'paper_id.subject_id', level: 'paper_id.level' },
})

import { choice, toggle } from '../../../core/field/choice.ts'
import { image } from '../../../core/field/file.ts'
import { group } from '../../../core/field/group.ts'
import { number } from '../../../core/field/number.ts'
import { reference } from '../../../core/field/reference.ts'
import { longText, text } from '../../../core/field/text.ts'
import { api, defineResource } from '../../../core/resource/define.ts'
import { LEVELS, subject } from '../../reference/module.ts'
import { screenId } from '../../screens.ts'

/** A line of a skeleton: a section, its questions and the points of each. */
export const SKELETON_SECTION = {
  part: text('分卷', { max: 60 }),
  name: text('大题名称', { required: true, max: 40 }),
  count: number('题数', { required: true, min: 1, max: 200 }),
  score: number('每题分值', { digits: 1, required: true, min: 0.5, max: 300 }),
  instruction: text('说明', { max: 300 }),
}

/** What papers of an examination are made like: sections, points, and the words around the questions. A paper that was begun with one keeps its words, whatever becomes of it. */
export const skeleton = defineResource({
  name: 'paper_skeleton',
  label: '试卷模板',
  measure: '个',
  grant: screenId('/papers/skeleton'),
  api: api('/daoyuan/api/end', 'paper_skeletons', 'paper_skeletons'),
  fields: {
    name: text('模板名称', { required: true, max: 60, unique: true, search: true }),
    level: choice('学段', LEVELS, { required: true, readonly: true }),
    subject_id: reference('学科', () => subject, { required: true, createOnly: true, alias: 'cat_id' }),
    region: text('卷种', { max: 40, help: '如新高考Ⅰ卷、全国甲卷、山东中考' }),
    year: number('年份', { min: 1950, max: 2200 }),
    duration: number('考试时长', { min: 1, max: 600, unit: '分钟' }),
    secret: text('密级', { max: 40, help: '印在卷首左上角，如“绝密★启用前”' }),
    school: text('学校名称', { max: 60 }),
    logo: image('校徽'),
    marks: toggle('得分表', { on: '印', off: '不印' }, { initial: 0 }),
    notices: longText('注意事项', { max: 2000, help: '每行一条' }),
    sections: group('大题', SKELETON_SECTION, { max: 20, required: true }),
    status: toggle('状态', { on: '启用', off: '停用' }, { required: true, initial: 1 }),
  },
  list: { columns: ['name', 'level', 'subject_id', 'region', 'year', 'duration', 'sections', 'status', 'updated_at'], filters: ['level', 'subject_id', 'region', 'year', 'status'] },
  form: [
    { title: '适用', fields: ['name', 'subject_id', 'region', 'year', 'duration', 'status'] },
    { title: '卷首', fields: ['secret', 'school', 'logo', 'marks', 'notices'] },
    { title: '大题', fields: ['sections'] },
  ],
  scope: { subject: 'subject_id', level: 'level' },
})

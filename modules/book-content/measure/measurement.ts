import * as z from 'zod/mini'
import { choice, shelf } from '../../../core/field/choice.ts'
import { computed, json } from '../../../core/field/json.ts'
import { number } from '../../../core/field/number.ts'
import { reference, referenceList } from '../../../core/field/reference.ts'
import { segment } from '../../../core/field/segment.ts'
import { longText, text } from '../../../core/field/text.ts'
import { defineRights } from '../../../core/grant/rights.ts'
import { api, defineResource } from '../../../core/resource/define.ts'
import { BASE, book } from '../../book/module.ts'
import { knowledgeLabel } from '../../practice/module.ts'
import { LEVELS, subject } from '../../reference/module.ts'
import { screenId } from '../../screens.ts'
import { bandsSchema, FIRST_BANDS } from './report.ts'

export const MEASURE_STATE = { draft: 0, live: 1, off: 2 } as const
const { draft, live, off } = MEASURE_STATE
export const MEASURE_STATES = [{ value: draft, label: '草稿', tone: 'idle' }, { value: live, label: '已发布', tone: 'success' }, { value: off, label: '停用', tone: 'default' }] as const

/** How hard the questions of a piece of knowledge are, from the first to the last. */
export const CURVES = [
  { value: 1, label: '由易到难', bands: ['easy', 'medium', 'hard'] },
  { value: 2, label: '偏基础', bands: ['easy', 'easy', 'medium'] },
  { value: 3, label: '偏提高', bands: ['medium', 'hard', 'hard'] },
] as const

/** Most knowledge of one measurement: more questions than anybody answers at once. */
export const MAX_LABELS = 12
export const MAX_PER_LABEL = 6

const questionsSchema = z.array(z.object({ practice_id: z.int(), version_no: z.int(), label_id: z.int(), difficulty: z.nullable(z.int()) }))

const GRANT = screenId('/practiceBook/content/ai-measurement')

/** A test over knowledge whose report says what is mastered; a code of the book leads to it (domain 1.10). */
export const measurement = defineResource({
  name: 'measurement',
  label: '测评',
  measure: '个',
  grant: GRANT,
  rights: defineRights(GRANT, { publish: [12, '发布和停用'] }),
  api: api(BASE, 'measurements', 'measurement'),
  fields: {
    name: text('测评名称', { required: true, max: 60, search: true }),
    subject_id: reference('学科', () => subject, { required: true, createOnly: true, alias: 'cat_id' }),
    book_id: reference('图书', () => book, { required: true, createOnly: true, within: { subject_id: 'subject_id' } }),
    // That of its subject.
    level: choice('学段', LEVELS, { required: true, readonly: true }),
    label_ids: referenceList('考查知识点', () => knowledgeLabel, { required: true, within: { subject_id: 'subject_id' }, help: `最多 ${MAX_LABELS} 个` }),
    per_label: number('每个知识点', { required: true, min: 1, max: MAX_PER_LABEL, unit: '题', initial: 3 }),
    curve: choice('难度曲线', CURVES.map(({ value, label }) => ({ value, label })), { required: true, initial: 1 }),
    minutes: number('作答时长', { required: true, min: 5, max: 180, unit: '分钟', initial: 30 }),
    bands: json('评分规则', bandsSchema, { initial: [...FIRST_BANDS] }),
    closing: longText('报告结语', { max: 200, example: '坚持每天 20 分钟，两周后再测一次。' }),
    /** Written by the calls that compose. */
    questions: json('试题', questionsSchema, { readonly: true, initial: [], audit: false }),
    question_cnt: computed('题数'),
    code_cnt: computed('二维码'),
    needs: segment('待整理', [{ value: 'empty', label: '还没有组卷' }, { value: 'unplaced', label: '还没有放进图书' }, { value: 'broken', label: '有试题已下架' }]),
    state: choice('状态', MEASURE_STATES, { readonly: true, initial: draft }),
    status: shelf('启用', { state: 'state', on: [live], off }, { on: '启用', off: '停用' }),
  },
  list: {
    columns: ['name', 'book_id', 'label_ids', 'question_cnt', 'minutes', 'code_cnt', 'state', 'status', 'subject_id', 'curve', 'per_label', 'level', 'updated_at', 'created_by_name', 'id'], under: ['book_id'],
    filters: ['state', 'book_id', 'subject_id', 'level', 'needs', 'curve', 'status', 'created_at'],
  },
  form: [{ title: '测什么', fields: ['name', 'subject_id', 'book_id', 'label_ids', 'per_label', 'curve', 'minutes'] }, { title: '报告', fields: ['bands', 'closing'] }],
  transitions: [
    { name: 'publish', label: '发布', field: 'state', from: [draft, off], to: live, right: 'publish', instead: '发布错了，停用即可' },
    { name: 'disable', label: '停用', field: 'state', from: [live], to: off, right: 'publish', danger: true, confirm: '停用后扫码显示「内容准备中」，正在作答的不受影响。' },
  ],
  policies: [{ of: ['edit'], policy: 'unless', field: 'state', values: [live], why: '测评已发布，请先停用再修改' }],
  indexes: [['book_id', 'id'], ['state', 'id']],
  scope: { subject: 'subject_id', level: 'subject_id.level' },
  without: ['import'],
})

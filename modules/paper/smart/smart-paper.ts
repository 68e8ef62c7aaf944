import * as z from 'zod/mini'
import { choice } from '../../../core/field/choice.ts'
import { json } from '../../../core/field/json.ts'
import { number } from '../../../core/field/number.ts'
import { reference } from '../../../core/field/reference.ts'
import { text } from '../../../core/field/text.ts'
import { standardId } from '../../../core/grant/grant.ts'
import { defineResource, itemsTotal } from '../../../core/resource/define.ts'
import { LEVELS, subject } from '../../reference/module.ts'
import { screenId } from '../../screens.ts'

export const SMART_SCREEN = screenId('/papers/smart-test-paper')
export const SMART_EDIT = standardId(SMART_SCREEN, 'edit')
const PATH = '/micro_material/api/end/smart_test_paper'

/** A smart paper: what was asked, and the papers that came of it. Written by smart/calls.server.ts alone. */
export const smartPaper = defineResource({
  name: 'smart_paper',
  label: '智能试卷',
  measure: '份',
  grant: SMART_SCREEN,
  // spec 7.
  api: { list: PATH, item: PATH, reply: itemsTotal },
  fields: {
    name: text('名称', { required: true, max: 60, search: true }),
    subject_id: reference('学科', () => subject, { required: true, readonly: true, alias: 'cat_id' }),
    level: choice('学段', LEVELS, { required: true, readonly: true }),
    question_count: number('题数', { readonly: true, initial: 0 }),
    total_score: number('总分', { digits: 1, max: 99_999, readonly: true, initial: 0 }),
    version_count: number('平行卷', { readonly: true, initial: 1 }),
    seed: number('随机种子', { readonly: true, initial: 0 }),
    rule: json('要求', z.unknown(), { readonly: true }),
    result: json('结果', z.unknown(), { readonly: true }),
    status: choice('状态', [{ value: 0, label: '未成卷', tone: 'idle' }, { value: 1, label: '已成卷', tone: 'success' }], { readonly: true, initial: 0 }),
  },
  list: { columns: ['name', 'subject_id', 'question_count', 'total_score', 'version_count', 'status', 'created_by_name', 'created_at'], filters: ['subject_id', 'level', 'status', 'created_at'] },
  form: [{ fields: ['name'] }],
  scope: { subject: 'subject_id', level: 'level' },
  without: ['create', 'import'],
})

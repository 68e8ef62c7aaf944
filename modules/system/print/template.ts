import { choice, toggle } from '../../../core/field/choice.ts'
import { number } from '../../../core/field/number.ts'
import { text } from '../../../core/field/text.ts'
import { PAPERS, templateCalls } from '../../../core/print/calls.ts'
import { api, defineResource } from '../../../core/resource/define.ts'
import { HEALTH_RIGHTS } from '../health.ts'

/** By what records are printed. What it says stands in its versions (`print_version`), of which none is ever changed. */
export const printTemplate = defineResource({
  name: 'print_template',
  label: '打印模板',
  measure: '个',
  grant: HEALTH_RIGHTS.screen,
  rights: HEALTH_RIGHTS,
  api: api('/daoyuan/api/end', 'print_templates', 'print_template'),
  fields: {
    name: text('名称', { required: true, readonly: true, max: 30, search: true }),
    resource: text('记录', { required: true, readonly: true, max: 60 }),
    resource_name: text('用于', { readonly: true, max: 60 }),
    paper: choice('纸张', Object.entries(PAPERS).map(([value, { label }]) => ({ value, label })), { required: true, readonly: true, initial: 'a4' }),
    version: number('版本', { required: true, readonly: true, initial: 1 }),
    status: toggle('状态', { on: '启用', off: '停用' }, { required: true, readonly: true, initial: 1 }),
  },
  list: { columns: ['name', 'resource_name', 'status', 'paper', 'version', 'updated_by_name', 'updated_at'], filters: ['status', 'paper', 'created_at'] },
  logged: [{ name: 'save', label: '保存模板' }],
  without: ['create', 'update', 'edit', 'remove', 'import', 'export', 'reveal'],
})

/** What template editors ask of the server. */
export const TEMPLATES = templateCalls([HEALTH_RIGHTS.id('templates')])

import * as z from 'zod/mini'
import { json } from '../../core/field/json.ts'
import { longText, text } from '../../core/field/text.ts'
import { api, defineResource } from '../../core/resource/define.ts'
import { screenId } from '../screens.ts'

/** A named set of grants to start from; changing it later changes nobody (domain 1.20). */
export const roleTemplate = defineResource({
  name: 'role_template',
  label: '角色模板',
  grant: screenId('/system/role-template'),
  api: api('/daoyuan/api/end', 'role_templates', 'role_templates'),
  fields: {
    name: text('模板名称', { required: true, max: 30, unique: true, search: true }),
    modules: json('权限', z.array(z.int('权限有误'), '权限有误'), { required: true }),
    remark: longText('说明'),
  },
  list: { columns: ['name', 'modules', 'remark', 'created_by_name', 'updated_at'], filters: [] },
})

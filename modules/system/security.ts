import { SECURITY_KINDS } from '../../core/audit/security.ts'
import { choice } from '../../core/field/choice.ts'
import { number } from '../../core/field/number.ts'
import { reference } from '../../core/field/reference.ts'
import { text } from '../../core/field/text.ts'
import { time } from '../../core/field/time.ts'
import { api, defineResource } from '../../core/resource/define.ts'
import { screenId } from '../screens.ts'
import { staff } from '../staff/module.ts'

/**
 * What was refused, and what looks like an attack. Written by `securityEvent` (core/audit): equal events of a minute are one
 * record that counts them.
 */
export const securityLog = defineResource({
  name: 'security_log',
  label: '安全日志',
  title: 'detail',
  grant: screenId('/system/security'),
  api: api('/daoyuan/api/end', 'security_logs', 'security_log'),
  fields: {
    kind: choice('类型', SECURITY_KINDS, { required: true, readonly: true }),
    detail: text('内容', { required: true, readonly: true, max: 200, search: true }),
    staff_id: reference('员工', () => staff, { readonly: true }),
    account: text('账号', { readonly: true, max: 60, search: true }),
    ip: text('来源地址', { readonly: true, max: 45 }),
    target: text('请求', { readonly: true, max: 200 }),
    times: number('次数', { required: true, readonly: true, initial: 1 }),
    last_at: time('最近一次', { required: true, readonly: true }),
    request_id: text('请求编号', { readonly: true, max: 60 }),
  },
  list: {
    columns: ['created_at', 'kind', 'detail', 'times', 'staff_id', 'account', 'ip', 'target', 'last_at'],
    filters: ['kind', 'staff_id', 'ip', 'target', 'created_at'],
  },
  indexes: [['kind'], ['created_at']],
  audit: false,
  without: ['create', 'update', 'edit', 'remove'],
})

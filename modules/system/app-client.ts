import * as z from 'zod/mini'
import type { AppScope } from '../../core/endpoint/app-scope.ts'
import { defineEndpoint } from '../../core/endpoint/define.ts'
import { toggle } from '../../core/field/choice.ts'
import { tags } from '../../core/field/json.ts'
import { number } from '../../core/field/number.ts'
import { text } from '../../core/field/text.ts'
import { time } from '../../core/field/time.ts'
import { defineRights } from '../../core/grant/rights.ts'
import { api, defineResource } from '../../core/resource/define.ts'
import { reasonSchema } from '../../core/resource/endpoints.ts'
import { screenId } from '../screens.ts'

const SCREEN = screenId('/system/app-client')
/** Making and revoking keys is a right of its own. */
const APP_RIGHTS = defineRights(SCREEN, { keys: [11, '生成和吊销密钥'] })
export const APP_KEY_GRANT = APP_RIGHTS.id('keys')

/** A learners' app, or a server of one, that calls the API by a key of its own. */
export const appClient = defineResource({
  name: 'app_client',
  label: '学习端应用',
  grant: SCREEN,
  rights: APP_RIGHTS,
  api: api('/daoyuan/api/end', 'app_clients', 'app_client'),
  fields: {
    name: text('应用名称', { required: true, max: 50, search: true, unique: true }),
    scopes: tags('可用接口', { required: true, help: '密钥只能调用所选的接口' }),
    per_minute: number('每分钟上限', { required: true, min: 1, max: 100_000, unit: '次', initial: 600, help: '按服务进程计' }),
    status: toggle('状态', { on: '启用', off: '停用', onDone: '启用成功', offDone: '已停用，密钥不能再使用' }, { required: true }),
    key_hint: text('密钥', { readonly: true, max: 20 }),
    key_at: time('密钥生成时间', { readonly: true }),
    last_used_at: time('最近使用', { readonly: true, audit: false }),
    remark: text('备注', { max: 200 }),
  },
  list: { columns: ['name', 'scopes', 'per_minute', 'status', 'key_hint', 'key_at', 'last_used_at', 'updated_at'], filters: ['status', 'created_at'] },
  form: [{ fields: ['name', 'scopes', 'per_minute', 'status', 'remark'] }],
  logged: [{ name: 'make_key', label: '生成密钥' }, { name: 'revoke_key', label: '吊销密钥' }],
})

/** Makes a key and shows it once; the one before stops working at once. */
export const makeAppKey = defineEndpoint<{ key: string }>()({
  method: 'POST', path: `${appClient.api.item}/{id}/key`, summary: '生成学习端应用的密钥', grant: [APP_KEY_GRANT], fresh: true, secret: true,
})

/** Revokes the key of an app for good. */
export const revokeAppKey = defineEndpoint<Record<string, never>>()({
  method: 'POST', path: `${appClient.api.item}/{id}/revoke_key`, summary: '吊销学习端应用的密钥', grant: [APP_KEY_GRANT], input: z.object({ reason: reasonSchema }),
})

/** What keys can be good for, each with the calls that it opens. */
export const appScopes = defineEndpoint<{ items: (AppScope & { calls: string[] })[] }>()({
  method: 'GET', path: `${appClient.api.item}_scopes`, summary: '学习端应用可用的接口', grant: [SCREEN],
})

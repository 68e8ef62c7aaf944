import { choice } from '../../core/field/choice.ts'
import { number } from '../../core/field/number.ts'
import { reference } from '../../core/field/reference.ts'
import { region } from '../../core/field/region.ts'
import { text } from '../../core/field/text.ts'
import { time } from '../../core/field/time.ts'
import { api, defineResource } from '../../core/resource/define.ts'
import { appUser } from '../user/module.ts'
import { MONITOR_RIGHTS } from './account-monitor.ts'

export const NETWORKS = [{ value: 'home', label: '普通网络' }, { value: 'school', label: '学校网络' }, { value: 'pad', label: '自习室平板' }] as const
/** Days that sessions are kept. */
export const KEPT_DAYS = 90

/** Somebody was in a learners' app, on which device, where and for how long: facts that apps tell, kept by the month. */
export const deviceSession = defineResource({
  name: 'device_session',
  label: '学习会话',
  measure: '次',
  title: 'device_name',
  grant: MONITOR_RIGHTS.screen,
  rights: MONITOR_RIGHTS,
  api: api('/daoyuan/api/end', 'device_sessions', 'device_session'),
  fields: {
    user_id: reference('用户', () => appUser, { required: true, readonly: true }),
    session_key: text('会话标识', { required: true, readonly: true, max: 60 }),
    device_id: text('设备标识', { required: true, readonly: true, max: 80 }),
    device_name: text('设备', { required: true, readonly: true, max: 60 }),
    network: choice('网络', NETWORKS, { required: true, readonly: true }),
    region_code: region('城市', { readonly: true }),
    lat: number('纬度', { readonly: true, min: -90, max: 90, digits: 4 }),
    lng: number('经度', { readonly: true, min: -180, max: 180, digits: 4 }),
    pages: number('翻页', { readonly: true, initial: 0 }),
    answers: number('作答', { readonly: true, initial: 0 }),
    fast: number('过快作答', { readonly: true, initial: 0 }),
    began_at: time('开始', { required: true, readonly: true }),
    ended_at: time('结束', { required: true, readonly: true }),
  },
  list: { columns: ['device_name', 'user_id', 'network', 'region_code', 'began_at', 'ended_at'], filters: ['user_id', 'began_at'] },
  monthly: 'began_at',
  audit: false,
  scope: { agent: 'user_id.agent_id' },
  unique: [['session_key', 'began_at']],
  indexes: [['user_id', 'began_at'], ['began_at']],
  without: ['create', 'update', 'edit', 'remove', 'export'],
})

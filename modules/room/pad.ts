import * as z from 'zod/mini'
import { choice, toggle } from '../../core/field/choice.ts'
import { money, number } from '../../core/field/number.ts'
import { reference } from '../../core/field/reference.ts'
import { longText, text } from '../../core/field/text.ts'
import { date, time } from '../../core/field/time.ts'
import { defineEndpoint } from '../../core/endpoint/define.ts'
import { defineRights } from '../../core/grant/rights.ts'
import { api, defineResource } from '../../core/resource/define.ts'
import { reasonSchema, type WireRow } from '../../core/resource/endpoints.ts'
import { screenId } from '../screens.ts'
import { OWNERSHIP, school, schoolStudent } from '../study-room/module.ts'
import { padPolicy } from './device/policy.ts'
import { selfMember } from './member.ts'
import { anyRoom } from './room.ts'
import { seat } from './seat.ts'

/** States of a pad (domain 1.18). */
export const PAD_STATUS = { stock: 0, in_use: 1, repair: 2, lost: 3, retired: 4 } as const

const S = PAD_STATUS

/** Rights of the screen beside the standard ones. */
export const PAD_RIGHTS = defineRights(screenId('/study-room/pad'), {
  bind: [11, '绑定和解绑'],
  repair: [12, '报修和修好入库'],
  lose: [13, '挂失和找回'],
  retire: [14, '报废'],
  move: [15, '调拨'],
  lock: [16, '锁定和解锁'],
  command: [17, '远程指令和策略下发'],
  connect: [18, '生成接入码'],
})

/** Pads of all rooms: which is where, and who has it (domain 1.9). */
export const pad = defineResource({
  name: 'pad',
  label: '平板',
  measure: '台',
  title: 'sn',
  grant: PAD_RIGHTS.screen,
  rights: PAD_RIGHTS,
  api: api(OWNERSHIP.own.base, 'pads', 'pad'),
  fields: {
    sn: text('SN 码', { required: true, unique: true, createOnly: true, search: true, scanned: true, max: 24, pattern: [/^[A-Z0-9]{8,24}$/, '应为 8 到 24 位大写字母或数字'], example: 'DYPAD2026A00001' }),
    model: text('型号', { max: 40, search: true, example: 'DY-T10' }),
    mac: text('MAC 地址', { max: 17, pattern: [/^([0-9A-F]{2}:){5}[0-9A-F]{2}$/, '格式应为 3C:5A:B4:01:02:03'], example: '3C:5A:B4:01:02:03' }),
    imei: text('IMEI 码', { max: 15, pattern: [/^\d{15}$/, '应为 15 位数字'], example: '860000000000001' }),
    os_version: text('系统版本', { max: 20 }),
    app_version: text('应用版本', { max: 20 }),
    storage_gb: number('存储', { max: 4096, unit: 'GB' }),
    room_id: reference('自习室', () => anyRoom, { readonly: true }),
    school_id: reference('学校', () => school, { readonly: true, onRemove: 'keep' }),
    seat_id: reference('座位', () => seat, { readonly: true }),
    student_id: reference('学生', () => schoolStudent, { readonly: true }),
    member_id: reference('会员', () => selfMember, { readonly: true }),
    lease: choice('方式', [{ value: 1, label: '租用' }, { value: 2, label: '购买' }, { value: 3, label: '自有' }]),
    deposit: money('押金'),
    warranty_at: date('保修到期'),
    activated_at: time('激活时间', { readonly: true }),
    last_online_at: time('最近在线', { readonly: true, audit: false }),
    battery: number('电量', { readonly: true, max: 100, unit: '%', audit: false }),
    free_gb: number('可用存储', { readonly: true, max: 4096, unit: 'GB', audit: false }),
    connected_at: time('接入时间', { readonly: true }),
    policy_id: reference('管控策略', () => padPolicy, { readonly: true }),
    policy_version: number('已生效版本', { readonly: true, audit: false }),
    lng: number('经度', { readonly: true, min: -180, max: 180, digits: 6, audit: false }),
    lat: number('纬度', { readonly: true, min: -90, max: 90, digits: 6, audit: false }),
    located_at: time('定位时间', { readonly: true, audit: false }),
    locked: toggle('锁定', { on: '已锁定', off: '未锁定' }, { required: true, readonly: true, initial: 0 }),
    status: choice('状态', [
      { value: S.stock, label: '在库', tone: 'idle' },
      { value: S.in_use, label: '在用', tone: 'success' },
      { value: S.repair, label: '维修', tone: 'warning' },
      { value: S.lost, label: '丢失', tone: 'error' },
      { value: S.retired, label: '报废', tone: 'default' },
    ], { required: true, readonly: true, initial: S.stock }),
    remark: longText('备注', { max: 200 }),
  },
  list: {
    columns: ['sn', 'status', 'room_id', 'seat_id', 'student_id', 'member_id', 'last_online_at', 'battery', 'policy_id', 'policy_version', 'locked', 'model', 'os_version', 'app_version', 'updated_at'], under: ['model'],
    filters: ['room_id', 'school_id', 'status', 'model', 'app_version', 'policy_id', 'locked', 'lease', 'last_online_at', 'warranty_at', 'created_at'],
  },
  form: [
    { title: '设备', fields: ['sn', 'model', 'mac', 'imei', 'os_version', 'app_version', 'storage_gb'] },
    { title: '管理', fields: ['lease', 'deposit', 'warranty_at', 'remark'] },
  ],
  import: { columns: ['sn', 'model', 'mac', 'imei', 'os_version', 'app_version', 'storage_gb', 'warranty_at'], key: ['sn'] },
  transitions: [
    { name: 'repair', label: '报修', field: 'status', from: [S.stock, S.in_use], to: S.repair, right: 'repair', reason: true, instead: '报错了，修好入库后再分配' },
    { name: 'repaired', label: '修好入库', field: 'status', from: [S.repair], to: S.stock, right: 'repair' },
    { name: 'lose', label: '挂失', field: 'status', from: [S.stock, S.in_use], to: S.lost, right: 'lose', reason: true, danger: true, instead: '挂失错了，找回入库后再分配' },
    { name: 'find', label: '找回', field: 'status', from: [S.lost], to: S.stock, right: 'lose' },
    { name: 'retire', label: '报废', field: 'status', from: [S.stock, S.repair, S.lost], to: S.retired, right: 'retire', reason: true, danger: true, instead: '报废不能撤销，请先核对资产编号' },
    { name: 'lock', label: '锁定', field: 'locked', from: [0], to: 1, right: 'lock', reason: true },
    { name: 'unlock', label: '解锁', field: 'locked', from: [1], to: 0, right: 'lock' },
  ],
  policies: [
    { of: ['remove'], policy: 'unless', field: 'status', values: [S.in_use], why: '平板在用，请先解绑再删除' },
    { of: ['connect'], policy: 'unless', field: 'status', values: [S.retired], why: '平板已报废，不能接入' },
  ],
  logged: [{ name: 'connect', label: '生成接入码' }, { name: 'policy', label: '策略下发' }, { name: 'bind', label: '绑定' }, { name: 'unbind', label: '解绑' }, { name: 'move', label: '调拨' },
    { name: 'command', label: '远程指令' }, { name: 'answer', label: '指令回执' }, { name: 'poll', label: '平板上报' }],
  scope: { school: 'school_id', partner: 'school_id.partner_id', agent: 'school_id.partner_id.agent_id' },
  indexes: [['status']],
})

const optionalId = z.optional(z.int('请从列表中选择').check(z.positive('请从列表中选择')))

/** Gives a pad to a seat, a student or a member of the room in which it is. */
export const bindPad = defineEndpoint<WireRow>()({
  method: 'POST', path: `${pad.api.item}/{id}/bind`, summary: '绑定平板', grant: [PAD_RIGHTS.id('bind')],
  input: z.object({ seat_id: optionalId, student_id: optionalId, member_id: optionalId }).check(
    z.refine((to) => [to.seat_id, to.student_id, to.member_id].filter((id) => id !== undefined).length === 1, '请选择座位、学生或会员之一'),
  ),
})

export const unbindPad = defineEndpoint<WireRow>()({
  method: 'POST', path: `${pad.api.item}/{id}/unbind`, summary: '解绑平板', grant: [PAD_RIGHTS.id('bind')], input: z.object({ reason: z.optional(reasonSchema) }),
})

/** Sends pads to another room, or back to the store when no room is named. */
export const movePads = defineEndpoint<{ moved: number; undo?: number }>()({
  method: 'POST', path: `${pad.api.list}/move`, summary: '调拨平板', grant: [PAD_RIGHTS.id('move')],
  input: z.object({
    ids: z.array(z.int('请选择平板'), '请选择平板').check(z.minLength(1, '请选择平板'), z.maxLength(500, '一次最多调拨 500 台')),
    room_id: optionalId,
    reason: z.optional(reasonSchema),
  }),
  back: 'undo',
})

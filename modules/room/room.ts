import { choice, toggle } from '../../core/field/choice.ts'
import type { InputOf } from '../../core/field/field.ts'
import { images } from '../../core/field/file.ts'
import { group } from '../../core/field/group.ts'
import { computed, json } from '../../core/field/json.ts'
import { number } from '../../core/field/number.ts'
import { reference } from '../../core/field/reference.ts'
import { longText, text } from '../../core/field/text.ts'
import { api, defineResource } from '../../core/resource/define.ts'
import { screenId } from '../screens.ts'
import { roomType, school, SELF_RUN } from '../study-room/module.ts'
import { priceRules } from './price-rule.ts'
import { OWN_SIDE, PARTNER_SIDE, type Side } from './ownership.ts'

/** Things in a room that can be switched or watched (domain 1.8: 门禁, 灯). */
const DEVICE_KINDS = [
  { value: 'door', label: '门禁' }, { value: 'light', label: '灯光' }, { value: 'camera', label: '摄像头' }, { value: 'air', label: '空调' }, { value: 'other', label: '其他' },
] as const

const device = {
  kind: choice('类型', DEVICE_KINDS, { required: true, initial: 'door' }),
  name: text('设备名称', { required: true, max: 30 }),
  sn: text('编号', { max: 40 }),
}

export type Device = InputOf<typeof device>

/** Rooms of one side, or of both; all are of one shape and in one table. */
function roomsOf(side: Side | undefined, own: { name: string; grant: number; api: ReturnType<typeof api> }) {
  return defineResource({
    ...own,
    table: 'study_room',
    label: '自习室',
    ...(side && { where: { self_run: side.self_run } }),
    fields: {
      name: text('自习室名称', { required: true, max: 40, search: true }),
      school_id: reference('学校', side?.schools ?? (() => school), { required: true }),
      self_run: choice('经营方式', SELF_RUN, { required: true }),
      type_id: reference('自习室类型', () => roomType, { required: true }),
      area_m2: number('面积', { digits: 1, max: 10_000, unit: '㎡' }),
      seat_cnt: number('座位数', { readonly: true }),
      present_cnt: computed('在座'),
      today_cnt: computed('今日到店'),
      // 坪效: what members paid for each square metre in the last thirty days.
      revenue_m2: computed('近 30 天坪效（元/㎡）', 'money'),
      pad_cnt: computed('平板数'),
      price_rules: json('价格规则', priceRules),
      devices: group('设备', device, { max: 50 }),
      imgs: images('图片'),
      notice: longText('公告', { max: 500 }),
      status: toggle('状态', { on: '营业', off: '停业', onDone: '恢复营业成功' }, { required: true }),
    },
    list: {
      columns: ['name', 'status', 'seat_cnt', 'present_cnt', 'today_cnt', 'revenue_m2', 'pad_cnt', 'updated_at', 'school_id', 'type_id', 'price_rules', 'devices', 'imgs', 'notice'], under: ['school_id', 'type_id'],
      filters: ['school_id', 'type_id', 'status', 'created_at'],
      summary: ['seat_cnt'],
    },
    form: [
      { title: '基本信息', fields: ['name', 'school_id', 'type_id', 'area_m2', 'status'] },
      { title: '价格', fields: ['price_rules'] },
      { title: '环境', fields: ['devices', 'imgs', 'notice'] },
    ],
    import: { columns: ['name', 'school_id', 'type_id', 'area_m2', 'notice'], key: ['school_id', 'name'] },
    logged: [{ name: 'seat_map', label: '修改座位图' }],
    unique: [['school_id', 'name']],
    scope: { school: 'school_id', partner: 'school_id.partner_id', agent: 'school_id.partner_id.agent_id' },
    pick: { within: ['school_id'], offered: { status: 1 } },
    ...(!side && { without: ['create', 'update', 'edit', 'remove', 'import', 'export'] as const }),
  })
}

const roomOf = (side: Side) => roomsOf(side, { name: `${side.prefix}study_room`, grant: side.screens.room, api: api(side.base, 'rooms', 'room') })

/** Rooms in partners' schools, and our own. */
export const studyRoom = roomOf(PARTNER_SIDE)
export const selfRoom = roomOf(OWN_SIDE)

/** All rooms, to be picked where it does not matter who runs them. */
export const anyRoom = roomsOf(undefined, { name: 'any_room', grant: screenId('/study-room/pad'), api: api(OWN_SIDE.base, 'all_rooms', 'any_room') })

import { choice } from '../../core/field/choice.ts'
import { computed } from '../../core/field/json.ts'
import { mobile } from '../../core/field/mobile.ts'
import { number } from '../../core/field/number.ts'
import { reference, referenceList } from '../../core/field/reference.ts'
import { region } from '../../core/field/region.ts'
import { text } from '../../core/field/text.ts'
import { date, timeRange } from '../../core/field/time.ts'
import { defineRights } from '../../core/grant/rights.ts'
import { api, defineResource } from '../../core/resource/define.ts'
import { screenId } from '../screens.ts'
import { OWNERSHIP, SELF_RUN } from './api.ts'
import { partner } from './partner.ts'
import { roomType } from './room-type.ts'
import { unit } from './unit.ts'

export const SCHOOL_STATUS = { preparing: 0, open: 1, paused: 2, closed: 3 } as const

/** What partners' schools and our own have in common. */
const fields = {
  self_run: choice('经营方式', SELF_RUN),
  type_id: reference('自习室类型', () => roomType, { required: true }),
  region_code: region('所在地区', { required: true }),
  address: text('详细地址', { required: true, max: 100 }),
  lng: number('经度', { min: -180, max: 180, digits: 6 }),
  lat: number('纬度', { min: -90, max: 90, digits: 6 }),
  manager: text('负责人', { required: true, max: 20, search: true }),
  mobile: mobile('负责人手机', { required: true, search: true }),
  open_hours: timeRange('营业时间'),
  seat_cnt: number('座位数', { max: 100_000, initial: 0 }),
  pad_cnt: number('平板数', { max: 100_000, initial: 0 }),
  unit_ids: referenceList('开通套餐', () => unit),
  status: choice('状态', [
    { value: SCHOOL_STATUS.preparing, label: '筹备', tone: 'idle' },
    { value: SCHOOL_STATUS.open, label: '营业', tone: 'success' },
    { value: SCHOOL_STATUS.paused, label: '暂停', tone: 'warning' },
    { value: SCHOOL_STATUS.closed, label: '关闭', tone: 'default' },
  ], { readonly: true, initial: SCHOOL_STATUS.preparing }),
} as const

const CLOSE = { close: [11, '关闭'] } as const

const transitions = [
  { name: 'open', label: '营业', field: 'status', from: [SCHOOL_STATUS.preparing, SCHOOL_STATUS.paused], to: SCHOOL_STATUS.open, instead: '开错了，暂停营业' },
  { name: 'pause', label: '暂停', field: 'status', from: [SCHOOL_STATUS.open], to: SCHOOL_STATUS.paused, reason: true },
  { name: 'close', label: '关闭', field: 'status', from: [SCHOOL_STATUS.preparing, SCHOOL_STATUS.open, SCHOOL_STATUS.paused], to: SCHOOL_STATUS.closed, right: 'close', reason: true, danger: true, instead: '关闭不能撤销，重新开办时新建学校' },
] as const

/** A school or shop where a partner's students study. */
export const school = defineResource({
  name: 'app_school',
  label: '学校',
  grant: screenId('/new-study-room/school/school-list'),
  rights: defineRights(screenId('/new-study-room/school/school-list'), CLOSE),
  api: api(OWNERSHIP.partner.base, 'app_schools', 'app_school'),
  where: { self_run: OWNERSHIP.partner.self_run },
  fields: {
    name: text('学校名称', { required: true, max: 60, search: true }),
    partner_id: reference('合伙人', () => partner, { required: true }),
    ...fields,
    student_cnt: computed('学生数'),
    teacher_cnt: computed('教师数'),
    expire_at: date('到期日期', { required: true }),
  },
  list: {
    columns: ['name', 'status', 'partner_id', 'manager', 'mobile', 'student_cnt', 'teacher_cnt', 'expire_at', 'updated_at', 'type_id', 'region_code', 'seat_cnt', 'pad_cnt'], under: ['type_id', 'region_code'],
    filters: ['partner_id', 'type_id', 'region_code', 'status', 'expire_at', 'created_at'],
    summary: ['seat_cnt', 'pad_cnt'],
  },
  form: [
    { title: '基本信息', fields: ['name', 'partner_id', 'type_id', 'region_code', 'address', 'lng', 'lat'] },
    { title: '负责人', fields: ['manager', 'mobile'] },
    { title: '经营', fields: ['open_hours', 'seat_cnt', 'pad_cnt', 'unit_ids', 'expire_at'] },
  ],
  import: { columns: ['name', 'partner_id', 'type_id', 'region_code', 'address', 'manager', 'mobile', 'open_hours', 'seat_cnt', 'pad_cnt', 'expire_at'], key: ['partner_id', 'name'] },
  unique: [['partner_id', 'name']],
  transitions,
  scope: { school: 'id', partner: 'partner_id', agent: 'partner_id.agent_id' },
  indexes: [['status']],
})

/** A school or shop of our own. It has no partner, so a person who is limited to partners sees none of them. */
export const selfSchool = defineResource({
  name: 'self_school',
  table: 'app_school',
  label: '自营学校',
  grant: screenId('/study-room/school/list'),
  rights: defineRights(screenId('/study-room/school/list'), CLOSE),
  api: api(OWNERSHIP.own.base, 'app_schools', 'app_school'),
  where: { self_run: OWNERSHIP.own.self_run },
  fields: {
    name: text('学校名称', { required: true, max: 60, search: true, unique: true }),
    partner_id: reference('合伙人', () => partner, { readonly: true, onRemove: 'keep' }),
    ...fields,
    room_cnt: computed('自习室数'),
    present_cnt: computed('在座'),
    expire_at: date('租约到期'),
  },
  list: {
    columns: ['name', 'status', 'manager', 'mobile', 'room_cnt', 'present_cnt', 'seat_cnt', 'expire_at', 'updated_at', 'type_id', 'region_code', 'pad_cnt', 'open_hours'], under: ['type_id', 'region_code'],
    filters: ['type_id', 'region_code', 'status', 'expire_at', 'created_at'],
    summary: ['seat_cnt', 'pad_cnt'],
  },
  form: [
    { title: '基本信息', fields: ['name', 'type_id', 'region_code', 'address', 'lng', 'lat'] },
    { title: '负责人', fields: ['manager', 'mobile'] },
    { title: '经营', fields: ['open_hours', 'seat_cnt', 'pad_cnt', 'unit_ids', 'expire_at'] },
  ],
  transitions,
  scope: { school: 'id', partner: 'partner_id', agent: 'partner_id.agent_id' },
  indexes: [['status']],
})

import { choice } from '../../core/field/choice.ts'
import { money, number } from '../../core/field/number.ts'
import { reference } from '../../core/field/reference.ts'
import { text } from '../../core/field/text.ts'
import { date } from '../../core/field/time.ts'
import { api, defineResource } from '../../core/resource/define.ts'
import { selfSchool } from '../study-room/module.ts'
import { selfRoom } from './room.ts'
import { OWN_SIDE } from './ownership.ts'

/** What our own rooms use of water and electricity, month by month as the meters were read (domain 1.9, 水电). */
export const roomUtility = defineResource({
  name: 'room_utility',
  label: '水电记录',
  title: 'remark',
  grant: OWN_SIDE.screens.room,
  api: api(OWN_SIDE.base, 'room_utilities', 'room_utility'),
  fields: {
    room_id: reference('自习室', () => selfRoom, { required: true, createOnly: true, onRemove: 'keep' }),
    school_id: reference('学校', () => selfSchool, { readonly: true, onRemove: 'keep' }),
    kind: choice('项目', [{ value: 1, label: '电费' }, { value: 2, label: '水费' }], { required: true, createOnly: true }),
    read_at: date('抄表日期', { required: true }),
    reading: number('表底读数', { required: true, digits: 2, max: 99_999_999 }),
    used: number('用量', { required: true, digits: 2, max: 9_999_999, help: '电为度，水为吨' }),
    amount: money('金额', { required: true }),
    remark: text('备注', { max: 100 }),
  },
  list: {
    columns: ['read_at', 'kind', 'reading', 'used', 'amount', 'room_id', 'school_id', 'remark', 'created_by_name'],
    filters: ['kind', 'read_at', 'room_id', 'school_id'],
    sort: '-read_at',
    summary: ['amount'],
  },
  form: [{ fields: ['room_id', 'kind', 'read_at', 'reading', 'used', 'amount', 'remark'] }],
  import: { columns: ['room_id', 'kind', 'read_at', 'reading', 'used', 'amount', 'remark'], key: ['room_id', 'kind', 'read_at'] },
  scope: { school: 'school_id', partner: 'school_id.partner_id', agent: 'school_id.partner_id.agent_id' },
})

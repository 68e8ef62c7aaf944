import { choice, toggle } from '../../core/field/choice.ts'
import { number } from '../../core/field/number.ts'
import { reference } from '../../core/field/reference.ts'
import { text } from '../../core/field/text.ts'
import { api, defineResource } from '../../core/resource/define.ts'
import { screenId } from '../screens.ts'
import { OWNERSHIP, school } from '../study-room/module.ts'
import { SEAT_KINDS } from './price-rule.ts'
import { anyRoom } from './room.ts'

/** A seat of a room. Seats are drawn on the room's map and written there only. */
export const seat = defineResource({
  name: 'seat',
  label: '座位',
  title: 'label',
  grant: screenId('/new-study-room/self-study-room/list'),
  api: api(OWNERSHIP.partner.base, 'seats', 'seat'),
  fields: {
    label: text('座位', { required: true, readonly: true, max: 40, search: true }),
    room_id: reference('自习室', () => anyRoom, { required: true, readonly: true, onRemove: 'keep' }),
    school_id: reference('学校', () => school, { required: true, readonly: true, onRemove: 'keep' }),
    area: text('区域', { required: true, readonly: true, max: 10 }),
    row: number('排', { required: true, readonly: true, min: 1, max: 99 }),
    no: number('号', { required: true, readonly: true, min: 1, max: 999 }),
    kind: choice('类型', SEAT_KINDS, { required: true, readonly: true }),
    x: number('横向位置', { required: true, readonly: true, max: 199 }),
    y: number('纵向位置', { required: true, readonly: true, max: 199 }),
    status: toggle('状态', { on: '可用', off: '停用' }, { required: true, readonly: true }),
  },
  list: { columns: ['label', 'room_id', 'school_id', 'kind', 'status', 'updated_at'], filters: ['room_id', 'school_id', 'kind', 'status'], sort: 'id' },
  pick: { within: ['room_id'] },
  scope: { school: 'school_id', partner: 'school_id.partner_id', agent: 'school_id.partner_id.agent_id' },
  // The map is saved as a whole, and that is what is logged.
  audit: false,
  without: ['create', 'update', 'edit', 'remove', 'export'],
})

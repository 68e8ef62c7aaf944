import { choice } from '../../core/field/choice.ts'
import { computed } from '../../core/field/json.ts'
import { number } from '../../core/field/number.ts'
import { reference, type Target } from '../../core/field/reference.ts'
import { text } from '../../core/field/text.ts'
import { time } from '../../core/field/time.ts'
import { api, defineResource } from '../../core/resource/define.ts'
import { SELF_RUN } from '../study-room/module.ts'
import { CARD_KINDS } from './card-kind.ts'
import { roomMember, selfMember } from './member.ts'
import { selfRoom, studyRoom } from './room.ts'
import { seat } from './seat.ts'
import { OWN_SIDE, PARTNER_SIDE, type Side } from './ownership.ts'
import { selfUserCard, userCard } from './user-card.ts'

interface Targets {
  rooms: () => Target
  members: () => Target
  userCards: () => Target
}

/** Times that members were here: from check-in to check-out on a seat, paid by a card. */
function visitsOf(side: Side, { rooms, members, userCards }: Targets) {
  return defineResource({
    name: `${side.prefix}visit`,
    table: 'visit',
    label: '签到记录',
    title: 'remark',
    grant: side.screens.member,
    api: api(side.base, 'visits', 'visit'),
    where: { self_run: side.self_run },
    fields: {
      member_id: reference('会员', members, { required: true, readonly: true, onRemove: 'keep' }),
      room_id: reference('自习室', rooms, { required: true, readonly: true, onRemove: 'keep' }),
      seat_id: reference('座位', () => seat, { required: true, readonly: true, onRemove: 'keep' }),
      user_card_id: reference('卡号', userCards, { required: true, readonly: true, onRemove: 'keep' }),
      school_id: reference('学校', side.schools, { required: true, readonly: true, onRemove: 'keep' }),
      self_run: choice('经营方式', SELF_RUN, { required: true }),
      in_at: time('签到', { required: true, readonly: true }),
      out_at: time('签退', { readonly: true }),
      minutes: number('时长', { readonly: true, unit: '分钟' }),
      kind: choice('卡种', CARD_KINDS, { required: true, readonly: true }),
      used: number('扣减数', { readonly: true }),
      used_text: computed('扣卡', 'text'),
      short: number('不足数', { readonly: true }),
      comment: text('督学评语', { readonly: true, max: 200 }),
      remark: text('备注', { readonly: true, max: 200 }),
    },
    list: {
      columns: ['in_at', 'out_at', 'minutes', 'member_id', 'room_id', 'seat_id', 'user_card_id', 'used_text', ...(side.self_run ? ['comment' as const] : []), 'remark', 'created_by_name'],
      filters: ['member_id', 'user_card_id', 'room_id', 'school_id', 'in_at', 'out_at', 'minutes'],
      sort: '-id',
    },
    scope: { school: 'school_id', partner: 'school_id.partner_id', agent: 'school_id.partner_id.agent_id' },
    indexes: [['room_id', 'in_at'], ['member_id', 'in_at']],
    logged: [{ name: 'check_in', label: '签到' }, { name: 'check_out', label: '签退' }, { name: 'undo_check_in', label: '撤销签到' }, { name: 'move', label: '换座' }, { name: 'comment', label: '写评语' }],
    audit: false,
    without: ['create', 'update', 'edit', 'remove'],
  })
}

export const visit = visitsOf(PARTNER_SIDE, { rooms: () => studyRoom, members: () => roomMember, userCards: () => userCard })
export const selfVisit = visitsOf(OWN_SIDE, { rooms: () => selfRoom, members: () => selfMember, userCards: () => selfUserCard })

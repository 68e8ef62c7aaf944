import { choice, multiChoice, toggle } from '../../core/field/choice.ts'
import { tags } from '../../core/field/json.ts'
import { money, number, sortOrder } from '../../core/field/number.ts'
import { reference, referenceList } from '../../core/field/reference.ts'
import { text } from '../../core/field/text.ts'
import { api, defineResource } from '../../core/resource/define.ts'
import { SELF_RUN } from '../study-room/module.ts'
import { CARD_KINDS } from './card-kind.ts'
import { SEAT_KINDS } from './price-rule.ts'
import { selfRoom, studyRoom } from './room.ts'
import { OWN_SIDE, PARTNER_SIDE, type Side } from './ownership.ts'

/** Kinds of card that a school sells (domain 1.8): what they hold, how long, where and with which rights. */
function cardsOf(side: Side, rooms: () => typeof studyRoom) {
  return defineResource({
    name: `${side.prefix}member_card`,
    table: 'member_card',
    label: '会员卡',
    measure: '种',
    grant: side.screens.card,
    api: api(side.base, 'member_cards', 'member_card'),
    where: { self_run: side.self_run },
    fields: {
      name: text('卡名', { required: true, max: 30, search: true }),
      school_id: reference('学校', side.schools, { required: true }),
      self_run: choice('经营方式', SELF_RUN, { required: true }),
      kind: choice('卡种', CARD_KINDS, { required: true }),
      quota: number('额度', { required: true, max: 9_999_999, help: '期限卡在有效期内不限次数，额度填 0' }),
      valid_days: number('有效天数', { required: true, min: 1, max: 3650, unit: '天' }),
      price: money('售价', { required: true }),
      room_ids: referenceList('适用自习室', rooms, { within: { school_id: 'school_id' }, help: '不选则本校全部自习室可用' }),
      seat_kinds: multiChoice('可坐座位', SEAT_KINDS, { help: '不选则全部座位可坐' }),
      subjects: tags('学科'),
      pad: toggle('平板', { on: '含平板', off: '不含', onDone: '已设为含平板', offDone: '已设为不含平板' }, { initial: 0 }),
      freeze_times: number('可冻结次数', { max: 99, initial: 0, unit: '次', help: '0 为不可冻结' }),
      freeze_days: number('累计冻结天数', { max: 365, initial: 0, unit: '天' }),
      transferable: toggle('转让', { on: '可转', off: '不可转', onDone: '已设为可转让', offDone: '已设为不可转让' }, { initial: 0 }),
      stock: number('库存', { max: 999_999, help: '不填则不限量' }),
      sold: number('已售', { readonly: true, audit: false }),
      sort: sortOrder(),
      status: toggle('状态', { on: '上架', off: '下架' }, { required: true }),
    },
    list: {
      columns: ['name', 'status', 'price', 'quota', 'valid_days', 'sold', 'stock', 'updated_at', 'school_id', 'kind', 'room_ids', 'seat_kinds', 'freeze_times', 'transferable', 'sort'], under: ['kind', 'school_id'],
      filters: ['school_id', 'kind', 'status', 'price', 'transferable', 'created_at'],
      summary: ['sold'],
    },
    form: [
      { title: '基本信息', fields: ['name', 'school_id', 'kind', 'quota', 'valid_days', 'price'] },
      { title: '使用范围', fields: ['room_ids', 'seat_kinds', 'subjects', 'pad'] },
      { title: '规则', fields: ['freeze_times', 'freeze_days', 'transferable'] },
      { title: '销售', fields: ['stock', 'sort', 'status'] },
    ],
    unique: [['school_id', 'name']],
    scope: { school: 'school_id', partner: 'school_id.partner_id', agent: 'school_id.partner_id.agent_id' },
    pick: { within: ['school_id'], offered: { status: 1 } },
  })
}

export const memberCard = cardsOf(PARTNER_SIDE, () => studyRoom)
export const selfMemberCard = cardsOf(OWN_SIDE, () => selfRoom)

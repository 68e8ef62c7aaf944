import { choice } from '../../core/field/choice.ts'
import { image } from '../../core/field/file.ts'
import { computed } from '../../core/field/json.ts'
import { mobile } from '../../core/field/mobile.ts'
import { number } from '../../core/field/number.ts'
import { reference } from '../../core/field/reference.ts'
import { personName } from '../../core/field/person-name.ts'
import { longText } from '../../core/field/text.ts'
import { time } from '../../core/field/time.ts'
import { defineRights } from '../../core/grant/rights.ts'
import { api, defineResource } from '../../core/resource/define.ts'
import { GRADES } from '../reference/module.ts'
import { SELF_RUN } from '../study-room/module.ts'
import { MEMBER_RIGHTS } from './card-state.ts'
import { OWN_SIDE, PARTNER_SIDE, type Side } from './ownership.ts'

export const MEMBER_STATUS = { stopped: 0, normal: 1 } as const

/** People who study in the rooms of a school with cards (domain 1.8). */
function membersOf(side: Side) {
  return defineResource({
    name: `${side.prefix}room_member`,
    table: 'room_member',
    label: '会员',
    measure: '名',
    grant: side.screens.member,
    rights: defineRights(side.screens.member, MEMBER_RIGHTS),
    api: api(side.base, 'users', 'user'),
    where: { self_run: side.self_run },
    fields: {
      name: personName('姓名', { required: true, search: true }),
      mobile: mobile('手机号', { required: true, search: true }),
      school_id: reference('学校', side.schools, { required: true, createOnly: true }),
      self_run: choice('经营方式', SELF_RUN, { required: true }),
      photo: image('照片'),
      gender: choice('性别', [{ value: 1, label: '男' }, { value: 2, label: '女' }]),
      grade: choice('年级', GRADES),
      cards: computed('会员卡', 'text'),
      balance: computed('储值余额', 'money'),
      left_minutes: computed('剩余时长', 'number'),
      left_visits: computed('剩余次数', 'number'),
      card_until: computed('卡有效期至', 'time'),
      frozen_until: computed('冻结至', 'time'),
      leave_until: computed('请假至', 'time'),
      present: computed('在座', 'text'),
      visit_cnt: number('到店次数', { readonly: true, audit: false }),
      total_minutes: number('累计时长', { readonly: true, audit: false }),
      last_in_at: time('最近到店', { readonly: true, audit: false }),
      status: choice('状态', [
        { value: MEMBER_STATUS.normal, label: '正常', tone: 'success' },
        { value: MEMBER_STATUS.stopped, label: '停用', tone: 'default' },
      ], { required: true, readonly: true, initial: MEMBER_STATUS.normal }),
      remark: longText('备注', { max: 200 }),
    },
    list: {
      columns: ['name', 'mobile', 'status', 'cards', 'balance', 'card_until', 'present', 'last_in_at', 'school_id', 'left_minutes', 'left_visits', 'frozen_until', 'leave_until', 'visit_cnt', 'total_minutes'], under: ['school_id'],
      filters: ['school_id', 'mobile', 'grade', 'status', 'last_in_at', 'visit_cnt', 'created_at'],
      summary: ['visit_cnt', 'total_minutes'],
    },
    form: [{ fields: ['name', 'mobile', 'school_id', 'photo', 'gender', 'grade', 'remark'] }],
    import: { columns: ['name', 'mobile', 'school_id', 'gender', 'grade', 'remark'], key: ['school_id', 'mobile'] },
    unique: [['school_id', 'mobile']],
    transitions: [
      { name: 'stop', label: '停用', field: 'status', from: [MEMBER_STATUS.normal], to: MEMBER_STATUS.stopped, reason: true, danger: true },
      { name: 'resume', label: '恢复', field: 'status', from: [MEMBER_STATUS.stopped], to: MEMBER_STATUS.normal },
    ],
    scope: { school: 'school_id', partner: 'school_id.partner_id', agent: 'school_id.partner_id.agent_id' },
    pick: { within: ['school_id'] },
    indexes: [['school_id', 'last_in_at']],
  })
}

export const roomMember = membersOf(PARTNER_SIDE)
export const selfMember = membersOf(OWN_SIDE)

import { choice } from '../../core/field/choice.ts'
import { reference, type Target } from '../../core/field/reference.ts'
import { text } from '../../core/field/text.ts'
import { date } from '../../core/field/time.ts'
import { api, defineResource } from '../../core/resource/define.ts'
import { SELF_RUN } from '../study-room/module.ts'
import { roomMember, selfMember } from './member.ts'
import { OWN_SIDE, PARTNER_SIDE, type Side } from './ownership.ts'

export const LEAVE_STATUS = { asked: 1, back: 2, withdrawn: 3 } as const

const S = LEAVE_STATUS

/** Days on which a member said beforehand that they would not come (domain 1.9, 请假). */
function leavesOf(side: Side, members: () => Target) {
  return defineResource({
    name: `${side.prefix}member_leave`,
    table: 'member_leave',
    label: '请假',
    measure: '条',
    title: 'reason',
    grant: side.screens.member,
    api: api(side.base, 'member_leaves', 'member_leave'),
    where: { self_run: side.self_run },
    fields: {
      member_id: reference('会员', members, { required: true, createOnly: true, onRemove: 'cascade' }),
      school_id: reference('学校', side.schools, { readonly: true, onRemove: 'keep' }),
      self_run: choice('经营方式', SELF_RUN, { required: true }),
      from_at: date('开始日期', { required: true }),
      until_at: date('结束日期', { required: true, help: '含当天' }),
      reason: text('原因', { required: true, max: 200 }),
      status: choice('状态', [
        { value: S.asked, label: '已请假', tone: 'processing' },
        { value: S.back, label: '已销假', tone: 'success' },
        { value: S.withdrawn, label: '已撤销', tone: 'default' },
      ], { readonly: true, initial: S.asked }),
    },
    list: {
      columns: ['from_at', 'until_at', 'reason', 'status', 'member_id', 'created_by_name', 'created_at'],
      filters: ['status', 'from_at', 'until_at', 'member_id', 'school_id'],
      sort: '-from_at',
    },
    form: [{ fields: ['member_id', 'from_at', 'until_at', 'reason'] }],
    transitions: [
      { name: 'back', label: '销假', field: 'status', from: [S.asked], to: S.back, instead: '销假错了，再请一次假' },
      { name: 'withdraw', label: '撤销', field: 'status', from: [S.asked], to: S.withdrawn, reason: true, instead: '撤销错了，再请一次假' },
    ],
    scope: { school: 'school_id', partner: 'school_id.partner_id', agent: 'school_id.partner_id.agent_id' },
    indexes: [['member_id', 'from_at']],
  })
}

export const memberLeave = leavesOf(PARTNER_SIDE, () => roomMember)
export const selfLeave = leavesOf(OWN_SIDE, () => selfMember)

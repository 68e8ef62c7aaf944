import { choice } from '../../core/field/choice.ts'
import { number } from '../../core/field/number.ts'
import { reference } from '../../core/field/reference.ts'
import { segment } from '../../core/field/segment.ts'
import { text } from '../../core/field/text.ts'
import { time } from '../../core/field/time.ts'
import { api, defineResource } from '../../core/resource/define.ts'
import { appUser } from '../user/module.ts'
import { MANAGE_RIGHTS } from './rights.ts'

/** Where somebody may not speak. */
export const MUTE_RANGES = [{ value: 'all', label: '全部评论' }, { value: 'video', label: '视频评论' }, { value: 'practice', label: '习题评论' }] as const
export type MuteRange = (typeof MUTE_RANGES)[number]['value']

export const MUTE_STATE = { on: 1, lifted: 2 } as const

/** For how long somebody may be silenced, in days; longer is a matter of the account. */
export const MUTE_DAYS = [1, 3, 7, 30, 365] as const

/** 禁言: somebody may not say anything until a moment, and is told why. */
export const userMute = defineResource({
  name: 'user_mute',
  label: '禁言',
  measure: '条',
  title: 'reason',
  grant: MANAGE_RIGHTS.screen,
  rights: MANAGE_RIGHTS,
  api: api('/daoyuan/api/end', 'user_mutes', 'user_mute'),
  fields: {
    reason: text('原因', { required: true, readonly: true, max: 200, search: true }),
    user_id: reference('用户', () => appUser, { required: true, readonly: true, onRemove: 'keep' }),
    range: choice('范围', MUTE_RANGES, { required: true, readonly: true }),
    until: time('禁言至', { required: true, readonly: true }),
    /** The decision that it came with; it goes when that is taken back. */
    review_id: { ...number('审核编号', { readonly: true, initial: 0, audit: false }), unlisted: true as const },
    state: choice('状态', [{ value: MUTE_STATE.on, label: '禁言', tone: 'error' }, { value: MUTE_STATE.lifted, label: '已解除', tone: 'default' }], { readonly: true, initial: MUTE_STATE.on }),
    now: segment('目前', [{ value: 'on', label: '禁言中' }, { value: 'over', label: '已到期' }]),
  },
  list: { columns: ['user_id', 'state', 'range', 'until', 'reason', 'created_by_name', 'created_at', 'updated_at'], filters: ['state', 'now', 'range', 'user_id', 'until', 'created_at'] },
  transitions: [{ name: 'lift', label: '解除禁言', field: 'state', from: [MUTE_STATE.on], to: MUTE_STATE.lifted, right: 'mute', reason: true, instead: '解除错了，重新禁言' }],
  logged: [{ name: 'mute', label: '禁言' }, { name: 'undo_review', label: '撤销审核' }],
  unscoped: { agent: 'Who may not speak is decided for everybody, whoever sold to them.' },
  indexes: [['user_id', 'state']],
  without: ['create', 'update', 'edit', 'remove', 'import'],
})

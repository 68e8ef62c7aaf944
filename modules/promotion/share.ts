import { choice } from '../../core/field/choice.ts'
import { money, number } from '../../core/field/number.ts'
import { reference } from '../../core/field/reference.ts'
import { tags } from '../../core/field/json.ts'
import { text } from '../../core/field/text.ts'
import { defineRights } from '../../core/grant/rights.ts'
import { api, defineResource } from '../../core/resource/define.ts'
import { screenId } from '../screens.ts'
import { appUser } from '../user/module.ts'
import { activity } from './activity.ts'

export const SHARE_PATH = '/operate/user/share'

export const SHARE_STATE = { fine: 1, doubt: 2, frozen: 3 } as const

const S = SHARE_STATE

export const SHARE_CHANNELS = [{ value: 1, label: '微信好友' }, { value: 2, label: '朋友圈' }, { value: 3, label: '海报' }, { value: 4, label: '复制链接' }] as const

/** What speaks against somebody whom a share brought. */
export const EVIDENCE = { self: '自己邀请自己', device: '同一设备', net: '同一网络集中注册' } as const

/** States of the reward for one newcomer. */
export const REWARD_STATE = { given: 1, held: 2, refused: 3, none: 4 } as const

export const REWARD_STATES = [
  { value: REWARD_STATE.given, label: '已发放', tone: 'success' }, { value: REWARD_STATE.held, label: '已扣住', tone: 'warning' }, { value: REWARD_STATE.refused, label: '不发放', tone: 'error' }, { value: REWARD_STATE.none, label: '无奖励', tone: 'default' },
] as const

export const SHARE_RIGHTS = defineRights(screenId(SHARE_PATH), { decide: [11, '核实和冻结'] })

/** domain 1.8: what a learner passed on, and whom it brought. Apps report it; people decide what looks like cheating. */
export const userShare = defineResource({
  name: 'user_share',
  label: '用户分享',
  measure: '次',
  title: 'user_id',
  grant: SHARE_RIGHTS.screen,
  rights: SHARE_RIGHTS,
  api: api('/daoyuan/api/end', 'user_shares', 'user_share'),
  fields: {
    token: text('分享码', { readonly: true, unique: true, max: 22, search: true }),
    user_id: reference('分享人', () => appUser, { readonly: true, onRemove: 'keep' }),
    activity_id: reference('活动', () => activity, { readonly: true, onRemove: 'keep' }),
    channel: choice('渠道', SHARE_CHANNELS, { readonly: true }),
    visits: number('访问', { readonly: true, initial: 0, audit: false }),
    registers: number('注册', { readonly: true, initial: 0, audit: false }),
    order_cnt: number('下单', { readonly: true, initial: 0, audit: false }),
    paid: money('带来实付', { readonly: true, initial: 0, max: 10_000_000_000, audit: false }),
    reward: money('已发奖励', { readonly: true, initial: 0, max: 10_000_000_000, audit: false }),
    held: money('扣住奖励', { readonly: true, initial: 0, max: 10_000_000_000, audit: false }),
    evidence: tags('作弊标记', { readonly: true, audit: false }),
    state: choice('状态', [
      { value: S.fine, label: '正常', tone: 'success' }, { value: S.doubt, label: '待核实', tone: 'warning' }, { value: S.frozen, label: '已冻结', tone: 'error' },
    ], { readonly: true, initial: S.fine }),
  },
  list: {
    columns: ['user_id', 'state', 'channel', 'visits', 'registers', 'order_cnt', 'paid', 'reward', 'held', 'evidence', 'activity_id', 'token', 'created_at'],
    under: ['token'],
    filters: ['state', 'user_id', 'activity_id', 'channel', 'created_at'],
    summary: ['visits', 'registers', 'paid', 'reward', 'held'],
  },
  form: [],
  scope: { agent: 'user_id.agent_id' },
  transitions: [
    { name: 'release', label: '核实放行', field: 'state', from: [S.doubt], to: S.fine, right: 'decide', reason: true, instead: '放行错了，冻结即可' },
    { name: 'freeze', label: '冻结', field: 'state', from: [S.fine, S.doubt], to: S.frozen, right: 'decide', reason: true, danger: true, instead: '冻结错了，核实放行' },
    { name: 'unfreeze', label: '解冻', field: 'state', from: [S.frozen], to: S.fine, right: 'decide', reason: true },
  ],
  logged: [{ name: 'share', label: '分享' }, { name: 'share_event', label: '访问或注册' }],
  indexes: [['state', 'id']],
  without: ['create', 'update', 'edit', 'remove'],
})

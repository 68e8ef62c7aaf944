import { choice } from '../../core/field/choice.ts'
import { file } from '../../core/field/file.ts'
import { mobile } from '../../core/field/mobile.ts'
import { money, number } from '../../core/field/number.ts'
import type { Target } from '../../core/field/reference.ts'
import { region } from '../../core/field/region.ts'
import { longText, text } from '../../core/field/text.ts'
import { defineRights } from '../../core/grant/rights.ts'
import { api, defineResource, named } from '../../core/resource/define.ts'
import { treeFields } from '../../core/tree/fields.ts'
import { screenId } from '../screens.ts'

export const AGENT_STATUS = { pending: 0, active: 1, frozen: 2, ended: 3 } as const

const RIGHTS = defineRights(screenId('/distribution/account/proxy'), { approve: [11, '启用'], freeze: [12, '冻结和解冻'], end: [13, '终止'] })

/** Somebody who sells for a commission, at most three deep (domain 5.1); the wire calls them proxy users (spec 7). */
export const agent = defineResource({
  name: 'agent',
  label: '代理',
  grant: RIGHTS.screen,
  rights: RIGHTS,
  api: api('/daoyuan/api/end', 'proxy_users', 'proxy_users', named('proxy_users')),
  fields: {
    name: text('代理名称', { required: true, max: 40, search: true }),
    mobile: mobile('手机号', { required: true, unique: true, search: true }),
    type: choice('类型', [
      { value: 1, label: '区域代理' }, { value: 2, label: '书店' }, { value: 3, label: '老师' }, { value: 4, label: '个人' }, { value: 5, label: '校园' },
    ], { required: true }),
    ...treeFields('上级代理', (): Target => agent),
    region_code: region('独家区域'),
    level_id: choice('等级', [{ value: 1, label: '一级' }, { value: 2, label: '二级' }, { value: 3, label: '三级' }], { required: true }),
    invite_code: text('邀请码', { readonly: true, unique: true, max: 20, search: true }),
    quota: number('授权码名额', { readonly: true }),
    balance: money('余额', { readonly: true, min: -99_999_999_99, max: 99_999_999_99, audit: false }),
    frozen: money('提现中', { readonly: true, max: 99_999_999_99, audit: false }),
    withdrawn: money('已提现', { readonly: true, max: 99_999_999_99, audit: false }),
    contract: file('合同文件'),
    remark: longText('备注'),
    status: choice('状态', [
      { value: AGENT_STATUS.pending, label: '待审', tone: 'warning' },
      { value: AGENT_STATUS.active, label: '启用', tone: 'success' },
      { value: AGENT_STATUS.frozen, label: '冻结', tone: 'warning' },
      { value: AGENT_STATUS.ended, label: '终止', tone: 'default' },
    ], { readonly: true, initial: AGENT_STATUS.pending }),
  },
  list: {
    columns: ['name', 'mobile', 'parent_id', 'level_id', 'status', 'quota', 'balance', 'frozen', 'withdrawn', 'updated_at', 'type', 'region_code', 'invite_code'], under: ['type', 'region_code'],
    filters: ['type', 'parent_id', 'region_code', 'level_id', 'status', 'mobile', 'created_at'],
    summary: ['quota', 'balance', 'frozen', 'withdrawn'],
  },
  form: [
    { title: '基本信息', fields: ['name', 'mobile', 'type', 'level_id', 'parent_id', 'region_code'] },
    { title: '其他', fields: ['contract', 'remark'] },
  ],
  transitions: [
    { name: 'approve', label: '启用', field: 'status', from: [AGENT_STATUS.pending], to: AGENT_STATUS.active, right: 'approve', instead: '启用错了先冻结，查清后再解冻' },
    { name: 'freeze', label: '冻结', field: 'status', from: [AGENT_STATUS.active], to: AGENT_STATUS.frozen, right: 'freeze', reason: true, danger: true },
    { name: 'unfreeze', label: '解冻', field: 'status', from: [AGENT_STATUS.frozen], to: AGENT_STATUS.active, right: 'freeze', reason: true },
    { name: 'end', label: '终止', field: 'status', from: [AGENT_STATUS.pending, AGENT_STATUS.active, AGENT_STATUS.frozen], to: AGENT_STATUS.ended, right: 'end', reason: true, danger: true, instead: '终止不能撤销，重新合作时新建代理' },
  ],
  tree: { levels: 3, namesakes: true, shows: ['type', 'level_id', 'status'] },
  scope: { agent: 'id' },
  indexes: [['status'], ['path']],
})

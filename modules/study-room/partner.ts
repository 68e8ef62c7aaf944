import { choice } from '../../core/field/choice.ts'
import { file } from '../../core/field/file.ts'
import { computed } from '../../core/field/json.ts'
import { mobile } from '../../core/field/mobile.ts'
import { money, number } from '../../core/field/number.ts'
import { reference } from '../../core/field/reference.ts'
import { region } from '../../core/field/region.ts'
import { longText, text } from '../../core/field/text.ts'
import { date } from '../../core/field/time.ts'
import { defineRights } from '../../core/grant/rights.ts'
import { api, defineResource } from '../../core/resource/define.ts'
import { agent } from '../agent/module.ts'
import { screenId } from '../screens.ts'
import { staff } from '../staff/module.ts'
import { BASE } from './api.ts'
import { roomType } from './room-type.ts'

/** Contract states of a partner (domain 1.8). */
export const PARTNER_STATUS = { prospect: 0, signed: 1, frozen: 2, expired: 3, ended: 4 } as const

/** Rights of the screen beside the standard ones. */
export const PARTNER_RIGHTS = defineRights(screenId('/new-study-room/partner'), { sign: [11, '签约'], freeze: [12, '冻结和解冻'], end: [13, '解约'], topUp: [21, '充值'] })

/** A business that runs study rooms under our brand: its contract, quota of codes and pads, and balance. */
export const partner = defineResource({
  name: 'partner',
  label: '合伙人',
  grant: PARTNER_RIGHTS.screen,
  rights: PARTNER_RIGHTS,
  api: api(BASE, 'partners', 'partner'),
  fields: {
    name: text('合伙人名称', { required: true, max: 40, search: true }),
    contact: text('联系人', { required: true, max: 20, search: true }),
    mobile: mobile('手机号', { required: true, unique: true, search: true }),
    region_code: region('所在地区', { required: true }),
    address: text('详细地址', { max: 100 }),
    level: choice('级别', [
      { value: 1, label: '省级' }, { value: 2, label: '市级' }, { value: 3, label: '县级' }, { value: 4, label: '单店' },
    ], { required: true }),
    type_id: reference('自习室类型', () => roomType, { required: true }),
    contract_no: text('合同编号', { max: 40, search: true }),
    contract_file: file('合同文件'),
    sign_at: date('签约日期', { required: true }),
    expire_at: date('到期日期', { required: true }),
    deposit: money('保证金', { initial: 0 }),
    service_fee: money('服务费', { help: '不填则按自习室类型的标准' }),
    exchange_service_fee: money('置换服务费', { help: '不填则按自习室类型的标准' }),
    code_quota: number('授权码名额', { readonly: true }),
    used_quota: number('已用名额', { readonly: true }),
    balance: money('余额', { readonly: true, min: -99_999_999_99, max: 99_999_999_99 }),
    pad_cnt: number('平板数', { max: 100_000, initial: 0 }),
    agent_id: reference('代理', () => agent),
    owner_id: reference('跟进人', () => staff),
    school_cnt: computed('学校数'),
    room_cnt: computed('自习室数'),
    status: choice('状态', [
      { value: PARTNER_STATUS.prospect, label: '意向', tone: 'idle' },
      { value: PARTNER_STATUS.signed, label: '已签约', tone: 'success' },
      { value: PARTNER_STATUS.frozen, label: '冻结', tone: 'warning' },
      { value: PARTNER_STATUS.expired, label: '到期', tone: 'error' },
      { value: PARTNER_STATUS.ended, label: '解约', tone: 'default' },
    ], { readonly: true, initial: PARTNER_STATUS.prospect }),
    remark: longText('备注'),
  },
  list: {
    columns: ['name', 'status', 'contact', 'mobile', 'code_quota', 'used_quota', 'balance', 'owner_id', 'expire_at', 'updated_at', 'agent_id', 'region_code', 'level', 'type_id', 'pad_cnt', 'school_cnt', 'room_cnt'], under: ['region_code', 'level', 'type_id'],
    filters: ['region_code', 'type_id', 'level', 'status', 'expire_at', 'mobile', 'agent_id', 'owner_id', 'created_at'],
    summary: ['code_quota', 'used_quota', 'balance'],
  },
  form: [
    { title: '基本信息', fields: ['name', 'contact', 'mobile', 'region_code', 'address', 'level', 'type_id'] },
    { title: '合同', fields: ['contract_no', 'contract_file', 'sign_at', 'expire_at', 'deposit', 'service_fee', 'exchange_service_fee', 'pad_cnt'] },
    { title: '其他', fields: ['agent_id', 'owner_id', 'remark'] },
  ],
  import: { columns: ['name', 'contact', 'mobile', 'region_code', 'address', 'level', 'type_id', 'contract_no', 'sign_at', 'expire_at', 'deposit', 'remark'], key: ['mobile'] },
  transitions: [
    { name: 'sign', label: '签约', field: 'status', from: [PARTNER_STATUS.prospect, PARTNER_STATUS.expired], to: PARTNER_STATUS.signed, right: 'sign', confirm: '确认合同已签署并收到保证金？', instead: '签约错了，解约并退保证金' },
    { name: 'freeze', label: '冻结', field: 'status', from: [PARTNER_STATUS.signed], to: PARTNER_STATUS.frozen, right: 'freeze', reason: true, danger: true },
    { name: 'unfreeze', label: '解冻', field: 'status', from: [PARTNER_STATUS.frozen], to: PARTNER_STATUS.signed, right: 'freeze', reason: true },
    { name: 'end', label: '解约', field: 'status', from: [PARTNER_STATUS.signed, PARTNER_STATUS.frozen, PARTNER_STATUS.expired], to: PARTNER_STATUS.ended, right: 'end', reason: true, danger: true, instead: '解约不能撤销，重新合作时新建合伙人' },
  ],
  logged: [{ name: 'top_up', label: '充值' }],
  scope: { partner: 'id', agent: 'agent_id' },
  indexes: [['status'], ['expire_at']],
})

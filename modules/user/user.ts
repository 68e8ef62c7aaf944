import { choice, toggle } from '../../core/field/choice.ts'
import { image } from '../../core/field/file.ts'
import { computed, tags } from '../../core/field/json.ts'
import { mobile } from '../../core/field/mobile.ts'
import { personName } from '../../core/field/person-name.ts'
import { reference, type Target } from '../../core/field/reference.ts'
import { region } from '../../core/field/region.ts'
import { segment } from '../../core/field/segment.ts'
import { longText, text } from '../../core/field/text.ts'
import { date, time } from '../../core/field/time.ts'
import { defineRights } from '../../core/grant/rights.ts'
import { api, defineResource } from '../../core/resource/define.ts'
import { agent } from '../agent/module.ts'
import { channel, examYear, GRADES } from '../reference/module.ts'
import { screenId } from '../screens.ts'
import { ENTITLEMENT_LINES } from './lines.ts'

export const USER_SCREEN = screenId('/userManagement/total')

/** Rights of the screen beside the standard ones. */
export const USER_RIGHTS = defineRights(USER_SCREEN, {
  freeze: [11, '冻结和解冻'],
  applyClose: [12, '申请和撤销注销'],
  close: [13, '确认注销'],
  merge: [14, '合并账号'],
  rebindMobile: [15, '换绑手机'],
  password: [16, '重置密码和强制下线'],
})

export const USER_STATUS = { normal: 1, frozen: 2, closing: 3, closed: 4 } as const

/**
 * Somebody who learns with our products: one person over all product lines (domain 1.1).
 * Nobody deletes a user; accounts are closed at their owner's wish, or merged when one person has two.
 */
export const appUser = defineResource({
  name: 'app_user',
  label: '用户',
  measure: '名',
  title: 'nickname',
  grant: USER_SCREEN,
  rights: USER_RIGHTS,
  api: api('/daoyuan/api/end', 'users', 'users'),
  fields: {
    user_no: text('用户编号', { required: true, readonly: true, unique: true, max: 20, search: true }),
    // It is what a learner logs in by: another number is a right of its own (换绑手机).
    mobile: mobile('手机号', { required: true, unique: true, search: true, createOnly: true }),
    // Schools open accounts under their students' names.
    nickname: personName('昵称', { required: true, max: 30, search: true }),
    real_name: personName('真实姓名', { search: true }),
    avatar: image('头像'),
    gender: choice('性别', [{ value: 1, label: '男' }, { value: 2, label: '女' }]),
    birthday: date('生日'),
    role: choice('身份', [{ value: 1, label: '学生' }, { value: 2, label: '家长' }, { value: 3, label: '老师' }], { required: true, initial: 1 }),
    grade: choice('年级', GRADES),
    // spec 9: exam years run from this year to the fourth after it; records of former years stay.
    exam_year: examYear('高考年份'),
    school: text('学校', { max: 60, search: true }),
    region_code: region('所在地区'),
    channel_id: reference('注册渠道', () => channel, { onRemove: 'keep' }),
    agent_id: reference('所属代理', () => agent),
    register_at: time('注册时间', { readonly: true }),
    last_login_at: time('最近登录', { readonly: true, audit: false }),
    // Learners' apps end every session that began before it.
    sessions_ended_at: time('强制下线时间', { readonly: true }),
    password_state: computed('密码', 'text'),
    total_paid: computed('累计实付', 'money'),
    payer: segment('付费', [{ value: 'paid', label: '已付费' }, { value: 'unpaid', label: '未付费' }]),
    line: segment('产品线', ENTITLEMENT_LINES),
    active: segment('最近活跃', [
      { value: '7', label: '7 天内' }, { value: '30', label: '30 天内' }, { value: 'over30', label: '30 天以上未活跃' }, { value: 'over90', label: '90 天以上未活跃' }, { value: 'never', label: '从未登录' },
    ]),
    wechat_bound: toggle('微信', { on: '已绑定', off: '未绑定' }, { readonly: true, initial: 0 }),
    tags: tags('标签'),
    remark: longText('备注'),
    merged_into_id: reference('已合并到', (): Target => appUser, { readonly: true, onRemove: 'keep' }),
    status: choice('状态', [
      { value: USER_STATUS.normal, label: '正常', tone: 'success' },
      { value: USER_STATUS.frozen, label: '冻结', tone: 'warning' },
      { value: USER_STATUS.closing, label: '注销中', tone: 'processing' },
      { value: USER_STATUS.closed, label: '已注销', tone: 'default' },
    ], { readonly: true, initial: USER_STATUS.normal }),
  },
  list: {
    columns: ['nickname', 'status', 'mobile', 'role', 'grade', 'agent_id', 'total_paid', 'last_login_at', 'user_no', 'real_name', 'school', 'region_code', 'channel_id', 'tags', 'register_at'], under: ['user_no', 'real_name'],
    filters: ['status', 'payer', 'line', 'active', 'role', 'grade', 'exam_year', 'gender', 'region_code', 'channel_id', 'agent_id', 'tags', 'wechat_bound', 'mobile', 'register_at', 'last_login_at'],
    summary: ['total_paid'],
  },
  form: [
    { title: '账号', fields: ['mobile', 'nickname', 'avatar', 'role'] },
    { title: '资料', fields: ['real_name', 'gender', 'birthday', 'grade', 'exam_year', 'school', 'region_code'] },
    { title: '来源', fields: ['channel_id', 'agent_id', 'tags', 'remark'] },
  ],
  import: { columns: ['mobile', 'nickname', 'real_name', 'gender', 'role', 'grade', 'exam_year', 'school', 'region_code', 'channel_id', 'agent_id', 'tags', 'remark'], key: ['mobile'] },
  transitions: [
    { name: 'freeze', label: '冻结', field: 'status', from: [USER_STATUS.normal], to: USER_STATUS.frozen, right: 'freeze', reason: true, danger: true },
    { name: 'unfreeze', label: '解冻', field: 'status', from: [USER_STATUS.frozen], to: USER_STATUS.normal, right: 'freeze', reason: true },
    { name: 'apply_close', label: '申请注销', field: 'status', from: [USER_STATUS.normal, USER_STATUS.frozen], to: USER_STATUS.closing, right: 'applyClose', reason: true, danger: true, instead: '申请错了，撤销注销即可' },
    { name: 'cancel_close', label: '撤销注销', field: 'status', from: [USER_STATUS.closing], to: USER_STATUS.normal, right: 'applyClose', reason: true },
    { name: 'close', label: '确认注销', field: 'status', from: [USER_STATUS.closing], to: USER_STATUS.closed, right: 'close', reason: true, confirm: '注销后用户不能再登录，且不能恢复，确认注销？', danger: true, instead: '注销不能撤销，确认前请核对手机号' },
  ],
  logged: [{ name: 'rebind_mobile', label: '换绑手机' }],
  scope: { agent: 'agent_id' },
  // By grade and region learners are sorted on every screen that lists what they bought.
  indexes: [['status'], ['register_at'], ['grade', 'id'], ['region_code', 'id']],
  without: ['remove'],
})

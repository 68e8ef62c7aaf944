import { choice, toggle } from '../../core/field/choice.ts'
import { image } from '../../core/field/file.ts'
import { mobile } from '../../core/field/mobile.ts'
import { longText, text } from '../../core/field/text.ts'
import { time } from '../../core/field/time.ts'
import { defineRights } from '../../core/grant/rights.ts'
import { api, defineResource } from '../../core/resource/define.ts'
import { screenId } from '../screens.ts'

export const STAFF_SCREEN = screenId('/userManagement/staff')

/** Rights of the screen beside the standard ones. */
export const STAFF_RIGHTS = defineRights(STAFF_SCREEN, {
  grant: [11, '授权'],
  stop: [12, '停用和启用'],
  leave: [13, '离职'],
  resetPassword: [14, '重置密码和强制下线'],
  handOver: [15, '离职交接'],
  resetFactors: [16, '清除两步验证和通行密钥'],
  factorRule: [17, '两步验证要求'],
})

/** A person who has this role may do everything; what is granted to them beside it means nothing. */
export const SUPER = 'super'

/** spec 6 names teacher, manager and research; the others are domain 1.1's. */
export const ROLES = [
  { value: 'teacher', label: '老师' },
  { value: 'manager', label: '管理' },
  { value: 'research', label: '教研' },
  { value: 'operator', label: '运营' },
  { value: 'service', label: '客服' },
  { value: 'finance', label: '财务' },
  { value: SUPER, label: '超级管理员', tone: 'warning' },
] as const

export const STAFF_STATUS = { stopped: 0, working: 1, left: 2 } as const

/** Somebody who works in the console. What they may do and how they log in is kept apart. */
export const staff = defineResource({
  name: 'staff',
  label: '员工',
  grant: STAFF_SCREEN,
  rights: STAFF_RIGHTS,
  api: api('/daoyuan/api/end', 'staffs', 'staffs'),
  fields: {
    account: text('账号', {
      required: true, max: 32, unique: true, createOnly: true, search: true, lower: true,
      pattern: [/^[A-Za-z0-9_]{4,32}$/, '应为 4 到 32 位字母、数字或下划线'],
    }),
    name: text('姓名', { required: true, max: 20, search: true }),
    mobile: mobile('手机号', { required: true, unique: true }),
    avatar: image('头像'),
    department: text('部门', { max: 40, search: true }),
    position: text('职位', { max: 40 }),
    role: choice('角色', ROLES, { required: true, initial: 'operator' }),
    introduction: longText('简介', { max: 500 }),
    two_factor: toggle('强制两步验证', { on: '开启', off: '关闭' }, { initial: 0 }),
    last_login_at: time('最近登录', { readonly: true, audit: false }),
    status: choice('状态', [
      { value: STAFF_STATUS.working, label: '在职', tone: 'success' },
      { value: STAFF_STATUS.stopped, label: '停用', tone: 'default' },
      { value: STAFF_STATUS.left, label: '离职', tone: 'default' },
    ], { readonly: true, initial: STAFF_STATUS.working }),
  },
  list: {
    columns: ['name', 'status', 'mobile', 'position', 'role', 'two_factor', 'last_login_at', 'account', 'department', 'created_at'], under: ['account', 'department'],
    filters: ['role', 'status', 'department', 'last_login_at'],
  },
  form: [
    { title: '账号', fields: ['account', 'name', 'mobile', 'role', 'two_factor'] },
    { title: '资料', fields: ['department', 'position', 'avatar', 'introduction'] },
  ],
  import: { columns: ['account', 'name', 'mobile', 'department', 'position', 'role', 'introduction'], key: ['account'] },
  transitions: [
    { name: 'stop', label: '停用', field: 'status', from: [STAFF_STATUS.working], to: STAFF_STATUS.stopped, right: 'stop', reason: true, danger: true, fresh: true },
    { name: 'resume', label: '启用', field: 'status', from: [STAFF_STATUS.stopped, STAFF_STATUS.left], to: STAFF_STATUS.working, right: 'stop' },
    { name: 'leave', label: '离职', field: 'status', from: [STAFF_STATUS.working, STAFF_STATUS.stopped], to: STAFF_STATUS.left, right: 'leave', reason: true, danger: true, fresh: true, instead: '离职不能撤销，重新入职时新建账号' },
  ],
  pick: { offered: { status: STAFF_STATUS.working } },
  // A person who has it holds everything.
  fresh: { role: [SUPER] },
  without: ['remove'],
})

import * as z from 'zod/mini'
import { defineEndpoint } from '../../core/endpoint/define.ts'
import { SCOPE_KINDS, type ScopeKind, type Scopes } from '../../core/grant/grant.ts'
import type { GrantGroup } from '../../core/grant/grant-tree.ts'
import { FACTOR_RULES, type FactorRule } from '../../core/session/factor-rule.ts'
import { screenId } from '../screens.ts'
import { STAFF_RIGHTS, STAFF_SCREEN } from './staff.ts'

const BASE = '/daoyuan/api/end/staffs/{id}'

export interface StaffGrants {
  modules: number[]
  scopes: Scopes
  rev: number
}

export const grantTree = defineEndpoint<{ groups: GrantGroup[] }>()({
  method: 'GET', path: '/daoyuan/api/end/modules', summary: '可授权的模块', grant: [STAFF_SCREEN, screenId('/system/role-template')],
})

export const readGrants = defineEndpoint<StaffGrants>()({ method: 'GET', path: `${BASE}/grants`, summary: '员工权限', grant: [STAFF_SCREEN] })

const ids = z.readonly(z.array(z.int('权限有误'), '权限有误'))

export const writeGrants = defineEndpoint<StaffGrants>()({
  method: 'PUT',
  path: `${BASE}/grants`,
  summary: '修改员工权限',
  fresh: true,
  grant: [STAFF_RIGHTS.id('grant')],
  input: z.object({
    modules: ids,
    scopes: z.partialRecord(z.enum(Object.keys(SCOPE_KINDS) as [ScopeKind, ...ScopeKind[]]), ids),
    rev: z.optional(z.int()),
  }),
})

/** Path of the call that offers what a kind of data scope can be limited to. */
export const SCOPE_OPTIONS = '/daoyuan/api/end/scope_options'

/**
 * Records that somebody may be limited to, for pickers; only those that the caller sees. A person who grants rights need not
 * hold the screens on which these records are kept.
 */
export const scopeOptions = defineEndpoint<{ items: { id: number; name: string }[] }>()({
  method: 'GET',
  path: `${SCOPE_OPTIONS}/{kind}`,
  summary: '可选的数据范围',
  grant: [STAFF_SCREEN],
  input: z.record(z.string(), z.unknown()),
})

export const resetPassword = defineEndpoint<{ password: string }>()({
  method: 'POST', path: `${BASE}/reset_password`, summary: '重置员工密码', grant: [STAFF_RIGHTS.id('resetPassword')], fresh: true,
})

/**
 * Takes away second factor and passkeys of somebody who has lost them. A right of its own: together with a reset password
 * it opens an account.
 */
export const resetFactors = defineEndpoint<{ totp: boolean; passkeys: number }>()({
  method: 'POST', path: `${BASE}/reset_factors`, summary: '清除员工的两步验证和通行密钥', grant: [STAFF_RIGHTS.id('resetFactors')], fresh: true,
})

export const forceLogout = defineEndpoint<{ ended: number }>()({
  method: 'POST', path: `${BASE}/force_logout`, summary: '强制员工下线', grant: [STAFF_RIGHTS.id('resetPassword')], fresh: true,
})

/** Of whom a second factor is asked, and the least that this installation may ask. */
export interface FactorSetting {
  rule: FactorRule
  least: FactorRule
}

const FACTOR_RULE = '/daoyuan/api/end/second_factor'
const factorRuleGrant = [STAFF_RIGHTS.id('factorRule')]

export const getFactorRule = defineEndpoint<FactorSetting>()({ method: 'GET', path: FACTOR_RULE, summary: '两步验证要求', grant: factorRuleGrant })

export const putFactorRule = defineEndpoint<FactorSetting>()({
  method: 'PUT', path: FACTOR_RULE, summary: '修改两步验证要求', grant: factorRuleGrant, fresh: true,
  input: z.object({ rule: z.enum(FACTOR_RULES.map(({ value }) => value), '请选择') }),
})

export interface LoginEntry {
  id: number
  at: number
  method: string
  result: string
  ip: string | null
  user_agent: string | null
}

export const loginLog = defineEndpoint<{ items: LoginEntry[]; total: number }>()({
  method: 'GET', path: `${BASE}/login_log`, summary: '员工登录日志', grant: [STAFF_SCREEN],
})

export interface HandOverItem {
  resource: string
  label: string
  count: number
}

/** How many records of each kind a person answers for. */
export const handOverPreview = defineEndpoint<{ items: HandOverItem[] }>()({
  method: 'GET', path: `${BASE}/hand_over`, summary: '离职交接预览', grant: [STAFF_RIGHTS.id('handOver')],
})

export const handOver = defineEndpoint<{ moved: number }>()({
  method: 'POST',
  path: `${BASE}/hand_over`,
  summary: '离职交接',
  grant: [STAFF_RIGHTS.id('handOver')],
  input: z.object({ to_id: z.int('请选择接手人') }),
})


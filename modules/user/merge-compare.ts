import type { WireRow } from '../../core/resource/endpoints.ts'
import { isEmpty } from '../../core/field/check.ts'
import { appUser } from './user.ts'

type User = WireRow<typeof appUser>

/** Fields by which a person tells which of two accounts is the better one, in the order in which they stand side by side. */
const COMPARED = [
  'user_no', 'mobile', 'nickname', 'real_name', 'role', 'gender', 'birthday', 'grade', 'exam_year', 'school', 'region_code',
  'channel_id', 'agent_id', 'wechat_bound', 'tags', 'register_at', 'last_login_at', 'status', 'remark',
] as const

export interface ComparedField {
  key: string
  label: string
  /** The two accounts say different things. */
  differs: boolean
}

/** Two accounts field by field; what neither knows is left out. */
export function compareUsers(a: User, b: User): ComparedField[] {
  return COMPARED.filter((key) => !isEmpty(a[key]) || !isEmpty(b[key])).map((key) => ({
    key,
    label: appUser.fields[key]?.label ?? key,
    differs: JSON.stringify(a[key] ?? null) !== JSON.stringify(b[key] ?? null),
  }))
}

/** The account that is used more recently is the one that a person would rather keep. */
export function betterOf(a: User, b: User): number {
  const used = (row: User) => row.last_login_at ?? row.register_at ?? 0
  return used(b) > used(a) ? b.id : a.id
}

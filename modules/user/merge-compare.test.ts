import { expect, test } from 'vitest'
import type { WireRow } from '../../core/resource/endpoints.ts'
import type { appUser } from './user.ts'
import { betterOf, compareUsers } from './merge-compare.ts'

const user = (id: number, values: Record<string, unknown>) => ({
  id, rev: 1, created_by: null, created_at: 0, updated_by: null, updated_at: 0, deleted_at: null, can: [], user_no: String(10_000_000 + id), ...values,
}) as unknown as WireRow<typeof appUser>

test('what differs is marked, what neither knows is left out', () => {
  const compared = compareUsers(user(1, { nickname: '小明', school: '一中', tags: [], remark: '' }), user(2, { nickname: '小明', school: null, tags: null }))
  expect(compared).toEqual([
    { key: 'user_no', label: '用户编号', differs: true },
    { key: 'nickname', label: '昵称', differs: false },
    { key: 'school', label: '学校', differs: true },
  ])
})

test('the account used last is proposed to stay', () => {
  const [old, fresh] = [user(1, { register_at: 100, last_login_at: 500 }), user(2, { register_at: 300, last_login_at: 900 })]
  expect(betterOf(old, fresh)).toBe(2)
  expect(betterOf(fresh, old)).toBe(2)
  expect(betterOf(user(1, { register_at: 100 }), user(2, { register_at: 50 }))).toBe(1)
})

import { sql } from 'drizzle-orm'
import type { Caller, TestApp } from '../../core/testing/app.server.ts'

export const PARTNERS = '/daoyuan/api/end/self_study_room/partner'
const SCHOOLS = '/daoyuan/api/end/self_study_room/app_school'
let count = 0

/** Creates a partner through its call. */
export async function makePartner(app: TestApp, caller: Caller, name: string): Promise<{ id: number; rev: number; mobile: string }> {
  const [type] = await app.db.query<{ id: number }>(sql`select id from room_type order by id limit 1`)
  const mobile = `1380000${String(1000 + ++count)}`
  const made = await caller.post<{ id: number; rev: number }>(PARTNERS, {
    name, contact: '张三', mobile, region_code: '330106', level: 2, type_id: type?.id, sign_at: 1_760_000_000, expire_at: 1_860_000_000,
  })
  if (made.status !== 200) throw new Error(JSON.stringify(made.body))
  return { ...made.body, mobile }
}

/** Creates a school of a partner through its call. */
export async function makeSchool(app: TestApp, caller: Caller, partnerId: number, name: string): Promise<number> {
  const [type] = await app.db.query<{ id: number }>(sql`select id from room_type order by id limit 1`)
  const made = await caller.post<{ id: number }>(SCHOOLS, {
    name, partner_id: partnerId, type_id: type?.id, region_code: '330106', address: '文三路 1 号', manager: '李四', mobile: '13900001234', expire_at: 1_860_000_000,
  })
  if (made.status !== 200) throw new Error(JSON.stringify(made.body))
  return made.body.id
}

import { sql } from 'drizzle-orm'
import type { Database } from '../../core/database/database.server.ts'
import type { ScopeKind } from '../../core/grant/grant.ts'
import type { RowType } from '../../core/resource/define.ts'
import { insertMany, seedTransaction } from '../../core/setup/insert-many.server.ts'
import { PEOPLE, person } from '../../core/setup/people.ts'
import { seasonalMoment, seededRandom } from '../../core/setup/random.ts'
import { STAFF_STATUS, staff } from './staff.ts'

type Role = RowType<typeof staff>['role']

interface Colleague {
  readonly account: string
  readonly department: string
  readonly position: string
  readonly role: Role
  /** Name of the role template that they start with. */
  readonly template: string
  readonly scopes?: Partial<Record<ScopeKind, readonly number[]>>
}

const COLLEAGUES: readonly Colleague[] = [
  { account: 'qd_huadong', department: '渠道部', position: '华东大区经理', role: 'operator', template: '渠道市场' },
  { account: 'qd_huabei', department: '渠道部', position: '华北大区经理', role: 'operator', template: '渠道市场' },
  { account: 'qd_zhongxi', department: '渠道部', position: '中西部大区经理', role: 'operator', template: '渠道市场' },
  { account: 'kf_zuzhang', department: '客服部', position: '客服组长', role: 'service', template: '客服' },
  { account: 'kf_zaoban', department: '客服部', position: '客服专员', role: 'service', template: '客服' },
  { account: 'yy_kecheng', department: '运营部', position: '课程运营', role: 'operator', template: '课程运营' },
  { account: 'yy_huodong', department: '运营部', position: '活动运营', role: 'operator', template: '课程运营' },
  { account: 'jy_shuxue', department: '教研部', position: '数学教研员', role: 'research', template: '教研', scopes: { subject: [1, 101, 201] } },
  { account: 'jy_chuzhong', department: '教研部', position: '初中教研主管', role: 'research', template: '教研', scopes: { level: [1] } },
  { account: 'bx_jiaowu', department: '伴学部', position: '伴学主管', role: 'manager', template: '管理' },
  { account: 'bx_laoshi', department: '伴学部', position: '伴学老师', role: 'teacher', template: '老师', scopes: { subject: [2, 102] } },
  { account: 'cw_jiesuan', department: '财务部', position: '结算会计', role: 'finance', template: '财务' },
]

/** Colleagues of every department. They cannot log in until somebody resets their password. */
export async function insertStaffDemo(db: Database, report: (text: string) => void): Promise<void> {
  const random = seededRandom(3)
  const now = Math.floor(Date.now() / 1000)
  await seedTransaction(db, async (tx) => {
    const ids = await insertMany(tx, staff, COLLEAGUES.map(({ account, department, position, role }, index) => {
      const { name, mobile } = person(PEOPLE.staff + index, 'adult')
      return { account, department, position, role, name, mobile, status: STAFF_STATUS.working, created_at: seasonalMoment(random, now - 540 * 86_400, now - 30 * 86_400) }
    }))
    const people = COLLEAGUES.map(({ template, scopes }, index) => ({ id: ids[index], template, scopes: scopes ?? {} }))
    const given = sql`jsonb_to_recordset(${JSON.stringify(people)}::jsonb) as p (id bigint, template text, scopes jsonb)`
    await tx.query(sql`insert into credential (staff_id) select p.id from ${given}`)
    await tx.query(sql`insert into staff_module (staff_id, module_id)
      select p.id, m::int from ${given} join role_template t on t.name = p.template cross join lateral jsonb_array_elements_text(t.modules) m`)
    await tx.query(sql`insert into staff_scope (staff_id, kind, ref_id)
      select p.id, s.key, r::bigint from ${given} cross join lateral jsonb_each(p.scopes) s cross join lateral jsonb_array_elements_text(s.value) r`)
  })
  report(`已生成 ${COLLEAGUES.length} 位员工`)
}

import { sql } from 'drizzle-orm'
import type { Database, Queryable } from '../../core/database/database.server.ts'
import type { Staff } from '../../core/grant/staff.server.ts'
import { setDerived } from '../../core/resource/touch.server.ts'
import { seedTransaction } from '../../core/setup/insert-many.server.ts'
import { seededRandom } from '../../core/setup/random.ts'
import { applyChange, askOfItems, makeChange, takeBackChange } from './validity-change.server.ts'
import type { ValidityAsk } from './validity-calls.ts'
import { VALIDITY_STATUS as S, validityChange } from './validity.ts'

const DAY = 86_400
const REASONS = ['直播回放故障两天，统一顺延', '家长住院期间未能学习，补偿时长', '系统升级导致无法登录，补偿', '老用户续费赠送时长', '上课老师更换，延长一个月', '班级整体延期，教务已确认'] as const
/** What becomes of each: its state, and how long ago it was asked for, in days. */
const PLAN = [
  ...Array.from({ length: 14 }, (_, n) => ({ status: S.done, ago: 2 + n * 3, days: 7 + (n % 4) * 14, agreed: false })),
  ...Array.from({ length: 5 }, (_, n) => ({ status: S.done, ago: 4 + n * 6, days: 120 + n * 30, agreed: true })),
  ...Array.from({ length: 4 }, (_, n) => ({ status: S.waiting, ago: n === 3 ? 3 : n * 0.3 + 0.1, days: 100 + n * 40, agreed: false })),
  { status: S.refused, ago: 9, days: 365, agreed: false }, { status: S.refused, ago: 20, days: 200, agreed: false },
  { status: S.withdrawn, ago: 11, days: 180, agreed: false }, { status: S.undone, ago: 6, days: 30, agreed: false },
] as const

/** Somebody without limits, as far as the functions behind the calls look. */
const asStaff = (id: number): Staff => ({ id, account: '', name: '', role: '', modules: new Set(), scopes: {}, masksNames: false })

async function decide(tx: Queryable, id: number, status: (typeof PLAN)[number]['status'], auditor: number, at: number, agreed: boolean): Promise<void> {
  const [row] = await tx.query<{ id: number; kind: string; days: number | null }>(sql`select id, kind, days from validity_change where id = ${id}`)
  if (!row) return
  if (status === S.done && agreed) await applyChange(tx, asStaff(auditor), id, await askOfItems(tx, row))
  if (status === S.undone) await takeBackChange(tx, id)
  const decided = agreed || status === S.refused
  await setDerived(tx, validityChange, {
    status, ...(decided && { auditor_id: auditor }), ...(status === S.done && { done_at: at + 7200 }), ...(status === S.refused && { audit_remark: '没有故障记录，不符合补偿条件' }), ...(status === S.undone && { audit_remark: '选错了课程' }),
  }, id)
}

/** Changes of validity in every state, made by the functions behind the calls. */
export async function insertValidityDemo(db: Database, report: (text: string) => void): Promise<void> {
  const [random, now] = [seededRandom(1902), Math.floor(Date.now() / 1000)]
  const staff = (await db.query<{ id: number }>(sql`select id from staff where status = 1 order by id limit 4`)).map(({ id }) => id)
  const people = await db.query<{ id: number; user_id: number }>(sql`select min(e.id) as id, e.user_id from entitlement e join app_user u on u.id = e.user_id and u.status = 1
    where e.status = 1 and e.source = 1 and e.expire_at > now() + interval '20 days' and e.expire_at < now() + interval '300 days' and e.deleted_at is null group by e.user_id order by e.user_id limit 400`)
  const [asker = 0, other = 0] = [staff[1] ?? staff[0], staff[2] ?? staff[0]]
  const [offer] = await db.query<{ id: number; line: string }>(sql`select id, line from offer where state = 3 and valid_days between 100 and 400 and line in ('sync_course', 'junior_sync_course') and deleted_at is null order by id limit 1`)
  if (people.length === 0) return
  let made = 0
  await seedTransaction(db, async (tx) => {
    for (const [index, { status, ago, days, agreed }] of PLAN.entries()) {
      const at = now - Math.round(ago * DAY) - random.int(0, 7200)
      const some = Array.from({ length: index % 3 === 0 ? random.int(2, 6) : 1 }, () => random.pick(people))
      const opens = offer && index % 8 === 7
      const ask: ValidityAsk = opens ? { kind: 'open', user_ids: [...new Set(some.map(({ user_id }) => user_id))], line: offer.line, offer_id: offer.id } : { kind: 'extend', ids: [...new Set(some.map(({ id }) => id))], days }
      const { id, status: begun } = await makeChange(tx, asStaff(asker), ask, random.pick(REASONS))
      await tx.query(sql`update validity_change set created_at = to_timestamp(${at}), updated_at = to_timestamp(${at}) where id = ${id}`)
      // What is opened for long waits for another person, whatever becomes of it then.
      if (begun === S.waiting && status === S.done) await decide(tx, id, S.done, other, at, true)
      else if (status === S.done) await setDerived(tx, validityChange, { done_at: at }, id)
      else if (status !== begun) await decide(tx, id, status, other, at, agreed)
      made++
    }
  })
  report(`已生成 ${made} 张延期单`)
}

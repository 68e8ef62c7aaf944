import { Readable } from 'node:stream'
import { sql } from 'drizzle-orm'
import type { Database } from '../../core/database/database.server.ts'
import type { FileStore } from '../../core/file/store.server.ts'
import { fileUrl } from '../../core/file/url.ts'
import { startOfDay } from '../../core/field/time.ts'
import type { Staff } from '../../core/grant/staff.server.ts'
import type { Resource } from '../../core/resource/define.ts'
import { attachFiles } from '../../core/resource/attach.server.ts'
import { insertMany, seedTransaction } from '../../core/setup/insert-many.server.ts'
import { person } from '../../core/setup/people.ts'
import { PLACES } from '../../core/setup/places.ts'
import { seasonalMoment, seededRandom } from '../../core/setup/random.ts'
import { bookstoreApply, teacherApply } from './apply.ts'
import { bookstoreEffect, teacherEffect } from './effect.server.ts'
import { APPLY_STATUS as S } from './kind.ts'

const DAY = 86_400
const numberOr = (value: unknown) => (typeof value === 'number' ? value : null)
const EFFECTS = { bookstore: bookstoreEffect, teacher: teacherEffect } as const
const SIZE = { bookstore: 44, teacher: 190 } as const
/** Behind the people of the other modules. */
const FIRST_PERSON = 700_000
const SHOPS = ['新华书店', '知行书店', '博文书社', '学海书城', '状元书屋', '育英教辅书店', '三味书屋', '墨香书局'] as const
const SCHOOLS = ['第一中学', '实验中学', '外国语学校', '第三中学', '育才学校'] as const
const REFUSED = ['营业执照与书店名称不一致', '不在开放合作的地区', '证件照片无法辨认，多次补件仍不合格'] as const
const ASKED = ['请补充：门头照片、出版物经营许可证', '请补充：营业执照；图片太模糊，看不清注册号', '请补充：教师资格证'] as const

/** A drawn certificate. */
const paper = (title: string, name: string, no: string) => `<svg xmlns="http://www.w3.org/2000/svg" width="560" height="400"><rect width="560" height="400" fill="#fdf8ec"/><rect x="16" y="16" width="528" height="368" fill="none" stroke="#b08d45" stroke-width="4"/>
<text x="280" y="90" font-size="34" text-anchor="middle" fill="#8a1f1f">${title}</text><text x="70" y="180" font-size="20" fill="#333">名称：${name}</text><text x="70" y="225" font-size="20" fill="#333">编号：${no}</text><text x="70" y="270" font-size="20" fill="#333">（演示数据，不具有效力）</text><circle cx="440" cy="310" r="46" fill="none" stroke="#c03030" stroke-width="4"/></svg>`

/** Applications of a year and a half in every state; those that passed have their effect, as an approval makes it. */
export async function insertApplyDemo(db: Database, report: (text: string) => void, files: FileStore): Promise<void> {
  const [random, now] = [seededRandom(1916), Math.floor(Date.now() / 1000)]
  const staff = (await db.query<{ id: number }>(sql`select id from staff where status = 1 order by id limit 6`)).map(({ id }) => id)
  const decider: Staff = { id: staff[0] ?? 0, account: '', name: '', role: '', modules: new Set(), scopes: {}, masksNames: false }
  const subjects = (await db.query<{ id: number }>(sql`select id from subject where level = 1 order by id limit 6`)).map(({ id }) => id)
  // Of teachers there are more that were decided: how far they come is seen by the month.
  const statusOf = (kind: 'bookstore' | 'teacher', index: number) => (index % 21 === 9 ? S.draft : index % (kind === 'teacher' ? 14 : 7) < (kind === 'teacher' ? 1 : 2) ? S.waiting : random.weighted([[S.passed, kind === 'teacher' ? 80 : 60], [S.refused, 16], [S.asked, kind === 'teacher' ? 5 : 12], [S.undone, 6], [S.expired, 6]]))
  const build = (kind: 'bookstore' | 'teacher', index: number) => {
    const who = person(FIRST_PERSON + (kind === 'teacher' ? 1000 : 0) + index, 'adult')
    const { city, code } = PLACES[(index * 11 + 5) % PLACES.length] ?? { city: '苏州', code: '320508' }
    const status = statusOf(kind, index)
    const fresh = status === S.waiting || status === S.asked || status === S.draft
    const created_at = fresh ? now - random.int(1, 9) * DAY - random.int(0, 80_000) : seasonalMoment(random, now - 520 * DAY, now - 12 * DAY)
    const decided = !fresh
    return { kind, row: {
      kind, org: kind === 'bookstore' ? `${city}${random.pick(SHOPS)}` : `${city}${random.pick(SCHOOLS)}`, applicant: who.name, mobile: who.mobile, region_code: code,
      licence_no: kind === 'bookstore' ? `91${code}MA1${String(10_000_000 + index * 7919).slice(0, 7)}` : `2019${code}42${String(1_000_000 + index * 631)}`,
      ...(kind === 'teacher' ? { subject_id: subjects[index % subjects.length] } : { quota: random.pick([50, 100, 200, 500]) }),
      staff_id: random.pick(staff), reason: kind === 'bookstore' ? '主营教辅，周边有 3 所中学，希望代理练习册和授权码。' : '希望使用题库组卷，并为班级布置练习。',
      status: status === S.passed || status === S.expired || status === S.undone ? S.waiting : status, created_at, created_by: index % 3 === 0 ? staff[index % staff.length] ?? null : null, submitted_by: index % 3 === 0 ? staff[index % staff.length] ?? null : null,
      ...(status === S.asked && { audit_remark: random.pick(ASKED), auditor_id: random.pick(staff) }),
      ...(status === S.refused && { audit_remark: random.pick(REFUSED) }), ...(decided && { auditor_id: random.pick(staff), audited_at: created_at + random.int(3, 60) * 3600 }),
    }, status }
  }
  let passed = 0
  await seedTransaction(db, async (tx) => {
    const kinds: readonly (readonly ['bookstore' | 'teacher', Resource])[] = [['bookstore', bookstoreApply], ['teacher', teacherApply]]
    for (const [kind, resource] of kinds) {
      const plan = Array.from({ length: SIZE[kind] }, (_, index) => build(kind, index)).sort((a, b) => a.row.created_at - b.row.created_at)
      const ids = await insertMany(tx, resource, plan.map(({ row }) => row as object))
      for (const [at, { row, status }] of plan.entries()) {
        const id = ids[at] ?? 0
        if (status === S.waiting) {
          const svg = paper(kind === 'bookstore' ? '营业执照' : '教师资格证', kind === 'bookstore' ? row.org : row.applicant, row.licence_no)
          const licence = [fileUrl((await files.put(Readable.from([Buffer.from(svg)]), { name: '证件.svg', staffId: staff[0] ?? 0 })).id)]
          await attachFiles(tx, resource, { licence }, staff[0] ?? 0)
          await tx.query(sql`update apply set licence = ${sql.param(licence)}::text[] where id = ${id}`)
        }
        if (status !== S.passed && status !== S.expired && status !== S.undone) continue
        const stored = { ...row, id, due_at: status === S.expired ? now + DAY : startOfDay(now + random.int(kind === 'teacher' ? 8 : 40, 400) * DAY), effect_ref: null }
        // A shop in a region that somebody has to themselves comes below them.
        if (kind === 'bookstore') {
          const [above] = await tx.query<{ id: number }>(sql`select id from agent where type = 1 and status = 1 and deleted_at is null and starts_with(${row.region_code}, region_code) order by length(region_code) desc, id limit 1`)
          if (above) {
            Object.assign(stored, { agent_id: above.id })
            await tx.query(sql`update apply set agent_id = ${above.id} where id = ${id}`)
          }
        }
        const problems = await EFFECTS[kind].problems(tx, stored)
        if (problems.length > 0) {
          await tx.query(sql`update apply set status = ${S.refused}, audit_remark = ${problems[0] ?? ''}, auditor_id = ${staff[0] ?? 0}, audited_at = created_at + interval '1 day' where id = ${id}`)
          continue
        }
        const made = await EFFECTS[kind].open(tx, decider, stored)
        const over = status !== S.passed
        if (over) await EFFECTS[kind].close(tx, Object.assign({}, stored, made), status === S.expired ? undefined : { staff: decider, reason: '合作终止' })
        const due = status === S.expired ? now - 3 * DAY : kind === 'teacher' ? Number(made['due_at']) || null : null
        await tx.query(sql`update apply set status = ${status}, effect_ref = ${made.effect_ref}, role_before = ${numberOr(made['role_before'])}::bigint, due_at = to_timestamp(${due}), audit_remark = ${status === S.undone ? '合作终止，收回开通' : null} where id = ${id}`)
        passed++
      }
    }
  })
  report(`已生成 ${SIZE.bookstore + SIZE.teacher} 份入驻申请，其中 ${passed} 份通过`)
}

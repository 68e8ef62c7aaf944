import { sql } from 'drizzle-orm'
import { handle, type Served } from '../../core/endpoint/serve.server.ts'
import { invalid, notFound } from '../../core/error/error.ts'
import type { Resource } from '../../core/resource/define.ts'
import { touch } from '../../core/resource/touch.server.ts'
import { insertMany } from '../../core/setup/insert-many.server.ts'
import { APPLIES } from './apply.ts'
import { applyStatus, submitApply } from './calls.ts'
import { bookstoreEffect, teacherEffect } from './effect.server.ts'
import { APPLY_STATUS } from './kind.ts'
import { refuseSecond, serveApply, type ServedApply } from './serve.server.ts'

/** The kinds of people outside who apply to work with us. */
export const served: readonly ServedApply[] = [
  serveApply({ kind: 'bookstore', resource: APPLIES.bookstore, path: '/operate/bookStoreApply', effect: bookstoreEffect, single: true, alikeByName: true, called: 'org', notes: ['applicant', 'licence_no'] }),
  serveApply({ kind: 'teacher', resource: APPLIES.teacher, path: '/operate/teacherApply', effect: teacherEffect, single: true, called: 'applicant', notes: ['org', 'subject_id'] }),
]

/** The calls by which people apply themselves. */
export const applyCalls = (): Served[] => [
  ...served.flatMap(({ calls }) => calls),
  handle(submitApply, (call) => call.transaction(async (tx) => {
    const { kind, subject_id, ...sent } = call.input
    const resource: Resource = APPLIES[kind]
    if (kind === 'teacher' && subject_id === undefined) throw invalid({ subject_id: '请选择任教学科' })
    await tx.query(sql`select pg_advisory_xact_lock(hashtext(${`apply ${kind}`}))`)
    const [asked] = await tx.query<{ id: number }>(sql`select id from apply where kind = ${kind} and mobile = ${sent.mobile} and status = ${APPLY_STATUS.asked} and deleted_at is null limit 1`)
    await refuseSecond(tx, kind, { ...sent, ...(asked && { id: asked.id }) })
    const values = { ...sent, ...(kind === 'teacher' && { subject_id }), submitted_by: null, status: APPLY_STATUS.waiting }
    if (asked) {
      await touch(tx, resource, values as object, asked.id)
      return { id: asked.id, status: APPLY_STATUS.waiting }
    }
    const [id = 0] = await insertMany(tx, resource, [{ kind, ...values } as object])
    return { id, status: APPLY_STATUS.waiting }
  }, { action: 'create' })),
  handle(applyStatus, async ({ db, input: { kind, mobile } }) => {
    const [row] = await db.query<{ status: number; audit_remark: string | null }>(sql`select status, audit_remark from apply where kind = ${kind} and mobile = ${mobile} and deleted_at is null order by id desc limit 1`)
    if (!row) throw notFound('申请')
    return row
  }),
]

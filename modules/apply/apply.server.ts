import { sql } from 'drizzle-orm'
import type { Database, Queryable } from '../../core/database/database.server.ts'
import { handle, idParam, type Served } from '../../core/endpoint/serve.server.ts'
import { invalid, notFound } from '../../core/error/error.ts'
import { choiceLabel } from '../../core/field/choice.ts'
import { listWaiting, type WaitingKind } from '../../core/inbox/waiting.server.ts'
import type { Sweep } from '../../core/job/sweep.server.ts'
import type { OverviewSection } from '../../core/kernel/overview.server.ts'
import type { Resource } from '../../core/resource/define.ts'
import { readOne } from '../../core/resource/list.server.ts'
import { serve, type ResourceService, type RulesOf } from '../../core/resource/serve.server.ts'
import { setDerived, touch } from '../../core/resource/touch.server.ts'
import { insertMany } from '../../core/setup/insert-many.server.ts'
import { APPLIES, APPLY_STATES, APPLY_STATUS, bookstoreApply, OPEN, teacherApply, type ApplyKind } from './apply.ts'
import { applyChecks, applyStatus, submitApply, type LikeApply } from './calls.ts'
import { effectOf, idOfRef, openEffect } from './effect.server.ts'

const open = sql.raw(`(${OPEN.join(', ')})`)
/** Days within which somebody decides. */
const DAYS = 3
/** Applications that a check names. */
const SHOWN = 20

const KINDS = Object.keys(APPLIES) as ApplyKind[]
const plain = (kind: ApplyKind) => APPLIES[kind] as unknown as Resource

/** Refuses a second open application of a person or a licence; two at the same time wait for each other. */
async function refuseSecond(tx: Queryable, kind: ApplyKind, { id = 0, mobile, licence_no }: { id?: number; mobile: string; licence_no: string }): Promise<void> {
  await tx.query(sql`select pg_advisory_xact_lock(hashtext(${`apply ${kind}`}))`)
  const [other] = await tx.query<{ id: number; org: string; same: boolean }>(sql`select id, org, mobile = ${mobile} as same from apply
    where kind = ${kind} and status in ${open} and (mobile = ${mobile} or licence_no = ${licence_no}) and id <> ${id} and deleted_at is null order by id limit 1`)
  if (other?.same) throw invalid({ mobile: `该手机号已有待处理的申请（${other.org}）` })
  if (other) throw invalid({ licence_no: `该证件号已有待处理的申请（${other.org}）` })
}

/** Serves one kind of applications. */
function serveApplies(kind: ApplyKind): ResourceService {
  const rules: RulesOf<typeof bookstoreApply> = {
    async before({ tx, values, row }) {
      const both = { mobile: values.mobile ?? row?.mobile ?? '', licence_no: values.licence_no ?? row?.licence_no ?? '' }
      await refuseSecond(tx, kind, { ...both, ...(row && { id: row.id }) })
    },
    effects: {
      async submit({ tx, staff, row }) {
        await setDerived(tx, plain(kind), { submitted_by: staff.id } as object, row.id)
      },
      async resubmit({ tx, staff, row }) {
        await setDerived(tx, plain(kind), { submitted_by: staff.id } as object, row.id)
      },
      async approve({ tx, staff, row }) {
        const made = await openEffect(tx, kind, staff.id, row)
        await setDerived(tx, plain(kind), { ...made, auditor_id: staff.id, audited_at: sql`now()`, audit_remark: null } as object, row.id)
      },
      async ask({ tx, staff, row, reason }) {
        await setDerived(tx, plain(kind), { auditor_id: staff.id, audit_remark: reason ?? null } as object, row.id)
      },
      async reject({ tx, staff, row, reason }) {
        await setDerived(tx, plain(kind), { auditor_id: staff.id, audited_at: sql`now()`, audit_remark: reason ?? null } as object, row.id)
      },
      async undo_apply({ tx, row, reason }) {
        await effectOf(kind).close(tx, row, false)
        await setDerived(tx, plain(kind), { audit_remark: reason ?? null } as object, row.id)
      },
    },
  }
  return kind === 'bookstore' ? serve(bookstoreApply)(rules) : serve(teacherApply)(rules as unknown as RulesOf<typeof teacherApply>)
}

export const applyServices: ResourceService[] = KINDS.map(serveApplies)

/** What a shop or school is called without the words that many have. */
const core = (name: string) => name.replace(/[\s（）()·]|有限公司|责任|图书|书店|书社|学校|分店|连锁|文化|教育/g, '')

interface Found extends Record<string, unknown> { id: number; org: string; applicant: string; mobile: string; licence_no: string; region_code: string; status: number; at: number }

/** Other applications that may be the same, with why. */
async function alike(db: Queryable, kind: ApplyKind, row: Pick<Found, 'id' | 'org' | 'mobile' | 'licence_no' | 'region_code'>): Promise<LikeApply[]> {
  const rows = await db.query<Found>(sql`select id, org, applicant, mobile, licence_no, region_code, status, extract(epoch from created_at)::float8 as at from apply
    where kind = ${kind} and id <> ${row.id} and deleted_at is null and (mobile = ${row.mobile} or licence_no = ${row.licence_no} or region_code like ${`${row.region_code.slice(0, 4)}%`}) order by id desc limit 500`)
  const own = core(row.org)
  return rows.flatMap((other): LikeApply[] => {
    const name = core(other.org)
    const why = other.mobile === row.mobile ? '同一手机号' : other.licence_no === row.licence_no ? '同一证件号' : kind === 'bookstore' && own.length > 1 && name.length > 1 && (name.includes(own) || own.includes(name)) ? '同城名称相近' : undefined
    return why === undefined ? [] : [{ id: other.id, name: kind === 'teacher' ? `${other.applicant}（${other.org}）` : other.org, status: other.status, why, at: Math.floor(other.at) }]
  }).slice(0, SHOWN)
}

/** The calls of applications beside those of their lists. */
export const applyCalls = (): Served[] => [
  ...KINDS.map((kind) => handle(applyChecks[kind], async (call) => {
    const row = await readOne(call.db, plain(kind), call.staff, idParam(call), {}) as (Found & { effect_ref: string | null; due_at: number | null; rev: number }) | undefined
    if (!row) throw notFound(plain(kind).label)
    return {
      like: await alike(call.db, kind, row), effect: row.effect_ref ? await effectOf(kind).words(call.db, idOfRef(row.effect_ref)) : null,
      problems: OPEN.includes(row.status) ? await effectOf(kind).problems(call.db, row as never) : [],
    }
  })),
  handle(submitApply, (call) => call.transaction(async (tx) => {
    const { kind, subject_id, ...sent } = call.input
    if (kind === 'teacher' && subject_id === undefined) throw invalid({ subject_id: '请选择任教学科' })
    await tx.query(sql`select pg_advisory_xact_lock(hashtext(${`apply ${kind}`}))`)
    const [asked] = await tx.query<{ id: number }>(sql`select id from apply where kind = ${kind} and mobile = ${sent.mobile} and status = ${APPLY_STATUS.asked} and deleted_at is null limit 1`)
    await refuseSecond(tx, kind, { ...sent, ...(asked && { id: asked.id }) })
    const values = { ...sent, ...(kind === 'teacher' && { subject_id }), submitted_by: null, status: APPLY_STATUS.waiting }
    if (asked) {
      await touch(tx, plain(kind), values as object, asked.id)
      return { id: asked.id, status: APPLY_STATUS.waiting }
    }
    const [id = 0] = await insertMany(tx, plain(kind), [{ kind, ...values } as object])
    return { id, status: APPLY_STATUS.waiting }
  }, { action: 'create' })),
  handle(applyStatus, async ({ db, input: { kind, mobile } }) => {
    const [row] = await db.query<{ status: number; audit_remark: string | null }>(sql`select status, audit_remark from apply where kind = ${kind} and mobile = ${mobile} and deleted_at is null order by id desc limit 1`)
    if (!row) throw notFound('申请')
    return row
  }),
]

/** What waits for somebody who decides. */
export const applyWaiting: WaitingKind[] = KINDS.map((kind) => {
  const resource = plain(kind)
  return listWaiting(resource, {
    name: resource.name, title: `待审的${resource.label}`, group: 'decide', verb: '审核', path: kind === 'bookstore' ? '/operate/bookStoreApply' : '/operate/teacherApply', query: () => ({ status: String(APPLY_STATUS.waiting) }),
    grant: resource.rights.id('audit'), due: { days: DAYS }, since: sql`updated_at`, notes: kind === 'bookstore' ? ['applicant', 'licence_no'] : ['org', 'subject_id'], pass: 'approve', refuse: 'reject',
  })
})

/** What somebody applied for, in the view that gathers everything about them. */
export const applyOverview: OverviewSection[] = KINDS.map((kind) => ({
  name: `${kind}_apply`, title: plain(kind).label, grant: plain(kind).grant,
  async load(db, _staff, { mobile }) {
    const rows = await db.query<{ id: number; org: string; status: number; at: number; audit_remark: string | null }>(sql`select id, org, status, extract(epoch from created_at)::float8 as at, audit_remark from apply where kind = ${kind} and mobile = ${mobile} and deleted_at is null order by id desc limit 20`)
    return {
      columns: [{ key: 'org', title: '单位', as: 'text' }, { key: 'status', title: '状态', as: 'text' }, { key: 'at', title: '申请时间', as: 'time' }, { key: 'audit_remark', title: '审核意见', as: 'text' }],
      rows: rows.map((row) => ({ ...row, status: choiceLabel(APPLY_STATES, row.status) })), screen: kind === 'bookstore' ? '/operate/bookStoreApply' : '/operate/teacherApply',
    }
  },
}))

/** Ends what was approved until a day. */
export const applySweep = (db: Database): Sweep => ({
  name: 'apply_expire',
  async run() {
    const over = await db.query<{ id: number; kind: ApplyKind }>(sql`select id, kind from apply where status = ${APPLY_STATUS.passed} and due_at < now() and deleted_at is null order by id limit 500`)
    for (const { id, kind } of over) {
      await db.transaction({ staff_id: null, action: 'expire' }, async (tx) => {
        const [row] = await tx.query<Record<string, unknown>>(sql`select * from apply where id = ${id} and status = ${APPLY_STATUS.passed} for no key update`)
        if (!row) return
        await effectOf(kind).close(tx, row as never, true)
        await touch(tx, plain(kind), { status: APPLY_STATUS.expired } as object, id)
      }).catch(() => {
        // Money is left on the agent's account: it is tried again by the next run.
      })
    }
  },
})

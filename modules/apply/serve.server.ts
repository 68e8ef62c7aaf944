import { sql } from 'drizzle-orm'
import type { Database, Queryable } from '../../core/database/database.server.ts'
import { handle, idParam, type Served } from '../../core/endpoint/serve.server.ts'
import { badRequest, invalid, notFound } from '../../core/error/error.ts'
import { choiceLabel } from '../../core/field/choice.ts'
import type { Staff } from '../../core/grant/staff.server.ts'
import { listWaiting, type WaitingKind } from '../../core/inbox/waiting.server.ts'
import type { Sweep } from '../../core/job/sweep.server.ts'
import type { OverviewSection } from '../../core/kernel/overview.server.ts'
import type { Resource } from '../../core/resource/define.ts'
import { readOne } from '../../core/resource/list.server.ts'
import { serve, type ResourceService, type RulesOf } from '../../core/resource/serve.server.ts'
import { setDerived, touch } from '../../core/resource/touch.server.ts'
import { applyCheck, type ApplyCheck, type LikeApply } from './calls.ts'
import { APPLY_STATES, APPLY_STATUS, OPEN } from './kind.ts'

const open = sql.raw(`(${OPEN.join(', ')})`)
/** Days within which somebody decides. */
const DAYS = 3
/** Applications that a check names. */
const SHOWN = 20

/** What every application has, whatever its kind; a kind's own columns stand beside it. */
export interface ApplyRow extends Record<string, unknown> {
  readonly id: number
  readonly org: string
  readonly applicant: string
  readonly mobile: string
  readonly region_code: string
  /** Not every kind asks for one. */
  readonly licence_no?: string | null
  readonly due_at: number | null
  readonly effect_ref: string | null
  readonly status: number
}

/** Who takes an approval back, and why; undefined where it ran out by itself. */
export type Undoing = { readonly staff: Staff; readonly reason: string } | undefined

/** What an approval brings about, and how it is taken away again. */
export interface Effect {
  /** @returns what it made, and what is kept to take it back */
  open(tx: Queryable, staff: Staff, row: ApplyRow): Promise<{ readonly effect_ref: string } & Readonly<Record<string, unknown>>>
  close(tx: Queryable, row: ApplyRow, by: Undoing): Promise<void>
  /** What a refusal means for what was made with the application; nothing by default. */
  refuse?(tx: Queryable, row: ApplyRow, reason: string): Promise<void>
  /** What stands in the way of it, in sentences. */
  problems(db: Queryable, row: ApplyRow): Promise<string[]>
  /** What it made, in words. @param id that its reference names */
  tell(db: Queryable, id: number, row: ApplyRow): Promise<ApplyCheck['effect']>
}

/** A kind of applications: everything in which it differs from the others. */
export interface ApplyKind {
  /** Word that its rows carry. */
  readonly kind: string
  readonly resource: Resource
  readonly path: string
  readonly effect: Effect
  /** One open application of a person and of a licence at a time. */
  readonly single?: true
  /** Names of places in one town that are nearly the same may be the same place. */
  readonly alikeByName?: true
  /** How one is called among others: a person with their place, or the place. */
  readonly called: 'org' | 'applicant'
  /** Its day of ending is a day that still counts. */
  readonly throughDay?: true
  /** Fields that tell it from others, where it waits. */
  readonly notes: readonly string[]
  /** Computed fields and groups, with what is looked at before a record is written. */
  readonly rules?: Pick<ResourceService['rules'], 'computed' | 'segments' | 'before' | 'beforeImport'>
}

/** A kind as its module serves it. */
export interface ServedApply {
  readonly service: ResourceService
  readonly calls: readonly Served[]
  readonly waiting: WaitingKind
  readonly overview: OverviewSection
  sweep(db: Database): Sweep
}

/** Table and id that a reference of an effect names. */
export const idOfRef = (ref: string | null | undefined): number => Number(ref?.split(' ')[1] ?? 0)

/** Refuses a second open application of a person or a licence; two at the same time wait for each other. */
export async function refuseSecond(tx: Queryable, kind: string, { id = 0, mobile, licence_no }: { id?: number; mobile: string; licence_no: string }): Promise<void> {
  await tx.query(sql`select pg_advisory_xact_lock(hashtext(${`apply ${kind}`}))`)
  const [other] = await tx.query<{ id: number; org: string; same: boolean }>(sql`select id, org, mobile = ${mobile} as same from apply
    where kind = ${kind} and status in ${open} and (mobile = ${mobile} or licence_no = ${licence_no}) and id <> ${id} and deleted_at is null order by id limit 1`)
  if (other?.same) throw invalid({ mobile: `该手机号已有待处理的申请（${other.org}）` })
  if (other) throw invalid({ licence_no: `该证件号已有待处理的申请（${other.org}）` })
}

/** Brings about what an application asks for. @throws AppError that says what stands in the way; nothing is approved then */
export async function openEffect(tx: Queryable, effect: Effect, staff: Staff, row: ApplyRow): ReturnType<Effect['open']> {
  const [problem] = await effect.problems(tx, row)
  if (problem) throw badRequest(problem)
  return effect.open(tx, staff, row)
}

/** What a shop or school is called without the words that many have. */
const core = (name: string) => name.replace(/[\s（）()·]|有限公司|责任|图书|书店|书社|学校|分店|连锁|文化|教育/g, '')

/** Other applications that may be the same, with why. */
async function alike(db: Queryable, { kind, called, alikeByName }: ApplyKind, row: ApplyRow): Promise<LikeApply[]> {
  const rows = await db.query<ApplyRow & { at: number }>(sql`select id, org, applicant, mobile, licence_no, region_code, status, extract(epoch from created_at)::float8 as at from apply
    where kind = ${kind} and id <> ${row.id} and deleted_at is null and (mobile = ${row.mobile} or licence_no = ${row.licence_no ?? null} or region_code like ${`${row.region_code.slice(0, 4)}%`}) order by id desc limit 500`)
  const own = core(row.org)
  const why = (other: ApplyRow) => {
    const name = core(other.org)
    if (other.mobile === row.mobile) return '同一手机号'
    if (other.licence_no && other.licence_no === row.licence_no) return '同一证件号'
    return alikeByName && own.length > 1 && name.length > 1 && (name.includes(own) || own.includes(name)) ? '同城名称相近' : undefined
  }
  return rows.flatMap((other): LikeApply[] => {
    const reason = why(other)
    return reason === undefined ? [] : [{ id: other.id, name: called === 'applicant' ? `${other.applicant}（${other.org}）` : other.org, status: other.status, why: reason, at: Math.floor(other.at) }]
  }).slice(0, SHOWN)
}

type AnyRules = RulesOf<Resource>

/** The rules of a kind: every step says who took it, and an approval has its effect in the same transaction. */
function rulesOf({ kind, resource, effect, single, rules = {} }: ApplyKind): AnyRules {
  const set = (tx: Queryable, values: object, id: number) => setDerived(tx, resource, values, id)
  const effects: Record<string, NonNullable<NonNullable<AnyRules['effects']>[string]>> = {
    async submit({ tx, staff, row }) {
      await set(tx, { submitted_by: staff.id }, row.id)
    },
    async resubmit({ tx, staff, row }) {
      await set(tx, { submitted_by: staff.id }, row.id)
    },
    async approve({ tx, staff, row }) {
      const made = await openEffect(tx, effect, staff, row as unknown as ApplyRow)
      await set(tx, { ...made, auditor_id: staff.id, audited_at: sql`now()`, audit_remark: null }, row.id)
    },
    async ask({ tx, staff, row, reason }) {
      await set(tx, { auditor_id: staff.id, audit_remark: reason ?? null }, row.id)
    },
    async reject({ tx, staff, row, reason }) {
      await effect.refuse?.(tx, row as unknown as ApplyRow, reason ?? '')
      await set(tx, { auditor_id: staff.id, audited_at: sql`now()`, audit_remark: reason ?? null }, row.id)
    },
    async undo_apply({ tx, staff, row, reason }) {
      await effect.close(tx, row as unknown as ApplyRow, { staff, reason: reason ?? '' })
      await set(tx, { audit_remark: reason ?? null }, row.id)
    },
  }
  const steps = new Set(resource.transitions.map(({ name }) => name))
  return {
    ...rules,
    async before(change) {
      const { tx, values, row } = change
      const known = row as ApplyRow | undefined
      const both = { mobile: String(values['mobile'] ?? known?.mobile ?? ''), licence_no: String(values['licence_no'] ?? known?.licence_no ?? '') }
      if (single) await refuseSecond(tx, kind, { ...both, ...(row && { id: row.id }) })
      await rules.before?.(change)
    },
    effects: Object.fromEntries(Object.entries(effects).filter(([name]) => steps.has(name))),
  }
}

/** What somebody applied for, in the view that gathers everything about them. */
const overviewOf = ({ kind, resource, path }: ApplyKind): OverviewSection => ({
  name: resource.name, title: resource.label, grant: resource.grant,
  async load(db, _staff, { mobile }) {
    const rows = await db.query<{ id: number; org: string; status: number; at: number; audit_remark: string | null }>(sql`select id, org, status, extract(epoch from created_at)::float8 as at, audit_remark from apply where kind = ${kind} and mobile = ${mobile} and deleted_at is null order by id desc limit 20`)
    return {
      columns: [{ key: 'org', title: '单位', as: 'text' }, { key: 'status', title: '状态', as: 'text' }, { key: 'at', title: '申请时间', as: 'time' }, { key: 'audit_remark', title: '审核意见', as: 'text' }],
      rows: rows.map((row) => ({ ...row, status: choiceLabel(APPLY_STATES, row.status) })), screen: path,
    }
  },
})

/** Ends what was approved until a day or a moment. */
const sweepOf = ({ kind, resource, effect, throughDay }: ApplyKind) => (db: Database): Sweep => ({
  name: `${resource.name}_expire`,
  async run() {
    const over = sql`kind = ${kind} and status = ${APPLY_STATUS.passed} and due_at ${throughDay ? sql`+ interval '1 day'` : sql``} < now() and deleted_at is null`
    for (const { id } of await db.query<{ id: number }>(sql`select id from apply where ${over} order by id limit 500`)) {
      await db.transaction({ staff_id: null, action: 'expire' }, async (tx) => {
        const [row] = await tx.query<ApplyRow>(sql`select * from apply where id = ${id} and ${over} for no key update`)
        if (!row) return
        await effect.close(tx, row, undefined)
        await touch(tx, resource, { status: APPLY_STATUS.expired }, id)
      }).catch(() => {
        // Something stands in the way, such as money on the agent's account: it is tried again by the next run.
      })
    }
  },
})

/**
 * Serves one kind of applications: its steps with their effect, what whoever decides looks at, what waits, and what ends.
 */
export function serveApply(one: ApplyKind): ServedApply {
  const { resource, path, effect } = one
  const service = serve(resource)(rulesOf(one))
  return {
    service,
    calls: [handle(applyCheck(resource), async (call) => {
      const row = await readOne(call.db, resource, call.staff, idParam(call), service.rules.computed ?? {}) as ApplyRow | undefined
      if (!row) throw notFound(resource.label)
      return {
        like: await alike(call.db, one, row), effect: row.effect_ref ? await effect.tell(call.db, idOfRef(row.effect_ref), row) : null,
        problems: OPEN.includes(row.status) ? await effect.problems(call.db, row) : [],
      }
    })],
    waiting: listWaiting(resource, {
      name: resource.name, title: `待审的${resource.label}`, group: 'decide', verb: '审核', path, query: () => ({ status: String(APPLY_STATUS.waiting) }),
      grant: resource.rights.id('audit'), due: { days: DAYS }, since: sql`updated_at`, notes: one.notes, pass: 'approve', refuse: 'reject',
    }),
    overview: overviewOf(one),
    sweep: sweepOf(one),
  }
}

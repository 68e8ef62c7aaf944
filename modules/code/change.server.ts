import { sql, type SQL } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { defineError } from '../../core/error/error.ts'
import { choiceLabel } from '../../core/field/choice.ts'
import type { Staff } from '../../core/grant/staff.server.ts'
import { touch } from '../../core/resource/touch.server.ts'
import { scopeCondition } from '../../core/resource/where.server.ts'
import { ENTITLEMENT_SOURCE, ENTITLEMENT_STATUS } from '../user/module.ts'
import { extendEntitlements, setEntitlements } from '../user/door.server.ts'
import { CODE_ACTIONS, CODE_STATUS, CODE_STATUSES, restingState, stateAt, type CodeAction, type CodeActionName, type CodeStatus } from './code-state.ts'
import { endOfDay } from './code-time.ts'
import { countMoves, shiftQuota } from './counts.server.ts'
import type { CodeFamily } from './family.ts'
import { refOf, type HolderChange, type ServedFamily, type StoredCode } from './hooks.server.ts'

/** What an action is told beside its codes. */
export interface ActionTerms {
  /** Until when codes are extended: any second of the day, in unix seconds. */
  readonly until?: number | undefined
  /** Whose the codes become. */
  readonly owner?: number | undefined
  /** The end is what it was before, to the second: an extension is taken back. */
  readonly back?: true | undefined
}

/** What came of an action: codes that were changed, and those that were left alone with why. */
export interface Acted {
  done: number
  refused: { id: number; name: string; reason: string }[]
  /** Those that were changed, as they were before. */
  changed: readonly StoredCode[]
}

interface CodeVerdict {
  readonly code: StoredCode
  readonly problem: string | undefined
}

/** The action of a name. */
export function actionOf(name: CodeActionName): CodeAction {
  const found = CODE_ACTIONS.find((action) => action.name === name)
  if (!found) throw new Error(`no action ${name}`)
  return found
}

/** Locks codes in the order of their ids, as everybody does; those outside the person's scope are not found. */
export async function lockCodes(tx: Queryable, family: CodeFamily, staff: Staff | undefined, condition: SQL): Promise<StoredCode[]> {
  const scope = staff && scopeCondition(family.code, staff)
  return tx.query<StoredCode & Record<string, unknown>>(
    sql`select * from ${sql.identifier(family.code.table)} where ${condition} and deleted_at is null${scope ? sql` and ${scope}` : sql``} order by id for no key update`,
  )
}

/** What stands in the way of an action, in its own words. */
export const refusedAction = defineError('code_refused', 409, (sentence: string) => sentence)

/** What is wrong with doing it to one code. */
function problemOf(action: CodeAction, code: StoredCode, { until, owner, back }: ActionTerms, ownerKey: string, now: number): string | undefined {
  const state = stateAt(code, now)
  if (!action.from.includes(state)) return `当前状态为「${choiceLabel(CODE_STATUSES, state)}」，不能${action.label}`
  const refused = action.refuse?.(code)
  if (refused) return refused
  if (action.name === 'extend' && !back && until !== undefined && endOfDay(until) <= (code.activated_at === null ? code.redeem_before : code.expire_at ?? 0)) return '新的截止日期应晚于原来的'
  if (action.name === 'transfer' && owner === code[ownerKey]) return '已经归该方所有'
  return undefined
}

/** What each action writes into the codes beside their state, and which state they come to. */
interface Write {
  readonly sets: (family: CodeFamily, terms: ActionTerms) => Readonly<Record<string, unknown>>
  readonly to: (code: StoredCode, now: number, terms: ActionTerms) => CodeStatus
}

const released = (family: CodeFamily) => ['user_id', 'mobile', 'activated_at', 'expire_at', 'ip', ...Object.keys(family.holderFields).filter((key) => family.code.fields[key]?.column)]
const none = () => ({})
/** Until when an extension lasts. */
const endOf = ({ until = 0, back }: ActionTerms): number => (back ? until : endOfDay(until))
const extended = (code: StoredCode, terms: ActionTerms): StoredCode =>
  (code.activated_at === null ? { ...code, redeem_before: endOf(terms) } : { ...code, expire_at: endOf(terms) })

const writes: Record<CodeActionName, Write> = {
  cancel: { sets: none, to: () => CODE_STATUS.cancelled },
  unbind: {
    sets: (family) => ({ ...Object.fromEntries(released(family).map((key) => [key, null])), unbind_count: sql`t.unbind_count + 1` }),
    // Who sets a code free after the last day to activate it has to extend it before it is of use.
    to: (code, now) => restingState({ ...code, activated_at: null, expire_at: null }, now),
  },
  freeze: { sets: none, to: () => CODE_STATUS.frozen },
  unfreeze: { sets: none, to: (code, now) => restingState(code, now) },
  extend: {
    sets: (_family, terms) => ({
      redeem_before: sql`case when t.activated_at is null then to_timestamp(${endOf(terms)}) else t.redeem_before end`,
      expire_at: sql`case when t.activated_at is null then t.expire_at else to_timestamp(${endOf(terms)}) end`,
    }),
    to: (code, now, terms) => restingState(extended(code, terms), now),
  },
  transfer: { sets: (family, { owner = 0 }) => ({ [family.owner.key]: owner }), to: (code) => code.status },
}

/** Writes what an action does into codes that are locked; those that come to the same state travel together. */
async function writeCodes(tx: Queryable, family: CodeFamily, name: CodeActionName, codes: readonly StoredCode[], terms: ActionTerms, now: number): Promise<Map<StoredCode, CodeStatus>> {
  const { sets, to } = writes[name]
  const targets = new Map(codes.map((code) => [code, to(code, now, terms)]))
  for (const [status, group] of Map.groupBy(codes, (code) => targets.get(code))) {
    await touch(tx, family.code, { ...sets(family, terms), status }, group.map(({ id }) => id))
  }
  return targets
}

/** Moves codes between quotas together with their place in them, so that what either owner may still issue stays the same. */
async function moveQuota(tx: Queryable, family: CodeFamily, codes: readonly StoredCode[], to: number): Promise<void> {
  const { owner } = family
  if (!owner.quota || codes.length === 0) return
  const deltas = new Map<number, number>([[to, codes.length]])
  for (const code of codes) {
    const from = Number(code[owner.key])
    deltas.set(from, (deltas.get(from) ?? 0) - 1)
  }
  for (const [id, delta] of [...deltas].sort(([a], [b]) => a - b)) await shiftQuota(tx, family, id, delta)
}

/** Owners of codes are locked before the codes, like everywhere. */
export async function lockOwners(tx: Queryable, { owner, code }: CodeFamily, ids: readonly number[], to: number): Promise<void> {
  if (!owner.quota) return
  await tx.query(sql`select id from ${sql.identifier(owner.target().table)} where id = ${to}
    or id in (select ${sql.identifier(owner.key)} from ${sql.identifier(code.table)} where id = any(${sql.param([...ids])}::bigint[])) order by id for no key update`)
}

/** What the holders of codes may use follows the codes. */
async function followEntitlements(tx: Queryable, { family, hooks }: ServedFamily, name: CodeActionName, codes: readonly StoredCode[], terms: ActionTerms): Promise<void> {
  const held = codes.filter((code) => code.activated_at !== null)
  const refs = held.map(({ id }) => refOf(family, id))
  if (refs.length === 0 || name === 'transfer') return
  if (name === 'extend') await extendEntitlements(tx, ENTITLEMENT_SOURCE.code, new Map(refs.map((ref) => [ref, endOf(terms)])))
  else await setEntitlements(tx, ENTITLEMENT_SOURCE.code, refs, name === 'unfreeze' ? ENTITLEMENT_STATUS.active : ENTITLEMENT_STATUS.stopped)
  const changes = held.map((code): HolderChange => ({ code, until: name === 'extend' ? endOf(terms) : code.expire_at ?? 0 }))
  await (name === 'extend' || name === 'unfreeze' ? hooks.opened : hooks.closed)?.(tx, changes)
}

/**
 * Does an action of the state machine to codes, each by the rules of a single one: what cannot be done to one leaves it
 * alone. Codes, batches, entitlements and quotas change together, in the caller's transaction, whose actor names the
 * action and the reason for the log.
 * @param now unix seconds
 */
export async function changeCodes(tx: Queryable, served: ServedFamily, staff: Staff, name: CodeActionName, ids: readonly number[], terms: ActionTerms, now: number): Promise<Acted> {
  const { family } = served
  const action = actionOf(name)
  if (name === 'transfer') await lockOwners(tx, family, ids, terms.owner ?? 0)
  const codes = await lockCodes(tx, family, staff, sql`id = any(${sql.param([...ids])}::bigint[])`)
  const judged: CodeVerdict[] = codes.map((code) => ({ code, problem: problemOf(action, code, terms, family.owner.key, now) }))
  const changed = judged.filter(({ problem }) => problem === undefined).map(({ code }) => code)
  if (changed.length > 0) {
    const targets = await writeCodes(tx, family, name, changed, terms, now)
    if (name === 'transfer') await moveQuota(tx, family, changed, terms.owner ?? 0)
    await countMoves(tx, family, changed.map((code) => ({
      group_id: code.group_id, before: code, after: { status: targets.get(code) ?? code.status, activated_at: name === 'unbind' ? null : code.activated_at },
    })))
    await followEntitlements(tx, served, name, changed, terms)
  }
  return { done: changed.length, changed, refused: judged.flatMap(({ code, problem }) => (problem === undefined ? [] : [{ id: code.id, name: code.code, reason: problem }])) }
}

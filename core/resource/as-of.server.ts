import { sql } from 'drizzle-orm'
import type { Queryable } from '../database/database.server.ts'
import { badRequest, notFound } from '../error/error.ts'
import { readShelf } from '../field/choice.ts'
import { isSameJson } from '../field/same-json.ts'
import { undoChanges, type Logged, type Undone } from './as-of.ts'
import { nameChanges } from './change-names.server.ts'
import type { Resource } from './define.ts'
import type { PastRecord } from './endpoints.ts'
import { wireValues } from './history.server.ts'
import { byOwnNames } from './rules.ts'

type Values = Record<string, unknown>

/** Changes of one record that are undone at once; no record that people work with has had nearly as many. */
const MOST_CHANGES = 10_000
/** How far the clocks of a browser and of the database may differ, in seconds. */
const CLOCKS = 60
/** What every record has and the log tells of. */
const OWN = ['created_at', 'created_by', 'deleted_at']

/** A resource with all resources of its table. */
export interface PastOf {
  readonly resource: Resource
  readonly sharing: readonly Resource[]
}

/** A moment, or right after one of the record's changes. */
export interface Moment {
  readonly at?: string | undefined
  readonly change_id?: string | undefined
}

/** @throws AppError when it is no moment, or still to come */
export function momentOf({ at }: Moment): number {
  const now = Date.now() / 1000
  const moment = at === undefined ? now : Number(at)
  if (at?.trim() === '' || !Number.isFinite(moment) || moment < 0 || moment > now + CLOCKS) throw badRequest('请选择过去的时间')
  return moment
}

/** The stored fields of a resource by whether the log of its table, which others may share, tells of them. */
function byLog(resource: Resource, sharing: readonly Resource[]): { logged: string[]; silent: string[] } {
  const stored = Object.keys(resource.fields).filter((key) => resource.fields[key]?.column)
  const isSilent = (key: string) => sharing.some(({ audit, fields }) => audit && fields[key]?.audit === false)
  return { logged: stored.filter((key) => !isSilent(key)), silent: stored.filter(isSilent) }
}

/** A record as it was, before it is shown to somebody. */
interface Rebuilt {
  readonly past: Undone
  /** Its stored values then and now, as they go over the wire but for what is hidden. */
  readonly old: Values
  readonly now: Values
  /** Fields of which the log does not say what they were. */
  readonly unknown: readonly string[]
}

/** Undoes what was done to a record since a moment. @param at unix seconds */
export function rebuild({ resource, sharing }: PastOf, stored: Values, changes: readonly Logged[], at: number): Rebuilt {
  // What the log says of times, and under further names of a field, is brought into one form before anything is compared.
  const plain = (values: Readonly<Values> | null) => wireValues(resource, values && { ...byOwnNames(resource, values) }, false)
  const now = plain(stored) ?? {}
  const { logged, silent } = byLog(resource, sharing)
  const madeLater = Number(now['created_at']) > Math.ceil(at)
  const past = undoChanges(now, changes.map((entry) => ({ later: entry.later, before: plain(entry.before), after: plain(entry.after) })), [...logged, ...OWN], madeLater)
  const then: Values = { ...past.values }
  const shelves = Object.entries(resource.fields).flatMap(([key, field]) => ('shelf' in field && field.shelf && field.shelf.state in then ? [[key, field.shelf] as const] : []))
  for (const [key, shelf] of shelves) {
    then[key] = readShelf(shelf, then[shelf.state])
    now[key] = readShelf(shelf, now[shelf.state])
  }
  const derived = Object.keys(resource.fields).filter((key) => !resource.fields[key]?.column && !(key in then) && !resource.fields[key]?.unlisted)
  return { past, old: then, now, unknown: past.state === 'absent' ? [] : [...past.unknown, ...silent, ...derived] }
}

/** Shows records as they were, with the names of today behind references. @param rows with whether the person sees the names of learners */
export async function showPast(db: Queryable, resource: Resource, at: number, rows: readonly (Rebuilt & { readonly names: boolean })[]): Promise<PastRecord[]> {
  const shown = rows.map((row) => ({ ...row, values: wireValues(resource, row.old, true, row.names) ?? {} }))
  const missing = new Set<string>()
  for (const names of [true, false]) {
    const those = shown.filter((row) => row.names === names)
    if (those.length > 0) for (const one of await nameChanges(db, those.map(({ values }) => ({ fields: resource.fields, before: values, after: null })), names)) missing.add(one)
  }
  return shown.map(({ past, old, now, unknown, values }) => ({
    at: Math.floor(at), state: past.state, whole: past.whole, values,
    changed: Object.keys(old).filter((key) => key in resource.fields && !isSameJson(old[key], now[key])),
    unknown: [...unknown],
    gone: Object.entries(resource.fields).flatMap(([key, field]) => ('target' in field && [old[key]].flat().some((ref) => missing.has(`${field.target().table} ${String(ref)}`)) ? [key] : [])),
  }))
}

/**
 * A record as it was at a moment, worked out from its log. Who may read it, and what is hidden from them, is asked of the
 * record as it is today, before this.
 * @param names whether the person sees the names of learners in it
 */
export async function readAsOf(db: Queryable, of: PastOf, names: boolean, id: number, moment: Moment): Promise<PastRecord> {
  const { resource } = of
  const at = momentOf(moment)
  const changeId = moment.change_id === undefined ? undefined : Number(moment.change_id)
  if (changeId !== undefined && !Number.isSafeInteger(changeId)) throw notFound('这次修改')
  const later = changeId === undefined ? sql`a.at > to_timestamp(${at}::float8)` : sql`a.id > ${changeId}`
  // In one statement, so that record and log are of the same moment.
  const [found] = await db.query<{ now: Values; changes: (Logged & { id: number; at: number })[] }>(sql`select to_jsonb(t) as now, (
      select coalesce(jsonb_agg(jsonb_build_object('id', c.id, 'at', floor(extract(epoch from c.at)), 'before', c.before, 'after', c.after, 'later', c.later) order by c.id desc), '[]')
      from (select a.id, a.at, a.before, a.after, ${later} as later from audit_log a where a.entity = ${resource.table} and a.entity_id = t.id order by a.id desc limit ${sql.raw(String(MOST_CHANGES + 1))}) c
    ) as changes from ${sql.identifier(resource.table)} t where t.id = ${id}`)
  if (!found) throw notFound(resource.label)
  if (found.changes.length > MOST_CHANGES) throw badRequest(`这条记录的修改超过 ${MOST_CHANGES.toLocaleString('zh-CN')} 次，无法还原`)
  const change = changeId === undefined ? undefined : found.changes.find((one) => one.id === changeId)
  if (changeId !== undefined && !change) throw notFound('这次修改')
  const rebuilt = rebuild(of, found.now, found.changes, change?.at ?? at)
  const [shown] = await showPast(db, resource, change?.at ?? at, [{ ...rebuilt, names }])
  if (!shown) throw notFound(resource.label)
  return shown
}

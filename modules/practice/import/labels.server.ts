/** What becomes of the labels that files name: found by name and place, or decided by a person. Nothing vanishes unsaid. */
import { sql } from 'drizzle-orm'
import type { Queryable } from '../../../core/database/database.server.ts'
import { badRequest } from '../../../core/error/error.ts'
import type { Staff } from '../../../core/grant/staff.server.ts'
import { labelScope, standing } from '../label/read.server.ts'
import type { ImportLabel, LabelDecision, LabelFate, LabelPlace } from './calls.ts'

interface Known {
  id: number
  subject_id: number
  parent_id: number | null
  name: string
  alias: string[]
}

type Placed = Known & LabelPlace

/** How a label of a file is named among the decisions of a batch. */
export const labelKey = (subjectId: number, path: readonly string[]) => `${subjectId}\n${path.join('\n')}`
/** A name without what people write in different ways. */
export const plainName = (name: string) => name.normalize('NFKC').replace(/[\s“”"'《》·•,，、。（）()]+/g, '').toLowerCase()

/** Labels of subjects with their places. */
async function placedLabels(db: Queryable, subjectIds: readonly number[]): Promise<Placed[]> {
  const rows = await db.query<Known>(sql`select id, subject_id, parent_id, name, coalesce(alias, '{}') as alias from label where subject_id = any(${sql.param([...subjectIds])}::bigint[]) and kind = 'knowledge' and ${standing}`)
  const byId = new Map(rows.map((row) => [row.id, row]))
  const pathOf = (row: Known, depth = 0): string[] => {
    const parent = row.parent_id === null || depth > 12 ? undefined : byId.get(row.parent_id)
    return [...(parent ? pathOf(parent, depth + 1) : []), row.name]
  }
  return rows.map((row) => ({ ...row, path: pathOf(row) }))
}

/** Names above a label that the file names too. */
const sharedAbove = (label: Placed, path: readonly string[]) => {
  const above = new Set(label.path.slice(0, -1).map(plainName))
  return path.slice(0, -1).filter((name) => above.has(plainName(name))).length
}

/** The one label of that name, or the one of several whose place the file names best. */
function found(labels: readonly Placed[], path: readonly string[]): Placed | null {
  const name = plainName(path.at(-1) ?? '')
  const same = labels.filter((label) => plainName(label.name) === name)
  const named = same.length > 0 ? same : labels.filter((label) => label.alias.some((one) => plainName(one) === name))
  if (named.length <= 1) return named[0] ?? null
  const ranked = named.map((label) => ({ label, shared: sharedAbove(label, path) })).sort((a, b) => b.shared - a.shared)
  return (ranked[0]?.shared ?? 0) > (ranked[1]?.shared ?? 0) ? (ranked[0]?.label ?? null) : null
}

const grams = (text: string) => new Set(Array.from({ length: Math.max(1, text.length - 1) }, (_, index) => text.slice(index, index + 2)))

function likeness(one: string, other: string): number {
  const [a, b] = [grams(plainName(one)), grams(plainName(other))]
  const shared = [...a].filter((gram) => b.has(gram)).length
  const inside = plainName(one).includes(plainName(other)) || plainName(other).includes(plainName(one)) ? 0.4 : 0
  return (2 * shared) / (a.size + b.size) + inside
}

/** From this likeness on a suggestion may be accepted without being looked at, when no other comes near. */
const STRONG = 0.75
const LEAD = 0.15
/** Names that are less like each other than this suggest nothing. */
const LEAST = 0.35
const SUGGESTED = 3

/** Labels with a like name, better where the file names their place; those above it in the file are the last resort. */
function suggest(labels: readonly Placed[], path: readonly string[]): { suggestions: LabelPlace[]; strong: boolean } {
  const own = labels.map((label) => ({ label, score: likeness(label.name, path.at(-1) ?? '') + 0.15 * sharedAbove(label, path) })).filter(({ score }) => score >= LEAST)
  const above = path.slice(0, -1).flatMap((_, index) => found(labels, path.slice(0, index + 1)) ?? []).map((label, index) => ({ label, score: 0.1 * (index + 1) }))
  const ranked = [...own, ...above].sort((a, b) => b.score - a.score)
  const [first, second] = [...new Map(ranked.map((one) => [one.label.id, one])).values()]
  const strong = first !== undefined && first.score >= STRONG && first.score - (second?.score ?? 0) >= LEAD
  return { suggestions: [...new Map(ranked.map(({ label }) => [label.id, { id: label.id, path: label.path }])).values()].slice(0, SUGGESTED), strong }
}

export type LabelFinder = (subjectId: number, path: readonly string[]) => { fate: LabelFate; id: number | null }

const decisionsOf = async (db: Queryable, importId: number) => (await db.query<{ decisions: Record<string, number | null> }>(sql`select decisions from practice_import where id = ${importId}`))[0]?.decisions ?? {}

function finder(labels: readonly Placed[], decisions: Readonly<Record<string, number | null>>): LabelFinder {
  const bySubject = Map.groupBy(labels, (label) => label.subject_id)
  const ids = new Set(labels.map(({ id }) => id))
  return (subjectId, path) => {
    const decided = decisions[labelKey(subjectId, path)]
    if (decided === null) return { fate: 'left', id: null }
    // One that was removed since has to be decided again.
    if (decided !== undefined && ids.has(decided)) return { fate: 'mapped', id: decided }
    const own = found(bySubject.get(subjectId) ?? [], path)
    return own ? { fate: 'known', id: own.id } : { fate: 'open', id: null }
  }
}

/** Finds the label of ours that a label of a file becomes. */
export async function labelFinder(db: Queryable, importId: number, subjectIds: readonly number[]): Promise<LabelFinder> {
  return finder(await placedLabels(db, subjectIds), await decisionsOf(db, importId))
}

/** Labels of the questions of a batch that are taken in, those that wait for a decision first. */
export async function readImportLabels(db: Queryable, importId: number): Promise<ImportLabel[]> {
  const rows = await db.query<{ subject_id: number; path: string[]; count: number }>(sql`select i.subject_id, l.path, count(*)::int as count
    from practice_import_item i, jsonb_array_elements(i.question->'labels') l(path) where i.import_id = ${importId} and not i.skip and i.subject_id is not null and jsonb_typeof(i.question) = 'object' and jsonb_array_length(l.path) > 0
    group by 1, 2 order by 3 desc, 1, 2 limit 500`)
  const labels = await placedLabels(db, [...new Set(rows.map(({ subject_id }) => subject_id))])
  const find = finder(labels, await decisionsOf(db, importId))
  const bySubject = Map.groupBy(labels, (label) => label.subject_id)
  const items = rows.map((row): ImportLabel => {
    const { fate, id } = find(row.subject_id, row.path)
    const to = labels.find((label) => label.id === id)
    return { ...row, fate, to: to ? { id: to.id, path: to.path } : null, ...(fate === 'open' || fate === 'left' ? suggest(bySubject.get(row.subject_id) ?? [], row.path) : { suggestions: [], strong: false }) }
  })
  return items.sort((a, b) => Number(b.fate === 'open') - Number(a.fate === 'open'))
}

/**
 * Keeps decisions. Only labels of the same subject that the person may see can be chosen.
 * @throws AppError when one is no such label
 */
export async function decideLabels(tx: Queryable, staff: Staff, importId: number, decisions: readonly LabelDecision[]): Promise<void> {
  const wanted = decisions.flatMap(({ to }) => to ?? [])
  const rows = await tx.query<{ id: number; subject_id: number }>(sql`select id, subject_id from label where id = any(${sql.param(wanted)}::bigint[]) and kind = 'knowledge' and ${standing} and ${labelScope(staff)}`)
  const subjects = new Map(rows.map(({ id, subject_id }) => [id, subject_id]))
  if (decisions.some(({ to, subject_id }) => to !== null && subjects.get(to) !== subject_id)) throw badRequest('请选择同一学科的知识点')
  const added = Object.fromEntries(decisions.map(({ subject_id, path, to }) => [labelKey(subject_id, path), to]))
  await tx.query(sql`update practice_import set decisions = decisions || ${JSON.stringify(added)}::jsonb where id = ${importId}`)
}

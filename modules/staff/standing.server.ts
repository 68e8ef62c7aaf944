import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { defineError, notFound } from '../../core/error/error.ts'
import { SCOPE_KINDS, screenOf, STANDARD_ACTIONS, type ScopeKind, type Scopes } from '../../core/grant/grant.ts'
import type { Staff } from '../../core/grant/staff.server.ts'
import type { GrantGroup } from '../../core/grant/grant-tree.ts'
import { SUPER_ROLE } from '../../core/session/session.server.ts'
import { screens } from '../screens.ts'
import { scopeKinds, scopeProblems } from './scopes.ts'

export const superOnly = defineError('super_only', 403, () => '只有超级管理员可以管理超级管理员')
const holdsMore = defineError('standing', 403, (titles: string, what: string) => `您自己没有「${titles}」权限，不能管理${what}`)
const seesMore = defineError('standing', 403, (kind: string) => `该员工的${kind}范围超出您自己的范围，您不能管理该员工`)

/** What somebody may do and see, or what a role template gives. */
export interface Holding {
  readonly role: string
  readonly modules: readonly number[]
  readonly scopes: Scopes
}

/** Titles of actions that one screen alone has. The rules of a resource are not given the tree that knows them. */
const actionTitles = new Map<number, string>()

/** Learns the titles of all that can be granted. */
export function learnTitles(tree: readonly GrantGroup[]): void {
  for (const group of tree) for (const { children = [] } of group.screens) for (const { id, title } of children) actionTitles.set(id, title)
}

/** Titles of ids, for sentences: 学校列表、学校列表 · 导出 等 5 项. */
export function grantTitles(ids: readonly number[]): string {
  const titles = new Map(screens.map(({ id, title }) => [id, title]))
  const shown = ids.slice(0, 3).map((id) => {
    const screen = titles.get(screenOf(id)) ?? String(screenOf(id))
    if (screenOf(id) === id) return screen
    return `${screen} · ${actionTitles.get(id) ?? Object.values(STANDARD_ACTIONS).find(({ n }) => n === id % 100)?.title ?? id}`
  })
  return ids.length > 3 ? `${shown.join('、')} 等 ${ids.length} 项` : shown.join('、')
}

/** Of several ids those that somebody does not hold; a super-administrator holds all, those of former releases too. */
export function notHeld(actor: Staff, ids: readonly number[]): number[] {
  return actor.role === SUPER_ROLE ? [] : ids.filter((id) => !actor.modules.has(id))
}

/**
 * The one rule for everything that is done to a person or to a role template: a person who does it holds all that the target
 * holds and is scoped no narrower. Otherwise somebody could make a password, a number or a template of those above them
 * into their own way up.
 * @param what the target, as the sentence calls it
 * @throws AppError 403, saying what the actor lacks
 */
export function checkStanding(actor: Staff, target: Holding, what: '拥有该权限的员工' | '含有该权限的角色模板'): void {
  if (target.role === SUPER_ROLE && actor.role !== SUPER_ROLE) throw superOnly()
  const missing = notHeld(actor, target.modules)
  if (missing.length > 0) throw holdsMore(grantTitles(missing), what)
  const wider = scopeKinds.find((kind) => kind in scopeProblems(actor.scopes, target.scopes))
  if (wider) throw seesMore(SCOPE_KINDS[wider])
}

/** A person as the rule sees them. */
export interface Person extends Holding {
  readonly id: number
  readonly account: string
  readonly rev: number
}

const personColumns = sql`s.id, s.account, s.role, s.rev, array(select module_id from staff_module where staff_id = s.id order by 1) as modules,
  coalesce((select json_agg(json_build_object('kind', kind, 'ref_id', ref_id)) from staff_scope where staff_id = s.id), '[]') as scopes`

/**
 * Reads what somebody holds, and asks the rule.
 * @throws AppError when there is no such person, or the actor stands below them
 */
export async function personBelow(db: Queryable, actor: Staff, id: number): Promise<Person> {
  const [row] = await db.query<Omit<Person, 'scopes'> & { scopes: { kind: ScopeKind; ref_id: number }[] }>(
    sql`select ${personColumns} from staff s where s.id = ${id} and s.deleted_at is null`,
  )
  if (!row) throw notFound('员工')
  const scopes: Partial<Record<ScopeKind, number[]>> = {}
  for (const { kind, ref_id } of row.scopes) (scopes[kind] ??= []).push(ref_id)
  const person = { ...row, scopes }
  checkStanding(actor, person, '拥有该权限的员工')
  return person
}

/** The same for somebody to whom something is done: until the transaction ends nobody changes what they hold. */
export async function lockPerson(tx: Queryable, actor: Staff, id: number): Promise<Person> {
  await tx.query(sql`select 1 from staff where id = ${id} for no key update`)
  return personBelow(tx, actor, id)
}

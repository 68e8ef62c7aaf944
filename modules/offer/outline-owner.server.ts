import { sql } from 'drizzle-orm'
import { handle, idParam, type Served } from '../../core/endpoint/serve.server.ts'
import { notFound } from '../../core/error/error.ts'
import type { Resource } from '../../core/resource/define.ts'
import { listCondition } from '../../core/resource/where.server.ts'
import { addOutlineOwner, createOutline, outlineHealth, type OutlineOwnerKind } from '../outline/door.server.ts'
import { fullName } from '../reference/module.ts'
import { openOutline } from './calls.ts'
import type { CourseLine } from './course-line.ts'
import type { OutlinePort } from './outline-port.ts'

/** What has outlines in a line: its textbooks, whose outline all their courses share, or the courses themselves. */
export const ownersOf = ({ line, textbooks, offers }: Pick<CourseLine, 'line' | 'textbooks' | 'offers'>) => {
  const resource = (textbooks ?? offers)
  return { kind: resource.name, resource, query: `${textbooks ? 'textbook' : 'offer'}_id`, blocks: line.blocks }
}

interface Owner { id: number; title: string; subject_id: number; subject: string; level: number }

/** Which records of a resource that own outlines live within a person's scopes, and what the editor says of them. */
export const findOwners = (resource: Resource): OutlineOwnerKind['find'] => async (db, staff, ids) => {
  const rows = await db.query<Owner & Record<string, unknown>>(sql`select t.id, t.${sql.identifier(resource.title)} as title, t.subject_id, s.name as subject, s.level from ${sql.identifier(resource.table)} t join subject s on s.id = t.subject_id
    where t.id in (select id from ${sql.identifier(resource.table)} where ${listCondition(resource, staff, {})} and id = any(${sql.param([...ids])}::bigint[]))`)
  return new Map(rows.map(({ id, title, subject_id, subject, level }) => [id, { title, note: fullName(subject, level), subject_id }]))
}

/** Lets what a line sells have outlines. */
export function addLineOutlines(parts: CourseLine): void {
  const { kind, resource, query, blocks } = ownersOf(parts)
  const { outlineRights, outlinePath, line, complete } = parts
  if (outlineRights === undefined || outlinePath === undefined) return
  addOutlineOwner({
    kind, label: `${line.name}目录`, blocks,
    grants: { view: outlineRights.screen, edit: outlineRights.id('edit'), publish: outlineRights.id('publish') },
    complete,
    find: findOwners(resource),
    path: (id) => `${outlinePath}?${query}=${id}`,
  })
}

/** What the courses of a line ask of outlines. */
export function outlinePort(parts: Pick<CourseLine, 'line' | 'textbooks' | 'offers'>): OutlinePort {
  const { kind } = ownersOf(parts)
  return { states: (db, ids) => outlineHealth(db, kind, ids) }
}

/** The outline of a record, made when somebody who may edit it opens it for the first time. */
export function outlineCalls(parts: CourseLine): Served[] {
  const endpoint = openOutline(parts)
  if (!endpoint) return []
  const { kind, resource } = ownersOf(parts)
  return [handle(endpoint, (call) => call.transaction(async (tx) => {
    const id = idParam(call)
    const [row] = await tx.query(sql`select 1 from ${sql.identifier(resource.table)} where ${listCondition(resource, call.staff, {})} and id = ${id}`)
    if (!row) throw notFound(resource.label)
    return { outline_id: await createOutline(tx, { kind, id }) }
  }, { action: 'open_outline' }))]
}

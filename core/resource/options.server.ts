import { sql, type SQL } from 'drizzle-orm'
import { badRequest } from '../error/error.ts'
import type { Staff } from '../grant/staff.server.ts'
import type { Registry } from './uses.server.ts'
import type { Resource } from './define.ts'
import { seesNames } from './names.ts'
import { first, idsCondition, keptCondition, keywordText, likeText, pickableCondition, type Query } from './where.server.ts'

/** Records that a picker shows at once, and those that are named by their ids. */
const SHOWN = 50
const NAMED = 500

/**
 * Keys by which pickers of a resource may be narrowed: what its own definition says, and what the forms whose screens the
 * person holds narrow it by.
 * @param modules ids that the person holds
 */
export function offeredWithin(registry: Registry, resource: Resource, modules: ReadonlySet<number>): ReadonlySet<string> {
  const own = modules.has(resource.grant)
  const keys = new Set(resource.pick.within)
  for (const { resource: referrer } of registry.values()) {
    if (!own && !modules.has(referrer.grant)) continue
    for (const field of Object.values(referrer.fields)) {
      if ('target' in field && field.target().name === resource.name) for (const key of Object.values(field.within)) keys.add(key)
    }
  }
  return keys
}

/**
 * Records to pick from. A person who may refer to a record may not search it by all that is known of it: a picker takes a
 * keyword for the name, ids, and what forms narrow it by; anything else would tell what the list hides.
 * @throws AppError when it is asked anything else
 */
export function optionsStatement(registry: Registry, resource: Resource, staff: Staff, query: Query): SQL {
  const within = offeredWithin(registry, resource, staff.modules)
  const { offered } = resource.pick
  const unknown = Object.keys(query).find((key) => key !== 'keyword' && key !== 'ids' && !(key === 'offered' && offered) && !within.has(key))
  if (unknown !== undefined) throw badRequest(`选择框不支持按「${unknown.slice(0, 40)}」筛选`)
  const title = sql.identifier(resource.title)
  const keyword = keywordText(query)
  const ids = idsCondition(query)
  const parts = [
    pickableCondition(resource, staff),
    ...(ids ? [ids] : []),
    ...[...within].flatMap((key) => keptCondition(resource, key, query) ?? []),
    ...(offered && first(query, 'offered') ? Object.entries(offered).map(([key, value]) => sql`${sql.identifier(key)} = ${value}`) : []),
    // What is masked is found by the whole of it. Not everything is called by words.
    ...(keyword ? [resource.masksTitle && !seesNames(resource, staff) ? sql`${title} = ${keyword}` : sql`${title}::text ilike ${`%${likeText(keyword)}%`}`] : []),
  ]
  return sql`select id, ${title} as name from ${sql.identifier(resource.table)} where ${sql.join(parts, sql` and `)} order by id desc limit ${sql.raw(String(ids ? NAMED : SHOWN))}`
}

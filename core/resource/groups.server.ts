import { sql, type SQL } from 'drizzle-orm'
import type { Queryable } from '../database/database.server.ts'
import { badRequest } from '../error/error.ts'
import type { Staff } from '../grant/staff.server.ts'
import { stretchOf } from '../query/days.ts'
import { askKey } from '../query/asks.ts'
import { aliasOf, columnOf } from './behind.server.ts'
import { endOf } from './behind.ts'
import type { Resource } from './define.ts'
import { groupKeys, hasMoments, isUnit, LONGEST_SAMPLED, MOST_GROUPS, MOST_SAMPLES, type Group, type Groups, type Unit } from './groups.ts'
import type { ComputedSql } from './list.server.ts'
import { fieldOf } from './meta-fields.ts'
import { shownName } from './names.ts'
import { checkQuery, first, listCondition, type Query } from './where.server.ts'

/** By what a list is grouped, and how many records of each group are named. */
interface Asked {
  readonly key: string
  readonly unit: Unit | undefined
  readonly samples: number
  /** The list's own query. */
  readonly query: Query
}

/** The stretch that a query narrows a moment to, in seconds; endless where an end is open. */
function stretchAsked(query: Query, key: string): number {
  const word = stretchOf(first(query, askKey(key)) ?? '', Date.now() / 1000)
  const from = Math.max(Number(first(query, `${key}_start`) ?? -Infinity), word?.from ?? -Infinity)
  const to = Math.min(Number(first(query, `${key}_end`) ?? Infinity), word?.to ?? Infinity)
  return to - from
}

/** What is asked for. @throws AppError when the list cannot be grouped like that */
function readAsked(resource: Resource, { group_by: by, group_unit: unit, group_samples: samples, ...query }: Query): Asked {
  checkQuery(resource, query)
  const [key, stretch, many] = [by, unit, samples].map((value) => (typeof value === 'string' && value !== '' ? value : undefined))
  if (key === undefined || !groupKeys(resource).includes(key)) throw badRequest('不能按该字段分组')
  const moments = hasMoments(resource, key)
  if (moments ? !isUnit(stretch) : stretch !== undefined) throw badRequest(moments ? '请选择按天、按周或按月分组' : '只有时间可以按天、按周或按月分组')
  const count = Number(many ?? 0)
  if (!Number.isInteger(count) || count < 0 || count > MOST_SAMPLES) throw badRequest(`每组最多列出 ${MOST_SAMPLES} 条`)
  // The first records of each group are found by sorting all of it.
  if (count > 0 && !(moments && stretchAsked(query, key) <= LONGEST_SAMPLED)) throw badRequest('一次最多查看 45 天的记录')
  return { key, unit: isUnit(stretch) ? stretch : undefined, samples: count, query }
}

/** Joins that lead from rows `t` to where the value of a field stands. */
function joinsTo(resource: Resource, key: string): SQL {
  const { path } = resource.fields[key]?.behind ?? { path: [] }
  return sql.join(path.map((step, n) => {
    const alias = aliasOf(path.slice(0, n + 1))
    return sql`left join ${sql.identifier(endOf(resource, path.slice(0, n + 1)).table)} ${alias} on ${alias}.id = ${n === 0 ? sql`t` : aliasOf(path.slice(0, n))}.${sql.identifier(step)}`
  }), sql` `)
}

interface FoundGroup extends Record<string, unknown> {
  value: string | number | null
  name: string | null
  n: number
  total: number
  groups: number
  ids?: number[]
}

const figuresOf = (resource: Resource, row: Readonly<Record<string, unknown>> | undefined, prefix: string) =>
  Object.fromEntries(resource.list.summary.map((key) => [key, Number(row?.[`${prefix}${key}`] ?? 0)]))

/**
 * Counts what a list holds by the values of one field, with the sums of its summary fields: the same records, filters and scope
 * as the list itself, in one statement. Of the names that groups go by the person sees what a picker would show.
 * @param targets all resources by name
 * @throws AppError when the list cannot be grouped like that
 */
export async function readGroups(
  db: Queryable, resource: Resource, staff: Staff, asked: Query, { computed, targets }: { computed: ComputedSql; targets: ReadonlyMap<string, Resource> },
): Promise<Groups> {
  const { key, unit, samples, query } = readAsked(resource, asked)
  const field = fieldOf(resource, key)
  const column = columnOf(resource, key)
  const value = unit ? sql`date_trunc(${sql.raw(`'${unit}'`)}, ${column}, 'Asia/Shanghai')` : column
  const sums = resource.list.summary.map((name) => ({ name, own: sql`coalesce(sum(${computed[name] ? sql`(${computed[name]})` : sql`t.${sql.identifier(name)}`}), 0)::float8` }))
  const inner = sql`select ${value} as value, count(*)::int as n${sql.join(sums.map(({ name, own }) => sql`, ${own} as ${sql.identifier(`sum_${name}`)}`), sql``)}
    ${samples > 0 ? sql`, (array_agg(t.id order by ${column}, t.id))[1:${sql.raw(String(samples))}] as ids` : sql``}
    from (select * from ${sql.identifier(resource.table)} where ${listCondition(resource, staff, query)}) t ${joinsTo(resource, key)} group by 1`
  const most = sql`select g.*, sum(n) over ()::int as total, count(*) over ()::int as groups${sql.join(sums.map(({ name }) => sql`, sum(${sql.identifier(`sum_${name}`)}) over () as ${sql.identifier(`all_${name}`)}`), sql``)}
    from (${inner}) g order by ${sql.raw(unit ? 'value desc nulls last' : 'n desc, value')} limit ${sql.raw(String(MOST_GROUPS))}`
  const target = 'target' in field && field.refers === 'one' ? targets.get(field.target().name) : undefined
  const named = target
    ? sql`select m.*, r.${sql.identifier(target.title)}::text as name from (${most}) m left join ${sql.identifier(target.table)} r on r.id = m.value`
    : sql`select m.*, null as name from (${most}) m`
  const rows = await db.query<FoundGroup>(sql`${named} order by ${sql.raw(unit ? 'm.value desc nulls last' : 'm.n desc, m.value')}`)
  const groups = rows.map((row): Group => ({
    value: row.value, name: target && row.name !== null ? shownName(target, staff, row.name) : null, count: row.n, sums: figuresOf(resource, row, 'sum_'), ...(row.ids && { ids: row.ids }),
  }))
  const [any] = rows
  const [total, all] = [any?.total ?? 0, figuresOf(resource, any, 'all_')]
  const shown = groups.reduce((sum, { count }) => sum + count, 0)
  const left = (any?.groups ?? 0) - groups.length
  return {
    groups,
    rest: left > 0 ? { groups: left, count: total - shown, sums: Object.fromEntries(Object.entries(all).map(([name, sum]) => [name, groups.reduce((rest, group) => rest - (group.sums[name] ?? 0), sum)])) } : null,
    total,
    sums: all,
  }
}

import { sql, type SQL } from 'drizzle-orm'
import type { Resource } from '../resource/define.ts'
import type { Query } from '../resource/where.server.ts'

/** How the records of a figure can be told apart, beside the line of business. */
export const DIMENSIONS = ['channel', 'agent', 'staff', 'province'] as const
export type Dimension = (typeof DIMENSIONS)[number]

/** Which records are asked for: from a moment on until before another, and one value of a dimension. */
export interface FigureAsk {
  readonly from: number
  readonly to: number
  readonly by?: { readonly dimension: Dimension; readonly key: string }
}

/** A list that shows the records of a figure: all of them, or those of one line. */
export interface FigureList {
  /** Value of the figure's `line`; empty where it has one list alone. */
  readonly line: string
  readonly title: string
  /** Who may look at the list may see its part of the figure; whom a data scope narrows there may not. */
  readonly resource: Resource
  readonly path: string
  /** Filters by which the list shows exactly the records that are asked for; undefined where it has no such filter. */
  query(ask: FigureAsk): Query | undefined
}

/**
 * Something that is counted by days, as a module hands it over. What is counted stands in one table, of which a record
 * counts on the day of one of its moments; SQL speaks of the table as `t`.
 */
export interface DailyFigure {
  /** Stays the same over releases: days that were counted are found by it. */
  readonly name: string
  readonly title: string
  /** What counts, in one sentence. */
  readonly about: string
  readonly as: 'number' | 'money'
  readonly table: string
  /** Column with the moment that decides. */
  readonly at: string
  readonly where?: SQL
  /** What a record adds; 1 by default. */
  readonly value?: SQL
  /** Who it is, where people are counted and not records: somebody counts once in a stretch, so that days never add up. */
  readonly person?: SQL
  readonly line?: SQL
  readonly dimensions?: Readonly<Partial<Record<Dimension, SQL>>>
  /** A step of the funnel, in which a person counts on the day when they came in; not among the other figures. */
  readonly step?: number
  /** The less, the better: complaints. */
  readonly less?: true
  /** Days in which what counts on a day can still grow. */
  readonly ripens?: number
  /** A figure behind others, such as the refunds of a rate; not among the other figures either. */
  readonly behind?: true
  lists(): readonly FigureList[]
}

/** Filters of a list for a stretch of one of its moments. Moments are whole seconds, and a list's range holds its end. */
export const rangeQuery = (at: string, { from, to }: Pick<FigureAsk, 'from' | 'to'>): Query => ({ [`${at}_start`]: String(from), [`${at}_end`]: String(to - 1) })

/** Address of a list with filters. */
export const addressOf = (path: string, query: Query): string => `${path}${path.includes('?') ? '&' : '?'}${new URLSearchParams(Object.entries(query).flatMap(([key, value]) => [value ?? []].flat().map((one) => [key, one]))).toString()}`

/** Fields that tell the records of most resources apart. */
const COLUMNS: Readonly<Record<Dimension, string>> = { channel: 'channel_id', agent: 'agent_id', staff: 'owner_id', province: 'region_code' }

interface ListFigure extends Pick<DailyFigure, 'name' | 'title' | 'about' | 'less'> {
  readonly path: string
  /** Field with the moment that counts; the list has it among its filters. */
  readonly at: string
  /** Fields of the dimensions, where they are not those that most resources have. */
  readonly columns?: Readonly<Partial<Record<Dimension, string>>>
}

/** Records of a resource by their field with a moment, and the list that shows them: as `listTrend`, but for all days that there were. */
export function listFigure(resource: Resource, { path, at, columns = {}, ...figure }: ListFigure): DailyFigure {
  const known = DIMENSIONS.flatMap((dimension) => {
    const key = columns[dimension] ?? COLUMNS[dimension]
    return resource.fields[key]?.column ? [[dimension, key] as const] : []
  })
  const filters = new Set(resource.list.filters)
  const own = Object.entries(resource.where).map(([key, value]) => sql` and t.${sql.identifier(key)} = ${typeof value === 'number' ? sql.raw(String(value)) : value}`)
  return {
    ...figure, as: 'number', table: resource.table, at, where: sql`t.deleted_at is null${sql.join(own)}`,
    dimensions: Object.fromEntries(known.map(([dimension, key]) => [dimension, dimension === 'province' ? sql`left(t.${sql.identifier(key)}, 2)` : sql`t.${sql.identifier(key)}::text`])),
    lists: () => [{
      line: '', title: resource.label, resource, path,
      query(ask) {
        if (ask.by === undefined) return rangeQuery(at, ask)
        const { dimension, key: value } = ask.by
        const key = known.find(([name]) => name === dimension)?.[1]
        return key !== undefined && filters.has(key) && value !== '' ? { ...rangeQuery(at, ask), [key]: value } : undefined
      },
    }],
  }
}

import { sql } from 'drizzle-orm'
import {
  bigint, boolean, customType, index, integer, jsonb, numeric, pgTable, primaryKey, text, timestamp, uniqueIndex,
  type AnyPgColumn, type PgColumnBuilderBase, type PgTable,
} from 'drizzle-orm/pg-core'
import type { ColumnType } from '../field/field.ts'
import type { Resource } from './define.ts'
import { uniqueGroups } from './unique.ts'

const orderedText = customType<{ data: string }>({ dataType: () => 'text collate "C"' })

const builders: Record<ColumnType, (name: string) => PgColumnBuilderBase> = {
  text: (name) => text(name),
  ordered_text: (name) => orderedText(name),
  integer: (name) => integer(name),
  bigint: (name) => bigint(name, { mode: 'number' }),
  numeric: (name) => numeric(name),
  boolean: (name) => boolean(name),
  // Whole seconds, as on the wire: a page's cursor then names a row exactly.
  timestamptz: (name) => timestamp(name, { withTimezone: true, precision: 0 }),
  jsonb: (name) => jsonb(name),
  'bigint[]': (name) => bigint(name, { mode: 'number' }).array(),
  'text[]': (name) => text(name).array(),
}

/** Columns that every table of a resource has (domain 0.3). */
const idColumn = () => bigint('id', { mode: 'number' })
const metaColumns = (monthly: boolean) => ({
  // The key of a table that is kept by month holds the moment too.
  id: (monthly ? idColumn() : idColumn().primaryKey()).generatedByDefaultAsIdentity(),
  rev: integer('rev').notNull().default(1),
  created_by: bigint('created_by', { mode: 'number' }),
  created_at: timestamp('created_at', { withTimezone: true, precision: 0 }).notNull().defaultNow(),
  updated_by: bigint('updated_by', { mode: 'number' }),
  updated_at: timestamp('updated_at', { withTimezone: true, precision: 0 }).notNull().defaultNow(),
  deleted_at: timestamp('deleted_at', { withTimezone: true, precision: 0 }),
})

/** SQL text that joins the searched fields of a row; index and query must use the same. */
export function searchText(resource: Pick<Resource, 'fields'>, alias = ''): string {
  const keys = Object.keys(resource.fields).filter((key) => resource.fields[key]?.column && resource.fields[key].search && !resource.fields[key].hidden?.whole)
  const words = (key: string) => resource.fields[key]?.words?.(`${alias}"${key}"`) ?? `${alias}"${key}"`
  return keys.map((key) => `coalesce(${words(key)}, '')`).join(" || ' ' || ")
}

/**
 * SQL text of what the index of words holds of a row: pieces of its searched text, and as one more the values within which
 * words are looked for. A list of one subject then reads its own records alone, not those of all subjects that hold the words.
 */
export function searchPieces(resource: Pick<Resource, 'fields' | 'searchedWithin'>, alias = ''): string {
  const pieces = `grams(${searchText(resource, alias)})`
  const within = resource.searchedWithin.map((key) => `${alias}"${key}"::text`)
  return within.length > 0 ? `(${pieces} || (${within.join(" || ' ' || ")}))` : pieces
}

/** The one piece by which records with these values of `searchedWithin` are found. No text has it: its own are cut at spaces. */
export const withinPiece = (values: readonly (string | number)[]): string => values.join(' ')

/** What only some of the resources of a table say of it holds for their own records alone. */
function ownRecords(all: readonly Resource[], saying: readonly Resource[]): string {
  if (saying.length === all.length) return ''
  const conditions = saying.map(({ where }) => Object.entries(where).map(([key, value]) => `"${key}" = ${typeof value === 'number' ? value : `'${value}'`}`).join(' and ') || 'true')
  return ` and (${conditions.join(' or ')})`
}

type Shape = Pick<Resource, 'name' | 'monthly' | 'fields' | 'indexes' | 'indexesLiving' | 'searchedWithin' | 'unique' | 'where'>

/** Whether no record belongs to both of two resources. */
const areApart = (one: Pick<Shape, 'where'>, other: Pick<Shape, 'where'>) => Object.entries(one.where).some(([key, value]) => key in other.where && other.where[key] !== value)

/**
 * Whether every row of the table has a value for a field. A resource that does not know a field says nothing about it, unless
 * its records belong to none that knows it: then they leave it empty.
 */
const isRequired = (all: readonly Pick<Shape, 'fields' | 'where'>[], key: string) => {
  const knowing = all.filter((one) => key in one.fields)
  return all.every((one) => (key in one.fields ? one.fields[key]?.required || key in one.where : knowing.some((other) => !areApart(one, other))))
}

/**
 * Whether a member of a unique group may be empty and then equals every other empty one. The last member is what the group is
 * about: a record without it is not bound, as a student without a number.
 */
export const hasEqualNulls = (all: readonly Pick<Shape, 'fields' | 'where'>[], keys: readonly string[]): boolean => keys.slice(0, -1).some((key) => !isRequired(all, key))

/** Names of the unique indexes of a table in which empty values are equal: drizzle cannot say it of an index. */
export function indexesOfEqualNulls(table: string, all: readonly Shape[]): string[] {
  const groups = Map.groupBy(all.flatMap((one) => uniqueGroups(one).map((keys) => ({ keys, one }))), ({ keys }) => keys.join('_'))
  return [...groups].filter(([, saying]) => hasEqualNulls(saying.map(({ one }) => one), saying[0]?.keys ?? [])).map(([name]) => `${table}_${name}_u`).sort()
}

/** The fields of a group whatever their order: two groups with the same ones are meant to be one index. */
const membersOf = (keys: readonly string[]) => keys.filter((key) => key !== 'id').toSorted().join(', ')

/**
 * Refuses resources that share a table and contradict each other: one of them would silently have its way.
 * @throws Error with one sentence that names both and what they disagree about
 */
export function checkSharing(table: string, all: readonly Shape[]): void {
  for (const [place, one] of all.entries()) {
    for (const other of all.slice(place + 1)) {
      const refuse = (what: string) => { throw new Error(`${one.name} and ${other.name} share the table ${table} and disagree on ${what}`) }
      const both = Object.keys(one.fields).filter((key) => one.fields[key]?.column && other.fields[key]?.column)
      for (const key of both) if (one.fields[key]?.column !== other.fields[key]?.column) refuse(`the type of ${key}`)
      if (one.monthly !== other.monthly) refuse('by which month records are kept')
      if (one.indexesLiving !== other.indexesLiving) refuse('whether indexes hold living records alone')
      for (const [what, groupsOf] of [['unique fields', uniqueGroups], ['indexes', (shape: Shape) => shape.indexes]] as const) {
        const theirs = new Map(groupsOf(other).map((keys) => [membersOf(keys), keys]))
        for (const keys of groupsOf(one)) {
          const same = theirs.get(membersOf(keys))
          if (same && same.join() !== keys.join()) refuse(`${what}: ${keys.join(', ')} or ${same.join(', ')}`)
        }
      }
      // A record that is of both is unique or not; of kinds that exclude each other each has its own.
      const apart = areApart(one, other)
      const shared = (shape: Shape) => uniqueGroups(shape).filter((keys) => keys.every((key) => both.includes(key))).map((keys) => keys.join(', '))
      const [mine, theirs] = apart ? [[], []] : [shared(one), shared(other)]
      const odd = [...mine.filter((keys) => !theirs.includes(keys)), ...theirs.filter((keys) => !mine.includes(keys))][0]
      if (odd !== undefined) refuse(`whether ${odd} is unique`)
    }
  }
}

/**
 * The table that keeps a resource, or several that share it, for the migrations.
 * Names stay short: PostgreSQL cuts them at 63 characters.
 */
export function tableOf(resource: Resource, ...sharing: readonly Resource[]): PgTable {
  const all = [resource, ...sharing]
  const short = resource.table
  const columns: Record<string, PgColumnBuilderBase> = metaColumns(resource.monthly !== undefined)
  const fields = new Map(all.flatMap((one) => Object.entries(one.fields)))
  for (const [key, field] of fields) {
    if (!field.column) continue
    const column = builders[field.column](key) as PgColumnBuilderBase & { notNull(): PgColumnBuilderBase; default(value: unknown): typeof column }
    // Rows from before the table was shared are those of the resource that it is named after.
    const fixed = all.find(({ name }) => name === short)?.where[key]
    const filled = fixed === undefined ? column : column.default(fixed)
    columns[key] = isRequired(all, key) ? filled.notNull() : filled
  }
  /** Each group of fields once, with the resources that name it. */
  const gather = (groupsOf: (one: Resource) => readonly (readonly string[])[]) =>
    [...Map.groupBy(all.flatMap((one) => groupsOf(one).map((keys) => ({ keys, one }))), ({ keys }) => keys.filter((key) => key !== 'id').join('_'))]
      .map(([name, found]) => ({ name, keys: found[0]?.keys ?? [], saying: found.map(({ one }) => one) }))
  const unique = gather(uniqueGroups)
  const plain = gather((one) => [
    ...Object.keys(one.fields).filter((key) => one.fields[key]?.indexed && one.fields[key].column && !one.fields[key]?.unique
      && !one.indexes.some(([leading, next]) => leading === key && next === 'id')).map((key) => [key, 'id']),
    ...one.indexes,
  ])
  // What lists a record that is to be removed is found without reading the whole table.
  const lists = [...fields].filter(([, field]) => 'target' in field && field.refers === 'many' && field.column && field.onRemove !== 'keep').map(([key]) => key)
  const living = all.every(({ indexesLiving }) => indexesLiving)
  /** Nobody looks for records whose reference is empty, and a list is not sorted by it. */
  const isGiven = (key: string) => (fields.get(key)?.sortable || columns[key] === undefined || fields.get(key)?.required ? '' : ` and "${key}" is not null`)
  const searches = [...new Set(all.filter((one) => searchText(one) !== '').map((one) => searchPieces(one)))]
  return pgTable(short, columns, (table) => {
    const of = (key: string): AnyPgColumn => {
      const column = table[key]
      if (!column) throw new Error(`${short} has no column ${key}`)
      return column
    }
    const on = (keys: readonly string[]) => keys.map(of) as [AnyPgColumn, ...AnyPgColumn[]]
    return [
      ...(resource.monthly === undefined ? [] : [primaryKey({ name: `${short}_pk`, columns: on(['id', resource.monthly]) })]),
      ...unique.map(({ name, keys, saying }) => {
        const last = keys.at(-1) ?? ''
        const bound = hasEqualNulls(saying, keys) && !isRequired(saying, last) ? ` and "${last}" is not null` : ''
        return uniqueIndex(`${short}_${name}_u`).on(...on(keys)).where(sql.raw(`deleted_at is null${ownRecords(all, saying)}${bound}`))
      }),
      ...lists.map((key) => index(`${short}_${key}_i`).using('gin', of(key)).where(sql`deleted_at is null`)),
      ...plain.map(({ name, keys }) => {
        const one = index(`${short}_${name}_i`).on(...on(keys))
        return living ? one.where(sql.raw(`deleted_at is null${isGiven(keys[0] ?? '')}`)) : one
      }),
      // The recycle bin looks at all tables at once.
      index(`${short}_deleted_i`).on(of('deleted_at'), of('id')).where(sql`deleted_at is not null`),
      ...searches.map((search, place) => index(`${short}_search${place || ''}_i`).using('gin', sql.raw(search))),
    ]
  })
}

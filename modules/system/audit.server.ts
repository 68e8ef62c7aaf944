import { sql, type SQL } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { handle, type Served } from '../../core/endpoint/serve.server.ts'
import { badRequest } from '../../core/error/error.ts'
import { MOBILE, maskMobile } from '../../core/field/mobile.ts'
import { maskName } from '../../core/field/person-name.ts'
import { toSeconds } from '../../core/field/time.ts'
import type { Staff } from '../../core/grant/staff.server.ts'
import type { Kernel } from '../../core/kernel/kernel.server.ts'
import { nameChanges } from '../../core/resource/change-names.server.ts'
import type { Named, Resource } from '../../core/resource/define.ts'
import { fieldWords } from '../../core/resource/field-words.ts'
import { wireValues } from '../../core/resource/history.server.ts'
import { COUNT_CAP, MAX_PAGE_SIZE, PAGE_SIZE } from '../../core/resource/list.server.ts'
import { seesNames } from '../../core/resource/names.ts'
import { likeText, scopeCondition } from '../../core/resource/where.server.ts'
import { screens } from '../screens.ts'
import { auditEntities, auditLogs, auditPeople, type AuditEntity, type AuditEntry, type AuditPage } from './audit.ts'

type StoredEntry = Omit<AuditEntry, 'entity_label' | 'title' | 'action_name'>

/** What the log needs to know of a table: several resources may share one. */
interface Entity {
  label: string
  title: string | undefined
  fields: Resource['fields']
  grant: number
  actions: readonly Named[]
  /** Those that share it. */
  resources: readonly Resource[]
}

/** Tables of all resources by name. */
function entitiesOf(kinds: readonly Resource[]): Map<string, Entity> {
  const entities = new Map<string, Entity>()
  for (const resource of kinds) {
    const known = entities.get(resource.table)
    entities.set(resource.table, {
      label: known ? `${known.label}、${resource.label}` : resource.label,
      title: known?.title ?? (resource.fields[resource.title]?.column ? resource.title : undefined),
      fields: { ...resource.fields, ...Object.fromEntries(Object.values(resource.fields).flatMap((field) => (field.wire === undefined ? [] : [[field.wire, field]]))), ...known?.fields },
      grant: known?.grant ?? resource.grant,
      resources: [...known?.resources ?? [], resource],
      actions: [...new Map([...known?.actions ?? [], ...resource.transitions, ...resource.logged].map((action) => [action.name, action])).values()],
    })
  }
  return entities
}

/** Values by the words of the kind of record that they tell of: a column of a table that several share means something else with each. */
function inOwnWords(entity: Entity | undefined, entry: StoredEntry): StoredEntry {
  const told = { ...entry.before, ...entry.after }
  const own = entity?.resources.find(({ where }) => Object.entries(where).every(([key, value]) => told[key] === value))
  const rename = (values: StoredEntry['before']) => values && Object.fromEntries(Object.entries(values).map(([key, value]) => [own?.fields[key]?.wire ?? key, value]))
  return own ? { ...entry, before: rename(entry.before), after: rename(entry.after) } : entry
}

/** Hides mobile numbers wherever they stand in a value: a change may be of a record that no definition describes. */
function maskDeep(value: unknown): unknown {
  if (typeof value === 'string') return MOBILE.test(value) ? maskMobile(value) : value
  if (Array.isArray(value)) return value.map(maskDeep)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, maskDeep(inner)]))
}

const inList = (column: SQL, values: string | string[]) => sql`${column} = any(${sql.param([values].flat())}::text[])`

/** Leaves out changes of records that the person's data scopes hide; of a record that is gone, nobody knows whose it was. */
function scopeConditions(kinds: readonly Resource[], staff: Staff): SQL[] {
  const limited = new Set(kinds.filter((resource) => scopeCondition(resource, staff)).map(({ table }) => table))
  return [...limited].map((table) => {
    const visible = kinds.filter((resource) => resource.table === table).map((resource) => {
      const parts = [scopeCondition(resource, staff) ?? sql`true`, ...Object.entries(resource.where).map(([key, value]) => sql`${sql.identifier(key)} = ${value}`)]
      return sql`(${sql.join(parts, sql` and `)})`
    })
    return sql`(a.entity <> ${table} or exists (select 1 from ${sql.identifier(table)} where id = a.entity_id and (${sql.join(visible, sql` or `)})))`
  })
}

/** Names of the records that entries are about, one statement for a whole page. */
async function readTitles(db: Queryable, entities: ReadonlyMap<string, Entity>, entries: readonly StoredEntry[]): Promise<Map<string, string>> {
  const ids = new Map<string, number[]>()
  for (const { entity, entity_id } of entries) ids.set(entity, [...(ids.get(entity) ?? []), entity_id])
  const parts = [...ids].flatMap(([table, list]) => {
    const title = entities.get(table)?.title
    return title ? [sql`select ${table}::text as entity, id, ${sql.identifier(title)}::text as title from ${sql.identifier(table)} where id = any(${sql.param(list)}::bigint[])`] : []
  })
  if (parts.length === 0) return new Map()
  const rows = await db.query<{ entity: string; id: number; title: string | null }>(sql.join(parts, sql` union all `))
  return new Map(rows.map((row) => [`${row.entity} ${row.id}`, row.title ?? '']))
}

/** How to show the values of some entries: of each kind of record the fields that occur. */
function wordsOf(entities: ReadonlyMap<string, Entity>, entries: readonly StoredEntry[]): AuditPage['fields'] {
  const occurring = new Map<string, Set<unknown>>()
  for (const { entity, before, after } of entries) {
    const keys = occurring.get(entity) ?? new Set()
    // Looking at a number and exporting name fields in their values.
    for (const key of [...Object.keys({ ...before, ...after }), after?.['field'], after?.['columns']].flat()) keys.add(key)
    occurring.set(entity, keys)
  }
  return Object.fromEntries([...occurring].map(([entity, keys]) => [
    entity, Object.fromEntries(Object.entries(entities.get(entity)?.fields ?? {}).filter(([key]) => keys.has(key)).map(([key, field]) => [key, fieldWords(field)])),
  ]))
}

/** The calls of the audit log. */
export function auditCalls({ kinds, words }: Pick<Kernel, 'kinds' | 'words'>): Served[] {
  const entities = entitiesOf(kinds)
  /** Whether somebody sees the names of learners in what is logged of a table. */
  const seesIn = (entity: Entity | undefined, staff: Staff) => entity !== undefined && entity.resources.every((resource) => seesNames(resource, staff))
  const show = (entry: StoredEntry, titles: ReadonlyMap<string, string>, staff: Staff): AuditEntry => {
    const entity = entities.get(entry.entity)
    const plain = seesIn(entity, staff)
    const wire = (values: AuditEntry['before']) => maskDeep(entity ? wireValues(entity, values, true, plain) : values) as AuditEntry['before']
    // A record that is gone for good is called what it was called before.
    const last = entity?.title ? (entry.before?.[entity.title] ?? entry.after?.[entity.title]) : undefined
    const title = titles.get(`${entry.entity} ${entry.entity_id}`) ?? (last === undefined || last === null ? null : String(last))
    return { ...entry, before: wire(entry.before), after: wire(entry.after), entity_label: entity?.label ?? entry.entity, action_name: words.say(entry.entity, entry.action), title: title && String(maskDeep(entity?.resources.some(({ masksTitle }) => masksTitle) && !plain ? maskName(title) : title)) }
  }
  return [
    handle(auditLogs, async (call) => {
      const { staff_id, entity, entity_id, action, start_time, end_time, cursor, page_size } = call.input
      const size = Math.min(MAX_PAGE_SIZE, Number(page_size ?? PAGE_SIZE) || PAGE_SIZE)
      const conditions = [
        staff_id && sql`a.staff_id = ${Number(staff_id)}`,
        entity && inList(sql`a.entity`, entity),
        entity_id && sql`a.entity_id = ${Number(entity_id)}`,
        action && inList(sql`a.action`, action),
        start_time && sql`a.at >= to_timestamp(${toSeconds(Number(start_time))}::float8)`,
        // The last second counts whole: times on the wire have no fractions.
        end_time && sql`a.at < to_timestamp(${toSeconds(Number(end_time)) + 1}::float8)`,
        ...scopeConditions(kinds, call.staff),
      ].filter((condition): condition is SQL => typeof condition === 'object')
      const where = sql.join([sql`true`, ...conditions], sql` and `)
      const older = cursor ? sql` and (a.at, a.id) < (select at, id from audit_log where id = ${Number(cursor)})` : sql``
      const [rows, counted] = await Promise.all([
        call.db.query<StoredEntry>(sql`
          select a.id, a.at, a.staff_id, s.name as staff_name, a.ip, a.request_id, a.action, a.reason, a.entity, a.entity_id, a.before, a.after
          from (select * from audit_log a where ${where}${older} order by a.at desc, a.id desc limit ${sql.raw(String(size + 1))}) a
          left join staff s on s.id = a.staff_id order by a.at desc, a.id desc`),
        cursor ? [] : call.db.query<{ n: number }>(sql`select count(*) as n from (select 1 from audit_log a where ${where} limit ${sql.raw(String(COUNT_CAP))}) x`),
      ])
      const items = rows.slice(0, size).map((entry) => inOwnWords(entities.get(entry.entity), entry))
      const titles = await readTitles(call.db, entities, items)
      const last = items.at(-1)
      await nameChanges(call.db, items.map(({ entity, before, after }) => ({ fields: entities.get(entity)?.fields ?? {}, before, after })), !call.staff.masksNames)
      return {
        items: items.map((entry) => show(entry, titles, call.staff)),
        fields: wordsOf(entities, items),
        ...(counted[0] && { total: counted[0].n }),
        ...(rows.length > size && last && { next: String(last.id) }),
      }
    }),
    handle(auditPeople, async (call) => {
      const { keyword, ids } = call.input
      const word = keyword?.trim()
      const chosen = [ids ?? []].flat().map(Number)
      if (chosen.some((id) => !Number.isSafeInteger(id))) throw badRequest('编号有误')
      const condition = ids ? sql`id = any(${sql.param(chosen)}::bigint[])` : word ? sql`(name ilike ${`%${likeText(word)}%`} or account ilike ${`%${likeText(word)}%`})` : sql`true`
      return { items: await call.db.query<{ id: number; name: string }>(sql`select id, name || '（' || account || '）' as name from staff where ${condition} order by id desc limit 50`) }
    }),
    handle(auditEntities, async () => {
      const paths = new Map(screens.map((screen) => [screen.id, screen.path]))
      const items = [...entities].map(([entity, { label, grant, actions }]): AuditEntity => ({
        entity, label, path: paths.get(grant) ?? null, actions: actions.map(({ name, label }) => ({ name, label })),
      }))
      return { items, total: items.length }
    }),
  ]
}

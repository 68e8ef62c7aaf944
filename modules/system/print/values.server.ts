import type { Queryable } from '../../../core/database/database.server.ts'
import type { AnyField } from '../../../core/field/any-field.ts'
import type { Staff } from '../../../core/grant/staff.server.ts'
import type { Kernel } from '../../../core/kernel/kernel.server.ts'
import type { PrintedRecord, PrintField } from '../../../core/print/calls.ts'
import { pathsOf } from '../../../core/print/fill.ts'
import { ownReferences, resourceOf } from '../../../core/resource/behind.ts'
import type { Resource } from '../../../core/resource/define.ts'
import { NOTHING_COMPUTED, readPage, type Row } from '../../../core/resource/list.server.ts'
import { hasValue, metaFields } from '../../../core/resource/meta-fields.ts'
import { shownName } from '../../../core/resource/names.ts'
import type { RichDoc } from '../../../core/rich-text/rich-doc.ts'
import { sheetColumns } from '../../../core/transfer/sheet-column.server.ts'
import { sheetWords } from '../../../core/transfer/sheet-words.ts'

type Parts = Pick<Kernel, 'db' | 'registry' | 'printed'>

/** Of what every record has, what stands on paper. */
const META = ['id', 'created_at', 'created_by_name', 'updated_at'] as const

/** Words of one field. A file has none, an editor of its own neither. */
const printable = (field: AnyField): boolean => hasValue(field) && !field.files && field.kind !== 'segment'

const isGroup = (field: AnyField): field is Extract<AnyField, { kind: 'group' }> => field.kind === 'group'

/** Everything that a template of a resource can say. */
export function printFields({ printed }: Pick<Parts, 'printed'>, resource: Resource): PrintField[] {
  const own = [...Object.entries(resource.fields), ...META.map((key) => [key, metaFields[key]] as const)].flatMap(([key, field]) => (field && printable(field) && !isGroup(field) ? [{ path: key, label: field.label, of: resource.label, repeats: false }] : []))
  const behind = ownReferences(resource).flatMap(([key, field]) => (field.refers === 'one' ? Object.entries(resourceOf(field).fields ?? {}).flatMap(([name, one]) => (printable(one) && !isGroup(one) ? [{ path: `${key}.${name}`, label: `${field.label} · ${one.label}`, of: field.label, repeats: false }] : [])) : []))
  const groups = Object.entries(resource.fields).flatMap(([key, field]) => (isGroup(field) ? Object.entries(field.fields).map(([name, one]) => ({ path: `${key}:${name}`, label: `${field.label} · ${one.label}`, of: field.label, repeats: true })) : []))
  const lines = printed.filter((one) => one.of(resource)).flatMap(({ name, title, columns }) => Object.entries(columns).map(([key, { label }]) => ({ path: `${name}:${key}`, label: `${title} · ${label}`, of: title, repeats: true })))
  return [...own, ...lines, ...groups, ...behind]
}

/** Fields of records as text, by the reader's own rights: what is masked in lists is masked on paper. */
function words(resource: Resource, keys: readonly string[], staff: Staff, row: Row): Record<string, string> {
  return Object.fromEntries(sheetColumns(resource, keys, false, staff).map(({ key, type, read }) => [key, sheetWords(type, read(row))]))
}

async function readRows({ db, registry }: Pick<Parts, 'registry'> & { db: Queryable }, resource: Resource, staff: Staff, ids: readonly number[]): Promise<Row[]> {
  if (ids.length === 0) return []
  const { rows } = await readPage(db, resource, staff, { ids: ids.map(String), page_size: String(ids.length) }, registry.get(resource.name)?.rules.computed ?? NOTHING_COMPUTED)
  return rows
}

/** Values behind references, of records that the person may look at; others stay empty. */
async function behindWords(parts: Parts, resource: Resource, staff: Staff, rows: readonly Row[], paths: readonly string[]): Promise<Map<number, Record<string, string>>> {
  const found = new Map<number, Record<string, string>>()
  const wanted = Map.groupBy(paths.filter((path) => path.includes('.')), (path) => path.slice(0, path.indexOf('.')))
  const references = new Map(ownReferences(resource))
  for (const [key, own] of wanted) {
    const field = references.get(key)
    const target = field && parts.registry.get(field.target().name)?.resource
    // Paper shows nobody what they could not open on the screen.
    if (!target || !staff.modules.has(target.grant)) continue
    const names = own.map((path) => path.slice(key.length + 1)).filter((name) => target.fields[name])
    const theirs = new Map((await readRows(parts, target, staff, [...new Set(rows.flatMap((row) => (typeof row[key] === 'number' ? [row[key]] : [])))])).map((row) => [row.id, words(target, names, staff, row)]))
    for (const row of rows) {
      const values = theirs.get(Number(row[key]))
      if (values) found.set(row.id, { ...found.get(row.id), ...Object.fromEntries(Object.entries(values).map(([name, value]) => [`${key}.${name}`, value])) })
    }
  }
  return found
}

type Lines = Record<string, Record<string, string>[]>

function groupWords(resource: Resource, row: Row): Lines {
  return Object.fromEntries(Object.entries(resource.fields).flatMap(([key, field]) => (isGroup(field) ? [[key, ((row[key] ?? []) as Record<string, unknown>[]).map((line) =>
    Object.fromEntries(Object.entries(field.fields).map(([name, one]) => [name, line[name] === undefined ? '' : sheetWords(one.sheet.type, (one.toSheet as (value: unknown) => unknown)(line[name]))])))]] : [])))
}

/** Records as a template asks for them, in the order in which they were asked for; those out of the person's reach are absent. */
export async function printedRecords(parts: Parts, resource: Resource, staff: Staff, ids: readonly number[], doc: RichDoc): Promise<PrintedRecord[]> {
  const paths = pathsOf(doc)
  const rows = await readRows(parts, resource, staff, ids)
  const own = paths.filter((path) => !/[.:]/.test(path) && (path in resource.fields || (META as readonly string[]).includes(path)))
  const behind = await behindWords(parts, resource, staff, rows, paths)
  const lists = await Promise.all(parts.printed.filter((one) => one.of(resource) && paths.some((path) => path.startsWith(`${one.name}:`))).map(async ({ name, columns, read }) => {
    const found = await read(parts.db, rows.map(({ id }) => id))
    return { name, linesOf: (id: number) => (found.get(id) ?? []).map((line) => Object.fromEntries(Object.entries(columns).map(([key, { type }]) => [key, sheetWords(type, line[key])]))) }
  }))
  const place = new Map(ids.map((id, at) => [id, at]))
  return rows.toSorted((a, b) => (place.get(a.id) ?? 0) - (place.get(b.id) ?? 0)).map((row) => ({
    id: row.id, title: shownName(resource, staff, String(row[resource.title] ?? row.id)),
    values: { ...words(resource, own, staff, row), ...behind.get(row.id) },
    lines: { ...groupWords(resource, row), ...Object.fromEntries(lists.map(({ name, linesOf }) => [name, linesOf(row.id)])) },
  }))
}

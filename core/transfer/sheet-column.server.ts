import type { AnyField, FieldKind } from '../field/any-field.ts'
import { maskMobile } from '../field/mobile.ts'
import { maskName } from '../field/person-name.ts'
import { displayKey } from '../field/reference.ts'
import { regionName } from '../field/region.server.ts'
import type { Staff } from '../grant/staff.server.ts'
import { ownerOf } from '../resource/behind.ts'
import type { Resource } from '../resource/define.ts'
import type { Row } from '../resource/list.server.ts'
import { fieldOf } from '../resource/meta-fields.ts'
import { seesNamesOf } from '../resource/names.ts'
import type { WriteColumn } from '../sheet/write.server.ts'

/** A column of an export: how it looks, and what it shows of a record. */
export interface SheetColumn extends WriteColumn {
  read(row: Row): unknown
}

/** What decides what an export shows: mobiles as they are, and of which rows names as they are. */
interface Shown {
  plain: boolean
  names(row: Row, key: string): boolean
}

type Reader = (field: AnyField, key: string, shown: Shown) => (row: Row) => unknown

const hide = (value: unknown): unknown => (typeof value === 'string' ? maskName(value) : Array.isArray(value) ? value.map(hide) : value)

const named: Reader = (field, key, { names }) => {
  const masks = 'target' in field && field.target().masksTitle
  return (row) => (masks && !names(row, key) ? hide(row[displayKey(key)]) : row[displayKey(key)])
}

/** Kinds that show something else than their own value. */
const readers: Partial<Record<FieldKind, Reader>> = {
  reference: named,
  tree_reference: named,
  reference_list: named,
  region: (_field, key) => (row) => (typeof row[key] === 'string' ? regionName(row[key]) : null),
  person_name: (_field, key, { names }) => (row) => (names(row, key) ? row[key] : hide(row[key])),
  mobile: (_field, key, { plain }) => (row) => {
    const value = row[key]
    return typeof value === 'string' && !plain ? maskMobile(value) : value
  },
}

const own: Reader = (field, key) => (row) => {
  const value = row[key]
  // A field turns its own values into cells, whatever their type.
  return value === null || value === undefined ? null : (field.toSheet as (value: unknown) => unknown)(value)
}

/**
 * Columns of an export.
 * @param plain mobiles and names as they are; otherwise names are shown where the person sees them in lists
 */
export function sheetColumns(resource: Resource, keys: readonly string[], plain: boolean, staff: Staff): SheetColumn[] {
  const shown: Shown = { plain, names: (row, key) => plain || seesNamesOf(resource, staff, row, ownerOf(resource, key)) }
  return keys.map((key) => {
    const field = fieldOf(resource, key)
    return { key, label: field.label, type: field.sheet.type, read: (readers[field.kind] ?? own)(field, key, shown) }
  })
}

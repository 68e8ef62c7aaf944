import type { AnyField, FieldKind } from '../field/any-field.ts'
import { maskMobile } from '../field/mobile.ts'
import { twinKey } from '../field/reference.ts'
import { regionName } from '../field/region.server.ts'
import type { Resource } from '../resource/define.ts'
import type { Row } from '../resource/list.server.ts'
import { fieldOf } from '../resource/meta-fields.ts'
import type { WriteColumn } from '../sheet/write.server.ts'

/** A column of an export: how it looks, and what it shows of a record. */
export interface SheetColumn extends WriteColumn {
  read(row: Row): unknown
}

type Reader = (field: AnyField, key: string, plain: boolean) => (row: Row) => unknown

const named: Reader = (_field, key) => (row) => row[twinKey(key)]

/** Kinds that show something else than their own value. */
const readers: Partial<Record<FieldKind, Reader>> = {
  reference: named,
  tree_reference: named,
  reference_list: named,
  region: (_field, key) => (row) => (typeof row[key] === 'string' ? regionName(row[key]) : null),
  mobile: (_field, key, plain) => (row) => {
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
 * @param plain mobiles as they are
 */
export function sheetColumns(resource: Resource, keys: readonly string[], plain: boolean): SheetColumn[] {
  return keys.map((key) => {
    const field = fieldOf(resource, key)
    return { key, label: field.label, type: field.sheet.type, read: (readers[field.kind] ?? own)(field, key, plain) }
  })
}

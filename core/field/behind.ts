import * as z from 'zod/mini'
import type { Field } from './field.ts'
import { makeField } from './make.ts'

/** Where the value of a field stands that belongs to another record. */
export interface BehindPath {
  /** References from the record itself to the record that holds the value. */
  readonly path: readonly string[]
  /** The field of that record. */
  readonly key: string
}

export interface BehindOptions {
  /** The label of the field itself unless said otherwise. */
  label?: string
  /** Found by the keyword search. */
  search?: boolean
}

/** A field that is still to be looked up in the resource that it belongs to; `defineResource` does so. */
export interface BehindField<Value> extends Field<Value, false> {
  readonly kind: 'behind'
  readonly behind: BehindPath
  readonly options: BehindOptions
}

/**
 * A field of a record that this one refers to: its column, filter, order, keyword, mask and export are those of that field.
 * It is read only. A list is sorted by it where an index of the other table gives the order: `[key, 'id']` among its `indexes`.
 * @param path reference of this resource, or several one behind the other with a dot between them
 * @param key field of the resource that the last reference leads to, or a column that every record has; it must be stored
 * @example user_mobile: behind<string>('user_id', 'mobile')
 */
export function behind<Value = unknown>(path: string, key: string, options: BehindOptions = {}): BehindField<Value> {
  return {
    ...makeField<'behind', Value, false>(options.label ?? '', { readonly: true }, {
      kind: 'behind', column: null, filter: null, schema: z.custom<Value>(() => false, '不能修改'), sheet: { type: 'text', example: '' },
    }),
    behind: { path: path.split('.'), key },
    options,
  }
}

import type * as z from 'zod/mini'
import { cellText, type Abilities, type ColumnType, type CommonOptions, type Field, type FilterOperator, type SheetColumn, type SheetValue } from './field.ts'

/** What a kind says about itself; everything else of a field comes from the caller's options. */
export interface KindSpec<Kind extends string, Value> extends Abilities {
  kind: Kind
  column: ColumnType | null
  filter: FilterOperator | null
  sortable?: boolean
  ask?: string
  schema: z.ZodMiniType<Value>
  sheet: SheetColumn
  fromSheet?(cell: SheetValue): unknown
  toSheet?(value: Value): SheetValue
}

/** Options with a literal `required`, so that the record's type knows it. */
export type Options<R extends boolean, Extra = unknown> = CommonOptions<R> & Extra

/** Builds a field from its kind's facts and the caller's options. */
export function makeField<Kind extends string, Value, R extends boolean>(
  label: string,
  options: CommonOptions<R>,
  spec: KindSpec<Kind, Value>,
): Field<Value, R> & { readonly kind: Kind } {
  return {
    ...options,
    ...spec,
    label,
    // A field is optional unless its options say otherwise; R then is the literal false.
    required: (options.required ?? false) as R,
    sortable: spec.sortable ?? false,
    ask: spec.ask ?? '请填写',
    fromSheet: spec.fromSheet ?? cellText,
    toSheet: spec.toSheet ?? ((value) => (value === null || value === undefined ? null : String(value))),
  }
}

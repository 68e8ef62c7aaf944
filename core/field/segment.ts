import * as z from 'zod/mini'
import type { Choice } from './choice.ts'
import type { Field } from './field.ts'
import { makeField } from './make.ts'

/** A way to narrow a list by what does not stand in the record itself. */
export interface SegmentField<Value extends string = string> extends Field<Value, false> {
  readonly kind: 'segment'
  readonly choices: readonly Choice<Value>[]
}

/**
 * Groups by which a list is narrowed, such as who has paid and who has not; a record shows no value of it. The resource's
 * server half says what each means (`segments`).
 * @example payer: segment('付费', [{ value: 'paid', label: '已付费' }, { value: 'unpaid', label: '未付费' }])
 */
export function segment<const Value extends string>(label: string, choices: readonly Choice<Value>[]): SegmentField<Value> {
  return {
    ...makeField<'segment', Value, false>(label, { readonly: true }, {
      kind: 'segment', column: null, filter: 'segment', schema: z.custom<Value>(() => false, '不能修改'), sheet: { type: 'text', example: '' },
    }),
    choices,
  }
}

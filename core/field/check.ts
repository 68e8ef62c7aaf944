import * as z from 'zod/mini'
import type { AnyField } from './any-field.ts'

/** Whether a value counts as not given. Zero and false are values (spec 5). */
export function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
}

/** What a field makes of a value: its normal form, or one sentence that says what is wrong. */
export type Checked = { value: unknown } | { message: string }

/** Checks one value against its field; the same function serves browser and server. */
export function checkValue(field: AnyField, value: unknown): Checked {
  if (isEmpty(value)) return field.required ? { message: `${field.ask}${field.label}` } : { value: null }
  const result = z.safeParse(field.schema, value)
  if (!result.success) {
    const message = result.error.issues[0]?.message ?? '内容有误'
    return { message: message.startsWith('请') ? message : `${field.label}${message}` }
  }
  // Cleaning may have left nothing of a text that was only spaces.
  if (field.required && isEmpty(result.data)) return { message: `${field.ask}${field.label}` }
  return { value: result.data }
}

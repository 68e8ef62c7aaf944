import type { AnyField } from '../field/any-field.ts'

const KEYS = ['kind', 'label', 'choices', 'on', 'off', 'unit', 'digits', 'grouped', 'as'] as const

/** What it takes to show a value of a field: the part of its definition that is plain data. */
export type FieldWords = Pick<AnyField, 'kind' | 'label'>

/** The part of a field's definition that can travel and still shows its values. */
export function fieldWords(field: AnyField): FieldWords {
  return Object.fromEntries(KEYS.flatMap((key) => (key in field ? [[key, field[key as keyof AnyField]]] : []))) as FieldWords
}

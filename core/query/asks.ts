import type { AnyField } from '../field/any-field.ts'
import { DAYS, stretchWords } from './days.ts'

/** Key under which a query asks of a field in a word instead of by values: `mobile_is=empty`, `expire_at_is=next_30`. */
export const askKey = (key: string): string => `${key}_is`

/** Words about whether there is a value. */
const PRESENCE: Readonly<Record<string, string>> = { empty: '为空', filled: '不为空' }

/** Whether a list can be narrowed by a record having no value of a field. */
export const mayLack = (field: AnyField): boolean =>
  field.filter !== null && field.filter !== 'segment' && !field.computed && !('shelf' in field && field.shelf) && (field.behind !== undefined || !field.required)

/** Words by which days of a field can be asked for. */
const hasDays = (field: AnyField) => field.filter === 'range' && field.column === 'timestamptz'

/** Whether a word can be asked of a field. */
export function canAsk(field: AnyField, word: string): boolean {
  return Object.hasOwn(PRESENCE, word) ? mayLack(field) : hasDays(field) && stretchWords(word) !== undefined
}

/** A word that is asked, in Chinese; the word itself where it is unknown. */
export const askWords = (word: string): string => (Object.hasOwn(PRESENCE, word) ? PRESENCE[word] : stretchWords(word)) ?? word

/** What is offered to be asked of a field beside its values. */
export function asksOf(field: AnyField): { value: string; label: string }[] {
  return [...(hasDays(field) ? Object.entries(DAYS) : []), ...(mayLack(field) ? Object.entries(PRESENCE) : [])].map(([value, label]) => ({ value, label }))
}

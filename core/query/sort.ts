/** One key of an order. */
export interface SortKey {
  readonly key: string
  readonly descending: boolean
}

/** Keys of an order at most; what comes after them the id decides. */
export const MOST_SORT_KEYS = 3

/** Reads an order: `-paid_at,name`, a minus sign means descending. */
export function parseSort(text: string): SortKey[] {
  return text.split(',').map((part) => ({ key: part.replace(/^-/, ''), descending: part.startsWith('-') }))
}

/** Writes an order; undefined when it has no key. */
export function formatSort(keys: readonly SortKey[]): string | undefined {
  return keys.length === 0 ? undefined : keys.map(({ key, descending }) => `${descending ? '-' : ''}${key}`).join(',')
}

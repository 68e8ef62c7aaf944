import { isSameJson } from '../field/same-json.ts'

/** What was typed and not saved, kept in the browser so that a crash or a closed window loses nothing. */
export interface Draft {
  at: number
  values: Record<string, unknown>
}

type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/** Drafts belong to a person: two people may share a computer. */
export function draftKey(staffId: number, resource: string, id: number | undefined): string {
  return `draft:${staffId}:${resource}:${id ?? 'new'}`
}

export function readDraft(store: Store, key: string): Draft | undefined {
  try {
    const draft = JSON.parse(store.getItem(key) ?? 'null') as Draft | null
    return draft && typeof draft.at === 'number' && typeof draft.values === 'object' ? draft : undefined
  } catch {
    return undefined
  }
}

/** Writes a draft; a full store is no reason to disturb the person, the form itself still holds everything. */
export function writeDraft(store: Store, key: string, values: Record<string, unknown>): void {
  try {
    store.setItem(key, JSON.stringify({ at: Date.now(), values }))
  } catch {
    store.removeItem(key)
  }
}

/** Fields whose values differ between two states of a record. */
export function changedKeys(keys: readonly string[], before: Readonly<Record<string, unknown>>, after: Readonly<Record<string, unknown>>): string[] {
  const bare = (value: unknown) => (value === '' || (Array.isArray(value) && value.length === 0) ? null : value)
  return keys.filter((key) => !isSameJson(bare(before[key]), bare(after[key])))
}

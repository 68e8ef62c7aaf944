import { SCOPE_KINDS, type ScopeKind, type Scopes } from '../../core/grant/grant.ts'

export const scopeKinds = Object.keys(SCOPE_KINDS) as ScopeKind[]

const sorted = (ids: readonly number[] | undefined) => [...new Set(ids)].sort((a, b) => a - b)

/** Kinds of data whose limits differ; no limit and an empty list are the same. */
export function changedScopes(before: Scopes, after: Scopes): ScopeKind[] {
  return scopeKinds.filter((kind) => sorted(before[kind]).join() !== sorted(after[kind]).join())
}

/** Repeats what was changed between two states on a third: a colleague has saved in between. */
export function rebaseScopes(base: Scopes, mine: Scopes, theirs: Scopes): Scopes {
  const changed = new Set(changedScopes(base, mine))
  return Object.fromEntries(scopeKinds.flatMap((kind) => {
    const ids = (changed.has(kind) ? mine : theirs)[kind]
    return ids?.length ? [[kind, ids]] : []
  }))
}

/**
 * What is wrong with the limits of somebody else, seen from the actor's own: nobody shows others more than they see.
 * @returns one sentence for each kind
 */
export function scopeProblems(own: Scopes, given: Scopes): Partial<Record<ScopeKind, string>> {
  return Object.fromEntries(scopeKinds.flatMap((kind) => {
    const limit = own[kind]
    if (!limit) return []
    const ids = given[kind] ?? []
    if (ids.length === 0) return [[kind, `您的${SCOPE_KINDS[kind]}受限，请在自己的范围内至少选择一项`]]
    return ids.some((id) => !limit.includes(id)) ? [[kind, `包含您自己范围之外的${SCOPE_KINDS[kind]}，请移除`]] : []
  }))
}

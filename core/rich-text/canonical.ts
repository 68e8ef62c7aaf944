/** JSON with its keys in one order: the database gives them back in another. */
export function canonical(value: unknown): string {
  const sorted = (one: unknown): unknown => (Array.isArray(one) ? one.map(sorted)
    : typeof one === 'object' && one !== null ? Object.fromEntries(Object.entries(one).filter(([, inner]) => inner !== undefined).sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, inner]) => [key, sorted(inner)])) : one ?? null)
  return JSON.stringify(sorted(value))
}

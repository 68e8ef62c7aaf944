/**
 * Counts events by key within a span of time, in this process.
 * @param limit how many pass
 * @param span milliseconds after which counting starts again
 * @returns whether one more passes
 */
export function rateLimit(limit: number, span: number, now: () => number = Date.now): (key: string) => boolean {
  const counts = new Map<string, { since: number; n: number }>()
  return (key) => {
    const at = now()
    const known = counts.get(key)
    if (known && at - known.since < span) return ++known.n <= limit
    if (counts.size > 10_000) for (const [old, { since }] of counts) if (at - since >= span) counts.delete(old)
    counts.set(key, { since: at, n: 1 })
    return true
  }
}

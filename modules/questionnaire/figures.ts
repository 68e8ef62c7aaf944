/** How far two answers go together: χ² of a table, and Cramér's V, from 0 (not at all) to 1. */
export function association(counts: readonly (readonly number[])[]): { chi2: number; v: number; df: number } {
  const rows = counts.map((row) => row.reduce((sum, n) => sum + n, 0))
  const cols = (counts[0] ?? []).map((_, at) => counts.reduce((sum, row) => sum + (row[at] ?? 0), 0))
  const total = rows.reduce((sum, n) => sum + n, 0)
  const [r, c] = [rows.filter((n) => n > 0).length, cols.filter((n) => n > 0).length]
  if (total === 0 || r < 2 || c < 2) return { chi2: 0, v: 0, df: 0 }
  let chi2 = 0
  for (const [y, row] of counts.entries()) for (const [x, n] of row.entries()) {
    const expected = ((rows[y] ?? 0) * (cols[x] ?? 0)) / total
    if (expected > 0) chi2 += (n - expected) ** 2 / expected
  }
  return { chi2, v: Math.sqrt(chi2 / (total * Math.min(r - 1, c - 1))), df: (r - 1) * (c - 1) }
}

/** 0 to 10: how many more would recommend something than would not, in per cent of who answered. */
export function npsOf(marks: Readonly<Record<string, number>>): { score: number; promoters: number; passives: number; detractors: number } | null {
  const sum = (from: number, to: number) => Object.entries(marks).reduce((all, [mark, n]) => (Number(mark) >= from && Number(mark) <= to ? all + n : all), 0)
  const [promoters, passives, detractors] = [sum(9, 10), sum(7, 8), sum(0, 6)]
  const all = promoters + passives + detractors
  return all === 0 ? null : { score: Math.round(((promoters - detractors) / all) * 100), promoters, passives, detractors }
}

/** How strong an association is, in words. */
export const strength = (v: number): string => (v < 0.1 ? '几乎无关' : v < 0.3 ? '弱相关' : v < 0.5 ? '中等相关' : '强相关')

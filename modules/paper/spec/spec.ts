/** The two-way specification table (双向细目表, domain 3.7) as people write it: one line per row of a section. */
import type { Band } from '../smart/problem.ts'
import { cellsOf, type SmartRule, type SpecRow } from '../smart/rule.ts'

export type SpecSection = SmartRule['sections'][number]

/** A line of the table. What narrows nothing is absent. */
export interface SpecLine extends Omit<SpecRow, 'count'> {
  readonly name: string
  readonly category_ids: number[]
  readonly score: number
  readonly count: number
}

export const BAND_NAMES: Readonly<Record<Band, string>> = { easy: '易', medium: '中', hard: '难' }

/** The lines of a table, in the order of its sections. */
export function linesOf(sections: readonly SpecSection[]): SpecLine[] {
  return cellsOf({ sections: [...sections] }).map(({ section, count, score, category_ids, narrowed }) => ({
    name: sections[section]?.name ?? '', category_ids: [...category_ids], score, ...narrowed, count,
  }))
}

const narrowed = ({ label_ids, bands, cognitive }: SpecLine) => Boolean(label_ids?.length || bands?.length || cognitive)

/** The sections of a table: lines that follow each other with the same name, kinds and points are one section. */
export function sectionsOf(lines: readonly SpecLine[]): SpecSection[] {
  const sections: SpecSection[] = []
  for (const line of lines) {
    const { name, category_ids, score, count, ...row } = line
    const last = sections.at(-1)
    const same = last && last.name === name && last.score === score && last.category_ids.toSorted().join() === category_ids.toSorted().join()
    const section = same ? last : { name, category_ids, count: 0, score, rows: [] }
    if (!same) sections.push(section)
    section.count += count
    if (narrowed(line)) section.rows = [...(section.rows ?? []), { count, ...row }]
  }
  return sections
}

/** What a table needs to know of a question to find its row again. */
export interface SpecQuestion {
  readonly section: string
  readonly score: number
  /** Kinds that count as its own. */
  readonly category_ids: readonly number[]
  readonly label_id: number | null
  readonly band: Band | null
  readonly cognitive: string | null
}

/**
 * The table that a paper was made by, as far as its questions tell: questions of a section with the same points,
 * knowledge, band and cognitive level are one line.
 */
export function recoverLines(questions: readonly SpecQuestion[]): SpecLine[] {
  const groups = Map.groupBy(questions, ({ section, score }) => `${section}\n${score}`)
  return [...groups.values()].flatMap((group) => {
    const category_ids = [...new Set(group.flatMap((question) => question.category_ids))]
    const rows = Map.groupBy(group, ({ label_id, band, cognitive }) => [label_id, band, cognitive].join('\n'))
    return [...rows.values()].map((same): SpecLine => {
      const { section, score, label_id, band, cognitive } = same[0] as SpecQuestion
      return {
        name: section, category_ids, score, count: same.length,
        ...(label_id !== null && { label_ids: [label_id] }), ...(band !== null && { bands: [band] }), ...(cognitive && { cognitive }),
      }
    })
  })
}

/** Totals of a table: its margins. */
export function totalsOf(sections: readonly { count?: number | null; score?: number | null }[]): { count: number; points: number } {
  return sections.reduce<{ count: number; points: number }>(({ count, points }, section) => ({ count: count + (section.count ?? 0), points: points + (section.count ?? 0) * (section.score ?? 0) }), { count: 0, points: 0 })
}

import { sql } from 'drizzle-orm'
import type { Queryable } from '../../../core/database/database.server.ts'
import { findCandidates } from './candidates.server.ts'
import { bandOf, type PracticeCandidate, type Limits, type Problem, type Term } from './problem.ts'
import { cellsOf, type RuleCell, type SmartRule } from './rule.ts'
import { solve } from './solve.server.ts'

/** Candidates whose difficulty lies within this of a question's are its equals (domain 3.7). */
const EQUAL_COEF = 0.05
const REPLACEMENTS = 3

/** A chosen question, why it is there, and what could stand in its place. */
export interface Chosen {
  readonly practice_id: number
  readonly section: number
  readonly score: number
  /** Row of the table that it fills. */
  readonly row: number | undefined
  readonly reasons: readonly string[]
  readonly replacements: readonly number[]
  /** Those of them about the same point that no paper has yet. */
  readonly fresh?: readonly number[]
  readonly locked: boolean
}

/** One of the parallel papers. */
export interface SmartVersion {
  readonly chosen: readonly Chosen[]
  readonly unmet: readonly { readonly section: number; readonly row: number | undefined; readonly lack: number }[]
  readonly terms: Readonly<Record<Term, number>>
  readonly penalty: number
  /** No choice among the candidates is better than this. */
  readonly bound: number
  readonly candidates: number
}

/** Where a locked question goes: a cell of its section that it fits, one with room first. */
function lockedPlaces(rule: SmartRule, cells: readonly RuleCell[], candidates: readonly PracticeCandidate[]): Limits['locked'] {
  const room = cells.map(({ count }) => count)
  return (rule.locked ?? []).flatMap(({ practice_id, section }) => {
    const fitting = candidates.find(({ id }) => id === practice_id)?.cells.filter((cell) => cells[cell]?.section === section) ?? []
    const cell = fitting.find((one) => (room[one] ?? 0) > 0)
    if (cell === undefined) return []
    room[cell] = (room[cell] ?? 0) - 1
    return [{ id: practice_id, cell }]
  })
}

const BAND_NAMES = { easy: '易', medium: '中', hard: '难' } as const

/** Points that a reason names at most; of more it says how many there are. */
const NAMED = 3
const named = (ids: readonly number[], names: ReadonlyMap<number, string>): string => {
  const known = ids.flatMap((id) => names.get(id) ?? [])
  return known.slice(0, NAMED).map((name) => `「${name}」`).join('') + (known.length > NAMED ? ` 等 ${known.length} 个知识点` : '')
}

/** Why a question was chosen, in words that a teacher can check. */
function reasonsFor(candidate: PracticeCandidate, cell: RuleCell, problem: Problem, locked: boolean, names: ReadonlyMap<number, string>): string[] {
  const rivals = problem.candidates.filter(({ cells }) => cells.some((one) => candidate.cells.includes(one))).length - 1
  const covers = candidate.covers.length
  return [
    ...(locked ? ['由您锁定'] : []),
    ...(cell.narrowed ? [`满足细目表：${[named(cell.narrowed.label_ids ?? [], names), (cell.narrowed.bands ?? []).map((band) => BAND_NAMES[band]).join('、'), cell.narrowed.cognitive ?? ''].filter(Boolean).join(' · ') || '不限'}`] : []),
    `难度${BAND_NAMES[bandOf(candidate.coef)]}（系数 ${candidate.coef.toFixed(2)}）`,
    ...(covers > 0 ? [`考查${named(candidate.covers, names)}`] : []),
    ...(candidate.year === null ? [] : [`来源年份 ${candidate.year}`]),
    ...(candidate.repeats > 0 ? [`近期试卷用过 ${candidate.repeats} 次，没有更合适的`] : []),
    `从 ${rivals + 1} 道候选中选出`,
  ]
}

/**
 * Composes the papers that a rule asks for.
 * @param seed decides among equals; the same rule, seed and bank give the same papers
 * @throws Error when locked questions contradict the limits
 */
export async function composePapers(db: Queryable, rule: SmartRule, subjectId: number, seed: number): Promise<SmartVersion[]> {
  const cells = cellsOf(rule)
  const weights = new Map((rule.scope ?? []).map(({ label_id, weight }) => [label_id, weight]))
  const about = [...new Set([...weights.keys(), ...cells.flatMap(({ narrowed }) => narrowed?.label_ids ?? [])])]
  const names = new Map((about.length === 0 ? [] : await db.query<{ id: number; name: string }>(sql`select id, name from label where id = any(${sql.param(about)}::bigint[])`)).map(({ id, name }) => [id, name]))
  const versions: SmartVersion[] = []
  const used = new Map<number, number>()
  for (let version = 0; version < (rule.versions ?? 1); version++) {
    const fresh = await findCandidates(db, rule, subjectId, seed + version)
    // What an earlier version has taken counts as used often: it comes again only where nothing else is left.
    const candidates = fresh.map((candidate) => ({ ...candidate, repeats: candidate.repeats + (used.get(candidate.id) ?? 0) * 10 }))
    const locked = lockedPlaces(rule, cells, candidates) ?? []
    const problem: Problem = {
      cells, candidates, seed: seed + version,
      aims: { coef: rule.coef, bands: rule.bands, minutes: rule.minutes, thisYear: new Date().getFullYear(), ...(weights.size > 0 && { coverage: [...weights].map(([label, weight]) => ({ label, weight })) }) },
      limits: { perLabel: rule.per_label, perSource: rule.per_source, locked },
    }
    const solution = await solve(problem)
    const byId = new Map(candidates.map((candidate) => [candidate.id, candidate]))
    const taken = new Set(solution.picks.map(({ id }) => id))
    const isLocked = new Set(locked.map(({ id }) => id))
    const chosen = solution.picks.toSorted((a, b) => a.cell - b.cell || (byId.get(b.id)?.coef ?? 0) - (byId.get(a.id)?.coef ?? 0)).map(({ cell, id }): Chosen => {
      const candidate = byId.get(id) as PracticeCandidate
      const home = cells[cell] as RuleCell
      const equals = candidates.filter((other) => !taken.has(other.id) && other.cells.includes(cell) && Math.abs(other.coef - candidate.coef) <= EQUAL_COEF && other.repeats === 0)
      const isFresh = (other: PracticeCandidate) => other.used !== true && other.labels.some((label) => candidate.labels.includes(label))
      // The same point at the same difficulty that nobody here has had yet comes first.
      const offered = equals.toSorted((a, b) => Number(isFresh(b)) - Number(isFresh(a)) || Math.abs(a.coef - candidate.coef) - Math.abs(b.coef - candidate.coef) || a.id - b.id).slice(0, REPLACEMENTS)
      return {
        practice_id: id, section: home.section, score: home.score, row: home.row, locked: isLocked.has(id),
        reasons: reasonsFor(candidate, home, problem, isLocked.has(id), names),
        replacements: offered.map((other) => other.id), fresh: offered.filter(isFresh).map((other) => other.id),
      }
    })
    for (const id of taken) if (!isLocked.has(id)) used.set(id, (used.get(id) ?? 0) + 1)
    versions.push({
      chosen, terms: solution.terms, penalty: solution.penalty, bound: solution.bound, candidates: candidates.length,
      unmet: solution.unmet.map(({ cell, lack }) => ({ section: cells[cell]?.section ?? 0, row: cells[cell]?.row, lack })),
    })
  }
  return versions
}

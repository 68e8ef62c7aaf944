import type { DailyFigure, Dimension, FigureList } from '../../core/kernel/figure.server.ts'
import type { SelfCheck } from '../../core/kernel/self-check.server.ts'
import type { ScopeKind } from '../../core/grant/grant.ts'
import type { Staff } from '../../core/grant/staff.server.ts'
import type { Resource } from '../../core/resource/define.ts'

let all: readonly DailyFigure[] = []
let checks: readonly SelfCheck[] = []

/** Makes known what modules count and promise, for rules that are written down before there is a kernel. One process runs one product. */
export function knowFigures(figures: readonly DailyFigure[], promised: readonly SelfCheck[]): void {
  all = figures
  checks = promised
}

/** Everything that must hold. */
export const knownChecks = (): readonly SelfCheck[] => checks

/** Everything that is counted. */
export const allFigures = (): readonly DailyFigure[] => all

/** Figures that stand on the screen and that rules watch: no steps, nothing that is only behind others. What is sold comes first. */
export const shownFigures = (): DailyFigure[] => all.filter(({ step, behind }) => step === undefined && !behind).sort((a, b) => Number(b.line !== undefined) - Number(a.line !== undefined))

export const figureOf = (name: string): DailyFigure | undefined => all.find((figure) => figure.name === name)

/** Whether a data scope narrows what a person sees of a resource: numbers of everybody are then not for them. */
export const isNarrowed = (resource: Resource, staff: Pick<Staff, 'scopes'>): boolean => (Object.keys(resource.scope) as ScopeKind[]).some((kind) => staff.scopes[kind] !== undefined)

/** Parts of a figure that a person may see, because they may look at the list behind each of them. */
export const visibleLists = ({ lists }: DailyFigure, staff: Pick<Staff, 'modules' | 'scopes'>): FigureList[] => lists().filter(({ resource }) => staff.modules.has(resource.grant) && !isNarrowed(resource, staff))

/** Which rows of a figure answer a question, for a person; undefined where they may see nothing of it. */
export interface Slice {
  readonly figure: DailyFigure
  /** Lines whose rows are added up; the empty one is all of them. */
  readonly lines: readonly string[]
  readonly dim: '' | Dimension
  readonly key: string
  readonly lists: readonly FigureList[]
}

/** @param line narrows figures that have lines, and leaves the others out */
export function sliceOf(figure: DailyFigure, staff: Pick<Staff, 'modules' | 'scopes'>, line: string, channel: string): Slice | undefined {
  const visible = visibleLists(figure, staff)
  if (channel !== '' && !figure.dimensions?.channel) return undefined
  const [dim, key] = channel === '' ? ['', ''] as const : ['channel', channel] as const
  if (line !== '') {
    const own = figure.line ? visible.filter((list) => list.line === line) : []
    return own.length > 0 ? { figure, lines: [line], dim, key, lists: own } : undefined
  }
  if (visible.length === 0) return undefined
  const whole = visible.length === figure.lists().length
  // People of several lines do not add up.
  if (!whole && figure.person) return undefined
  return { figure, lines: whole ? [''] : visible.map((list) => list.line), dim, key, lists: visible }
}

import type { Tool, ToolInput } from './tool.ts'

/** A run of a tool, as this browser keeps it. */
export interface Run {
  readonly tool: string
  readonly at: number
  readonly summary: string
  readonly options: ToolInput['options']
  /** What was put in; absent where it is of people or too long to keep. */
  readonly input?: Pick<ToolInput, 'text' | 'other' | 'table'>
}

/** Runs that are kept (operations 2601), and characters of one of them. */
export const KEPT = { runs: 20, letters: 20_000 } as const

/** The runs with a further one, the newest first. Data of people is never kept: the next person may sit at this machine. */
export function withRun(runs: readonly Run[], { name, personal }: Pick<Tool, 'name' | 'personal'>, input: ToolInput, summary: string, at: number): Run[] {
  const { text, other, table, options } = input
  const letters = text.length + other.length + table.reduce((sum, row) => sum + row.reduce((all, cell) => all + cell.length, 0), 0)
  const keeps = personal !== true && letters <= KEPT.letters
  return [{ tool: name, at, summary, options, ...(keeps && { input: { text, other, table } }) }, ...runs].slice(0, KEPT.runs)
}

const isRun = (value: unknown): value is Run => typeof value === 'object' && value !== null && 'tool' in value && typeof value.tool === 'string' && 'at' in value && typeof value.at === 'number' && 'summary' in value && typeof value.summary === 'string' && 'options' in value && typeof value.options === 'object' && value.options !== null

/** Runs as they were stored; nothing of what somebody else wrote there. */
export function readRuns(stored: string | null): Run[] {
  try {
    const value: unknown = JSON.parse(stored ?? '[]')
    return Array.isArray(value) ? value.filter(isRun).slice(0, KEPT.runs) : []
  } catch {
    return []
  }
}

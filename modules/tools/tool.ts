/** What a tool is given: text, a second text, or a table, with what was chosen. */
export interface ToolInput {
  readonly text: string
  readonly other: string
  readonly table: readonly (readonly string[])[]
  readonly options: Readonly<Record<string, string | number | boolean>>
}

/** What a tool answers. Everything but the summary is shown only where it is there. */
export interface ToolResult {
  /** One sentence: what came of it. */
  readonly summary: string
  /** What is wrong with the input, a sentence each. */
  readonly problems?: readonly string[]
  readonly text?: string
  readonly table?: { readonly columns: readonly string[]; readonly rows: readonly (readonly (string | number)[])[] }
  /** Figures by groups, for a chart. */
  readonly bars?: readonly { readonly label: string; readonly value: number }[]
  /** Pictures with what they are called. */
  readonly pictures?: readonly { readonly name: string; readonly svg: string }[]
}

interface Shown { readonly label: string; readonly help?: string }

/** Something that is chosen before a tool runs. */
export type ToolOption = Shown & { readonly key: string } & (
  | { readonly as: 'choice'; readonly choices: readonly { readonly value: string; readonly label: string }[]; readonly initial: string }
  | { readonly as: 'number'; readonly min: number; readonly max: number; readonly initial: number; readonly digits?: number }
  | { readonly as: 'text'; readonly max: number; readonly initial: string }
  | { readonly as: 'toggle'; readonly initial: boolean }
)

/** A tool: a pure function with what the screen needs to draw it. */
export interface Tool {
  readonly name: string
  readonly title: string
  readonly group: '名单' | '表格' | '教研' | '计算'
  /** What it is for, in one sentence. */
  readonly about: string
  readonly takes: 'text' | 'two' | 'table'
  /** What goes into the boxes. */
  readonly labels: readonly [string, string?]
  /** Something to try it with. */
  readonly sample: Partial<Pick<ToolInput, 'text' | 'other' | 'table'>>
  readonly options?: readonly ToolOption[]
  /** Holds data of people: what was put in is never kept. */
  readonly personal?: true
  /** @throws Error with a sentence where nothing can come of the input */
  run(input: ToolInput): ToolResult
}

/** Characters that a tool is given at once, and rows of a table. */
export const MOST = { letters: 2_000_000, rows: 50_000 } as const

/** Lines that hold something, with where they stand, from 1. */
export const linesOf = (text: string): { line: number; text: string }[] =>
  text.split(/\r\n?|\n/).flatMap((raw, at) => (raw.trim() === '' ? [] : [{ line: at + 1, text: raw.trim() }]))

/** Cells of a line of text: tabs, or commas where there are none. */
export const cellsOf = (line: string): string[] => (line.includes('\t') ? line.split('\t') : line.split(/[,，;；]|\s{2,}/)).map((cell) => cell.trim())

export const amount = (value: number): string => value.toLocaleString('zh-CN')

/** What was chosen, each with its initial value where nothing was. */
export function optionsOf({ options = [] }: Pick<Tool, 'options'>, chosen: Readonly<Record<string, unknown>> = {}): Record<string, string | number | boolean> {
  return Object.fromEntries(options.map(({ key, initial }) => {
    const value = chosen[key]
    return [key, typeof value === typeof initial ? value as string | number | boolean : initial]
  }))
}

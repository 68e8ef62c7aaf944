import * as z from 'zod/mini'
import type { AnyField } from './any-field.ts'
import { cellText, type Field, type SheetValue } from './field.ts'
import { makeField, type Options } from './make.ts'

/**
 * How a choice is marked where it is a state: not begun, going on, good and valid, waiting for somebody, bad, over (`default`).
 * But for `idle` the words are those of the UI library.
 */
export type Tone = 'default' | 'idle' | 'processing' | 'success' | 'warning' | 'error'

export interface Choice<Value extends string | number = string | number> {
  value: Value
  label: string
  tone?: Tone
  /** Stands in old records, which go on to be shown and found; neither offered nor taken any more. */
  past?: true
}

export interface ChoiceField<Value extends string | number = string | number, R extends boolean = boolean> extends Field<Value, R> {
  readonly kind: 'choice'
  readonly choices: readonly Choice<Value>[]
}

export interface MultiChoiceField<Value extends string | number = string | number, R extends boolean = boolean> extends Field<Value[], R> {
  readonly kind: 'multi_choice'
  readonly choices: readonly Choice<Value>[]
}

/** Words of a switch: for 1 and 0, and of the toast after switching where the word with 成功 behind it is none (spec 4). */
export interface ToggleWords {
  readonly on: string
  readonly off: string
  readonly onDone?: string
  readonly offDone?: string
}

/** What a switch of a thing with states stands for. */
export interface Shelf {
  /** The field that holds the state. */
  readonly state: string
  /** States that read as 1; switching on leads to the first. */
  readonly on: readonly [number, ...number[]]
  /** The state that switching off leads to, and from which it can be switched on. */
  readonly off: number
}

export interface ToggleField<R extends boolean = boolean> extends Field<number, R>, ToggleWords {
  readonly kind: 'toggle'
  /** It keeps no value of its own: it reads a state, and switching runs an edge between two states. */
  readonly shelf?: Shelf
}

/** What a field offers to choose one from; nothing where it is no such field. */
export function choicesOf(field: AnyField): readonly Choice[] | undefined {
  if (field.filter !== 'in') return undefined
  if ('choices' in field) return field.choices
  return 'on' in field ? [{ value: 1, label: field.on, tone: 'success' }, { value: 0, label: field.off, tone: 'default' }] : undefined
}

/** Label of a value; an id that the table does not name is shown, never guessed. */
export function choiceLabel(choices: readonly Choice[], value: unknown): string {
  return choices.find((choice) => choice.value === value)?.label ?? `未命名(${String(value)})`
}

/** A value in the words of its field: the state that a record is in. */
export const valueLabel = (field: object | undefined, value: unknown): string => (field && 'choices' in field ? choiceLabel(field.choices as readonly Choice[], value) : String(value))

function readChoice(choices: readonly Choice[], cell: SheetValue): unknown {
  const text = cellText(cell)
  return choices.find((choice) => choice.label === text || String(choice.value) === text)?.value ?? (text || null)
}

const oneOf = (choices: readonly Choice[]) => `应为 ${choices.map((choice) => choice.label).join('、')} 之一`

/** One of a fixed list. */
export function choice<const Value extends string | number, const R extends boolean = false>(
  label: string,
  choices: readonly Choice<Value>[],
  options: Options<R> = {},
): ChoiceField<Value, R> {
  const offered = choices.filter((item) => !item.past)
  const values = new Set<unknown>(offered.map((item) => item.value))
  const labels = offered.map((item) => item.label)
  return {
    ...makeField(label, options, {
      kind: 'choice',
      ask: '请选择',
      column: typeof choices[0]?.value === 'number' ? 'integer' : 'text',
      filter: 'in',
      sortable: true,
      schema: z.custom<Value>((value) => values.has(value), oneOf(offered)),
      sheet: { type: 'text', example: labels[0] ?? '', choices: labels },
      fromSheet: (cell) => readChoice(choices, cell),
      toSheet: (value) => choiceLabel(choices, value),
    }),
    choices,
  }
}

/** Any of a fixed list. @public */
export function multiChoice<const Value extends string | number, const R extends boolean = false>(
  label: string,
  choices: readonly Choice<Value>[],
  options: Options<R> = {},
): MultiChoiceField<Value, R> {
  const values = new Set<unknown>(choices.map((item) => item.value))
  return {
    ...makeField(label, options, {
      kind: 'multi_choice',
      ask: '请选择',
      column: typeof choices[0]?.value === 'number' ? 'bigint[]' : 'text[]',
      filter: 'overlap',
      schema: z.array(z.custom<Value>((value) => values.has(value), oneOf(choices)), '应为列表').check(
        z.overwrite((list) => [...new Set(list)]),
      ),
      sheet: { type: 'text', example: choices[0]?.label ?? '', note: `多个用逗号隔开：${choices.map((item) => item.label).join('，')}` },
      fromSheet: (cell) => splitList(cell).map((part) => readChoice(choices, part)),
      toSheet: (value) => value.map((item) => choiceLabel(choices, item)).join('，'),
    }),
    choices,
  }
}

/** Several values in one cell. */
export function splitList(cell: SheetValue): string[] {
  return cellText(cell).split(/[,，、;；\n]/).map((part) => part.trim()).filter(Boolean)
}

/** A switch: 1 or 0 (spec 4). */
export function toggle<const R extends boolean = false>(
  label: string,
  words: ToggleWords,
  options: Options<R> = {},
): ToggleField<R> {
  const choices: Choice<number>[] = [{ value: 1, label: words.on }, { value: 0, label: words.off }]
  return {
    ...makeField(label, { initial: 1, ...options }, {
      kind: 'toggle',
      ask: '请选择',
      column: 'integer',
      filter: 'in',
      sortable: true,
      schema: z.custom<number>((value) => value === 0 || value === 1, oneOf(choices)),
      sheet: { type: 'text', example: words.on, choices: [words.on, words.off] },
      fromSheet: (cell) => readChoice(choices, cell),
      toSheet: (value) => choiceLabel(choices, value),
    }),
    ...words,
  }
}

/**
 * The switch of a thing with states: 1 while it is on the shelf, else 0. It is no column; a PUT of it alone runs the edge between
 * the two states, with the right and the checks of that transition (spec 4).
 */
export function shelf(label: string, of: Shelf, words: ToggleWords = { on: '上架', off: '下架' }): ToggleField<false> {
  return { ...toggle(label, words, { readonly: true, initial: undefined }), column: null, sortable: false, shelf: of }
}

/** How a state reads as a switch. */
export const readShelf = ({ on }: Shelf, state: unknown): 1 | 0 => (typeof state === 'number' && on.includes(state) ? 1 : 0)

/** What is said after switching (spec 4). */
export function switchedWords(field: ToggleWords, value: 1 | 0): string {
  return value === 1 ? field.onDone ?? `${field.on}成功` : field.offDone ?? `${field.off}成功`
}

import * as z from 'zod/mini'
import { cellText, type Field, type SheetValue } from './field.ts'
import { makeField, type Options } from './make.ts'

/** How a choice is coloured; the words are those of the UI library's tags. */
export type Tone = 'default' | 'processing' | 'success' | 'warning' | 'error'

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

export interface ToggleField<R extends boolean = boolean> extends Field<number, R> {
  readonly kind: 'toggle'
  /** Words for 1 and 0, also of the toast after switching (spec 4). */
  readonly on: string
  readonly off: string
}

/** Label of a value; an id that the table does not name is shown, never guessed. */
export function choiceLabel(choices: readonly Choice[], value: unknown): string {
  return choices.find((choice) => choice.value === value)?.label ?? `未命名(${String(value)})`
}

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
  words: { on: string; off: string },
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

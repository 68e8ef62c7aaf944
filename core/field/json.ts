import * as z from 'zod/mini'
import { cellText, type Field } from './field.ts'
import { makeField, type Options } from './make.ts'

export interface JsonField<Value = unknown, R extends boolean = boolean> extends Field<Value, R> {
  readonly kind: 'json'
}

export interface TagsField<R extends boolean = boolean> extends Field<string[], R> {
  readonly kind: 'tags'
  /** Most characters of one of them. */
  readonly longest: number
}

export interface ComputedField extends Field<string | number | boolean, false> {
  readonly kind: 'computed'
  /** How the value is shown. */
  readonly as: 'text' | 'number' | 'money' | 'time' | 'percent'
}

/** Structured data with a shape of its own; its screen brings its own editor. */
export function json<Value, const R extends boolean = false>(label: string, schema: z.ZodMiniType<Value>, options: Options<R> = {}): JsonField<Value, R> {
  return makeField(label, options, {
    kind: 'json',
    files: true,
    unlisted: true,
    column: 'jsonb',
    filter: null,
    schema,
    sheet: { type: 'text', example: '' },
    fromSheet: (cell) => {
      const text = cellText(cell)
      if (text === '') return null
      try {
        return JSON.parse(text)
      } catch {
        return text
      }
    },
    toSheet: (value) => JSON.stringify(value),
  })
}

/** Free words, at most 20 of 20 characters. */
export function tags<const R extends boolean = false>(label: string, options: Options<R, { longest?: number }> = {}): TagsField<R> {
  const longest = options.longest ?? 20
  return {
    longest,
    ...makeField(label, options, {
      kind: 'tags',
      column: 'text[]',
      filter: 'overlap',
      schema: z.array(z.string('应为文字').check(z.trim(), z.minLength(1, '标签不能为空'), z.maxLength(longest, `每个标签最多 ${longest} 个字`)), '应为列表').check(
        z.overwrite((list) => [...new Set(list)]),
        z.maxLength(20, '最多 20 个标签'),
      ),
      sheet: { type: 'text', example: '', note: '多个用逗号隔开' },
      fromSheet: (cell) => cellText(cell).split(/[,，、;；]/).map((part) => part.trim()).filter(Boolean),
      toSheet: (value) => value.join('，'),
    }),
  }
}

/** A value that the server works out while reading; the resource's server half says how. */
export function computed(label: string, as: ComputedField['as'] = 'number'): ComputedField {
  return {
    ...makeField<'computed', string | number | boolean, false>(label, { readonly: true }, {
      kind: 'computed',
      computed: true,
      column: null,
      filter: null,
      schema: z.custom<string | number | boolean>(() => false, '不能修改'),
      sheet: { type: as === 'text' ? 'text' : as === 'time' ? 'time' : as === 'money' ? 'money' : 'number', example: '' },
      toSheet: (value) => value,
    }),
    as,
  }
}

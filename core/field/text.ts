import * as z from 'zod/mini'
import type { Field } from './field.ts'
import { INVISIBLE } from './field.ts'
import { makeField, type Options } from './make.ts'

export interface TextExtra {
  /** Longest value, in characters. */
  max?: number
  /** Shape that the value must have, and the sentence shown when it has not. */
  pattern?: readonly [RegExp, string]
  example?: string
  /** Kept in lower case, so that two spellings are one value. */
  lower?: boolean
}

export interface TextField<R extends boolean = boolean> extends Field<string, R> {
  readonly kind: 'text' | 'long_text'
  readonly max: number
}

const clean = (text: string) => text.replace(INVISIBLE, '').trim()

function textSchema(max: number, { pattern, lower }: TextExtra): z.ZodMiniType<string> {
  const checks = [z.overwrite(lower ? (text: string) => clean(text).toLowerCase() : clean), z.maxLength(max, `最多 ${max} 个字`)]
  const base = z.string('应为文字')
  return pattern ? base.check(...checks, z.regex(pattern[0], pattern[1])) : base.check(...checks)
}

/**
 * One line of text, trimmed, without control or zero-width characters.
 * @param options.max characters, 60 by default (domain rule for names)
 */
export function text<const R extends boolean = false>(label: string, options: Options<R, TextExtra> = {}): TextField<R> {
  const max = options.max ?? 60
  return {
    ...makeField(label, options, {
      kind: 'text',
      column: 'text',
      filter: 'contains',
      sortable: true,
      schema: textSchema(max, options),
      sheet: { type: 'text', example: options.example ?? label, note: `最多 ${max} 个字` },
    }),
    max,
  }
}

/** Several lines of plain text, 500 characters by default. */
export function longText<const R extends boolean = false>(label: string, options: Options<R, TextExtra> = {}): TextField<R> {
  const max = options.max ?? 500
  return {
    ...makeField(label, options, {
      kind: 'long_text',
      column: 'text',
      filter: 'contains',
      schema: textSchema(max, options),
      sheet: { type: 'text', example: options.example ?? '', note: `最多 ${max} 个字` },
    }),
    max,
  }
}

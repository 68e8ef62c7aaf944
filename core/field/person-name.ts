import * as z from 'zod/mini'
import { INVISIBLE, type Field } from './field.ts'
import { makeField, type Options } from './make.ts'

export interface PersonNameField<R extends boolean = boolean> extends Field<string, R> {
  readonly kind: 'person_name'
  readonly max: number
}

/** All but the ends hidden: 王小明 is 王*明, 王明 is 王*. */
export function maskName(name: string): string {
  const letters = [...name]
  if (letters.length < 2) return '*'
  return letters.length === 2 ? `${letters[0]}*` : `${letters[0]}${'*'.repeat(letters.length - 2)}${letters.at(-1)}`
}

/**
 * The name of somebody who learns, most of them minors: masked for people who do not work with them, and found by the whole
 * name alone, as a list neither sorts nor finds by what it does not show.
 * @param options.max characters, 20 by default (domain rule for names of people)
 */
export function personName<const R extends boolean = false>(label: string, options: Options<R, { max?: number; example?: string }> = {}): PersonNameField<R> {
  const max = options.max ?? 20
  return {
    ...makeField(label, options, {
      kind: 'person_name',
      column: 'text',
      filter: 'equals',
      hidden: { from: 'strangers', mask: maskName, words: '学员姓名' },
      schema: z.string('应为文字').check(
        z.overwrite((text) => text.replace(INVISIBLE, '').trim()),
        z.maxLength(max, `最多 ${max} 个字`),
        // It comes from a list or a sheet in which it was hidden.
        z.regex(/^[^*＊]*$/, '请填写完整姓名，不能含 *'),
      ),
      sheet: { type: 'text', example: options.example ?? '李明', note: `最多 ${max} 个字` },
    }),
    max,
  }
}

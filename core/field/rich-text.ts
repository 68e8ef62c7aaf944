import * as z from 'zod/mini'
import { IMAGES } from '../file/kinds.ts'
import { plainDoc, plainText, type RichDoc } from '../rich-text/rich-doc.ts'
import { richDoc } from '../rich-text/rich-schema.ts'
import { cellText, type Field } from './field.ts'
import { makeField, type Options } from './make.ts'

/** A rich text as a record keeps it: its words stand beside it, for searches, lists and workbooks. */
export interface WordedDoc extends RichDoc {
  /** A line for each block; always made from the blocks, never taken from who writes. */
  words: string
}

export interface RichTextField<R extends boolean = boolean> extends Field<WordedDoc, R> {
  readonly kind: 'rich_text'
  /** Most characters to read, 5000 by default. */
  readonly max: number
  /** Pictures that it may hold. */
  readonly accept: readonly string[]
  readonly maxBytes: number
}

/** A rich text with its words. */
export const withWords = ({ t, v, c }: RichDoc): WordedDoc => ({ t, v, c, words: plainText({ t, v, c }) })

/** Plain lines as a rich text: for demo data and tests. @throws Error when there is nothing to read in them */
export function linesOfText(text: string): WordedDoc {
  const doc = plainDoc(text)
  if (!doc) throw new Error('a text without words')
  return withWords(doc)
}

/**
 * Text with paragraphs, lists, tables, formulas and pictures. It is data, never HTML, and what the list of allowed things does
 * not name is refused by the browser and by the server. A workbook carries its words; what is imported has one paragraph a line.
 */
export function richText<const R extends boolean = false>(label: string, options: Options<R, { max?: number }> = {}): RichTextField<R> {
  const { max = 5000, ...common } = options
  return {
    ...makeField<'rich_text', WordedDoc, R>(label, common as Options<R>, {
      kind: 'rich_text',
      files: true,
      column: 'jsonb',
      filter: null,
      words: (column) => `${column} ->> 'words'`,
      // What cleaning leaves nothing of is no text; the rules ask for it then where it is required.
      schema: z.pipe(richDoc, z.transform((doc) => doc && withWords(doc))).check(z.refine((doc) => (doc?.words.length ?? 0) <= max, `最多 ${max} 个字`)) as unknown as z.ZodMiniType<WordedDoc>,
      sheet: { type: 'text', example: label, note: `纯文字，每行一段，最多 ${max} 个字` },
      fromSheet: (cell) => {
        const text = cellText(cell)
        return text === '' ? null : plainDoc(text)
      },
      toSheet: (value) => value.words,
    }),
    ...IMAGES,
    max,
  }
}

import type * as z from 'zod/mini'
import type { BehindPath } from './behind.ts'

/** What a sheet cell holds, whichever file it came from. */
export type SheetValue = string | number | boolean | Date | null

/**
 * SQL type of the column that keeps a field; null for values that are computed on reading. `ordered_text` is text that is
 * compared byte by byte, as the browser compares it, whatever language the database sorts by.
 */
export type ColumnType = 'text' | 'ordered_text' | 'integer' | 'bigint' | 'numeric' | 'boolean' | 'timestamptz' | 'jsonb' | 'bigint[]' | 'text[]'

/** How a list can be narrowed by a field. */
export type FilterOperator = 'contains' | 'equals' | 'in' | 'range' | 'overlap' | 'prefix' | 'subtree' | 'segment'

/** How a field travels in workbooks. */
export interface SheetColumn {
  type: 'text' | 'number' | 'money' | 'date' | 'time' | 'boolean'
  example: string | number
  /** Values offered as a drop-down in the template. */
  choices?: readonly string[]
  /** Rule shown beside the column in the template. */
  note?: string
}

/** How a value is hidden. */
export interface Hidden {
  /** From everybody until it is revealed, or from those who do not work with the person whose name it is. */
  readonly from: 'everybody' | 'strangers'
  /** What is shown instead. */
  mask(text: string): string
  /** What is hidden, as the export says it. */
  readonly words: string
  /** Shape of a whole value, where nothing but a whole value finds anything: a hidden number is not guessed digit by digit. */
  readonly whole?: RegExp
  /** Letters that the mask leaves at both ends, where they are always as many. */
  readonly ends?: readonly [left: number, right: number]
}

/** What a kind of field can, so that nobody has to ask which kind it is. */
export interface Abilities {
  readonly hidden?: Hidden
  /** It names one record of another resource, or several. */
  readonly refers?: 'one' | 'many'
  /** Lists are often narrowed by it, so that its column always has an index. */
  readonly indexed?: true
  /** The server works it out while reading. */
  readonly computed?: true
  /** It can refer to uploaded files. */
  readonly files?: true
  /** Lists, drawers and exports show nothing of it: it has an editor of its own, or no value. */
  readonly unlisted?: true
  /** An import can be told one value for all its rows. */
  readonly prefilled?: true
  /** SQL text of the words in its column, where that holds more than words. Search and its index use it. */
  words?(column: string): string
  /** Turns what a filter is given into what is stored. */
  fromFilter?(text: string): string
}

/** Options that every kind understands. */
export interface CommonOptions<Required extends boolean = boolean> {
  required?: Required
  /** Short help under the input. */
  help?: string
  /** Cannot be set through the form or the call; the server's own code sets it. */
  readonly?: boolean
  /** Can be set on create and never again. */
  createOnly?: boolean
  /** No two living records share the value. */
  unique?: boolean
  /** `false`: its changes stay out of the log. For sums of other records, which have a log of their own. */
  audit?: boolean
  /** Found by the keyword search. */
  search?: boolean
  /** It is printed as a bar code or QR code: lists that search by it can take it from a camera. */
  scanned?: boolean
  /** Offered when a new record is started. */
  initial?: unknown
  /** Name under which the specification's own clients send it; taken beside the field's own. */
  alias?: string
  /**
   * Name under which it goes over the wire both ways, beside its own: where a column means something else with each kind of
   * record that shares a table (`place_ref_id`), this kind's own word for it (`school_id`).
   */
  wire?: string
  /** Other headings under which sheets bring it. */
  headings?: readonly string[]
}

/**
 * One field of a resource: plain data, so that column, rules, filter and sheet column follow from one place.
 * `Value` is its type on the wire; `Required` says whether a record always has it.
 */
export interface Field<Value = unknown, Required extends boolean = boolean> extends CommonOptions<Required>, Abilities {
  readonly kind: string
  readonly label: string
  readonly required: Required
  readonly column: ColumnType | null
  readonly filter: FilterOperator | null
  readonly sortable: boolean
  /** Set where the value belongs to a record that this one refers to. */
  readonly behind?: BehindPath
  /** What a person is asked to do when it is missing: 请填写, 请选择, 请上传. */
  readonly ask: string
  /** Checks and normalises a value that is present; messages do not repeat the label. */
  readonly schema: z.ZodMiniType<Value>
  readonly sheet: SheetColumn
  /** Reads a sheet cell into the wire form; what cannot be read is returned as it is and refused by the schema. */
  fromSheet(cell: SheetValue): unknown
  /** Writes a wire value for a workbook. */
  toSheet(value: Value): SheetValue
}

/** A field map as written in a definition. */
export type Fields = Readonly<Record<string, Field>>

/** A field's type on the wire. */
export type ValueOf<F> = F extends Field<infer Value, infer _R> ? Value : never
type RequiredKeys<F extends Fields> = { [K in keyof F]: F[K] extends { readonly required: true } ? K : never }[keyof F]

/** What every stored record has beside its own fields. */
export interface RecordMeta {
  id: number
  rev: number
  created_by: number | null
  created_at: number
  updated_by: number | null
  updated_at: number
  deleted_at: number | null
}

/** A record as the server knows it; of a segment it has no value. */
export type RowOf<F extends Fields> = RecordMeta & {
  [K in keyof F as F[K] extends { readonly kind: 'segment' } ? never : K]: K extends RequiredKeys<F> ? ValueOf<F[K]> : ValueOf<F[K]> | null
}

/** What may be sent to create a record. */
export type InputOf<F extends Fields> = { [K in RequiredKeys<F>]: ValueOf<F[K]> } & {
  [K in Exclude<keyof F, RequiredKeys<F>>]?: ValueOf<F[K]> | null
}

/** Text of a sheet cell, with full-width characters folded, control characters dropped and ends trimmed. */
export function cellText(cell: SheetValue): string {
  if (cell === null) return ''
  if (cell instanceof Date) return cell.toISOString()
  return foldText(String(cell))
}

/** Folds full-width letters, digits and spaces to half width and drops what cannot be seen. */
export function foldText(text: string): string {
  return text
    .replace(/[\uFF01-\uFF5E]/g, (char) => String.fromCharCode(char.charCodeAt(0) - 0xfee0))
    .replace(/[\u3000\u00A0]/g, ' ')
    .replace(INVISIBLE, '')
    .trim()
}

/** Control and zero-width characters, line breaks and tabs excepted: they hide in pasted text and make equal names differ. */
export const INVISIBLE = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\u00AD\u200B-\u200F\u202A-\u202E\u2060-\u2064\uFEFF]/g

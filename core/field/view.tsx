import type { ReactNode } from 'react'
import type { AnyField } from './any-field.ts'

export interface CellProps<F extends AnyField> {
  field: F
  value: unknown
  /** The whole row, for twins such as `partner_name`. */
  row: Readonly<Record<string, unknown>>
  name: string
  /** There is little room, as in a list: 今天 16:02 instead of the whole date. */
  brief?: boolean
}

/** Props of an input; the form library adds value, onChange and id. */
export interface InputProps<F extends AnyField> {
  field: F
  name: string
  /** The other values of the form. */
  values: Readonly<Record<string, unknown>>
  value?: unknown
  onChange?: (value: unknown) => void
  id?: string
  disabled?: boolean
  /** It is its turn in a form that leads along: a list of choices opens. */
  ready?: boolean | undefined
}

export interface FilterProps<F extends AnyField> {
  field: F
  name: string
  /** Texts as they stand in the URL. A range has two, either of which may be empty. */
  values: readonly string[]
  /** Values that every record of the list has. */
  fixed?: Readonly<Record<string, unknown>>
  onChange: (values: string[]) => void
  id: string
}

export interface FilterWordsProps<F extends AnyField> {
  field: F
  /** As in `FilterProps`. */
  values: readonly string[]
}

/** How a kind looks: the browser half of a field. */
export interface FieldView<F extends AnyField> {
  Cell: (props: CellProps<F>) => ReactNode
  Input: (props: InputProps<F>) => ReactNode
  /** Takes a value in a cell of a list; absent where the kind needs more room. `picked`: what is chosen is the whole answer, and nothing follows it. */
  inCell?: { readonly Input: (props: InputProps<F>) => ReactNode; readonly picked?: true }
  /** Absent where the kind cannot be filtered. */
  Filter?: (props: FilterProps<F>) => ReactNode
  /** What a filter leaves, in words, as 市级、县级; the texts themselves where it is absent. */
  FilterWords?: (props: FilterWordsProps<F>) => ReactNode
  /** Where it stands in its column, when the field's own data decides that, a function of it. */
  align?: 'right' | 'center' | ((field: F) => 'right' | undefined)
}

/** What stands where there is no value. */
export const NONE = <span className="none">—</span>

/** Addresses of stored files, as a list keeps them. */
export const addresses = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [])

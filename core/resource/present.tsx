import type { ComponentType, ReactNode } from 'react'
import type { RecordMeta } from '../field/field.ts'
import type { Resource } from './define.ts'
import type { WireRow } from './endpoints.ts'
import type { Shape } from './shape.ts'

interface Offered<Wire> {
  readonly label: string
  readonly danger?: boolean
  /** Usually comes next: stands before 编辑. */
  readonly first?: true
  /** Id that the person must hold. */
  readonly grant?: number
  /** Whether the row offers it; abilities of the server stand in `row.can`. */
  readonly visible?: (row: Wire) => boolean
}

/** Something that a row offers: it does something, or opens the dialog of its key. */
export type RowAction<Wire = WireRow, Dialog extends string = string> = Offered<Wire> & (
  | { readonly key: string; readonly run: (row: Wire, tools: RowTools) => void | Promise<void> }
  | { readonly key: Dialog; readonly run?: undefined }
)

/** What the list lends to whatever works on one of its rows. */
export interface RowTools {
  readonly reload: () => void
  /** Opens one of the presentation's dialogs for a row. */
  readonly open: (dialog: string, row: WireRow) => void
}

export interface RowDialogProps<R extends Resource = Resource> {
  readonly row: WireRow<R>
  readonly reload: () => void
  readonly onClose: () => void
  /** Goes on to another of the presentation's dialogs for the same row; absent where the dialog stands alone. */
  readonly open?: (dialog: string) => void
}

/** What is chosen in a list, for whatever works on many of its rows. */
export interface BulkProps {
  readonly selected: readonly number[]
  /** The list's filters, where everything that they leave is meant instead of the selection. */
  readonly query?: Readonly<Record<string, unknown>>
  /** How many are meant, in words: 3 条, 全部 10,000+ 条. */
  readonly many: string
  /** Reads the list again and drops the selection. */
  readonly onDone: () => void
}

/** A tab of the detail drawer. */
export interface DetailTab {
  readonly key: string
  readonly label: string
  readonly children: ReactNode
}

/** What an input of a form is given. */
export interface InputProps<Value = unknown, Values = Readonly<Record<string, unknown>>> {
  readonly value?: Value | null
  readonly onChange?: (value: Value | null) => void
  /** What the form holds. */
  readonly values: Values
  readonly id?: string
}

/** What a layout of its own is given by the form of a record. Fields are put by `FormField`. */
export interface FormLayoutProps<S extends Shape = Shape> {
  /** What is typed now, with what the resource fixes. */
  readonly values: { readonly [F in S['field']]?: S['wire'][F] }
  /** The record that is being changed; undefined for a new one. */
  readonly row: S['wire'] | undefined
  /** Sets values as if they had been typed. */
  readonly set: (values: { readonly [F in S['field']]?: S['wire'][F] }) => void
}

/** How a resource looks where it does not look like the others: rungs 1 to 4 of the escape ladder. */
export interface Presentation<S extends Shape = Shape, Dialog extends string = string> {
  /** A cell of its own for a column. */
  readonly cells?: { readonly [K in S['field'] | MetaColumn]?: (props: { value: S['wire'][K]; row: S['wire'] }) => ReactNode }
  /** An input of its own for a field. */
  readonly inputs?: { readonly [K in S['field']]?: ComponentType<InputProps<S['wire'][K], { readonly [F in S['field']]?: S['wire'][F] }>> }
  /** Fields that many records are given by a button of their own: 批量备注. */
  readonly bulkFields?: readonly S['field'][]
  /**
   * Lays out the form in place of the definition's sections, over the same state: rules, errors, drafts, revision, merging and
   * the guard against leaving stay the form's own. Every field that is to be typed is put once, by `FormField`.
   */
  readonly form?: ComponentType<FormLayoutProps<S>>
  readonly slots?: {
    /** Beside 导入 and 导出. */
    readonly toolbar?: ComponentType<{ reload: () => void }>
    /** What is done most with the list, in the place of 新增: one button, and what it opens. */
    readonly main?: ComponentType<{ reload: () => void }>
    /** Beside the actions on the selected records. */
    readonly bulk?: ComponentType<BulkProps>
    /** Above the table. */
    readonly above?: ComponentType<{ query: Readonly<Record<string, readonly string[]>> }>
    /** Above the tabs of the detail drawer. */
    readonly head?: ComponentType<{ row: S['wire']; reload: () => void }>
    /** Further tabs of the detail drawer. */
    readonly details?: readonly { key: string; label: string; Content: ComponentType<{ row: S['wire']; reload: () => void }> }[]
    /** Works out tabs of the detail drawer that follow from the record, such as what other modules know of it. */
    readonly MoreDetails?: ComponentType<{ row: S['wire']; children: (tabs: readonly DetailTab[]) => ReactNode }>
  }
  readonly rowActions?: readonly RowAction<S['wire'], NoInfer<Dialog>>[]
  /** Names in the address that what stands beside the list reads, and the list does not. */
  readonly params?: readonly string[]
  /** After a record was created in the form. */
  readonly afterCreate?: (row: S['wire'], tools: RowTools) => void
  /** Dialogs that work on one row, by key; rendered while they stand open. */
  readonly dialogs?: { readonly [K in Dialog]: ComponentType<Omit<RowDialogProps, 'row'> & { readonly row: S['wire'] }> }
}

/** Columns that every list can show. */
type MetaColumn = 'id' | 'created_at' | 'created_by_name' | 'updated_at' | 'updated_by_name' | 'deleted_at'

/** A presentation of a resource, for several that look the same. */
export type PresentationOf<R extends Resource> = Presentation<NonNullable<R['types']>['shape']>

/** A presentation with what one of the resources that share it has beside. */
export function extendPresentation(shared: Presentation, own: Presentation = {}): Presentation {
  return {
    ...shared, ...own,
    cells: { ...shared.cells, ...own.cells },
    inputs: { ...shared.inputs, ...own.inputs },
    slots: { ...shared.slots, ...own.slots, details: [...shared.slots?.details ?? [], ...own.slots?.details ?? []] },
    rowActions: [...shared.rowActions ?? [], ...own.rowActions ?? []],
    dialogs: { ...shared.dialogs, ...own.dialogs },
  }
}

/**
 * The browser half of a resource; curried like its server half, so that its keys and rows follow from the definition.
 * @example export default present(school)({ cells: { student_cnt: ({ value, row }) => <CountLink id={row.id} value={value} /> } })
 */
export function present<Row extends RecordMeta, Input, S extends Shape>(_resource: Resource<Row, Input, S>): <const Dialog extends string = never>(presentation: Presentation<S, Dialog>) => Presentation {
  // The list handles rows without knowing their types; each presentation only ever sees those of its own resource.
  return (presentation) => presentation as Presentation
}

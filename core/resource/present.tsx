import type { ComponentType, ReactNode } from 'react'
import type { RecordMeta } from '../field/field.ts'
import type { Resource } from './define.ts'
import type { WireRow } from './endpoints.ts'

export interface RowAction {
  readonly key: string
  readonly label: string
  readonly danger?: boolean
  /** Usually comes next: stands before 编辑. */
  readonly first?: true
  /** Id that the person must hold. */
  readonly grant?: number
  /** Whether the row offers it; abilities of the server stand in `row.can`. */
  readonly visible?: (row: WireRow) => boolean
  /** What it does; absent: it opens the dialog of its key. */
  readonly run?: (row: WireRow, tools: RowTools) => void | Promise<void>
}

/** What the list lends to whatever works on one of its rows. */
export interface RowTools {
  readonly reload: () => void
  /** Opens one of the presentation's dialogs for a row. */
  readonly open: (dialog: string, row: WireRow) => void
}

export interface RowDialogProps {
  readonly row: WireRow
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
  /** Reads the list anew and drops the selection. */
  readonly onDone: () => void
}

/** A tab of the detail drawer. */
export interface DetailTab {
  readonly key: string
  readonly label: string
  readonly children: ReactNode
}

/** How a resource looks where it does not look like the others: rungs 1 to 3 of the escape ladder. */
export interface Presentation {
  /** A cell of its own for a column. */
  readonly cells?: Readonly<Record<string, (props: { value: unknown; row: WireRow }) => ReactNode>>
  /** An input of its own for a field. */
  readonly inputs?: Readonly<Record<string, ComponentType<{ value?: unknown; onChange?: (value: unknown) => void; values: Readonly<Record<string, unknown>>; id?: string }>>>
  readonly slots?: {
    /** Beside 新增 and 导入. */
    readonly toolbar?: ComponentType<{ reload: () => void }>
    /** Beside the actions on the selected records. */
    readonly bulk?: ComponentType<BulkProps>
    /** Above the table. */
    readonly above?: ComponentType<{ query: Readonly<Record<string, readonly string[]>> }>
    /** Above the tabs of the detail drawer. */
    readonly head?: ComponentType<{ row: WireRow; reload: () => void }>
    /** Further tabs of the detail drawer. */
    readonly details?: readonly { key: string; label: string; Content: ComponentType<{ row: WireRow; reload: () => void }> }[]
    /** Works out tabs of the detail drawer that follow from the record, such as what other modules know of it. */
    readonly MoreDetails?: ComponentType<{ row: WireRow; children: (tabs: readonly DetailTab[]) => ReactNode }>
  }
  readonly rowActions?: readonly RowAction[]
  /** After a record was created in the form. */
  readonly afterCreate?: (row: WireRow, tools: RowTools) => void
  /** Dialogs that work on one row, by key; rendered while they stand open. */
  readonly dialogs?: Readonly<Record<string, ComponentType<RowDialogProps>>>
}

/** The browser half of a resource; curried like its server half. */
export function present<Row extends RecordMeta, Input>(_resource: Resource<Row, Input>): (presentation: Presentation) => Presentation {
  return (presentation) => presentation
}

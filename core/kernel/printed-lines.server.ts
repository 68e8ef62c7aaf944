import type { Queryable } from '../database/database.server.ts'
import type { SheetColumn } from '../field/field.ts'
import type { Resource } from '../resource/define.ts'

/** Lines of records that stand in a table of their own, as a module hands them over to be printed: an order's goods. */
export interface PrintedLines {
  /** Part of the paths of templates: never changed. */
  readonly name: string
  readonly title: string
  /** Whether records of this kind have such lines. */
  of(resource: Pick<Resource, 'table'>): boolean
  readonly columns: Readonly<Record<string, { readonly label: string; readonly type: SheetColumn['type'] }>>
  /** Lines by the id of their record, in their order; whoever asks has made sure that the person may see the records. */
  read(db: Queryable, ids: readonly number[]): Promise<ReadonlyMap<number, readonly Readonly<Record<string, unknown>>[]>>
}

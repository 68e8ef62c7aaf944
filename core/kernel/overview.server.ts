import type { Database } from '../database/database.server.ts'
import type { Staff } from '../grant/staff.server.ts'

/** How a value of an overview is shown. */
export type OverviewKind = 'text' | 'number' | 'money' | 'date' | 'time'

/** A part of an overview: single facts, or a table of records. */
export type OverviewContent =
  | { readonly stats: readonly { label: string; value: string | number | null; as: OverviewKind }[] }
  | {
    readonly columns: readonly { key: string; title: string; as: OverviewKind }[]
    readonly rows: readonly Readonly<Record<string, unknown>>[]
    /** Path of the list that opens one of them by its id. */
    readonly screen?: string
  }

/** What a module knows of one person outside, for the view that gathers everything about them. */
export interface OverviewSection {
  readonly name: string
  readonly title: string
  /** Id without which the section is absent and never loaded. */
  readonly grant: number
  /**
   * @param staff who looks; the section keeps to their data scopes
   * @param person the app user; the number is whole, so that records that carry no user id are found by it
   */
  load(db: Database, staff: Staff, person: { id: number; mobile: string }): Promise<OverviewContent>
}

import type { SQL } from 'drizzle-orm'
import type { Queryable } from '../database/database.server.ts'
import type { RecordMeta } from '../field/field.ts'
import type { Staff } from '../grant/staff.server.ts'
import type { Resource, Transition } from './define.ts'
import { policyRefusals } from './policy.ts'
import type { Keyed, Shape } from './shape.ts'
import { declareSegments, type Segments } from './where.server.ts'

/** What a rule is given. `row` is the record as stored before the change. */
export interface Change<Row, Input> {
  readonly tx: Queryable
  readonly staff: Staff
  /** Checked values that will be written; a rule may add to them. */
  readonly values: Partial<Input> & Record<string, unknown>
  readonly row: Row | undefined
}

/** One row of an imported sheet, as a rule sees it. */
export interface ImportedRow<Row, Input> {
  /** As the spreadsheet program counts it. */
  readonly rowNumber: number
  /** Checked values that will be written; a rule may add to them. */
  readonly values: Partial<Input> & Record<string, unknown>
  /** The record that the row updates; undefined for a new one. */
  readonly row: Row | undefined
  /** Says what is wrong with the row, as one sentence. */
  refuse(sentence: string): void
}

/** What a definition cannot say: rules that need the database or more than one field. */
export interface Rules<Row, Input, S extends Shape = Shape> {
  /** SQL of each computed field; `t` is the row of the table. */
  computed?: Keyed<S['computed'], SQL>
  /**
   * What the groups of each segment field mean: by key and value, a condition over the bare table, which is written with the
   * table's name before its columns.
   */
  segments?: { readonly [K in keyof S['segments']]: Readonly<Record<S['segments'][K], SQL>> }
  /**
   * Asked before anything is done to a record that exists, whichever way: saving, taking a change back, removing,
   * restoring, a transition, one by one, in bulk, by a sheet, and taking a sheet back. The record is locked, but for a
   * sheet that is only checked. Throws an AppError to refuse.
   */
  guard?(change: { tx: Queryable; staff: Staff; row: Row }): Promise<void>
  /** The history of a record tells what only those may know who may change it: it is behind `guard` too. */
  guardsHistory?: true
  /** Runs before a record is written; throws an AppError to refuse. */
  before?(change: Change<Row, Input>): Promise<void> | void
  /** `before` writes and locks nothing: a new record then takes one statement instead of a transaction of several. */
  beforeOnlyReads?: true
  /**
   * Takes the place of `before` for imports, several hundred rows at a time, so that a large sheet needs few queries.
   * Runs when the sheet is checked and again when it is written. Without it `before` runs for every row.
   */
  beforeImport?(batch: { tx: Queryable; staff: Staff; rows: readonly ImportedRow<Row, Input>[] }): Promise<void>
  /** Runs after a record was written, in the same transaction. */
  after?(change: Change<Row, Input> & { readonly saved: Row }): Promise<void>
  /** Refuses a removal by throwing; says what would break. */
  beforeRemove?(change: { tx: Queryable; staff: Staff; row: Row }): Promise<void>
  /**
   * Why this person may not do something with a record though they hold the right for it, by the action's name, in one
   * sentence: a person who wrote an order down does not approve it. Rows say so where the action would be offered, and a
   * transition is refused in the same words. Asked once for all rows of an answer.
   */
  refusals?(asked: { db: Queryable; staff: Staff }): Promise<(row: Row) => Readonly<Partial<Record<S['action'], string>>>>
  /** What follows when its records change their places in the tree. */
  tree?: TreeRules<Row>
  /**
   * How what calls of its own did to records is taken back, by the name that `keepUndo` was told: where neither values nor an
   * edge of a single record say it.
   */
  backs?: Readonly<Record<string, OwnBack>>
  /** Side effects of transitions, in the same transaction. */
  effects?: Keyed<S['transition'], (change: { tx: Queryable; staff: Staff; row: Row; transition: Transition; reason: string | undefined }) => Promise<void>>
}

/** A way back of a resource's own. */
export interface OwnBack {
  /** Id that it takes, by what was kept when it was done. */
  grant(values: Readonly<Record<string, unknown>>): number
  /**
   * @param change.lock locks the record within the person's scope and behind `guard`, and refuses when somebody wrote since; what
   *   is locked before it comes first (ADR 22)
   */
  run(change: { tx: Queryable; staff: Staff; id: number; values: Readonly<Record<string, unknown>>; lock(): Promise<unknown> }): Promise<void>
}

/** The rules of a resource, for a function that makes them. */
export type RulesOf<R extends Resource> = R extends Resource<infer Row, infer Input, infer S> ? Rules<Row, Input, S> : never

/** What follows, in other tables, from a change of a tree; in the same transaction. */
export interface TreeRules<Row> {
  /** A node stands below another parent than before, with everything below it. */
  moved?(change: { tx: Queryable; staff: Staff; node: Row }): Promise<void>
  /** `into` takes the place of `from`, whose children are there already. References of resources follow by themselves. */
  merged?(change: { tx: Queryable; staff: Staff; from: Row; into: Row }): Promise<void>
}

/** A resource with its rules. */
export interface ResourceService {
  readonly resource: Resource
  readonly rules: Rules<RecordMeta & Record<string, unknown>, Record<string, unknown>>
}

/** What the definition's policies refuse is asked wherever the rules' own refusals are, and before them. */
function withPolicies({ resource, rules }: ResourceService): ResourceService['rules'] {
  if (resource.policies.length === 0) return rules
  return {
    ...rules,
    async refusals(asked) {
      const own = await rules.refusals?.(asked)
      return (row) => ({ ...own?.(row), ...policyRefusals(resource, asked.staff, row) })
    },
  }
}

/**
 * The server half of a resource. Curried, so that the rules' types follow from the definition.
 * @example export default serve(school)({ computed: { student_cnt: sql`(select count(*) …)` } })
 */
export function serve<Row extends RecordMeta, Input, S extends Shape>(resource: Resource<Row, Input, S>): (rules?: Rules<Row, Input, S>) => ResourceService {
  // The kernel handles records without knowing their types; each service only ever sees its own.
  return (rules = {}) => {
    if (rules.segments) declareSegments(resource, rules.segments as Segments)
    const service = { resource, rules } as ResourceService
    return { resource: service.resource, rules: withPolicies(service) }
  }
}

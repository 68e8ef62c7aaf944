import type { Queryable } from '../../../core/database/database.server.ts'
import type { Staff } from '../../../core/grant/staff.server.ts'

/** A set that was just built. */
export interface BuiltSet {
  readonly scope: string
  readonly ref_id: number
  readonly product_line: string
  readonly group_key: number
  /** How many questions it has now. */
  readonly n: number
}

/** What an owner of sets says about them on the server. */
export interface SetKeeper {
  readonly line: RegExp
  /** Refuses a line whose record the person may not see, or that has no such book or subject. */
  check?(db: Queryable, staff: Staff, line: string, beside: number): Promise<void>
  /** Told of a set that was built, in its transaction. */
  built?(tx: Queryable, set: BuiltSet): Promise<void>
}

const keepers: SetKeeper[] = []

/** Adds what an owner of sets says about them; called once by its server half. */
export function addSetKeeper(keeper: SetKeeper): void {
  keepers.push(keeper)
}

const keeperOf = (line: string) => keepers.find((keeper) => keeper.line.test(line))

/** @param beside the book or subject whose places are asked for @throws AppError when the line has none of them */
export async function checkOwner(db: Queryable, staff: Staff, line: string, beside: number): Promise<void> {
  await keeperOf(line)?.check?.(db, staff, line, beside)
}

/** Tells the owner of a set that it was built. */
export async function tellBuilt(tx: Queryable, set: BuiltSet): Promise<void> {
  await keeperOf(set.product_line)?.built?.(tx, set)
}

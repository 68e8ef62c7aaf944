import type { Queryable } from '../../core/database/database.server.ts'
import type { Resource } from '../../core/resource/define.ts'
import type { Answer, Caller, TestApp } from '../../core/testing/app.server.ts'
import type { OrderLine } from './line.ts'

/** From here on the histories ask for a second person, in fen: a few of their sales. */
export const HISTORY_LIMIT = 25_000

/**
 * How a module takes part in the histories of money (money-history.test.ts). A module that sells something, watches orders
 * or gives discounts has a file `money-testing.server.ts` that exports a `MoneyPart` as its default. The histories call its
 * actions in random order, by people with random rights, with hostile input, and look at its invariants after each.
 */
export interface MoneyPart {
  readonly name: string
  /** Tables from which stock is taken: locked after the order and before accounts (ADR 22). */
  readonly stock: readonly string[]
  /** Opens what the part needs, once for the whole file. */
  open(app: TestApp): Promise<MoneyWorld>
}

export interface MoneyWorld {
  /** Lines whose orders are written down in parts; what is done with any order is known to the histories. */
  readonly lines: readonly MoneyLine[]
  /** Resources of lines whose orders are recorded one by one after they were paid. */
  readonly recorded: readonly Resource[]
  /** Lines beside these whose orders no call places: their books are looked at. */
  readonly books?: readonly OrderLine[]
  /** Further ways in, and what else may happen between them. */
  readonly actions: readonly MoneyAction[]
  /** Begins a history: a fresh buyer, a fresh card. */
  begin(): Promise<void>
  /** Leaves nothing behind in the process. */
  close?(): void
  /** What does not hold, one sentence each; empty when all is well. */
  check(db: Queryable): Promise<string[]>
}

/** A line of orders. */
export interface MoneyLine {
  readonly line: OrderLine
  readonly orders: Resource
  /** Something that can be ordered: goods with their list price, and who buys. Prices, amounts and channels are the histories'. */
  plan(dice: Dice): { items: { kind: string; ref_id?: number | undefined; list: number | null }[]; user_info: Record<string, unknown> }
}

/** One kind of thing that somebody does. */
export interface MoneyAction {
  readonly name: string
  /** How often beside the others; 1 by default. */
  readonly often?: number
  /** Ids that the action may ask for: people hold some of them. */
  readonly rights: readonly number[]
  /** Does it by calls. @returns undefined when there was nothing to do it with */
  run(who: Caller, dice: Dice): Promise<Done | undefined>
}

/** What was done, and what the person who did it must have held if it worked. */
export interface Done {
  readonly answer: Answer
  readonly needs: readonly number[]
}

/** Chance, the same for the same seed. */
export interface Dice {
  /** A whole number from 0 to below `count`. */
  below(count: number): number
  pick<One>(list: readonly One[]): One
  /** True in one of `n` cases. */
  one(n: number): boolean
  /** An amount near to what would be right, or one that nobody should take: negative, huge, a fraction, text. */
  amount(right: number): unknown
}

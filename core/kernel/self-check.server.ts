import type { SQL } from 'drizzle-orm'
import type { Database, Queryable } from '../database/database.server.ts'

/** A record for which something does not hold. */
export interface Finding {
  /** What is wrong with which, in a few words. */
  readonly words: string
  /** By which a repair knows it. */
  readonly id?: number
}

/** Something that holds whatever people do: looked at every night, and when somebody asks (ADR 69). */
export interface SelfCheck {
  /** Unique in the product; what was found is kept by it. */
  readonly name: string
  /** Part of the business, such as 订单. */
  readonly area: string
  /** What is wrong where it does not hold, as a sentence without its end. */
  readonly title: string
  find(db: Queryable): Promise<readonly Finding[]>
  /** Mends what was found by an entry that says so; nothing that was written is changed. */
  readonly repair?: { readonly label: string; readonly run: (db: Database, found: readonly Finding[]) => Promise<void> }
}

/** A row in a few words: `id 12, amount 300`. */
const rowWords = (row: object) => Object.entries(row).map(([key, value]) => `${key} ${typeof value === 'object' ? JSON.stringify(value) : String(value)}`).join('，')

/** Checks each of which is a question for the rows that are wrong, by name and sentence; one that depends on what modules hand over is made when it is asked. */
export function questionChecks(area: string, questions: readonly (readonly [name: string, title: string, question: SQL | (() => SQL)])[]): SelfCheck[] {
  return questions.map(([name, title, question]) => ({
    name, area, title,
    async find(db) {
      const rows = await db.query(typeof question === 'function' ? question() : question)
      return rows.map((row) => ({ words: rowWords(row), ...(typeof row['id'] === 'number' && { id: row['id'] }) }))
    },
  }))
}

/** What does not hold, one sentence each: for tests. */
export async function sentencesOf(db: Queryable, checks: readonly SelfCheck[]): Promise<string[]> {
  const wrong: string[] = []
  for (const { title, find } of checks) wrong.push(...(await find(db)).map(({ words }) => `${title}：${words}`))
  return wrong
}

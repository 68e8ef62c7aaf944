import { compile, type Database, type Queryable } from '../database/database.server.ts'

/** A statement that takes longer is slow, in milliseconds. */
export const SLOW_MS = 500
/** Slow statements that are remembered. */
const REMEMBERED = 20

export interface SlowStatement {
  /** Unix seconds. */
  at: number
  ms: number
  /** Text without its values. */
  statement: string
}

/** Slow statements of this process: how many there were, and the last of them. */
export class SlowStatements {
  private readonly recent: SlowStatement[] = []
  private total = 0

  /** Number since the process started. */
  get count(): number {
    return this.total
  }

  /** The last ones, newest first. */
  get last(): readonly SlowStatement[] {
    return this.recent
  }

  /** The same database, with slow statements noticed. */
  watch(db: Database): Database {
    return {
      ...db,
      ...this.timed(db),
      transaction: (actor, work, seal) => db.transaction(actor, (tx) => work(this.timed(tx)), seal),
    }
  }

  private timed(db: Queryable): Queryable {
    return {
      query: async (statement) => {
        const start = performance.now()
        try {
          return await db.query(statement)
        } finally {
          const ms = performance.now() - start
          if (ms >= SLOW_MS) this.note(compile(statement).text, ms)
        }
      },
      notify: db.notify,
      onCommit: db.onCommit,
    }
  }

  private note(text: string, ms: number): void {
    this.total++
    this.recent.unshift({ at: Math.floor(Date.now() / 1000), ms: Math.round(ms), statement: text.replace(/\s+/g, ' ').trim().slice(0, 500) })
    this.recent.length = Math.min(this.recent.length, REMEMBERED)
  }
}

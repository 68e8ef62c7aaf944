import { compile, type Database, type Queryable } from '../../core/database/database.server.ts'

/** A database that notes what each transaction locks first, in order (ADR 22). For tests. */
export interface LockTrace {
  readonly database: TestedDatabase
  /** What was locked in another order than ADR 22 says, once each. @param stock tables from which lines take stock */
  problems(stock: readonly string[]): string[]
}

type TestedDatabase = Database & { url: string | undefined }

/** Rows of accounts, which orders change along with the books. */
const ACCOUNTS: ReadonlySet<string> = new Set(['partner', 'agent', 'account lock', 'refund_day lock'])

/** Tables that a statement locks rows of; what it inserts is nobody else's yet. */
function lockedBy(text: string, values: readonly unknown[]): string[] {
  const bare = text.replaceAll('"', '')
  if (bare.includes('pg_advisory_xact_lock')) return values.includes('refund_day') ? ['refund_day lock'] : ['account lock']
  const update = /^\s*(?:update|delete from) (\w+)/.exec(bare)?.[1]
  if (update) return [update]
  const upsert = /^\s*insert into (\w+)[^]*on conflict[^]*do update/.exec(bare)?.[1]
  if (upsert) return [upsert]
  const from = /\bfrom (\w+)/.exec(bare)?.[1]
  return from && /\bfor (?:no key )?update\b/.test(bare) ? [from] : []
}

/** Wraps a database so that the locks of its transactions are noted. */
export function traceLocks(database: TestedDatabase): LockTrace {
  /** Orders in which tables were locked, as text: there are few, however many transactions. */
  const seen = new Set<string>()
  const traced: TestedDatabase = {
    ...database,
    async transaction(actor, work, seal) {
      const locks: string[] = []
      const note = async (tx: Queryable) => work({ ...tx, query: (statement) => {
        const { text, values } = compile(statement)
        for (const table of lockedBy(text, values)) if (!locks.includes(table)) locks.push(table)
        return tx.query(statement)
      } })
      try {
        return await database.transaction(actor, note, seal)
      } finally {
        if (locks.length > 1) seen.add(locks.join(' → '))
      }
    },
  }
  return {
    database: traced,
    problems(stock) {
      const kinds: readonly ((table: string) => boolean)[] = [(table) => table === 'orders', (table) => stock.includes(table), (table) => ACCOUNTS.has(table), (table) => table === 'app_user', (table) => table === 'entitlement']
      const rank = (table: string) => {
        const found = kinds.findIndex((is) => is(table))
        return found < 0 ? kinds.length : found
      }
      return [...seen].filter((chain) => {
        const ranks = chain.split(' → ').filter((table) => !(table in UNSHARED)).map(rank)
        return ranks.some((one, index) => one < Math.max(0, ...ranks.slice(0, index)))
      }).map((chain) => `locked in another order: ${chain}`)
    },
  }
}

/** Rows that belong to what is locked before them: nobody else comes to them another way. */
const UNSHARED: Readonly<Record<string, string>> = {
  order_item: 'of the order', refund: 'of the order', order_draft: 'of one person', job: 'of one person', import_row: 'of the job',
  // Nobody comes from an account to a settlement, its lines or a withdrawal that is there already: whoever holds the account writes new ones.
  settlement: 'decided about before its account is touched', withdrawal: 'decided about before its account is touched', earning: 'taken up by who holds the account',
  // A clue is no account: whoever holds a person comes to none.
  clue: 'moved along with the order that wins it, with nothing locked behind it elsewhere',
}

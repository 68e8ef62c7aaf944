import type { Database, Queryable } from './database.server.ts'

/**
 * A database whose transactions are all part of one that is open: work that begins several of its own then counts whole or
 * not at all. For what the product itself sets up; who writes is what the open one says.
 */
export function joinedTo(db: Database, tx: Queryable): Database {
  const alone = () => Promise.reject(new Error('not within a transaction'))
  return {
    kind: db.kind,
    query: (statement) => tx.query(statement),
    notify: (channel, payload) => tx.notify(channel, payload),
    onCommit: (work) => tx.onCommit(work),
    transaction: (_actor, work) => work(tx),
    exclusive: (_name, work) => work(),
    listen: (channel, handler, missed) => db.listen(channel, handler, missed),
    isLive: () => db.isLive(),
    script: alone,
    raw: alone,
    close: alone,
  }
}

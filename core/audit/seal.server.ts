import { sql } from 'drizzle-orm'
import type { Database, Queryable } from '../database/database.server.ts'

/** Ids that one seal covers at most. */
const SEAL_IDS = 5000
/** Seals that one run writes at most: an old log is sealed bit by bit. */
const SEALS = 4
/** Rows that one run of checking reads, unless one seal alone holds more. */
const CHECK_ROWS = 5000
/** Seals that one run of checking reads at most. */
const CHECK_SEALS = 500
/** What has been checked is checked again from the start after this long, in seconds. */
const CHECK_AGAIN = 86_400
/** Broken places that are kept in words; one is enough to know. */
const BROKEN = 20

/** Where sealing stands. */
interface Mark {
  /** Greatest id that was seen. */
  id: number
  /** Number of the next transaction at a later moment; absent until then. */
  fence?: string
}

/** A piece of the log, sealed. */
export interface Seal {
  id: number
  from_id: number
  to_id: number
  count: number
  hash: string
}

/** A piece of the log that is not what was sealed. */
export interface Broken {
  seal_id: number
  from_id: number
  to_id: number
  /** When it was sealed. */
  at: number
  /** What is wrong, as one sentence. */
  what: string
  /** No later look at the same place can say that it is well again. */
  lasting?: true
}

/** How far the log has been checked, and what was found. Times in unix seconds. */
export interface AuditCheck {
  /** Last seal that was checked, and the last row under it. */
  seal_id: number
  to_id: number
  sealed_at: number | null
  /** Hash of that seal, which the next goes on from. */
  hash: string
  /** When this pass began and when it last went on. */
  began_at: number
  at: number
  broken: readonly Broken[]
}

const MARK = 'audit_mark'
const CHECK = 'audit_check'
const START: Omit<AuditCheck, 'began_at' | 'at'> = { seal_id: 0, to_id: 0, sealed_at: null, hash: '', broken: [] }
const now = () => Math.floor(Date.now() / 1000)

async function read<Value>(db: Queryable, key: string): Promise<Value | undefined> {
  const [row] = await db.query<{ value: Value }>(sql`select value from installation where key = ${key}`)
  return row?.value
}

async function write(db: Queryable, key: string, value: unknown): Promise<void> {
  await db.query(sql`insert into installation (key, value) values (${key}, ${JSON.stringify(value)}::jsonb) on conflict (key) do update set value = excluded.value`)
}

/**
 * Takes the next step of sealing what the log holds. A number is drawn when a row is written and shows when its transaction
 * ends, so that a row may come late among others with greater numbers. So the greatest id is remembered, then the number
 * of the next transaction, and what was remembered is sealed when every transaction before that one is over: each run takes
 * one of these steps. Nothing waits for it, and no transaction that writes works out a hash.
 * @returns the seals that were written
 */
export async function sealAudit(db: Database): Promise<Seal[]> {
  return db.transaction({ staff_id: null }, async (tx) => {
    await tx.query(sql`select pg_advisory_xact_lock(hashtext('audit_seal'))`)
    const mark = await read<Mark>(tx, MARK)
    if (mark && mark.fence === undefined) {
      const [row] = await tx.query<{ fence: string }>(sql`select pg_snapshot_xmax(pg_current_snapshot())::text as fence`)
      await write(tx, MARK, { ...mark, fence: row?.fence })
      return []
    }
    const sealed: Seal[] = []
    if (mark?.fence !== undefined) {
      // This transaction itself is among those that are not over when the fence was its own number.
      const [row] = await tx.query<{ over: boolean }>(sql`select pg_snapshot_xmin(pg_current_snapshot()) >= ${mark.fence}::text::xid8 as over`)
      if (!row?.over) return []
      for (let seal; sealed.length < SEALS && (seal = await sealNext(tx, mark.id));) sealed.push(seal)
      if (sealed.length === SEALS) return sealed
    }
    const [row] = await tx.query<{ id: number | null }>(sql`select max(id) as id from audit_log`)
    const [last] = await tx.query<{ to_id: number }>(sql`select to_id from audit_seal order by id desc limit 1`)
    if (row?.id != null && row.id > (last?.to_id ?? 0)) await write(tx, MARK, { id: row.id })
    else await tx.query(sql`delete from installation where key = ${MARK}`)
    return sealed
  })
}

/** Seals one piece more, up to an id; undefined when there is nothing left. */
async function sealNext(tx: Queryable, upTo: number): Promise<Seal | undefined> {
  const [seal] = await tx.query<Seal>(sql`insert into audit_seal (from_id, to_id, count, hash)
    select p.low, p.high, d.count, d.hash
    from (select l.to_id + 1 as low, least(${upTo}::bigint, l.to_id + ${SEAL_IDS}) as high, l.hash
      from (select to_id, hash, id from audit_seal union all select 0, '', 0 order by 3 desc limit 1) l) p
    cross join lateral audit_digest(p.low, p.high, p.hash) d where p.low <= p.high returning id, from_id, to_id, count, hash`)
  return seal
}

interface Checked extends Seal {
  at: number
  /** What the log holds now. */
  found: number
  digest: string
  /** Whether it begins where the one before ended. */
  joined: boolean
}

function wrongWith(seal: Checked): string | undefined {
  if (!seal.joined) return '封存记录不连续，有封存记录被删除或插入'
  if (seal.found !== seal.count) return seal.found < seal.count ? `少了 ${seal.count - seal.found} 条日志` : `多了 ${seal.found - seal.count} 条日志`
  return seal.digest === seal.hash ? undefined : '日志或封存记录的内容被改动'
}

/** The seal that was checked last, when it is not what it was: an intruder who takes off the end of the chain could seal it again. */
async function lostSeal(db: Queryable, { seal_id, to_id, sealed_at, hash }: AuditCheck): Promise<Broken[] | undefined> {
  if (seal_id === 0) return undefined
  const [seal] = await db.query<{ hash: string }>(sql`select hash from audit_seal where id = ${seal_id}`)
  if (seal?.hash === hash) return undefined
  return [{ seal_id, from_id: to_id, to_id, at: sealed_at ?? 0, what: '已核验的封存记录被删除或改动', lasting: true }]
}

/**
 * Checks the next pieces of the log against their seals, so many rows at a time that nobody notices; begins again a day after
 * it last began.
 * @param restart begin again now
 * @returns how far it came, whether there is more, and whether something was found that was not known
 */
export async function checkAudit(db: Database, restart = false): Promise<AuditCheck & { more: boolean; fresh: boolean }> {
  const known = await read<AuditCheck>(db, CHECK)
  const lost = known && await lostSeal(db, known)
  const begin = restart || !known || lost !== undefined || now() - known.began_at >= CHECK_AGAIN
  const from: AuditCheck = begin ? { ...START, broken: [...known?.broken ?? [], ...lost ?? []], began_at: now(), at: now() } : known
  const seals = await db.query<Checked>(sql`
    select s.id, s.at, s.from_id, s.to_id, s.count, s.hash, d.count as found, d.hash as digest, s.from_id = s.before_to + 1 as joined
    from (
      select p.*, coalesce(lag(p.to_id) over w, ${from.to_id}::bigint) as before_to, coalesce(lag(p.hash) over w, ${from.hash}) as before_hash, sum(p.count) over w - p.count as before_rows
      from (select * from audit_seal where id > ${from.seal_id} order by id limit ${CHECK_SEALS}) p window w as (order by p.id)
    ) s cross join lateral audit_digest(s.from_id, s.to_id, s.before_hash) d
    where s.before_rows < ${CHECK_ROWS} order by s.id`)
  const last = seals.at(-1)
  const through = last?.id ?? from.seal_id
  const broken = seals.flatMap((seal): Broken[] => {
    const what = wrongWith(seal)
    return what ? [{ seal_id: seal.id, from_id: seal.from_id, to_id: seal.to_id, at: seal.at, what }] : []
  })
  // What was found before stands until the same place has been looked at again.
  const kept = from.broken.filter(({ seal_id, lasting }) => lasting || seal_id > through || (!begin && seal_id <= from.seal_id))
  const [rest] = await db.query<{ more: boolean }>(sql`select exists (select 1 from audit_seal where id > ${through}) as more`)
  const check: AuditCheck = {
    seal_id: through, to_id: last?.to_id ?? from.to_id, sealed_at: last?.at ?? from.sealed_at, hash: last?.hash ?? from.hash,
    began_at: from.began_at, at: now(), broken: [...kept, ...broken].sort((a, b) => a.seal_id - b.seal_id).slice(0, BROKEN),
  }
  await write(db, CHECK, check)
  const before = new Set(known?.broken.map(({ seal_id, what }) => `${seal_id} ${what}`))
  return { ...check, more: rest?.more ?? false, fresh: check.broken.some(({ seal_id, what }) => !before.has(`${seal_id} ${what}`)) }
}

/** How the log stands: how much of it is sealed, how much waits, and what the last check found. */
export interface AuditState {
  sealed_to: number
  sealed_at: number | null
  /** Rows that have been written since, up to a thousand. */
  waiting: number
  check: Omit<AuditCheck, 'began_at'> | null
}

export async function auditState(db: Queryable): Promise<AuditState> {
  const [last] = await db.query<{ to_id: number; at: number }>(sql`select to_id, at from audit_seal order by id desc limit 1`)
  const [waiting] = await db.query<{ n: number }>(sql`select count(*) as n from (select 1 from audit_log where id > ${last?.to_id ?? 0} limit 1000) x`)
  const check = await read<AuditCheck>(db, CHECK)
  return {
    sealed_to: last?.to_id ?? 0, sealed_at: last?.at ?? null, waiting: waiting?.n ?? 0,
    check: check ? { seal_id: check.seal_id, to_id: check.to_id, sealed_at: check.sealed_at, hash: check.hash, at: check.at, broken: check.broken } : null,
  }
}

import { createHash, randomBytes } from 'node:crypto'
import { sql, type SQL } from 'drizzle-orm'
import { maskNamesColumn } from '../audit/privacy.server.ts'
import type { Config } from '../config.server.ts'
import type { Database, Queryable } from '../database/database.server.ts'
import { AppError } from '../error/error.ts'
import type { ScopeKind } from '../grant/grant.ts'
import type { Staff } from '../grant/staff.server.ts'
import type { RequiredStep } from './calls.ts'
import { factorAsked } from './factor-rule.server.ts'

/** A session ends after this much silence, in seconds: two hours. */
export const IDLE_SECONDS = 2 * 3600
/** A session ends this long after login, whatever happens, in seconds: a working day. */
export const ABSOLUTE_SECONDS = 12 * 3600
/** How often a session's last use is written down, in seconds. */
const SEEN_EVERY = 60
/** How long a session may be believed without asking the database, in milliseconds, while messages arrive. */
const TRUST = 30_000

/** How long a proof of who is there is fresh, in seconds: a login, or a password, passkey or code given again. */
const FRESH_SECONDS = 5 * 60

const verifyFirst = () => new AppError('verify_first', 403, '请先确认身份再继续', { extra: { verify: true } })

/** Role whose members hold every id there is. */
export const SUPER_ROLE = 'super'

export interface Session {
  readonly hash: string
  readonly staff: Staff
  /** When the person last proved who they are, in unix seconds. */
  readonly verifiedAt: number
  /** What has to be done before anything else can be. */
  readonly must: RequiredStep | undefined
}

interface Cached {
  session: Session
  trustedUntil: number
  seenAt: number
  createdAt: number
}

interface StaffRow {
  id: number
  account: string
  name: string
  role: string
  modules: number[]
  scopes: { kind: ScopeKind; ref_id: number }[]
  masks_names: boolean
}

export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}

/** The value that a page must send with every unsafe call; only pages that can read our cookies know it. */
export function csrfToken(token: string): string {
  return createHash('sha256').update(`csrf ${token}`).digest('base64url')
}

const staffColumns: SQL = sql`s.id, s.account, s.name, s.role,
  array(select module_id from staff_module m where m.staff_id = s.id) as modules,
  coalesce((select json_agg(json_build_object('kind', kind, 'ref_id', ref_id)) from staff_scope c where c.staff_id = s.id), '[]') as scopes, ${maskNamesColumn} as masks_names`

/**
 * Sessions of logged-in staff, kept in the database and remembered for seconds. Every process is told at once when
 * something changes, so a withdrawn right is gone with the next request.
 */
export class Sessions {
  private readonly cache = new Map<string, Cached>()
  /** Counts what was forgotten: what was read before must not be remembered after. */
  private forgotten = 0
  private readonly db: Database
  private readonly allGrants: readonly number[]
  /** Whether a second factor is asked of staff `s`. */
  readonly factorAsked: SQL
  /** What a person has to do first, as the column `must`, from staff `s` and credential `c`. */
  readonly mustColumn: SQL

  constructor(db: Database, allGrants: readonly number[], config: Pick<Config, 'production'>) {
    this.db = db
    this.allGrants = allGrants
    this.factorAsked = factorAsked(config, SUPER_ROLE)
    this.mustColumn = sql`case when c.must_change then 'password' when ${this.factorAsked} and not coalesce(c.totp_confirmed, false) then 'totp' end as must`
  }

  /** Begins to hear of changes made by other processes. */
  async start(): Promise<void> {
    await this.db.listen('grants', (staffId) => this.forget(staffId === '*' ? undefined : Number(staffId)), () => this.forget())
  }

  private forget(staffId?: number): void {
    this.forgotten++
    for (const [hash, { session }] of this.cache) {
      if (staffId === undefined || session.staff.id === staffId) this.cache.delete(hash)
    }
  }

  /** Makes every process read a person's rights and sessions again; without an id, everybody's. */
  async changed(staffId?: number): Promise<void> {
    await this.db.notify('grants', staffId === undefined ? '*' : String(staffId))
  }

  private toStaff(row: StaffRow): Staff {
    const scopes: Partial<Record<ScopeKind, number[]>> = {}
    for (const { kind, ref_id } of row.scopes) (scopes[kind] ??= []).push(ref_id)
    return {
      id: row.id,
      account: row.account,
      name: row.name,
      role: row.role,
      modules: new Set(row.role === SUPER_ROLE ? this.allGrants : row.modules),
      scopes,
      masksNames: row.masks_names,
    }
  }

  /** A staff member as handlers see them, without a session. Undefined when disabled or unknown. */
  async staff(db: Queryable, id: number): Promise<Staff | undefined> {
    const [row] = await db.query<StaffRow>(sql`select ${staffColumns} from staff s where s.id = ${id} and s.status = 1 and s.deleted_at is null`)
    return row && this.toStaff(row)
  }

  /**
   * The session that a cookie's token belongs to; undefined when it is unknown or over.
   * @param active false for calls that a console makes by itself: they do not keep a session alive
   */
  async find(token: string, active = true): Promise<Session | undefined> {
    const hash = hashToken(token)
    const now = Date.now()
    const seconds = Math.floor(now / 1000)
    const cached = this.cache.get(hash)
    const over = (entry: Cached) => seconds - entry.createdAt >= ABSOLUTE_SECONDS || seconds - entry.seenAt >= IDLE_SECONDS
    // Messages may have been missed while none arrived.
    if (!this.db.isLive()) this.cache.clear()
    if (cached && now < cached.trustedUntil && this.db.isLive() && !over(cached)) {
      if (active && seconds - cached.seenAt >= SEEN_EVERY) await this.touch(cached, seconds)
      return cached.session
    }
    const before = this.forgotten
    const [row] = await this.db.query<StaffRow & { created_at: number; seen_at: number; verified_at: number; must: RequiredStep | null }>(
      sql`select ${staffColumns}, e.created_at, e.seen_at, e.verified_at, ${this.mustColumn}
        from session e join staff s on s.id = e.staff_id left join credential c on c.staff_id = s.id
        where e.hash = ${hash} and s.status = 1 and s.deleted_at is null`,
    )
    const entry: Cached | undefined = row && {
      session: { hash, staff: this.toStaff(row), verifiedAt: row.verified_at, must: row.must ?? undefined },
      trustedUntil: now + TRUST,
      seenAt: row.seen_at,
      createdAt: row.created_at,
    }
    if (!entry || over(entry)) {
      this.cache.delete(hash)
      if (entry) await this.end(hash)
      return undefined
    }
    if (this.cache.size > 10_000) this.cache.clear()
    if (before === this.forgotten) this.cache.set(hash, entry)
    if (active && seconds - entry.seenAt >= SEEN_EVERY) await this.touch(entry, seconds)
    return entry.session
  }

  private async touch(entry: Cached, seconds: number): Promise<void> {
    entry.seenAt = seconds
    // Of parallel calls only the first writes.
    await this.db.query(sql`update session set seen_at = now() where hash = ${entry.session.hash} and seen_at < now() - make_interval(secs => ${SEEN_EVERY})`)
  }

  /** Starts a session and returns its token, which is stored nowhere. */
  async begin(db: Queryable, staffId: number, from: { ip: string; userAgent: string }): Promise<string> {
    const token = randomBytes(32).toString('base64url')
    await db.query(sql`insert into session (hash, staff_id, ip, user_agent) values (${hashToken(token)}, ${staffId}, ${from.ip}, ${from.userAgent.slice(0, 300)})`)
    return token
  }

  /**
   * Refuses a session whose person has not proved for a while who they are.
   * @throws AppError verify_first, 403, with `verify: true` in the answer
   */
  async requireFresh(db: Queryable, session: Session | undefined): Promise<void> {
    const since = Date.now() / 1000 - FRESH_SECONDS
    if (!session || session.verifiedAt >= since) return
    // Another process may have taken the proof a moment ago.
    const [row] = await db.query<{ verified_at: number }>(sql`select verified_at from session where hash = ${session.hash}`)
    if (!row || row.verified_at < since) throw verifyFirst()
  }

  /** Ends one session. */
  async end(hash: string): Promise<void> {
    const [row] = await this.db.query<{ staff_id: number }>(sql`delete from session where hash = ${hash} returning staff_id`)
    this.cache.delete(hash)
    if (row) await this.db.notify('grants', String(row.staff_id))
  }

  /** Ends all sessions of a person but one. */
  async endAll(db: Queryable, staffId: number, exceptHash = ''): Promise<void> {
    await db.query(sql`delete from session where staff_id = ${staffId} and hash <> ${exceptHash}`)
  }

  /** Removes what is over: sessions, half-done logins, forgotten failures. Run from time to time. */
  async sweep(): Promise<void> {
    await this.db.query(sql`delete from login_step where expires_at < now()`)
    await this.db.query(sql`delete from login_failure where last_at < now() - interval '1 day'`)
    await this.db.query(sql`delete from session where created_at < now() - make_interval(secs => ${ABSOLUTE_SECONDS}) or seen_at < now() - make_interval(secs => ${IDLE_SECONDS})`)
  }
}

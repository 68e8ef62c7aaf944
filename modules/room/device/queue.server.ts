import { sql } from 'drizzle-orm'
import type { Database, Queryable } from '../../../core/database/database.server.ts'
import type { Sweep } from '../../../core/job/sweep.server.ts'
import { recordsWritten } from '../../../core/resource/list.server.ts'
import { touch } from '../../../core/resource/touch.server.ts'
import { COMMAND_STATUS, COMMANDS, padCommand, type CommandKind } from './command.ts'

const S = COMMAND_STATUS

/** What one command replaces, when it is still under way: a pad that was away shall not be locked, unlocked and locked. */
const REPLACES: Readonly<Record<CommandKind, readonly CommandKind[]>> = {
  lock: ['lock', 'unlock'], unlock: ['lock', 'unlock'], policy: ['policy'], reboot: ['reboot'], locate: ['locate'], update: ['update'],
}

/**
 * Queues a command for pads. One of its kind that was still under way is withdrawn, because the newer word counts.
 * @param staffId null: nobody in particular
 */
export async function enqueue(
  tx: Queryable, staffId: number | null, padIds: readonly number[], kind: CommandKind, { detail = {}, reason }: { detail?: Readonly<Record<string, unknown>>; reason?: string | undefined } = {},
): Promise<void> {
  const pads = sql`any(${sql.param([...padIds])}::bigint[])`
  const { lives } = COMMANDS.find(({ value }) => value === kind) ?? COMMANDS[0]
  await touch(tx, padCommand, { status: S.withdrawn, answer: '已被新的指令取代', done_at: sql`now()` },
    sql`t.pad_id = ${pads} and t.status in (${S.waiting}, ${S.sent}) and t.kind = any(${sql.param([...REPLACES[kind]])}::text[])`)
  await tx.query(sql`insert into pad_command (pad_id, school_id, kind, detail, reason, expire_at, sent_cnt, status, created_by, updated_by)
    select id, school_id, ${kind}, ${JSON.stringify(detail)}::jsonb, ${reason ?? null}, now() + make_interval(secs => ${lives}), 0, ${S.waiting}, ${staffId}::bigint, ${staffId}::bigint
    from pad where id = ${pads} order by id`)
  recordsWritten(tx, padCommand.table)
}

/** Seconds after which a command comes again to a pad that has not said what came of it. */
const AGAIN = 120

/** A command as it goes to its pad. */
export interface Fetched {
  id: number
  kind: CommandKind
  detail: Record<string, unknown> | null
  expire_at: number
}

/** Takes what a pad shall do now, the oldest first, and notes that it was sent. */
export async function fetchCommands(tx: Queryable, padId: number): Promise<Fetched[]> {
  const rows = await touch(tx, padCommand, { status: S.sent, sent_at: sql`now()`, sent_cnt: sql`t.sent_cnt + 1` },
    sql`t.pad_id = ${padId} and t.expire_at > now() and (t.status = ${S.waiting} or (t.status = ${S.sent} and t.sent_at < now() - make_interval(secs => ${AGAIN})))`,
    { returning: ['kind', 'detail', 'expire_at'] })
  return rows.map(({ rev: _rev, ...command }) => command).sort((a, b) => a.id - b.id)
}

/** Writes down which commands were not carried out in time; pads are not given them any more before that. */
export function timeOutSweep(db: Database): Sweep {
  return {
    name: padCommand.name,
    run: () => touch(db, padCommand, { status: S.timed_out, done_at: sql`now()` }, sql`t.status in (${S.waiting}, ${S.sent}) and t.expire_at <= now()`),
  }
}

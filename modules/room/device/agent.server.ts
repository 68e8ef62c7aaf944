import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { Queryable } from '../../../core/database/database.server.ts'
import { handle, idParam, type Call, type Served } from '../../../core/endpoint/serve.server.ts'
import { badToken, defineError, invalid, notFound, tooMany } from '../../../core/error/error.ts'
import { rateLimit } from '../../../core/endpoint/rate.server.ts'
import { setDerived, touch } from '../../../core/resource/touch.server.ts'
import { pad, PAD_STATUS } from '../pad.ts'
import { answerCommand, pollPad, type DevicePolicy } from './agent.ts'
import { COMMAND_STATUS, padCommand, type CommandKind } from './command.ts'
import { fetchCommands } from './queue.server.ts'

/** Seconds between two reports of a pad. */
const POLL = 60
/** Wrong tokens from one address in ten minutes: a school's pads share one. */
const MISSES = 60
const MISSES_WITHIN = 10 * 60_000

const answered = defineError('command_answered', 409, () => '该指令已有结果')

const hashOf = (token: string) => createHash('sha256').update(token).digest('hex')

/** Makes a pad's token; only its hash is kept. */
export async function newToken(tx: Queryable, padId: number): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  await tx.query(sql`insert into pad_token (pad_id, hash) values (${padId}, ${hashOf(token)}) on conflict (pad_id) do update set hash = excluded.hash`)
  return token
}

/** A pad that makes a call. */
interface Agent {
  id: number
  sn: string
  locked: number
  policy_id: number | null
}

/** What a result changes of its pad, beside the state of the command. */
const RESULTS: Readonly<Partial<Record<CommandKind, (tx: Queryable, padId: number, result: { detail: Record<string, unknown> | null; lng?: number | undefined; lat?: number | undefined }) => Promise<unknown>>>> = {
  locate: (tx, padId, { lng, lat }) => (lng === undefined || lat === undefined ? Promise.resolve() : setDerived(tx, pad, { lng, lat, located_at: sql`now()` }, padId)),
  policy: (tx, padId, { detail }) => setDerived(tx, pad, { policy_version: Number(detail?.['version'] ?? 0) }, padId),
  update: (tx, padId, { detail }) => setDerived(tx, pad, { app_version: String(detail?.['app_version'] ?? '') }, padId),
}

/** The calls of pads. Each is the pad's own: a token opens no other's commands. */
export function agentCalls(): Served[] {
  const mayMiss = rateLimit(MISSES, MISSES_WITHIN)

  /** The pad whose token a call carries. @throws badToken for any other */
  const admit = async (call: Pick<Call, 'request' | 'ip'>, db: Queryable): Promise<Agent> => {
    const [, token] = /^Bearer ([\w-]{43})$/.exec(call.request.headers.authorization ?? '') ?? []
    const [found] = token === undefined ? [] : await db.query<Agent>(sql`select p.id, p.sn, p.locked, p.policy_id from pad_token k join pad p on p.id = k.pad_id
      where k.hash = ${hashOf(token)} and p.deleted_at is null and p.status <> ${PAD_STATUS.retired}`)
    if (found) return found
    if (!mayMiss(call.ip)) throw tooMany('尝试次数过多，请稍后再试')
    throw badToken()
  }

  return [
    handle(pollPad, (call) => call.db.transaction({ staff_id: null, action: 'poll' }, async (tx) => {
      const { battery, free_gb, os_version, app_version, policy_version } = call.input
      const { id, sn, locked, policy_id } = await admit(call, tx)
      await setDerived(tx, pad, { last_online_at: sql`now()`, battery, free_gb, os_version, app_version, policy_version }, id)
      const [policy] = policy_id === null ? [] : await tx.query<Omit<DevicePolicy, 'apps' | 'allow_install' | 'weekdays'> & { apps: string; allow_install: number; weekdays: number[] | null }>(
        sql`select id, version, apps, weekdays, hours, allow_install from pad_policy where id = ${policy_id} and deleted_at is null and status = 1`)
      const commands = await fetchCommands(tx, id)
      return {
        sn, locked: locked === 1, next_poll: POLL,
        policy: policy ? { ...policy, apps: policy.apps.split('\n'), weekdays: policy.weekdays ?? [], allow_install: policy.allow_install === 1 } : null,
        commands: commands.map((command) => ({ ...command, detail: command.detail ?? {} })),
      }
    })),

    handle(answerCommand, (call) => call.db.transaction({ staff_id: null, action: 'answer' }, async (tx) => {
      const { id: padId } = await admit(call, tx)
      const { ok, message = null, lng, lat } = call.input
      if (ok === undefined) throw invalid({ ok: '请说明是否成功' })
      const [command] = await tx.query<{ id: number; kind: CommandKind; status: number; detail: Record<string, unknown> | null }>(
        sql`select id, kind, status, detail from pad_command where id = ${idParam(call)} and pad_id = ${padId} for update`)
      if (!command) throw notFound(padCommand.label)
      // What was carried out late was carried out; what was given up on purpose, or answered, stays as it is.
      if (command.status !== COMMAND_STATUS.sent && command.status !== COMMAND_STATUS.timed_out) throw answered()
      await touch(tx, padCommand, { status: ok ? COMMAND_STATUS.done : COMMAND_STATUS.failed, answer: message, done_at: sql`now()` }, command.id)
      if (ok) await RESULTS[command.kind]?.(tx, padId, { detail: command.detail, lng, lat })
      return {}
    })),
  ]
}

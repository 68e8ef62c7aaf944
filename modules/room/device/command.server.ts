import { sql } from 'drizzle-orm'
import type { Queryable } from '../../../core/database/database.server.ts'
import { handle, idParam, type Served } from '../../../core/endpoint/serve.server.ts'
import { badRequest, invalid } from '../../../core/error/error.ts'
import type { Staff } from '../../../core/grant/staff.server.ts'
import type { RowType } from '../../../core/resource/define.ts'
import { checkPolicy } from '../../../core/resource/refusal.server.ts'
import { serve, type ResourceService } from '../../../core/resource/serve.server.ts'
import { touch } from '../../../core/resource/touch.server.ts'
import { lockRow } from '../../../core/resource/write.server.ts'
import { pad, PAD_STATUS } from '../pad.ts'
import { newToken } from './agent.server.ts'
import { connectPad, padCommand, sendCommand, setPolicy, type CommandsSent } from './command.ts'
import { OBEYED, padPolicy } from './policy.ts'
import { enqueue } from './queue.server.ts'

type PadRow = RowType<typeof pad>

/** Locks pads, and says of those which cannot be told anything why. */
async function lockPads(tx: Queryable, staff: Staff, ids: readonly number[]) {
  const rows: PadRow[] = []
  for (const id of [...new Set(ids)].sort((a, b) => a - b)) rows.push(await lockRow(tx, pad, staff, id))
  const why = (row: PadRow) => (row.status === PAD_STATUS.retired ? '已报废' : row.connected_at === null ? '尚未接入，请先生成接入码' : undefined)
  return { ready: rows.filter((row) => why(row) === undefined), refused: rows.flatMap((row) => { const reason = why(row); return reason === undefined ? [] : [{ sn: row.sn, reason }] }) }
}

/** Names of refused pads that an answer holds. */
const NAMED = 20

/** Tells all pads that can be told. @throws badRequest when none can */
async function tell(tx: Queryable, staff: Staff, ids: readonly number[], work: (ready: readonly PadRow[]) => Promise<void>): Promise<CommandsSent> {
  const { ready, refused } = await lockPads(tx, staff, ids)
  const [first] = refused
  if (ready.length === 0) throw badRequest(`平板 ${first?.sn ?? ''} ${first?.reason ?? ''}`)
  await work(ready)
  return { sent: ready.length, refused: refused.slice(0, NAMED) }
}

const idsOf = (rows: readonly PadRow[]) => rows.map(({ id }) => id)

/** Staff tell pads something, put them under a policy and connect them. */
export const commandCalls: readonly Served[] = [
  handle(sendCommand, (call) => call.transaction((tx) => {
    const { ids, kind, app_version, app_url, reason } = call.input
    const detail = kind === 'update' ? { app_version, app_url } : {}
    return tell(tx, call.staff, ids, (ready) => enqueue(tx, call.staff.id, idsOf(ready), kind, { detail, reason }))
  }, { action: 'command', ...(call.input.reason && { reason: call.input.reason }) })),

  handle(setPolicy, (call) => call.transaction(async (tx) => {
    const { ids, policy_id = null } = call.input
    const [policy] = policy_id === null ? [] : await tx.query<{ version: number }>(sql`select version from pad_policy where id = ${policy_id} and deleted_at is null and status = 1 for share`)
    if (policy_id !== null && !policy) throw invalid({ policy_id: '策略不存在或已停用，请重新选择' })
    return tell(tx, call.staff, ids, async (ready) => {
      await touch(tx, pad, { policy_id }, idsOf(ready))
      await enqueue(tx, call.staff.id, idsOf(ready), 'policy', { detail: { policy_id, version: policy?.version ?? 0 } })
    })
  }, { action: 'policy' })),

  handle(connectPad, (call) => call.transaction(async (tx) => {
    const row = await lockRow(tx, pad, call.staff, idParam(call))
    checkPolicy(pad, call.staff, row, 'connect')
    const token = await newToken(tx, row.id)
    await touch(tx, pad, { connected_at: sql`now()` }, row.id)
    return { token }
  }, { action: 'connect' })),
]

const policyService = serve(padPolicy)({
  computed: {
    pad_cnt: sql`select count(*)::int from pad p where p.policy_id = t.id and p.deleted_at is null`,
    behind_cnt: sql`select count(*)::int from pad p where p.policy_id = t.id and p.deleted_at is null and p.policy_version is distinct from t.version`,
  },
  before({ values, row }) {
    // The version is the product's own: a new wording, or the policy going in or out of force, is the next one.
    if (row && [...OBEYED, 'status' as const].some((key) => key in values && JSON.stringify(values[key]) !== JSON.stringify(row[key]))) values['version'] = row.version + 1
  },
  async after({ tx, staff, row, saved }) {
    if (!row || row.version === saved.version) return
    const pads = await tx.query<{ id: number }>(sql`select id from pad where policy_id = ${saved.id} and connected_at is not null and status <> ${PAD_STATUS.retired} and deleted_at is null order by id for no key update`)
    if (pads.length > 0) await enqueue(tx, staff.id, pads.map(({ id }) => id), 'policy', { detail: { policy_id: saved.id, version: saved.version } })
  },
})

export const deviceServices: readonly ResourceService[] = [policyService, serve(padCommand)()]

import { sql } from 'drizzle-orm'
import { hashAppKey, newAppKey, type FindAppClient } from '../../core/app-client/app-clients.server.ts'
import type { AppClient } from '../../core/endpoint/app-scope.ts'
import type { Database } from '../../core/database/database.server.ts'
import { handle, idParam, type Served } from '../../core/endpoint/serve.server.ts'
import { badRequest } from '../../core/error/error.ts'
import type { Kernel } from '../../core/kernel/kernel.server.ts'
import { setDerived, touch } from '../../core/resource/touch.server.ts'
import { serve } from '../../core/resource/serve.server.ts'
import { lockRow } from '../../core/resource/write.server.ts'
import { appClient, appScopes, makeAppKey, revokeAppKey } from './app-client.ts'

/** How much of a key the list shows, by which people tell keys apart. */
const HINT = 8
/** Seconds between two notes that an app was seen: each is a write. */
const NOTE_EVERY = 60

type Found = Omit<AppClient, 'perMinute'> & { per_minute: number; stale: boolean }

/** Finds an app by its key. */
export const findAppClient: FindAppClient = async (db: Database, hash) => {
  const [found] = await db.query<Found>(sql`select c.id, c.name, c.scopes, c.per_minute, c.last_used_at is null or c.last_used_at < now() - make_interval(secs => ${NOTE_EVERY}) as stale
    from app_client_key k join app_client c on c.id = k.client_id where k.hash = ${hash} and c.deleted_at is null and c.status = 1`)
  if (!found) return undefined
  const { id, name, scopes, per_minute, stale } = found
  if (stale) await db.transaction({ staff_id: null, silent: true }, (tx) => setDerived(tx, appClient, { last_used_at: sql`now()` }, id))
  return { id, name, scopes, perMinute: per_minute }
}

/** A name among the scopes that no call knows opens nothing. */
export const appClients = serve(appClient)()

/** The calls beside those of the record. */
export function appClientCalls({ endpoints }: Pick<Kernel, 'endpoints'>): Served[] {
  return [
    handle(appScopes, async () => {
      const groups = Map.groupBy(endpoints().filter(({ app }) => app), ({ app }) => app?.name ?? '')
      return { items: [...groups].map(([name, calls]) => ({ name, label: calls[0]?.app?.label ?? name, calls: calls.map(({ method, path, summary }) => `${summary}：${method} ${path}`) })) }
    }),
    handle(makeAppKey, (call) => call.transaction(async (tx) => {
      const row = await lockRow(tx, appClient, call.staff, idParam(call))
      if (row.status !== 1) throw badRequest('该应用已停用，请先启用')
      const key = newAppKey()
      await tx.query(sql`insert into app_client_key (client_id, hash) values (${row.id}, ${hashAppKey(key)}) on conflict (client_id) do update set hash = excluded.hash`)
      await touch(tx, appClient, { key_hint: `${key.slice(0, HINT)}…`, key_at: sql`now()` }, row.id)
      return { key }
    }, { action: 'make_key' })),
    handle(revokeAppKey, (call) => call.transaction(async (tx) => {
      const row = await lockRow(tx, appClient, call.staff, idParam(call))
      const [gone] = await tx.query(sql`delete from app_client_key where client_id = ${row.id} returning 1`)
      if (!gone) throw badRequest('该应用没有可吊销的密钥')
      await touch(tx, appClient, { key_hint: null, key_at: null }, row.id)
      return {}
    }, { action: 'revoke_key', reason: call.input.reason })),
  ]
}

import { sql } from 'drizzle-orm'
import type { Database, Queryable } from '../database/database.server.ts'
import { handle, type Served } from '../endpoint/serve.server.ts'
import { notFound } from '../error/error.ts'
import type { Sweep } from '../job/sweep.server.ts'
import type { Kernel } from '../kernel/kernel.server.ts'
import { publishLive } from '../live/live.server.ts'
import { seesRecord } from '../resource/where.server.ts'
import { GONE_AFTER, presenceMoved, signPresence, type Present } from './calls.ts'

const others = (db: Queryable, entity: string, id: number, staffId: number) => db.query<Present & Record<string, unknown>>(sql`select p.staff_id, s.name, p.writes
  from presence p join staff s on s.id = p.staff_id
  where p.entity = ${entity} and p.entity_id = ${id} and p.staff_id <> ${staffId} and p.at > now() - make_interval(secs => ${GONE_AFTER}) order by s.name, s.id`)

/** The call by which people say what they have open. Those who have the same open hear of it when it changes. */
export function presenceCalls({ registry }: Pick<Kernel, 'registry'>): Served[] {
  return [handle(signPresence, (call) => call.transaction(async (tx) => {
    const { resource: name, id, doing } = call.input
    const resource = registry.get(name)?.resource
    if (!resource || !await seesRecord(tx, resource, call.staff, id)) throw notFound('记录')
    const mine = sql`entity = ${resource.table} and entity_id = ${id} and staff_id = ${call.staff.id}`
    const [was] = await tx.query<{ writes: boolean }>(sql`select writes from presence where ${mine} and at > now() - make_interval(secs => ${GONE_AFTER})`)
    if (doing === 'gone') await tx.query(sql`delete from presence where ${mine}`)
    else {
      await tx.query(sql`insert into presence (entity, entity_id, staff_id, writes) values (${resource.table}, ${id}, ${call.staff.id}, ${doing === 'write'})
        on conflict (entity, entity_id, staff_id) do update set at = now(), writes = excluded.writes`)
    }
    const here = await others(tx, resource.table, id, call.staff.id)
    const moved = doing === 'gone' ? was !== undefined : was?.writes !== (doing === 'write')
    if (moved && here.length > 0) await publishLive(tx, here.map(({ staff_id }) => staff_id), { type: 'record', kind: presenceMoved.name, ids: [id] })
    return { here }
  }, { silent: true }))]
}

/** Forgets signs that nobody counts any more. */
export const sweepPresence = (db: Database): Sweep => ({ name: 'presence', run: () => db.query(sql`delete from presence where at < now() - interval '1 hour'`) })

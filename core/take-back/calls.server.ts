import { sql } from 'drizzle-orm'
import type { Queryable } from '../database/database.server.ts'
import { handle, idParam, type Call, type Served } from '../endpoint/serve.server.ts'
import { defineError } from '../error/error.ts'
import type { Kernel } from '../kernel/kernel.server.ts'
import { shownName } from '../resource/names.ts'
import type { Registered } from '../resource/uses.server.ts'
import { listUndo, takeBack, UNDO_HOURS, type TakenBack, type UndoInfo } from '../undo/calls.ts'
import type { UndoJob } from './job.server.ts'
import { overtakenBy, standing, takeStep, weighsBack, type Step } from './take.server.ts'

/** Acts that are listed. */
const LISTED = 50

const undoOver = defineError('undo_over', 409, () => `已经撤销过，或已超过 ${UNDO_HOURS} 小时，不能再撤销`)

interface ActRow {
  id: number
  resource: string
  action: string
  count: number
  job_id: number | null
  at: number
}

const living = (staffId: number) => sql`staff_id = ${staffId} and undone_at is null and at > now() - make_interval(hours => ${UNDO_HOURS})`

interface Standing {
  act_id: number
  title: string | null
  gone: number
  changed: number
  who: string | null
}

/** That record `t` was changed since step `s` in a way that stands in the way of taking it back. */
const overtakes = sql`t.rev <> s.rev and s.back->>'by' <> 'file'`

/** What has become of the records of some acts of one kind since. */
function readStanding(db: Queryable, { resource }: Registered, acts: readonly ActRow[]): Promise<Standing[]> {
  return db.query<Standing>(sql`select s.act_id, min(t.${sql.identifier(resource.title)}::text) as title, count(*) filter (where t.id is null)::int as gone,
      count(*) filter (where ${overtakes})::int as changed, min(w.name) filter (where ${overtakes}) as who
    from undo_step s ${standing(resource)} where s.act_id = any(${sql.param(acts.map(({ id }) => id))}::bigint[]) group by s.act_id`)
}

/** The calls that show what can be taken back, and take it back. */
export function undoCalls({ registry, words, jobs }: Pick<Kernel, 'registry' | 'words' | 'jobs'>): Served[] {
  const targets = new Map([...registry].map(([name, { resource }]) => [name, resource]))

  const list = async (call: Call): Promise<UndoInfo[]> => {
    const acts = await call.db.query<ActRow>(sql`select id, resource, action, count, job_id, at from undo_act where ${living(call.staff.id)} order by id desc limit ${LISTED}`)
    const groups = [...Map.groupBy(acts, ({ resource }) => registry.get(resource))]
    const found = await Promise.all(groups.map(([service, own]) => (service ? readStanding(call.db, service, own) : [])))
    const states = new Map(found.flat().map((one) => [one.act_id, one]))
    return acts.flatMap((act): UndoInfo[] => {
      const service = registry.get(act.resource)
      const state = states.get(act.id)
      if (!service || !state) return []
      const kept = state.gone + state.changed
      const way = kept === 0 ? null : overtakenBy(state.changed === 0, state.who)
      return [{
        id: act.id, label: service.resource.label, action_name: words.say(service.resource.table, act.action), count: act.count, at: act.at, job_id: act.job_id, kept,
        title: act.count === 1 && state.title !== null ? shownName(service.resource, call.staff, state.title) : null,
        why: way === null || act.count === 1 ? way : `其中 ${kept} 条${way}，不会撤销`,
      }]
    })
  }

  const take = (call: Call): Promise<TakenBack> => call.transaction(async (tx) => {
    const [act] = await tx.query<ActRow>(sql`update undo_act set undone_at = now() where id = ${idParam(call)} and ${living(call.staff.id)} returning id, resource, action, count, job_id, at`)
    const service = act && registry.get(act.resource)
    if (!service) throw undoOver()
    const { resource } = service
    const name = words.say(resource.table, act.action)
    const reason = `撤销：${name}`
    if (act.count === 1) {
      const [step] = await tx.query<Step>(sql`select record_id, rev, back from undo_step where act_id = ${act.id}`)
      if (!step) throw undoOver()
      if (weighsBack(resource, step.back)) await call.requireFresh(tx)
      await takeStep(tx, { service, registry, targets, staff: call.staff }, step, reason)
      if (act.job_id !== null) await tx.query(sql`update job set status = 'undone' where id = ${act.job_id} and status = 'done'`)
      return {}
    }
    // Of many it is not known beforehand what each comes back to.
    if (Object.keys(resource.fresh).length > 0 || resource.transitions.some(({ fresh }) => fresh)) await call.requireFresh(tx)
    const input: UndoJob = { act: act.id, resource: resource.name, undoes: act.job_id ?? 0, reason }
    return { job_id: await jobs.add(tx, call, { kind: 'undo', title: `撤销批量${name}${resource.label}`, input }) }
  }, { action: 'undo' })

  return [
    handle(listUndo, async (call) => ({ items: await list(call) })),
    handle(takeBack, take),
  ]
}

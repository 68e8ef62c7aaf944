import { sql } from 'drizzle-orm'
import type { Queryable } from '../database/database.server.ts'
import { defineError, notGranted, notFound } from '../error/error.ts'
import { STANDARD_ACTIONS } from '../grant/grant.ts'
import { filesRight } from '../record-file/calls.ts'
import { setThere } from '../record-file/record-file.server.ts'
import { weighs, type Resource } from '../resource/define.ts'
import { change, restore, transition, type Back, type Pipeline } from '../resource/operations.server.ts'
import { showRow } from '../resource/regions.server.ts'
import { checkRev, lockToChange } from '../resource/write.server.ts'
import { moveRecord } from '../tree/move.server.ts'

/** Why a record stays as it is: somebody has changed it since, or it is gone. */
const overtaken = defineError('undo_overtaken', 409, (why: string) => `${why}，不能撤销`)

/** What was done to one record. */
export interface Step {
  readonly record_id: number
  readonly rev: number
  readonly back: Back
}

type Take<By extends Back['by']> = (tx: Queryable, pipeline: Pipeline, step: Step, back: Extract<Back, { by: By }>, reason: string) => Promise<unknown>

/** Each way back is an operation of its own, with its right, its rules and the revision that must still stand. */
const TAKES: { readonly [By in Back['by']]: Take<By> } = {
  change: (tx, pipeline, { record_id, rev }, { values }) => change(tx, pipeline, record_id, values, { rev }),
  restore: (tx, pipeline, { record_id, rev }) => restore(tx, pipeline, record_id, { rev }),
  transition(tx, pipeline, { record_id, rev }, { edge: name }, reason) {
    const edge = pipeline.service.resource.transitions.find((known) => known.name === name)
    if (!edge) throw notFound('操作')
    return transition(tx, pipeline, record_id, edge, { rev, ...(edge.reason && { reason }) })
  },
  move(tx, pipeline, { record_id, rev }, { parent_id, before_id }) {
    const right = pipeline.service.resource.actions.update
    if (right === undefined || !pipeline.staff.modules.has(right)) throw notGranted(`${pipeline.service.resource.label} · ${STANDARD_ACTIONS.edit.title}`)
    return moveRecord(tx, pipeline, record_id, { parent_id, before_id, rev })
  },
  async own(tx, { service, staff }, { record_id, rev }, { way, values }) {
    const own = service.rules.backs?.[way]
    if (!own) throw notFound('操作')
    if (!staff.modules.has(own.grant(values))) throw notGranted(`${service.resource.label} · 撤销`)
    const lock = async () => checkRev(tx, await lockToChange(tx, service, staff, record_id), rev, (stale) => showRow(service.resource, staff, stale))
    await own.run({ tx, staff, id: record_id, values, lock })
  },
  async file(tx, { service, staff }, { record_id }, { file, there }) {
    const { resource } = service
    if (!staff.modules.has(filesRight(resource))) throw notGranted(`${resource.label} · ${STANDARD_ACTIONS.edit.title}`)
    await setThere(tx, { resource, staff, row: await lockToChange(tx, service, staff, record_id) }, file, there, false)
  },
}

/** SQL that joins a step `s` to the record `t` as it is now, and to the person `w` who changed it last. */
export const standing = ({ table }: Pick<Resource, 'table'>) => sql`left join ${sql.identifier(table)} t on t.id = s.record_id left join staff w on w.id = t.updated_by`

/** What stands in the way of a record, in words. @param who changed it last; null where nobody is known */
export const overtakenBy = (gone: boolean, who: string | null): string => (gone ? '记录已被彻底删除' : `之后又被${who ?? '系统'}改过`)

/**
 * Takes back what was done to one record.
 * @param reason is logged where the way back asks for one
 * @throws AppError that says what stands in the way
 */
export async function takeStep(tx: Queryable, pipeline: Pipeline, step: Step, reason: string): Promise<void> {
  const { resource } = pipeline.service
  const [now] = await tx.query<{ rev: number | null; who: string | null }>(sql`select t.rev, w.name as who from (select ${step.record_id}::bigint as record_id) s ${standing(resource)}`)
  // A file is no value of the record: who changed those meanwhile did nothing to it.
  if (step.back.by === 'file' ? (now?.rev ?? null) === null : now?.rev !== step.rev) throw overtaken(overtakenBy((now?.rev ?? null) === null, now?.who ?? null))
  const take = TAKES[step.back.by] as Take<Back['by']>
  await take(tx, pipeline, step, step.back, reason)
}

/** Whether a way back weighs so much that it takes a fresh proof of who does it. */
export function weighsBack(resource: Resource, back: Back): boolean {
  if (back.by === 'change') return weighs(resource, back.values)
  return back.by === 'transition' && resource.transitions.some(({ name, fresh }) => name === back.edge && fresh === true)
}

import type { Queryable } from '../database/database.server.ts'
import { badRequest, invalid, wrongState } from '../error/error.ts'
import { choiceLabel } from '../field/choice.ts'
import { attachFiles } from '../file/attach.server.ts'
import type { Staff } from '../grant/staff.server.ts'
import type { Resource, Transition } from '../resource/define.ts'
import { NOTHING_COMPUTED } from '../resource/list.server.ts'
import { checkRefusal } from '../resource/refusal.server.ts'
import { checkSent } from '../resource/regions.server.ts'
import { neededFrom, refuseGone, removeRecords, restoreRecord } from '../resource/remove.server.ts'
import { holdTree, refuseCycle } from '../resource/tree.server.ts'
import type { Registered, Registry } from '../resource/uses.server.ts'
import { checkReferences, checkScope, lockRow, lockToRemove, lockToChange, updateRow } from '../resource/write.server.ts'

/** What an action on one record needs to know. */
export interface ActionParts {
  readonly service: Registered
  /** All resources by name, for the scopes of what is referred to. */
  readonly targets: ReadonlyMap<string, Resource>
  readonly registry: Registry
  readonly staff: Staff
}

/** Removes a record, as its own call does. @throws AppError when it cannot be */
export async function removeOne(tx: Queryable, { service, registry, staff }: ActionParts, id: number): Promise<void> {
  await removeRecords(tx, { registry, staff }, service, [await lockToRemove(tx, service.resource, staff, id)])
}

/** Takes a removal back. @throws AppError when it cannot be */
export async function restoreOne(tx: Queryable, { service, registry, staff }: ActionParts, id: number): Promise<void> {
  await restoreRecord(tx, { registry, staff }, service, await lockRow(tx, service.resource, staff, id, true))
}

/** Sets some fields of a record. @throws AppError when a value is wrong or a rule refuses */
export async function changeRecord(
  tx: Queryable, { service, targets, staff }: ActionParts, id: number, input: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { resource, rules } = service
  const { values, errors } = checkSent(resource, input, true)
  if (Object.keys(errors).length > 0) throw invalid(errors)
  await holdTree(tx, resource, values)
  const row = await lockToChange(tx, service, staff, id)
  await checkReferences(tx, resource, targets, staff, values, row)
  await refuseCycle(tx, resource, row.id, values)
  await attachFiles(tx, resource, values, staff.id)
  await rules.before?.({ tx, staff, values, row })
  const saved = await updateRow(tx, resource, row.id, values, rules.computed ?? NOTHING_COMPUTED)
  await checkScope(tx, resource, staff, saved.id)
  await rules.after?.({ tx, staff, values, row, saved })
}

/** Moves a record to another state. @throws AppError when it is not in a state from which it can be */
export async function moveRecord(
  tx: Queryable, { service, registry, staff }: ActionParts, id: number, transition: Transition, reason: string | undefined,
): Promise<void> {
  const { resource, rules } = service
  if (transition.reason && !reason) throw badRequest('请填写原因')
  const row = await lockToChange(tx, service, staff, id)
  const state = row[transition.field]
  const field = resource.fields[transition.field]
  if (!transition.from.includes(state as string | number)) {
    throw wrongState(transition.label, field?.kind === 'choice' ? choiceLabel(field.choices, state) : String(state))
  }
  await checkRefusal(rules, { db: tx, staff }, row, transition.name)
  await refuseGone(tx, { registry, staff }, resource, { ...row, [transition.field]: transition.to }, neededFrom(resource, transition))
  await updateRow(tx, resource, row.id, { [transition.field]: transition.to }, rules.computed ?? NOTHING_COMPUTED)
  await rules.effects?.[transition.name]?.({ tx, staff, row, transition, reason })
}

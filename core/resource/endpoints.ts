import * as z from 'zod/mini'
import { defineEndpoint, type Endpoint } from '../endpoint/define.ts'
import type { RelatedAnswer } from './related.ts'
import { groupKeys, type Groups } from './groups.ts'
import { transitionGrant, weighs, type Resource, type Transition } from './define.ts'
import { listStates } from './status.ts'
import { shelfEdge, shelves } from './switch.ts'

/** What a list answers for one record of a resource: its fields, their twins and what may be done with it. */
export type WireRow<R extends Resource = Resource> = NonNullable<R['types']>['shape']['wire']

const anyInput = z.record(z.string(), z.unknown())
/** domain 1.19: a reason has 2 to 200 characters. */
export const reasonSchema = z.string('请填写原因').check(z.trim(), z.minLength(2, '原因至少 2 个字'), z.maxLength(200, '原因最多 200 个字'))

/** Where the specification has a call of its own for a switch (spec 4): 1 or 0. */
export const switchSchema = z.union([z.literal(1), z.literal(0)], '只能上架（1）或下架（0）')

/** One change of a record, as its history shows it. */
export interface Change {
  id: number
  at: number
  staff_name: string | null
  ip: string | null
  action: string
  /** The action in words. */
  action_name: string
  reason: string | null
  before: Record<string, unknown> | null
  after: Record<string, unknown> | null
}

/** A record as it was at a moment. */
export interface PastRecord {
  /** Unix seconds. */
  at: number
  /** Removed then, or not made yet. */
  state: 'there' | 'removed' | 'absent'
  /** Its fields as they were, with the names of today behind references. */
  values: Record<string, unknown>
  /** Fields that are not today what they were then, also where what is hidden looks the same. */
  changed: string[]
  /** Fields of which the log does not say what they were. */
  unknown: string[]
  /** References to something that is removed by now. */
  gone: string[]
  /** The log knows the record from its beginning. */
  whole: boolean
}

/** A list as it was at a moment. */
export interface PastList {
  /** Unix seconds. */
  at: number
  total: number
  items: (PastRecord & { id: number })[]
  /** Records of which the log does not say whether they belonged to it. */
  unsure: number
  /** Records whose past this person may not look at. */
  kept: number
  /** Records of this kind that are gone for good since then, whatever they were. */
  purged: number
}

/** How many records of a list stand in each state, capped at `STATE_CAP`. */
export interface StateCounts {
  /** Whatever their state. */
  all: number
  states: { value: string | number; count: number }[]
}

/** From here on a count says "more than": what is counted exactly costs more than anybody reads. */
export const STATE_CAP = 1000

/** What the removal of a record would do. */
export interface Removal {
  /** Why it cannot be removed, as one sentence; null when it can. */
  refusal: string | null
  /** What still needs it, in words with counts. */
  uses: string[]
  /** What goes with it. */
  along: string[]
}

/**
 * The calls of one record and of its list. Those that a resource does not offer are absent.
 * @param referrers ids of the screens whose forms pick records of this resource
 */
export function resourceEndpoints(resource: Resource, referrers: readonly number[] = []): {
  list: Endpoint<Record<string, unknown>, unknown>
  options: Endpoint<Record<string, unknown>, { items: { id: number; name: string }[] }>
  summary: Endpoint<Record<string, unknown>, Record<string, number>>
  states?: Endpoint<Record<string, unknown>, StateCounts>
  groups?: Endpoint<Record<string, unknown>, Groups>
  one: Endpoint<undefined, WireRow>
  related: Endpoint<{ of?: string | undefined }, RelatedAnswer>
  history: Endpoint<Record<string, unknown>, { items: Change[]; total: number }>
  asOf?: Endpoint<{ at?: string | undefined; change_id?: string | undefined }, PastRecord>
  listAsOf?: Endpoint<Record<string, unknown>, PastList>
  create?: Endpoint<Record<string, unknown>, WireRow>
  update?: Endpoint<Record<string, unknown>, WireRow>
  revert?: Endpoint<{ change_id: number }, WireRow>
  remove?: Endpoint<Record<string, unknown>, { undo?: number }>
  removal?: Endpoint<undefined, Removal>
  restore?: Endpoint<undefined, WireRow>
  reveal?: Endpoint<{ field: string }, { value: string }>
  transitions: { transition: Transition; endpoint: Endpoint<{ reason?: string | undefined; rev?: number | undefined }, WireRow> }[]
} {
  const { api, label, actions } = resource
  const view = [resource.grant]
  const record = `${api.item}/{id}`
  const heavy = Object.keys(resource.fresh).length > 0
  const fresh = heavy && { fresh: (values: Record<string, unknown>) => weighs(resource, values) }
  // A switch of states is a PUT too; the handler asks for the right of each part of what is sent.
  const switching = shelves(resource).flatMap(([, field]) => ([1, 0] as const).flatMap((value) => shelfEdge(resource, field, value) ?? [])).map((edge) => transitionGrant(resource, edge))
  return {
    list: defineEndpoint<unknown>()({ method: 'GET', path: api.list, summary: `${label}列表`, grant: view, input: anyInput }),
    options: defineEndpoint<{ items: { id: number; name: string }[] }>()({
      method: 'GET', path: resource.optionsPath, summary: `可选的${label}`, grant: [...new Set([resource.grant, ...referrers])], input: anyInput,
    }),
    summary: defineEndpoint<Record<string, number>>()({ method: 'GET', path: `${api.list}/summary`, summary: `${label}合计`, grant: view, input: anyInput }),
    ...(listStates(resource) && { states: defineEndpoint<StateCounts>()({ method: 'GET', path: `${api.list}/states`, summary: `${label}各状态的数量`, grant: view, input: anyInput }) }),
    ...(groupKeys(resource).length > 0 && { groups: defineEndpoint<Groups>()({ method: 'GET', path: `${api.list}/groups`, summary: `${label}分组统计`, grant: view, input: anyInput }) }),
    one: defineEndpoint<WireRow>()({ method: 'GET', path: record, summary: `${label}详情`, grant: view }),
    related: defineEndpoint<RelatedAnswer>()({ method: 'GET', path: `${record}/related`, summary: `与${label}相关的记录`, grant: view, input: z.object({ of: z.optional(z.string()) }) }),
    history: defineEndpoint<{ items: Change[]; total: number }>()({ method: 'GET', path: `${record}/history`, summary: `${label}操作日志`, grant: view, input: anyInput }),
    ...(resource.audit && {
      asOf: defineEndpoint<PastRecord>()({
        method: 'GET', path: `${record}/as_of`, summary: `${label}当时的样子`, grant: view, input: z.object({ at: z.optional(z.string()), change_id: z.optional(z.string()) }),
      }),
      listAsOf: defineEndpoint<PastList>()({ method: 'GET', path: `${api.list}/as_of`, summary: `${label}列表当时的样子`, grant: view, input: anyInput }),
    }),
    ...(actions.create && {
      create: defineEndpoint<WireRow>()({ method: 'POST', path: api.item, summary: `新增${label}`, grant: [actions.create], input: anyInput, ...fresh }),
    }),
    ...(actions.update && {
      update: defineEndpoint<WireRow>()({ method: 'PUT', path: record, summary: `修改${label}`, grant: [...new Set([actions.update, ...switching])], input: anyInput, ...fresh }),
      revert: defineEndpoint<WireRow>()({
        method: 'POST', path: `${record}/revert`, summary: `撤回${label}的一次修改`, grant: [actions.update], input: z.object({ change_id: z.int() }),
        // What it sets stands in the log.
        ...(heavy && { fresh: true }),
      }),
    }),
    ...(actions.remove && {
      remove: defineEndpoint<{ undo?: number }>()({ method: 'DELETE', path: record, summary: `删除${label}`, grant: [actions.remove], input: anyInput }),
      removal: defineEndpoint<Removal>()({ method: 'GET', path: `${record}/removal`, summary: `删除${label}会怎样`, grant: [actions.remove] }),
      restore: defineEndpoint<WireRow>()({ method: 'POST', path: `${record}/restore`, summary: `恢复${label}`, grant: [actions.remove] }),
    }),
    ...(actions.reveal && {
      reveal: defineEndpoint<{ value: string }>()({
        method: 'POST', path: `${record}/reveal`, summary: `查看${label}的完整手机号`, grant: [actions.reveal], input: z.object({ field: z.string() }),
      }),
    }),
    transitions: resource.transitions.map((transition) => ({
      transition,
      endpoint: defineEndpoint<WireRow>()({
        method: 'POST',
        path: `${record}/${transition.name}`,
        summary: `${transition.label}${label}`,
        grant: [transitionGrant(resource, transition)],
        ...(transition.fresh && { fresh: true }),
        input: z.object({ reason: transition.reason ? reasonSchema : z.optional(reasonSchema), rev: z.optional(z.int()) }),
      }),
    })),
  }
}

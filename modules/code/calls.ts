import * as z from 'zod/mini'
import { defineEndpoint, type Endpoint } from '../../core/endpoint/define.ts'
import { standardId } from '../../core/grant/grant.ts'
import type { JobInfo } from '../../core/job/calls.ts'
import { reasonSchema, type WireRow } from '../../core/resource/endpoints.ts'
import { CODE_ACTIONS, type CodeActionName } from './code-state.ts'
import { BATCH_RIGHTS, MAX_BATCH, type CodeFamily } from './family.ts'

/** Codes that are named one by one in one call; more are named by a filter. */
const MAX_IDS = 10_000
/** Labels that are fetched at a time: what somebody prints in one go. */
export const MAX_LABELS = 960

const anything = z.record(z.string(), z.unknown())
const count = z.int('请填写数量').check(z.gte(1, '数量至少为 1'), z.lte(MAX_BATCH, `数量最多 ${MAX_BATCH.toLocaleString('zh-CN')}`))
const seconds = z.int('请选择日期').check(z.gte(0, '请选择日期'), z.lte(7_258_118_400, '日期过晚'))
const recordId = z.int('请从列表中选择').check(z.positive('请从列表中选择'))

const terms = { until: z.optional(seconds), owner: z.optional(recordId) }
const actInput = z.object({ reason: reasonSchema, rev: z.optional(z.int()), ...terms })
const names = CODE_ACTIONS.map(({ name }) => name) as [CodeActionName, ...CodeActionName[]]
const which = {
  ids: z.optional(z.array(z.int()).check(z.minLength(1, '请选择要处理的记录'), z.maxLength(MAX_IDS, `一次最多选择 ${MAX_IDS} 条记录`))),
  /** All codes of this list query, in place of ids. */
  query: z.optional(anything),
}
const bulkInput = z.object({ action: z.enum(names, '请选择操作'), ...which, reason: reasonSchema, ...terms })
const exportInput = z.object({
  ...which,
  /** Of the archive that is made then; without one it is a plain workbook. */
  password: z.optional(z.string().check(z.minLength(12, '口令至少 12 位'), z.maxLength(100, '口令最多 100 位'))),
})

export type ActInput = z.infer<typeof actInput>
export type BulkInput = z.infer<typeof bulkInput>
export type CodeExportInput = z.infer<typeof exportInput>

/** How a batch is being used. */
export interface Activity {
  /** Activations of each day that has any, by the first second of the day. */
  days: { day: number; n: number }[]
  /** Where codes were activated, by the first two digits of the region; absent where nothing is known of it. */
  places: { region: string; name: string; n: number; away: boolean }[]
  /** The busiest hour. */
  burst: { at: number; n: number } | null
}

/** What an owner may still issue, and what exchanging one code costs them in fen. */
export interface Quota {
  total: number
  used: number
  left: number
  fee: number
}

/** A code as it is printed. */
export interface Label {
  id: number
  code: string
}

type Started = { job: JobInfo }

/** The calls of a kind of code beside those of its two resources. */
export function codeEndpoints(family: CodeFamily): {
  create: Endpoint<Record<string, unknown>, WireRow>
  quota: Endpoint<{ owner: string }, Quota>
  append: Endpoint<{ count: number }, WireRow>
  activity: Endpoint<undefined, Activity>
  labels: Endpoint<{ after?: number | undefined; count: number }, { items: Label[] }>
  exchange: Endpoint<Record<string, unknown>, { batch: WireRow; fee: number }>
  find: Endpoint<{ code: string }, { id: number }>
  reveal: Endpoint<undefined, { value: string }>
  act: Readonly<Record<CodeActionName, Endpoint<ActInput, WireRow & { undo?: number }>>>
  bulk: Endpoint<BulkInput, Started>
  export: Endpoint<CodeExportInput, Started>
} {
  const { batch, code, label } = family
  const ofBatch = (right: keyof typeof BATCH_RIGHTS) => [batch.rights.id(right)]
  const edit = [standardId(batch.grant, 'edit')]
  const one = `${batch.api.item}/{id}`
  const act = Object.fromEntries(CODE_ACTIONS.map((action) => [action.name, defineEndpoint<WireRow & { undo?: number }>()({
    method: 'POST', path: `${code.api.item}/{id}/${action.name}`, summary: `${action.label}${label}`, grant: [code.rights.id(action.right)], input: actInput,
  })]))
  return {
    create: defineEndpoint<WireRow>()({ method: 'POST', path: batch.api.item, summary: `新增${batch.label}`, grant: edit, input: anything }),
    quota: defineEndpoint<Quota>()({
      method: 'GET', path: `${batch.api.list}/quota`, summary: `${label}名额`, grant: [...edit, ...ofBatch('append'), ...ofBatch('exchange')], input: z.object({ owner: z.string('请选择').check(z.regex(/^\d{1,15}$/, '编号有误')) }),
    }),
    append: defineEndpoint<WireRow>()({ method: 'POST', path: `${one}/append`, summary: `追加${label}`, grant: ofBatch('append'), input: z.object({ count }) }),
    activity: defineEndpoint<Activity>()({ method: 'GET', path: `${one}/activity`, summary: `${batch.label}激活进度`, grant: [batch.grant] }),
    labels: defineEndpoint<{ items: Label[] }>()({
      method: 'POST', path: `${one}/labels`, summary: `打印${label}`, grant: ofBatch('take'),
      input: z.object({ after: z.optional(z.int()), count: z.int('请填写数量').check(z.gte(1, '数量至少为 1'), z.lte(MAX_LABELS, `一次最多打印 ${MAX_LABELS} 个`)) }),
    }),
    exchange: defineEndpoint<{ batch: WireRow; fee: number }>()({ method: 'POST', path: `${one}/exchange`, summary: `置换${label}`, grant: ofBatch('exchange'), input: anything }),
    find: defineEndpoint<{ id: number }>()({ method: 'POST', path: `${code.api.list}/find`, summary: `按完整码查找${label}`, grant: [code.grant], input: z.object({ code: z.string('请输入激活码').check(z.maxLength(100, '激活码过长')) }) }),
    reveal: defineEndpoint<{ value: string }>()({ method: 'POST', path: `${code.api.item}/{id}/reveal_code`, summary: `查看完整的${label}`, grant: [standardId(code.grant, 'reveal')] }),
    act: act as Readonly<Record<CodeActionName, Endpoint<ActInput, WireRow & { undo?: number }>>>,
    bulk: defineEndpoint<Started>()({
      method: 'POST', path: `${code.api.list}/act`, summary: `批量处理${label}`, grant: [...new Set(CODE_ACTIONS.map(({ right }) => code.rights.id(right)))], input: bulkInput, back: 'undo',
    }),
    export: defineEndpoint<Started>()({ method: 'POST', path: `${code.api.list}/export_codes`, summary: `导出完整的${label}`, grant: ofBatch('take'), input: exportInput, fresh: true, back: 'reads' }),
  }
}


import * as z from 'zod/mini'
import { choice } from '../../../core/field/choice.ts'
import { json } from '../../../core/field/json.ts'
import { number } from '../../../core/field/number.ts'
import { reference } from '../../../core/field/reference.ts'
import { text } from '../../../core/field/text.ts'
import { time } from '../../../core/field/time.ts'
import { defineEndpoint } from '../../../core/endpoint/define.ts'
import { api, defineResource } from '../../../core/resource/define.ts'
import { reasonSchema } from '../../../core/resource/endpoints.ts'
import { OWNERSHIP, school } from '../../study-room/module.ts'
import { pad, PAD_RIGHTS } from '../pad.ts'

/** States of a command: it waits, the pad has fetched it, and what came of it. */
export const COMMAND_STATUS = { waiting: 0, sent: 1, done: 2, failed: 3, timed_out: 4, withdrawn: 5 } as const

const HOUR = 3600
const DAY = 24 * HOUR

/**
 * What a pad can be told (domain 1.9). `lives`: seconds after which a command that was not carried out is given up; what
 * is meant for this moment soon, what shall hold from now on late. `asked`: by a call of its own, not by locking the pad
 * in the list or by changing its policy.
 */
export const COMMANDS = [
  { value: 'lock', label: '锁屏', lives: DAY },
  { value: 'unlock', label: '解锁', lives: DAY },
  { value: 'policy', label: '策略下发', lives: 7 * DAY },
  { value: 'reboot', label: '远程重启', lives: HOUR, asked: true },
  { value: 'locate', label: '定位', lives: HOUR, asked: true },
  { value: 'update', label: '推送更新', lives: 7 * DAY, asked: true },
] as const

export type CommandKind = (typeof COMMANDS)[number]['value']

/** What goes along with a command, and stands in its record. */
const detail = z.record(z.string(), z.unknown())

const S = COMMAND_STATUS

/** Everything that pads were told, and what came of it: a queue on the server, which each pad empties by asking. */
export const padCommand = defineResource({
  name: 'pad_command',
  label: '远程指令',
  title: 'kind',
  grant: pad.grant,
  rights: PAD_RIGHTS,
  api: api(OWNERSHIP.own.base, 'pad_commands', 'pad_command'),
  fields: {
    pad_id: reference('平板', () => pad, { required: true, readonly: true, onRemove: 'keep' }),
    school_id: reference('学校', () => school, { readonly: true, onRemove: 'keep' }),
    kind: choice('指令', COMMANDS, { required: true, readonly: true }),
    detail: json('内容', detail, { readonly: true }),
    reason: text('原因', { readonly: true, max: 200 }),
    expire_at: time('最迟执行', { required: true, readonly: true }),
    sent_at: time('下发时间', { readonly: true }),
    sent_cnt: number('下发次数', { required: true, readonly: true, initial: 0 }),
    done_at: time('完成时间', { readonly: true }),
    answer: text('设备回复', { readonly: true, max: 200 }),
    status: choice('状态', [
      { value: S.waiting, label: '待下发', tone: 'idle' },
      { value: S.sent, label: '已下发', tone: 'processing' },
      { value: S.done, label: '已执行', tone: 'success' },
      { value: S.failed, label: '失败', tone: 'error' },
      { value: S.timed_out, label: '超时', tone: 'warning' },
      { value: S.withdrawn, label: '已撤销', tone: 'default' },
    ], { required: true, readonly: true, initial: S.waiting }),
  },
  list: {
    columns: ['kind', 'status', 'answer', 'created_at', 'pad_id', 'sent_at', 'done_at', 'expire_at', 'reason', 'created_by_name'],
    filters: ['kind', 'status', 'created_at', 'pad_id', 'school_id'],
  },
  transitions: [{ name: 'withdraw', label: '撤销', field: 'status', from: [S.waiting], to: S.withdrawn, right: 'command', instead: '撤销错了，重新下发' }],
  scope: { school: 'school_id', partner: 'school_id.partner_id', agent: 'school_id.partner_id.agent_id' },
  indexes: [['pad_id', 'status', 'id'], ['status', 'expire_at']],
  audit: false,
  without: ['create', 'update', 'edit', 'remove'],
})

const ids = z.array(z.int('请选择平板'), '请选择平板').check(z.minLength(1, '请选择平板'), z.maxLength(500, '一次最多选择 500 台'))
const asked = COMMANDS.flatMap((command) => ('asked' in command ? [command.value] : []))

/** How many pads will be told, and the first that cannot be, with why. */
export interface CommandsSent {
  sent: number
  refused: { sn: string; reason: string }[]
}

/** Tells pads something. An update says to which version, and where it lies. */
export const sendCommand = defineEndpoint<CommandsSent>()({
  method: 'POST', path: `${pad.api.list}/command`, summary: '下发远程指令', back: { instead: '还没有执行的，在远程指令里撤销' }, grant: [PAD_RIGHTS.id('command')],
  input: z.object({
    ids,
    kind: z.enum(asked as [(typeof asked)[number], ...(typeof asked)[number][]], '请选择指令'),
    app_version: z.optional(z.string('请填写版本').check(z.trim(), z.regex(/^\d+(\.\d+){1,3}$/, '版本应如 5.2.1'), z.maxLength(20, '版本最多 20 个字'))),
    app_url: z.optional(z.string('请填写安装包地址').check(z.trim(), z.regex(/^https:\/\/\S+$/, '应为 https:// 开头的地址'), z.maxLength(300, '地址最多 300 个字'))),
    reason: z.optional(reasonSchema),
  }).check(
    z.refine(({ kind, app_version }) => kind !== 'update' || app_version !== undefined, { path: ['app_version'], error: '请填写版本' }),
    z.refine(({ kind, app_url }) => kind !== 'update' || app_url !== undefined, { path: ['app_url'], error: '请填写安装包地址' }),
  ),
})

/** Puts pads under a policy, or under none. */
export const setPolicy = defineEndpoint<CommandsSent>()({
  method: 'POST', path: `${pad.api.list}/policy`, summary: '下发管控策略', back: { instead: '下发错了，重新下发原来的策略' }, grant: [PAD_RIGHTS.id('command')],
  input: z.object({ ids, policy_id: z.optional(z.int('请选择策略').check(z.positive('请选择策略'))) }),
})

/** What a pad is connected with; shown once. */
export interface PadAccess {
  /** The bearer token of every call of the pad. */
  token: string
}

/** Gives a pad a new token; one that it had before is worth nothing from then on. */
export const connectPad = defineEndpoint<PadAccess>()({
  method: 'POST', path: `${pad.api.item}/{id}/connect`, summary: '生成平板接入码', secret: true, grant: [PAD_RIGHTS.id('connect')],
})

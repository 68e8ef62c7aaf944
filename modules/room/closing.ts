import * as z from 'zod/mini'
import { choice } from '../../core/field/choice.ts'
import { json } from '../../core/field/json.ts'
import { money, number } from '../../core/field/number.ts'
import { reference } from '../../core/field/reference.ts'
import { longText } from '../../core/field/text.ts'
import { date } from '../../core/field/time.ts'
import { defineEndpoint } from '../../core/endpoint/define.ts'
import { defineRights } from '../../core/grant/rights.ts'
import { api, defineResource } from '../../core/resource/define.ts'
import type { WireRow } from '../../core/resource/endpoints.ts'
import { MAX_SUM, MONEY_CHANNELS } from '../order/module.ts'
import { screenId } from '../screens.ts'
import { selfSchool } from '../study-room/module.ts'
import { selfRoom } from './room.ts'
import { OWN_SIDE } from './ownership.ts'

const SCREEN = screenId('/study-room/order')

/** Right to close the day of a room, beside those of its orders. */
const RIGHTS = defineRights(SCREEN, { closeDay: [21, '日结对账'] })
export const CLOSE_DAY_GRANT = RIGHTS.id('closeDay')

export const SHIFTS = [{ value: 1, label: '早班' }, { value: 2, label: '中班' }, { value: 3, label: '晚班' }, { value: 4, label: '全天' }] as const

/** What a day's entries come to is more than one of them. */
const LARGEST = 1_000 * MAX_SUM
const channels = new Set<unknown>(MONEY_CHANNELS)
const fen = z.int('金额最多两位小数').check(z.gte(-LARGEST, '金额过小'), z.lte(LARGEST, '金额过大'))
const reason = z.optional(z.string('原因应为文字').check(z.trim(), z.minLength(2, '原因至少 2 个字'), z.maxLength(200, '原因最多 200 个字')))
const channel = z.custom<(typeof MONEY_CHANNELS)[number]>((value) => channels.has(value), '支付方式有误')

/** One channel of a closing: what the books expect, what was counted, and why they differ. */
const line = z.object({ channel, expected: fen, counted: fen, reason })

const sum = (label: string) => money(label, { required: true, readonly: true, min: -LARGEST, max: LARGEST })

/**
 * Days of our own rooms that were closed (domain 1.9, 日结对账): what came in by each channel since the last closing, and
 * what was counted. Never changed afterwards.
 */
export const dayClosing = defineResource({
  name: 'day_closing',
  label: '日结',
  title: 'remark',
  grant: SCREEN,
  rights: RIGHTS,
  api: api(OWN_SIDE.base, 'day_closings', 'day_closing'),
  fields: {
    room_id: reference('自习室', () => selfRoom, { required: true, readonly: true, onRemove: 'keep' }),
    school_id: reference('学校', () => selfSchool, { required: true, readonly: true, onRemove: 'keep' }),
    day: date('日期', { required: true, readonly: true }),
    shift: choice('班次', SHIFTS, { required: true, readonly: true }),
    expected: sum('应收'),
    counted: sum('实点'),
    difference: sum('差额'),
    lines: json('明细', z.array(line), { readonly: true }),
    // Entries of the books up to this one are closed.
    last_entry: number('截至流水', { required: true, readonly: true }),
    remark: longText('备注', { readonly: true, max: 200 }),
  },
  list: {
    columns: ['day', 'shift', 'room_id', 'school_id', 'expected', 'counted', 'difference', 'created_by_name', 'created_at', 'remark'],
    filters: ['room_id', 'day', 'shift', 'difference'],
    summary: ['expected', 'counted', 'difference'],
  },
  logged: [{ name: 'close_day', label: '日结' }],
  scope: { school: 'school_id', partner: 'school_id.partner_id', agent: 'school_id.partner_id.agent_id' },
  without: ['create', 'update', 'edit', 'remove'],
})

const grant = [CLOSE_DAY_GRANT]

/** What has come in since the last closing, by channel. */
export interface OpenDay {
  /** When the last closing was; null when there was none. */
  since: number | null
  lines: { channel: (typeof MONEY_CHANNELS)[number]; expected: number; entries: number }[]
}

export const openDay = defineEndpoint<OpenDay>()({
  method: 'GET', path: `${dayClosing.api.list}/open`, summary: '待日结的收款', grant, input: z.object({ room_id: z.string('请选择自习室').check(z.regex(/^\d{1,15}$/, '请选择自习室')) }),
})

export const closeDay = defineEndpoint<WireRow>()({
  method: 'POST', path: dayClosing.api.item, summary: '日结', back: { instead: '日结不能撤销，差额在次日结时说明' }, grant,
  input: z.object({
    room_id: z.int('请选择自习室'),
    shift: z.custom<(typeof SHIFTS)[number]['value']>((value) => SHIFTS.some((one) => one.value === value), '请选择班次'),
    /** What the person saw: the closing is refused when more came in meanwhile. */
    lines: z.array(line, '请填写实点金额').check(z.maxLength(MONEY_CHANNELS.length, '支付方式重复')),
    remark: z.optional(z.string('备注应为文字').check(z.trim(), z.maxLength(200, '备注最多 200 个字'))),
  }),
})

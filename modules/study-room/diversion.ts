import * as z from 'zod/mini'
import { defineEndpoint } from '../../core/endpoint/define.ts'
import { choice } from '../../core/field/choice.ts'
import { json } from '../../core/field/json.ts'
import { number } from '../../core/field/number.ts'
import { reference } from '../../core/field/reference.ts'
import { region } from '../../core/field/region.ts'
import { text } from '../../core/field/text.ts'
import { time } from '../../core/field/time.ts'
import { defineRights } from '../../core/grant/rights.ts'
import { api, defineResource } from '../../core/resource/define.ts'
import { activationCodeGroup } from './authorization-code.ts'
import { BASE } from './api.ts'
import { partner } from './partner.ts'

export const CODES_PATH = '/new-study-room/authorization-code'
/** Beside what batches have on their screen. */
export const DIVERSION_RIGHTS = defineRights(activationCodeGroup.grant, { judge: [15, '核实和排除串货'] })

export const DIVERSION_STATE = { suspected: 1, confirmed: 2, dismissed: 3 } as const
const S = DIVERSION_STATE

/** What speaks for it, in points of a hundred. */
export interface DivertedPart {
  key: 'away' | 'burst' | 'price' | 'study'
  points: number
  most: number
  why: string
}
const parts = z.array(z.object({ key: z.enum(['away', 'burst', 'price', 'study']), points: z.number(), most: z.number(), why: z.string() }))

/** 串货线索: codes of a batch that were activated in another province than its partner's. The machine suspects; people decide. */
export const codeDiversion = defineResource({
  name: 'code_diversion',
  label: '串货线索',
  measure: '条',
  title: 'title',
  grant: DIVERSION_RIGHTS.screen,
  rights: DIVERSION_RIGHTS,
  api: api(BASE, 'code_diversions', 'code_diversion'),
  fields: {
    title: text('线索', { required: true, readonly: true, max: 80, search: true }),
    partner_id: reference('合伙人', () => partner, { required: true, readonly: true, onRemove: 'keep' }),
    group_id: reference('批次', () => activationCodeGroup, { required: true, readonly: true, onRemove: 'keep' }),
    region_code: region('激活地', { required: true, readonly: true }),
    score: number('可疑分', { required: true, readonly: true, audit: false, max: 100, initial: 0 }),
    codes: number('异地激活', { required: true, readonly: true, audit: false, initial: 0, unit: '个' }),
    used: number('同批激活', { required: true, readonly: true, audit: false, initial: 0, unit: '个' }),
    parts: json('分项', parts, { readonly: true, audit: false }),
    first_at: time('首次激活', { required: true, readonly: true }),
    last_at: time('最近激活', { required: true, readonly: true, audit: false }),
    status: choice('状态', [
      { value: S.suspected, label: '疑似', tone: 'warning' }, { value: S.confirmed, label: '已核实', tone: 'error' }, { value: S.dismissed, label: '已排除', tone: 'default' },
    ], { required: true, readonly: true, initial: S.suspected }),
  },
  list: {
    columns: ['title', 'status', 'score', 'codes', 'used', 'partner_id', 'region_code', 'last_at', 'group_id', 'first_at', 'created_at'], under: ['partner_id'],
    filters: ['status', 'partner_id', 'group_id', 'region_code', 'score', 'last_at'],
    sort: '-score',
  },
  transitions: [
    { name: 'confirm', label: '核实为串货', field: 'status', from: [S.suspected], to: S.confirmed, right: 'judge', reason: true },
    { name: 'dismiss', label: '排除', field: 'status', from: [S.suspected], to: S.dismissed, right: 'judge', reason: true },
    { name: 'reopen', label: '重新核查', field: 'status', from: [S.confirmed, S.dismissed], to: S.suspected, right: 'judge', reason: true },
  ],
  logged: [{ name: 'scan', label: '自动发现' }],
  scope: { partner: 'partner_id', agent: 'partner_id.agent_id' },
  indexes: [['status', 'score'], ['score', 'id'], ['group_id', 'region_code']],
  without: ['create', 'update', 'edit', 'remove'],
})

/** One activation of a case, as it is stored: nothing is looked up outside of the house. */
export interface DivertedCode {
  id: number
  code: string
  activated_at: number
  school_id: number
  school_name: string
  /** Where the account is registered, and where it has studied since; null where nothing is known. */
  home: string | null
  studied: string | null
  mobile: string | null
  ip: string | null
}

export interface DiversionEvidence {
  /** The newest of them. */
  codes: DivertedCode[]
  total: number
  /** Filters of the list of codes that shows exactly these. */
  query: Record<string, string[]>
  schools: { id: number; name: string; place: string; n: number }[]
  /** Codes of the batch that nobody has activated yet. */
  left: number
}

/** Activations by province, by day and by batch, of a stretch that ends now. */
export interface Radar {
  from: number
  total: number
  away: number
  provinces: { code: string; activated: number; away: number; lost: number }[]
  flows: { from: string; to: string; from_name: string; to_name: string; n: number }[]
  days: { day: number; n: number; away: number }[]
  batches: { id: number; name: string; partner_name: string; away: number; used: number }[]
}

const one = `${codeDiversion.api.item}/{id}`
export const diversionEvidence = defineEndpoint<DiversionEvidence>()({ method: 'GET', path: `${one}/evidence`, summary: '串货线索的证据', grant: [codeDiversion.grant] })
export const RADAR_DAYS = ['30', '90', '365'] as const
export const diversionRadar = defineEndpoint<Radar>()({
  method: 'GET', path: `${codeDiversion.api.list}/radar`, summary: '串货雷达', grant: [codeDiversion.grant], input: z.object({ days: z.optional(z.enum(RADAR_DAYS, '请选择时段')) }),
})
export const scanDiversion = defineEndpoint<{ found: number }>()({ method: 'POST', path: `${codeDiversion.api.list}/scan`, summary: '查找串货线索', grant: [DIVERSION_RIGHTS.id('judge')] })

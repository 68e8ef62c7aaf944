import { choice } from '../../core/field/choice.ts'
import { computed } from '../../core/field/json.ts'
import { number } from '../../core/field/number.ts'
import { reference, type Target } from '../../core/field/reference.ts'
import { segment } from '../../core/field/segment.ts'
import { text } from '../../core/field/text.ts'
import { time } from '../../core/field/time.ts'
import type { ScopeKind } from '../../core/grant/grant.ts'
import { defineRights } from '../../core/grant/rights.ts'
import { api, defineResource, type OpenResource } from '../../core/resource/define.ts'
import type { AnyField } from '../../core/field/any-field.ts'
import { LEVELS } from '../reference/module.ts'

/** teaching.md 1.4: what was printed is never undone. */
export const QR_STATE = { draft: 0, printed: 1, stopped: 2 } as const

const S = QR_STATE

const QR_STATES = [{ value: S.draft, label: '未印', tone: 'idle' }, { value: S.printed, label: '已印', tone: 'success' }, { value: S.stopped, label: '停用指引', tone: 'warning' }] as const

/** Where in a book a code stands. */
const PLACES = [{ value: 1, label: '封面' }, { value: 2, label: '章' }, { value: 3, label: '页' }, { value: 4, label: '题' }] as const

/** What a code leads to: an address, or content of ours by the names of kinds of blocks. */
export const QR_KINDS = [{ value: 'video', label: '视频' }, { value: 'micro', label: '微课' }, { value: 'paper', label: '试卷' }, { value: 'combination', label: '组合' }, { value: 'measurement', label: '测评' }, { value: 'url', label: '网址' }] as const

export const QR_HEALTH = { unknown: 0, good: 1, broken: 2 } as const

const HEALTH = [{ value: QR_HEALTH.unknown, label: '未体检', tone: 'idle' }, { value: QR_HEALTH.good, label: '正常', tone: 'success' }, { value: QR_HEALTH.broken, label: '异常', tone: 'error' }] as const

/** Messages by which processes hear that a code leads to something else. */
export const QR_CHANNEL = 'qr'

/** Longest address that a code leads to. */
export const MAX_URL = 500

/** Whose codes these are: what they are printed in. */
export interface QrOwner {
  readonly label: string
  readonly target: () => Target
}

/** One list of codes: those of a stage, or those that lead to one kind of content. */
export interface QrRow {
  readonly name: string
  readonly label: string
  /** Id of its screen. */
  readonly grant: number
  readonly base: string
  /** Last part of the paths of its calls: one record and the list. */
  readonly path: readonly [item: string, list: string]
  readonly only: { readonly level: number } | { readonly target_kind: (typeof QR_KINDS)[number]['value'] }
  readonly scope: Readonly<Partial<Record<ScopeKind, string>>>
  /** Further columns, which its module computes. */
  readonly more?: Readonly<Record<string, AnyField>>
}

function qrFields(owner: QrOwner, byLevel = true) {
  return {
    level: choice('学段', LEVELS, { required: true, readonly: true }),
    book_id: reference(owner.label, owner.target, { required: true, createOnly: true, ...(byLevel && { within: { level: 'level' } }) }),
    code: text('编码', { required: true, readonly: true, unique: true, max: 12, search: true, scanned: true }),
    name: text('名称', { required: true, max: 60, search: true, example: '例 3 讲解' }),
    section: text('章节', { max: 60, example: '第一章 集合' }),
    page_no: number('页码', { min: 1, max: 999 }),
    place: choice('位置', PLACES, { initial: 3 }),
    target_kind: choice('指向', QR_KINDS, { readonly: true }),
    ref_id: number('内容编号', { readonly: true }),
    target_name: text('指向内容', { readonly: true, max: 120 }),
    url: text('网址', { max: MAX_URL, createOnly: true, pattern: [/^https?:\/\/\S+$/, '应以 http:// 或 https:// 开头'], help: '不填则建好后用「改指向」选择微课、视频或试卷' }),
    code_url: computed('二维码网址', 'text'),
    scans: computed('扫码次数'),
    scans_30: computed('近 30 天'),
    printed_in: number('首次印次', { readonly: true }),
    health: choice('体检', HEALTH, { readonly: true, initial: QR_HEALTH.unknown, audit: false }),
    health_note: text('体检说明', { readonly: true, max: 120, audit: false }),
    checked_at: time('体检时间', { readonly: true, audit: false }),
    needs: segment('待处理', [{ value: 'empty', label: '未设指向' }, { value: 'broken', label: '指向异常' }, { value: 'quiet', label: '已印无人扫' }, { value: 'rising', label: '扫码猛增' }]),
    state: choice('状态', QR_STATES, { readonly: true, initial: S.draft }),
  }
}

/** Makes the codes of one list. All of them stand in one table, because a code is looked up without knowing whose it is. */
function defineList(owner: QrOwner, row: QrRow): QrResource {
  return defineResource<Record<string, AnyField>, 'retarget' | 'stop', 'stop' | 'resume', 'retarget' | 'print'>({
    name: row.name,
    table: 'qr_target',
    label: row.label,
    measure: '个',
    grant: row.grant,
    rights: defineRights(row.grant, { retarget: [13, '改指向'], stop: [15, '停用指引'] }),
    api: api(row.base, row.path[1], row.path[0]),
    fields: { ...qrFields(owner, 'level' in row.only), ...row.more },
    list: {
      columns: ['name', 'book_id', 'page_no', 'code', 'target_name', ...Object.keys(row.more ?? {}), 'target_kind', 'scans_30', 'scans', 'health', 'state', 'section', 'place', 'url', 'code_url', 'health_note', 'checked_at', 'printed_in', 'created_at', 'id'],
      under: ['section'],
      filters: ['book_id', 'needs', 'state', 'health', ...('level' in row.only ? ['target_kind'] : ['level']), 'place', 'page_no', 'created_at'],
    },
    form: [{ fields: ['book_id', 'name', 'section', 'page_no', 'place', 'url'] }],
    import: { columns: ['book_id', 'name', 'section', 'page_no', 'place', 'url'], key: ['book_id', 'name'] },
    transitions: [
      { name: 'stop', label: '停用指引', field: 'state', from: [S.printed], to: S.stopped, right: 'stop', reason: true, danger: true, confirm: '停用后扫码显示「内容准备中」，书上的二维码仍可扫。' },
      { name: 'resume', label: '恢复指引', field: 'state', from: [S.stopped], to: S.printed, right: 'stop' },
    ],
    policies: 'level' in row.only ? [{ of: ['remove'], policy: 'while', field: 'state', values: [S.draft], why: '已付印的二维码不能删除，请改指向或停用指引' }] : [],
    logged: [{ name: 'retarget', label: '改指向' }, { name: 'print', label: '付印' }],
    unique: [['book_id', 'name']],
    where: row.only,
    ...('target_kind' in row.only && { isView: true }),
    // Codes of one kind of content are made where that is given its place, and removed among those of their book.
    without: 'target_kind' in row.only ? ['create', 'import', 'remove'] : [],
    scope: row.scope,
    indexes: [['target_kind', 'ref_id'], ['level', 'id']],
  }) as QrResource
}

/** The codes of whatever list. */
export type QrResource = OpenResource<ReturnType<typeof qrFields>>

/** Codes of one kind of owner, with their lists. */
export interface QrFamily {
  readonly owner: QrOwner
  readonly lists: readonly QrResource[]
}

/** Makes codes from rows: one list each. @throws Error when there is no row */
export function defineQrCodes(owner: QrOwner, rows: readonly QrRow[]): QrFamily {
  return { owner, lists: rows.map((row) => defineList(owner, row)) }
}

/** What codes of a list may lead to: one kind of content where the list is of that kind. */
export const kindsOf = ({ where }: Pick<QrResource, 'where'>): readonly (typeof QR_KINDS)[number][] => QR_KINDS.filter(({ value }) => (where['target_kind'] ?? value) === value)

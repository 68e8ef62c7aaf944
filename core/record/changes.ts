import { regionNameKey } from '../field/region.ts'
import { displayKey } from '../field/reference.ts'
import type { FieldWords } from '../resource/field-words.ts'

type Values = Readonly<Record<string, unknown>>

/** One field of a logged change. */
export interface FieldChange {
  key: string
  label: string
  /** Absent for values that no definition describes. */
  field: FieldWords | undefined
}

/** What values are called that belong to an action and not to a record. */
const EXTRA_LABELS: Readonly<Record<string, string>> = {
  modules: '功能权限', scopes: '数据范围', field: '查看的字段', query: '筛选条件', columns: '列', format: '格式', plain: '明文', rows: '条数', totp: '两步验证', second_factor: '两步验证要求', passkeys: '通行密钥', record_file: '文件',
}

/** Fields of a change in the order of the definition. What stayed the same is left out; names beside ids are no fields of their own. */
export function changedFields(fields: Readonly<Record<string, FieldWords>>, before: Values | null, after: Values | null): FieldChange[] {
  const keys = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])
  const names = new Set([...keys].flatMap((key) => (key in fields ? [displayKey(key), regionNameKey(key)] : [])).filter((key) => !(key in fields)))
  const place = new Map(Object.keys(fields).map((key, index) => [key, index]))
  const order = (key: string) => place.get(key) ?? place.size
  const stayed = (key: string) => before !== null && after !== null && JSON.stringify(before[key] ?? null) === JSON.stringify(after[key] ?? null)
  return [...keys].filter((key) => !names.has(key) && !stayed(key)).sort((a, b) => order(a) - order(b))
    .map((key) => ({ key, label: fields[key]?.label ?? EXTRA_LABELS[key] ?? key, field: fields[key] }))
}

/** What a list gained and lost. */
export function listDifference(before: unknown, after: unknown): { added: unknown[]; removed: unknown[] } {
  const [old, now] = [[before ?? []].flat(), [after ?? []].flat()]
  return { added: now.filter((item) => !old.includes(item)), removed: old.filter((item) => !now.includes(item)) }
}

/** A value that no definition describes, as text. */
export function plainText(value: unknown): string {
  if (value === null || value === undefined || value === '') return '—'
  if (typeof value === 'boolean') return value ? '是' : '否'
  if (Array.isArray(value)) return value.length === 0 ? '—' : value.map(plainText).join('、')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

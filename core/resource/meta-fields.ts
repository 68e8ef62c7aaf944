import { computed } from '../field/json.ts'
import { number } from '../field/number.ts'
import { time } from '../field/time.ts'
import type { AnyField } from '../field/any-field.ts'
import type { Resource } from './define.ts'

/** Columns that every record has, as fields for lists, filters and exports. */
export const metaFields: Readonly<Record<string, AnyField>> = {
  id: number('编号', { required: true, readonly: true, grouped: false }),
  created_at: time('创建时间', { required: true, readonly: true }),
  created_by: number('创建人', { readonly: true, grouped: false }),
  created_by_name: computed('创建人', 'text'),
  updated_at: time('更新时间', { required: true, readonly: true }),
  updated_by_name: computed('更新人', 'text'),
  record_files: computed('文件', 'text'),
  deleted_at: time('删除时间', { readonly: true }),
}

/** A field of the resource or one that every record has. */
export function fieldOf(resource: Pick<Resource, 'fields'>, key: string): AnyField {
  const field = resource.fields[key] ?? metaFields[key]
  if (!field) throw new Error(`no field ${key}`)
  return field
}

/** Whether lists, drawers and exports can show a field: structures have editors of their own, and of a segment records have no value. */
export const hasValue = (field: Pick<AnyField, 'unlisted'>): boolean => !field.unlisted

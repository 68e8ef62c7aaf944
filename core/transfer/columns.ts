import type { Resource } from '../resource/define.ts'
import { uniqueGroups } from '../resource/unique.ts'
import { metaFields } from '../resource/meta-fields.ts'
import { writableKeys } from '../resource/rules.ts'

type Values = Readonly<Record<string, unknown>>

/** Columns that an export may hold: those of the list first, then every other. */
export function exportKeys(resource: Resource): string[] {
  return [...new Set([...resource.list.columns, ...Object.keys(resource.fields), ...Object.keys(metaFields)])]
    .filter((key) => key !== 'created_by' && key !== 'deleted_at' && (resource.audit || key !== 'record_files'))
}

/**
 * Columns of a sheet that can be imported: what the definition names, and what a new record cannot do without.
 * @param fixed values that all rows share; they need no column
 */
export function importKeys(resource: Resource, fixed: Values = {}): string[] {
  const named = resource.import?.columns ?? []
  const needed = writableKeys(resource).filter((key) => {
    const field = resource.fields[key]
    return field?.required && field.initial === undefined && !named.includes(key)
  })
  return [...needed, ...named].filter((key) => !(key in fixed))
}

/**
 * Fields that say which record a row means: the import's key, completed to the group of fields that is unique. A mobile
 * that is unique within a school means another student in each school.
 */
export function matchKey(resource: Resource): readonly string[] {
  const key = resource.import?.key ?? []
  const groups = uniqueGroups(resource).filter((group) => key.every((part) => group.includes(part)))
  const alone = key.some((part) => resource.fields[part]?.unique)
  return alone ? key : (groups.toSorted((a, b) => a.length - b.length)[0] ?? key)
}

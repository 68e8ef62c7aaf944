import type { Resource } from './define.ts'

/** Groups of fields that no two living records of a resource share. */
export function uniqueGroups(resource: Pick<Resource, 'fields' | 'unique'>): (readonly string[])[] {
  return [...Object.keys(resource.fields).filter((key) => resource.fields[key]?.unique).map((key) => [key]), ...resource.unique]
}

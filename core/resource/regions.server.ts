import { isRegion, regionName } from '../field/region.server.ts'
import { isRegionField, regionNameKey } from '../field/region.ts'
import type { Staff } from '../grant/staff.server.ts'
import type { Resource } from './define.ts'
import type { WireRow } from './endpoints.ts'
import { present, type Row } from './list.server.ts'
import { keysWith } from './memo.ts'
import { checkRecord } from './rules.ts'

const regions = keysWith(isRegionField)

/**
 * Checks a record as `checkRecord` does, and whether its regions are in the tree, which the browser does not carry.
 * @param stored records whose values were good when they were saved
 */
export function checkSent(
  resource: Resource, sent: Readonly<Record<string, unknown>>, partial: boolean, stored: readonly Readonly<Record<string, unknown>>[] = [],
): { values: Record<string, unknown>; errors: Record<string, string> } {
  const { values, errors } = checkRecord(resource, sent, partial, stored)
  for (const key of regions(resource)) {
    const code = values[key]
    if (typeof code !== 'string' || isRegion(code) || stored.some((record) => record[key] === code)) continue
    errors[key] = `${resource.fields[key]?.label ?? ''}「${code}」不存在，请重新选择`
  }
  return { values, errors }
}

/** A row as it goes over the wire: hidden values masked, regions named, what this person can do with it. */
export function showRow<R extends Resource>(resource: R, staff: Staff, row: Row): WireRow<R> {
  return present(resource, staff, row, (shown) => {
    for (const key of regions(resource)) {
      const code = shown[key]
      if (typeof code === 'string') shown[regionNameKey(key)] = regionName(code)
    }
  })
}

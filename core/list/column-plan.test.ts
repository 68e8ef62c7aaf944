import { expect, test } from 'vitest'
import { findResources } from '../module/schema.server.ts'
import { widthOf } from '../field/width.ts'
import { fieldOf } from '../resource/meta-fields.ts'
import { statusKey } from '../resource/status.ts'
import { ACTIONS_WIDTH, defaultColumns, identityKey, IDENTITY_WIDTH, SELECT_WIDTH } from './column-plan.ts'

const resources = await findResources()

test.each(resources)('the list of $name fits 1440 px beside the open menu and begins with what names a record and where it stands', (resource) => {
  const columns = defaultColumns(resource)
  expect(columns[0]).toBe(identityKey(resource))
  expect(columns.length).toBeLessThanOrEqual(8)
  const width = columns.slice(1).reduce((sum, key) => sum + widthOf(fieldOf(resource, key)), SELECT_WIDTH + ACTIONS_WIDTH + IDENTITY_WIDTH)
  expect(width).toBeLessThanOrEqual(1440 - 210)
  const status = statusKey(resource)
  if (status !== undefined && !(status in resource.where)) expect(columns).toContain(status)
})

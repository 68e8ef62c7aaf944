import { expect, test } from 'vitest'
import { formatAuditQuery, parseAuditQuery } from './audit-query.ts'

test('an address gives the filters back that wrote it', () => {
  const query = { staff_id: '3', entity: ['partner', 'staff'], action: ['update'], entity_id: '', start_time: '1700000000', end_time: '' }
  expect(formatAuditQuery(query).toString()).toBe('staff_id=3&entity=partner&entity=staff&action=update&start_time=1700000000')
  expect(parseAuditQuery(formatAuditQuery(query))).toEqual(query)
})

test('what is no number does not reach the server', () => {
  expect(parseAuditQuery(new URLSearchParams('staff_id=abc&entity_id=-4&start_time=1e9'))).toMatchObject({ staff_id: '', entity_id: '', start_time: '' })
})

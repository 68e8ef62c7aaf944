import type { QueryClient } from '@tanstack/react-query'
import type { Resource } from '../resource/define.ts'
import type { WireRow } from '../resource/endpoints.ts'

/** Shows a record's new values wherever it is shown by now: in the pages of its list and in the drawer. */
export function showValues(client: QueryClient, resource: Resource, id: number, values: Readonly<Record<string, unknown>>): void {
  const { items } = resource.api.reply
  client.setQueriesData<Record<string, unknown>>({ queryKey: ['list', resource.name] }, (page) => {
    const rows = page?.[items] as WireRow[] | undefined
    return page && rows ? { ...page, [items]: rows.map((one) => (one.id === id ? { ...one, ...values } : one)) } : page
  })
  client.setQueryData<WireRow>(['record', resource.name, id], (one) => one && { ...one, ...values })
}

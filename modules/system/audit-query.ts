/** What the log is narrowed to, as texts, the way it stands in the address. */
export interface AuditQuery {
  staff_id: string
  entity: string[]
  action: string[]
  entity_id: string
  start_time: string
  end_time: string
}

/** Reads the filters from the address; what is no number where one is needed is left out. */
export function parseAuditQuery(search: URLSearchParams): AuditQuery {
  const digits = (key: string) => /^\d{1,15}$/.exec(search.get(key) ?? '')?.[0] ?? ''
  return {
    staff_id: digits('staff_id'), entity: search.getAll('entity'), action: search.getAll('action'),
    entity_id: digits('entity_id'), start_time: digits('start_time'), end_time: digits('end_time'),
  }
}

/** Writes the filters into an address; what is empty is left out. */
export function formatAuditQuery(query: AuditQuery): URLSearchParams {
  const search = new URLSearchParams()
  for (const [key, value] of Object.entries(query) as [string, string | string[]][]) {
    for (const one of [value].flat()) if (one !== '') search.append(key, one)
  }
  return search
}

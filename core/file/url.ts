const BASE = '/daoyuan/api/end/files/'

/** Address that serves a stored file. */
export const fileUrl = (id: string) => `/daoyuan/api/end/files/${id}`

/** Form of a file's id. */
export const FILE_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** Ids of all files whose addresses stand somewhere in a text, each once. */
export function fileIdsIn(text: string): string[] {
  const found = text.matchAll(new RegExp(`${BASE}([0-9a-f-]{36})(?![0-9a-f-])`, 'g'))
  return [...new Set([...found].map((match) => match[1] ?? ''))].filter((id) => FILE_ID.test(id))
}

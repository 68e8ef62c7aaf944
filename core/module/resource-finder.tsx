import { request } from '../endpoint/call.tsx'
import type { Resource } from '../resource/define.ts'
import type { WireRow } from '../resource/endpoints.ts'
import { takesWords, type RecordFinder, type WORDS } from './find.ts'

/** Records of one kind that are shown; a person who needs more opens the list. */
const SHOWN = 5

/**
 * Finds records of a resource by the keyword search of its list, and opens them on its screen.
 * @param screen path of the list, which is also what has to be granted
 * @param kinds what people type to find one
 * @param notes fields that tell two of the same name apart
 */
export function resourceFinder(screen: string, label: string, load: () => Promise<Resource>, kinds: readonly (keyof typeof WORDS)[], notes: readonly string[] = []): RecordFinder {
  return {
    label,
    screen,
    takes: takesWords(...kinds),
    async find(words, signal) {
      const { api, title } = await load()
      const answer = await request<Record<string, unknown>>('GET', api.list, { keyword: words, page_size: SHOWN }, { signal, quiet: true })
      const rows = (answer[api.reply.items] ?? []) as WireRow[]
      return rows.map((row) => ({
        id: row.id, title: String(row[title] ?? row.id), note: notes.map((key) => row[key]).filter(Boolean).join(' · ') || undefined, to: `${screen}?open=${row.id}`,
      }))
    },
  }
}

import { call } from '../../../core/endpoint/call.tsx'
import type { FoundRecord } from '../../../core/module/find.ts'
import { searchPractices } from './calls.ts'
import { editorPath, type Pool } from './practice.ts'

/** The question of a number in one bank, for the command palette; it opens in the editor of its stage. */
export async function findPractice(pool: Pool, level: 0 | 1 | 2, no: string, signal: AbortSignal): Promise<FoundRecord[]> {
  const { items } = await call(searchPractices, { pool, level, keyword: no, page_size: 5 }, { signal, quiet: true })
  return items.filter((card) => card.no === no.toUpperCase()).map(({ id, subject_name, category_name }) => ({
    id, title: no.toUpperCase(), note: [subject_name, category_name].filter(Boolean).join(' · '), to: editorPath(level, pool, id),
  }))
}

import * as z from 'zod/mini'
import { defineEndpoint } from '../../../core/endpoint/define.ts'
import { actionId } from '../../../core/grant/grant.ts'
import { screenId } from '../../screens.ts'

const id = z.string('编号有误').check(z.regex(/^\d{1,15}$/, '编号有误'))
const bodyId = z.int('编号有误').check(z.positive('编号有误'))

/** A version of the textbooks of a subject, with its books. */
export interface VersionInfo {
  id: number
  version: string
  cat_id: number
  partworks: { id: number; name: string; grade: number | null; term: number | null; edition_year: number | null }[]
}

/** spec 7: this call alone answers `data`, and without `msg` (domain 0.1). */
export const versionInfo = defineEndpoint<{ data: VersionInfo[] }>()({
  method: 'GET', path: '/micro_material/api/end/teaching_material/version_info', summary: '教材版本和册别', grant: 'staff', input: z.object({ cat_id: z.optional(id) }),
})

/** A chapter as trees show it. */
export interface Catalog {
  id: number
  rev: number
  pid: number | null
  partwork_id: number
  name: string
  depth: number
  sort: number
  page: number | null
  has_children: boolean
  label_count: number
  practice_count: number
}

/** spec 7. Chapters below `pid`; the top chapters of a book without it. */
export const catalogs = defineEndpoint<{ catalogs: Catalog[] }>()({
  method: 'GET', path: '/daoyuan/api/end/catalogs', summary: '教材章节', grant: 'staff', input: z.object({ pid: z.optional(id), partwork_id: z.optional(id) }),
})

/** A chapter with the way to it: version, book, chapters above. */
export interface NamedChapter {
  id: number
  name: string
  above: string[]
}

/** Chapters by their ids. */
export const selectCatalogs = defineEndpoint<{ catalogs: NamedChapter[] }>()({
  method: 'GET', path: '/daoyuan/api/end/select_catalogs', summary: '已选章节', grant: 'staff',
  input: z.object({ ids: z.optional(z.union([id, z.array(id).check(z.maxLength(500, '最多 500 个'))], '编号有误')) }),
})

const SCREEN = screenId('/practice/ebook-catalogue-label')
const EDIT = [actionId(SCREEN, 1)]

export const moveChapter = defineEndpoint<Record<string, never>>()({
  method: 'POST', path: '/daoyuan/api/end/chapters/{id}/move', summary: '移动章节', grant: EDIT,
  input: z.object({ parent_id: z.nullable(bodyId), before_id: z.optional(bodyId) }),
})

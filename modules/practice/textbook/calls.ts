import * as z from 'zod/mini'
import { defineEndpoint } from '../../../core/endpoint/define.ts'
import { standardId } from '../../../core/grant/grant.ts'
import { screenId } from '../../screens.ts'
import type { NamedLabel } from '../label/calls.ts'

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
const EDIT = [standardId(SCREEN, 'edit')]

/** A chapter with its labels, and labels that its name suggests. */
export const chapterLabels = defineEndpoint<{ catalog: Catalog; above: { id: number; name: string }[]; labels: NamedLabel[]; suggested: NamedLabel[] }>()({
  method: 'GET', path: '/daoyuan/api/end/chapters/{id}/labels', summary: '章节对应的知识点', grant: [SCREEN],
})

/** domain 1.11. Puts other labels in the place of those that a chapter teaches. */
export const saveChapterLabels = defineEndpoint<{ labels: NamedLabel[] }>()({
  method: 'PUT', path: '/daoyuan/api/end/chapters/{id}/labels', summary: '修改章节对应的知识点', grant: EDIT,
  input: z.object({ label_ids: z.array(bodyId, '标签有误').check(z.maxLength(50, '最多 50 个知识点')) }),
})

/** A chapter that no label has been given, with what its name suggests. */
export interface Unmapped {
  id: number
  name: string
  above: string[]
  suggested: NamedLabel[]
}

/** domain 1.11: 未映射: the last chapters of a book without a label. */
export const unmappedChapters = defineEndpoint<{ items: Unmapped[]; total: number }>()({
  method: 'GET', path: '/daoyuan/api/end/unmapped_chapters', summary: '未对应知识点的章节', grant: [SCREEN], input: z.object({ partwork_id: id }),
})

/** Adds labels to several chapters at once: suggestions that a person has looked at. */
export const mapChapters = defineEndpoint<{ count: number }>()({
  method: 'POST', path: '/daoyuan/api/end/chapter_labels', summary: '批量对应知识点', back: { instead: '对应错了，在章节里取消对应' }, grant: EDIT,
  input: z.object({ pairs: z.array(z.object({ chapter_id: bodyId, label_id: bodyId }), '请选择章节和知识点').check(z.minLength(1, '请选择章节和知识点'), z.maxLength(500, '一次最多 500 个')) }),
})

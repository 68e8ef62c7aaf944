/** What becomes of the chapters and kinds that a file names: found by their names, or said. */
import { sql } from 'drizzle-orm'
import type { Queryable } from '../../../core/database/database.server.ts'
import type { Question } from '../content/question.ts'
import { plainName } from './labels.server.ts'

interface Known {
  id: number
  subject_id: number
  partwork_id: number
  name: string
  /** Of the book and everything above. */
  above: string[]
}

export interface NameFinder {
  /** The chapter that a way of names means; null when there is none, or several. */
  chapter: (subjectId: number, path: readonly string[]) => number | null
  category: (subjectId: number, question: Question) => number | null
}

/** Number and spaces before the name: 第一章 函数, 1.2 集合. */
const bare = (name: string) => plainName(name).replace(/^(?:第[一二三四五六七八九十\d]+[章节单元课]|\d+(?:\.\d+)*|§\d*)/, '')

/** Finds chapters and kinds of subjects by the names that files have for them. */
export async function nameFinder(db: Queryable, subjectIds: readonly number[]): Promise<NameFinder> {
  const all = sql`${sql.param([...subjectIds])}::bigint[]`
  const chapters = await db.query<Known>(sql`with recursive up as (
      select c.id, c.id as at, c.parent_id, c.name, c.partwork_id, c.subject_id, '{}'::text[] as above from chapter c where c.subject_id = any(${all}) and c.deleted_at is null
      union all select up.id, p.id, p.parent_id, up.name, up.partwork_id, up.subject_id, up.above || p.name::text from up join chapter p on p.id = up.parent_id
    ) select up.id, up.subject_id, up.partwork_id, up.name, up.above || b.name::text as above from up join partwork b on b.id = up.partwork_id and b.deleted_at is null where up.parent_id is null`)
  const categories = await db.query<{ id: number; key: string }>(sql`select id, subject_id || '/' || type || '/' || name as key from practice_category where subject_id = any(${all}) and deleted_at is null`)
  const byName = Map.groupBy(chapters, (one) => `${one.subject_id} ${bare(one.name)}`)
  const kinds = new Map(categories.map(({ id, key }) => [key, id]))
  return {
    chapter(subjectId, path) {
      const found = byName.get(`${subjectId} ${bare(path.at(-1) ?? '')}`) ?? []
      const above = path.slice(0, -1).map(bare)
      const ranked = found.map((one) => ({ id: one.id, shared: one.above.filter((name) => above.includes(bare(name))).length })).sort((a, b) => b.shared - a.shared)
      return (ranked[0]?.shared ?? -1) > (ranked[1]?.shared ?? -1) ? (ranked[0]?.id ?? null) : null
    },
    category: (subjectId, { category, type }) => (category ? (kinds.get(`${subjectId}/${type}/${category}`) ?? null) : null),
  }
}

/** Names shown in one sentence. */
const SHOWN = 6
const some = (names: ReadonlySet<string>) => `${[...names].slice(0, SHOWN).join('、')}${names.size > SHOWN ? ' 等' : ''}`

/** What of the chapters and kinds of questions is not written, in sentences; none when everything has its place. */
export function unplaced(items: readonly { question: Question | null; subject_id: number | null }[], find: NameFinder): string[] {
  const [chapters, kinds] = [new Set<string>(), new Set<string>()]
  for (const { question, subject_id } of items) {
    if (!question || subject_id === null) continue
    for (const path of question.chapters) if (find.chapter(subject_id, path) === null) chapters.add(path.at(-1) ?? '')
    if (question.category && find.category(subject_id, question) === null) kinds.add(question.category)
  }
  return [
    ...(chapters.size > 0 ? [`${chapters.size} 个章节在教材目录中没有，或有几个同名，入库时不写：${some(chapters)}`] : []),
    ...(kinds.size > 0 ? [`${kinds.size} 种题型不是本学科的题型，题上保留名称，按题型筛选时找不到：${some(kinds)}`] : []),
  ]
}

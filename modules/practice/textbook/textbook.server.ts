import { sql, type SQL } from 'drizzle-orm'
import type { Queryable } from '../../../core/database/database.server.ts'
import { handle, idParam, type Served } from '../../../core/endpoint/serve.server.ts'
import { invalid, notFound } from '../../../core/error/error.ts'
import type { Staff } from '../../../core/grant/staff.server.ts'
import { serve } from '../../../core/resource/serve.server.ts'
import { setDerived } from '../../../core/resource/touch.server.ts'
import { BELOW_ITSELF, lockTree } from '../../../core/resource/tree.server.ts'
import { scopeCondition } from '../../../core/resource/where.server.ts'
import { catalogs, moveChapter, selectCatalogs, versionInfo, type Catalog, type NamedChapter, type VersionInfo } from './calls.ts'
import { chapter, materialVersion, MAX_CHAPTER_DEPTH, partwork } from './textbook.ts'

const versions = serve(materialVersion)({
  computed: { partwork_cnt: sql`select count(*)::int from partwork x where x.version_id = t.id and x.deleted_at is null` },
  async after({ tx, row, saved }) {
    if (row && row.subject_id !== saved.subject_id) {
      await setDerived(tx, partwork, { subject_id: saved.subject_id }, sql`t.version_id = ${saved.id}`)
      await setDerived(tx, chapter, { subject_id: saved.subject_id }, sql`t.partwork_id in (select id from partwork where version_id = ${saved.id})`)
    }
  },
})

/** The subject of a record above, which a record below shares. */
async function subjectOf(tx: Queryable, table: 'material_version' | 'partwork', id: number): Promise<number | null> {
  const [row] = await tx.query<{ subject_id: number | null }>(sql`select subject_id from ${sql.identifier(table)} where id = ${id}`)
  return row?.subject_id ?? null
}

const partworks = serve(partwork)({
  computed: { chapter_cnt: sql`select count(*)::int from chapter x where x.partwork_id = t.id and x.deleted_at is null` },
  async before({ tx, values }) {
    if (values.version_id !== undefined) Object.assign(values, { subject_id: await subjectOf(tx, 'material_version', values.version_id) })
  },
  async beforeImport({ tx, rows }) {
    const above = await tx.query<{ id: number; subject_id: number }>(sql`select id, subject_id from material_version where id = any(${sql.param(rows.flatMap(({ values }) => values.version_id ?? []))}::bigint[])`)
    for (const { values } of rows) Object.assign(values, { subject_id: above.find(({ id }) => id === values.version_id)?.subject_id ?? null })
  },
  async after({ tx, row, saved }) {
    if (row && row.version_id !== saved.version_id) await setDerived(tx, chapter, { subject_id: saved.subject_id }, sql`t.partwork_id = ${saved.id}`)
  },
})

interface ChapterRow {
  id: number
  partwork_id: number
  parent_id: number | null
  path: string
  depth: number
  name: string
}

/** domain 1.19: names are unique inside their parent. */
async function refuseSameChapter(tx: Queryable, at: { id: number; partwork_id: number; parent_id: number | null; name: string }): Promise<void> {
  const [same] = await tx.query(sql`select 1 from chapter where partwork_id = ${at.partwork_id} and parent_id is not distinct from ${at.parent_id} and name = ${at.name} and id <> ${at.id} and deleted_at is null`)
  if (same) throw invalid({ name: '同级下已存在同名项' })
}

const chapters = serve(chapter)({
  async before({ tx, values, row }) {
    const partwork_id = row?.partwork_id ?? Number(values.partwork_id)
    const parent_id = row ? row.parent_id : values.parent_id ?? null
    if (!row) {
      Object.assign(values, { subject_id: await subjectOf(tx, 'partwork', partwork_id) })
      if (parent_id !== null) {
        const [above] = await tx.query<ChapterRow>(sql`select * from chapter where id = ${parent_id}`)
        if (above?.partwork_id !== partwork_id) throw invalid({ parent_id: '上级应为同一册教材的章节' })
        if (above.depth + 1 >= MAX_CHAPTER_DEPTH) throw invalid({ parent_id: `最多 ${MAX_CHAPTER_DEPTH} 级` })
        Object.assign(values, { path: `${above.path}${above.id}/`, depth: above.depth + 1 })
      }
    }
    if (values.name !== undefined) await refuseSameChapter(tx, { id: row?.id ?? 0, partwork_id, parent_id, name: values.name })
  },
})

export const textbookServices = [versions, partworks, chapters]

/** What limits the chapters that a person sees. */
const reach = (staff: Staff) => scopeCondition(chapter, staff) ?? sql`true`

/** Names chapters, in the order of the ids. */
export function nameChapters(db: Queryable, ids: readonly number[]): Promise<NamedChapter[]> {
  return db.query<NamedChapter>(sql`select c.id, c.name, array[v.name, p.name] || array(select a.name from unnest(string_to_array(trim(both '/' from c.path), '/')) with ordinality w(id, place)
      join chapter a on a.id = nullif(w.id, '')::bigint order by w.place) as above
    from unnest(${sql.param([...ids])}::bigint[]) with ordinality u(id, place) join chapter c on c.id = u.id join partwork p on p.id = c.partwork_id join material_version v on v.id = p.version_id
    where c.deleted_at is null order by u.place`)
}

/** Living chapters that a condition on the bare table leaves, as trees show them. */
export const catalogRows = (where: SQL): SQL => sql`select c.id, c.rev, c.parent_id as pid, c.partwork_id, c.name, c.depth::int as depth, c.sort::int as sort, c.page::int as page,
  exists (select 1 from chapter x where x.parent_id = c.id and x.deleted_at is null) as has_children,
  (select count(*)::int from label_chapter l where l.chapter_id = c.id) as label_count,
  (select count(*)::int from practice_chapter pc where pc.chapter_id in (select b.id from chapter b where b.partwork_id = c.partwork_id and (b.id = c.id or b.path like c.path || c.id || '/%'))) as practice_count
  from (select * from chapter where deleted_at is null and ${where}) c order by c.sort, c.id`

/** The calls of textbooks, answered. */
export function textbookCalls(): Served[] {
  return [
    handle(versionInfo, async (call) => {
      const subject = call.input.cat_id === undefined ? sql`` : sql` and subject_id = ${Number(call.input.cat_id)}`
      const data = await call.db.query<VersionInfo>(sql`select v.id, v.name as version, v.subject_id as cat_id,
        coalesce((select jsonb_agg(jsonb_build_object('id', p.id, 'name', p.name, 'grade', p.grade, 'term', p.term, 'edition_year', p.edition_year) order by p.sort, p.id)
          from partwork p where p.version_id = v.id and p.deleted_at is null and p.status = 1), '[]') as partworks
        from (select * from material_version where deleted_at is null and status = 1 and ${reach(call.staff)}${subject}) v order by v.subject_id, v.sort, v.id`)
      return { data }
    }),
    handle(catalogs, async (call) => {
      const { pid, partwork_id } = call.input
      if (pid === undefined && partwork_id === undefined) return { catalogs: [] }
      const where = pid === undefined ? sql`partwork_id = ${Number(partwork_id)} and parent_id is null` : sql`parent_id = ${Number(pid)}`
      return {
        catalogs: await call.db.query<Catalog>(catalogRows(sql`${where} and ${reach(call.staff)}`)),
      }
    }),
    handle(selectCatalogs, async (call) => ({ catalogs: await nameChapters(call.db, [call.input.ids ?? []].flat().map(Number)) })),
    handle(moveChapter, async (call) => {
      const { parent_id, before_id } = call.input
      return call.transaction(async (tx) => {
        await lockTree(tx, chapter.table)
        const find = async (id: number) => {
          const [row] = await tx.query<ChapterRow>(sql`select * from chapter where id = ${id} and deleted_at is null and ${reach(call.staff)} for no key update`)
          if (!row) throw notFound('章节')
          return row
        }
        const moved = await find(idParam(call))
        const parent = parent_id === null ? null : await find(parent_id)
        if (parent && parent.partwork_id !== moved.partwork_id) throw invalid({ parent_id: '只能移动到同一册教材的章节下' })
        const own = `${moved.path}${moved.id}/`
        if (parent && (parent.id === moved.id || `${parent.path}${parent.id}/`.startsWith(own))) throw invalid({ parent_id: BELOW_ITSELF })
        const [path, depth] = parent ? [`${parent.path}${parent.id}/`, parent.depth + 1] : ['/', 0]
        if (parent?.id !== moved.parent_id) {
          await refuseSameChapter(tx, { ...moved, parent_id: parent?.id ?? null })
          const [deepest] = await tx.query<{ depth: number }>(sql`select max(depth)::int as depth from chapter where (id = ${moved.id} or path like ${`${own}%`}) and deleted_at is null`)
          if ((deepest?.depth ?? moved.depth) - moved.depth + depth >= MAX_CHAPTER_DEPTH) throw invalid({ parent_id: `移动后超过 ${MAX_CHAPTER_DEPTH} 级` })
          await tx.query(sql`update chapter set path = ${`${path}${moved.id}/`} || substr(path, ${own.length + 1}::int), depth = depth + ${depth - moved.depth} where path like ${`${own}%`}`)
          await tx.query(sql`update chapter set parent_id = ${parent?.id ?? null}, path = ${path}, depth = ${depth}, rev = rev + 1, updated_at = now(), updated_by = ${call.staff.id} where id = ${moved.id}`)
        }
        const siblings = (await tx.query<{ id: number }>(sql`select id from chapter where partwork_id = ${moved.partwork_id} and parent_id is not distinct from ${parent?.id ?? null} and deleted_at is null and id <> ${moved.id} order by sort, id`)).map(({ id }) => id)
        const place = before_id === undefined ? -1 : siblings.indexOf(before_id)
        siblings.splice(place < 0 ? siblings.length : place, 0, moved.id)
        await tx.query(sql`update chapter set sort = u.place * 10 from unnest(${sql.param(siblings)}::bigint[]) with ordinality u(id, place) where chapter.id = u.id and chapter.sort is distinct from u.place * 10`)
        return {}
      }, { action: 'move' })
    }),
  ]
}

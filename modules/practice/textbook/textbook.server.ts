import { sql, type SQL } from 'drizzle-orm'
import type { Queryable } from '../../../core/database/database.server.ts'
import { handle, type Served } from '../../../core/endpoint/serve.server.ts'
import type { Staff } from '../../../core/grant/staff.server.ts'
import { serve } from '../../../core/resource/serve.server.ts'
import { setDerived } from '../../../core/resource/touch.server.ts'
import { scopeCondition } from '../../../core/resource/where.server.ts'
import { isBelowRow } from '../../../core/resource/tree-place.server.ts'
import { catalogs, selectCatalogs, versionInfo, type Catalog, type NamedChapter, type VersionInfo } from './calls.ts'
import { chapter, materialVersion, partwork } from './textbook.ts'

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

const chapters = serve(chapter)({
  computed: {
    label_count: sql`select count(*)::int from label_chapter l where l.chapter_id = t.id`,
    practice_count: sql`select count(*)::int from practice_chapter pc where pc.chapter_id in (select b.id from chapter b where b.id = t.id or ${isBelowRow('b', 't')})`,
  },
  async before({ tx, values, row }) {
    if (!row) Object.assign(values, { subject_id: await subjectOf(tx, 'partwork', Number(values.partwork_id)) })
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

/** Living chapters that a condition on the bare table leaves, siblings all or none, as trees show them. */
export const catalogRows = (where: SQL): SQL => sql`select c.id, c.rev, c.parent_id as pid, c.partwork_id, c.name, c.depth::int as depth, (row_number() over (partition by c.partwork_id, c.parent_id order by c.ord, c.id) * 10)::int as sort, c.page::int as page,
  exists (select 1 from chapter x where x.parent_id = c.id and x.deleted_at is null) as has_children,
  (select count(*)::int from label_chapter l where l.chapter_id = c.id) as label_count,
  (select count(*)::int from practice_chapter pc where pc.chapter_id in (select b.id from chapter b where b.partwork_id = c.partwork_id and (b.id = c.id or ${isBelowRow('b', 'c')}))) as practice_count
  from (select * from chapter where deleted_at is null and ${where}) c order by c.ord, c.id`

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
  ]
}

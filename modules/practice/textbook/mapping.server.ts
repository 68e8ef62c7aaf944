import { sql } from 'drizzle-orm'
import type { Queryable } from '../../../core/database/database.server.ts'
import { handle, idParam, type Call, type Served } from '../../../core/endpoint/serve.server.ts'
import { invalid, notFound } from '../../../core/error/error.ts'
import type { Staff } from '../../../core/grant/staff.server.ts'
import { scopeCondition } from '../../../core/resource/where.server.ts'
import { nameLabels, resolveLabels } from '../label/read.server.ts'
import { chapterLabels, mapChapters, saveChapterLabels, unmappedChapters, type Catalog } from './calls.ts'
import { suggest, type LabelCandidate } from './suggest.ts'
import { catalogRows } from './textbook.server.ts'
import { chapter } from './textbook.ts'

const reach = (staff: Staff) => scopeCondition(chapter, staff) ?? sql`true`

interface Found {
  id: number
  name: string
  subject_id: number
  partwork_id: number
  parent_id: number | null
  path: string
}

async function findChapter(db: Queryable, staff: Staff, id: number, lock = false): Promise<Found> {
  const [row] = await db.query<Found>(sql`select id, name, subject_id, partwork_id, parent_id, path from chapter where id = ${id} and deleted_at is null and ${reach(staff)}${lock ? sql` for no key update` : sql``}`)
  if (!row) throw notFound('章节')
  return row
}

async function findBook(call: Pick<Call, 'db' | 'staff'>, id: number): Promise<{ id: number; name: string; subject_id: number }> {
  const [book] = await call.db.query<{ id: number; name: string; subject_id: number }>(sql`select p.id, v.name || p.name as name, p.subject_id from (select * from partwork where id = ${id} and deleted_at is null and ${reach(call.staff)}) p join material_version v on v.id = p.version_id`)
  if (!book) throw notFound('册别')
  return book
}

/** Labels of knowledge of a subject that a chapter may be given. */
const candidatesOf = (db: Queryable, subjectId: number) => db.query<LabelCandidate>(sql`select id, name, coalesce(alias, '{}') as alias from label
  where kind = 'knowledge' and subject_id = ${subjectId} and parent_id is not null and deleted_at is null and merged_into is null and status = 1 order by depth, id`)

/** Labels as they are today, each once and all of the subject. */
async function readGiven(db: Queryable, subjectId: number, ids: readonly number[]): Promise<Map<number, number>> {
  const today = await resolveLabels(db, ids)
  const fitting = await db.query<{ id: number }>(sql`select id from label where id = any(${sql.param([...today.values()])}::bigint[]) and kind = 'knowledge' and subject_id = ${subjectId} and deleted_at is null`)
  if (ids.some((id) => !fitting.some((label) => label.id === today.get(id)))) throw invalid({ label_ids: '知识点不存在或不属于该学科，请重新选择' })
  return today
}

/** What chapters teach, answered. */
export function mappingCalls(): Served[] {
  return [
    handle(chapterLabels, async (call) => {
      const found = await findChapter(call.db, call.staff, idParam(call))
      const [[catalog], linked, candidates, above] = await Promise.all([
        call.db.query<Catalog>(sql`select * from (${catalogRows(sql`partwork_id = ${found.partwork_id} and parent_id is not distinct from ${found.parent_id}::bigint`)}) n where id = ${found.id}`),
        call.db.query<{ id: number }>(sql`select label_id as id from label_chapter where chapter_id = ${found.id} order by label_id`),
        candidatesOf(call.db, found.subject_id),
        call.db.query<{ id: number; name: string }>(sql`select a.id, a.name from unnest(string_to_array(trim(both '/' from ${found.path}), '/')) with ordinality u(id, place) join chapter a on a.id = nullif(u.id, '')::bigint order by u.place`),
      ])
      if (!catalog) throw notFound('章节')
      const ids = linked.map(({ id }) => id)
      const suggested = suggest(found.name, candidates.filter(({ id }) => !ids.includes(id))).map(({ id }) => id)
      return { catalog, above, labels: await nameLabels(call.db, ids), suggested: await nameLabels(call.db, suggested) }
    }),
    handle(saveChapterLabels, (call) => call.transaction(async (tx) => {
      const found = await findChapter(tx, call.staff, idParam(call), true)
      const today = await readGiven(tx, found.subject_id, call.input.label_ids)
      const ids = [...new Set(today.values())]
      const before = await tx.query<{ id: number }>(sql`delete from label_chapter where chapter_id = ${found.id} returning label_id as id`)
      await tx.query(sql`insert into label_chapter (label_id, chapter_id) select unnest(${sql.param(ids)}::bigint[]), ${found.id}`)
      await tx.query(sql`insert into audit_log (staff_id, ip, request_id, action, entity, entity_id, before, after)
        values (${call.staff.id}, ${call.ip}, ${call.requestId}, 'label', 'chapter', ${found.id}, ${JSON.stringify({ label_ids: before.map(({ id }) => id) })}::jsonb, ${JSON.stringify({ label_ids: ids })}::jsonb)`)
      return { labels: await nameLabels(tx, ids) }
    }, { action: 'label' })),
    handle(unmappedChapters, async (call) => {
      const book = await findBook(call, Number(call.input.partwork_id))
      const [rows, candidates] = await Promise.all([
        call.db.query<{ id: number; name: string; above: string[] }>(sql`select c.id, c.name, array(select a.name from unnest(string_to_array(trim(both '/' from c.path), '/')) with ordinality u(id, place) join chapter a on a.id = nullif(u.id, '')::bigint order by u.place) as above
          from chapter c where c.partwork_id = ${book.id} and c.deleted_at is null and not exists (select 1 from chapter x where x.parent_id = c.id and x.deleted_at is null)
          and not exists (select 1 from label_chapter l where l.chapter_id = c.id) order by c.path, c.ord, c.id limit 500`),
        candidatesOf(call.db, book.subject_id),
      ])
      const found = rows.map((row) => ({ ...row, ids: suggest(row.name, candidates).map(({ id }) => id) }))
      const named = new Map((await nameLabels(call.db, [...new Set(found.flatMap(({ ids }) => ids))])).map((label) => [label.id, label]))
      const items = found.map(({ ids, ...row }) => ({ ...row, suggested: ids.flatMap((id) => named.get(id) ?? []) }))
      return { items, total: items.length }
    }),
    handle(mapChapters, (call) => call.transaction(async (tx) => {
      const { pairs } = call.input
      const chapters = await tx.query<{ id: number; subject_id: number }>(sql`select id, subject_id from chapter where id = any(${sql.param(pairs.map(({ chapter_id }) => chapter_id))}::bigint[]) and deleted_at is null and ${reach(call.staff)} order by id for no key update`)
      if (pairs.some(({ chapter_id }) => !chapters.some(({ id }) => id === chapter_id))) throw notFound('章节')
      for (const subjectId of new Set(chapters.map(({ subject_id }) => subject_id))) {
        const own = pairs.filter(({ chapter_id }) => chapters.some(({ id, subject_id }) => id === chapter_id && subject_id === subjectId))
        const today = await readGiven(tx, subjectId, own.map(({ label_id }) => label_id))
        const links = own.map(({ chapter_id, label_id }) => ({ c: chapter_id, l: today.get(label_id) ?? label_id }))
        await tx.query(sql`insert into label_chapter (label_id, chapter_id) select l, c from jsonb_to_recordset(${JSON.stringify(links)}::jsonb) as r (l bigint, c bigint) on conflict do nothing`)
      }
      await tx.query(sql`insert into audit_log (staff_id, ip, request_id, action, entity, entity_id, after) select ${call.staff.id}, ${call.ip}, ${call.requestId}, 'label', 'chapter', (r.p->>'chapter_id')::bigint, jsonb_build_object('label_ids', jsonb_build_array(r.p->'label_id'))
        from jsonb_array_elements(${JSON.stringify(pairs)}::jsonb) r(p)`)
      return { count: pairs.length }
    }, { action: 'label' })),
  ]
}

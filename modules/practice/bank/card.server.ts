import { sql } from 'drizzle-orm'
import type { Queryable } from '../../../core/database/database.server.ts'
import type { Staff } from '../../../core/grant/staff.server.ts'
import { countUses } from '../compare/uses.server.ts'
import { heldActions } from './held.server.ts'
import type { PracticeCard } from './calls.ts'
import { abilitiesOf } from './state.ts'

/** Reads questions with text, names and labels, in the order of the ids. The caller has checked that the person may see them. */
export async function readCards(db: Queryable, staff: Staff, ids: readonly number[]): Promise<PracticeCard[]> {
  if (ids.length === 0) return []
  const rows = await db.query<Omit<PracticeCard, 'can'>>(sql`
    select p.id, p.rev, p.no, p.pool, p.level, p.subject_id, s.name as subject_name, p.type, p.category_id, c.name as category_name, p.difficulty, p.coef, p.score, p.source, p.source_paper,
      p.source_order::int as source_order, coalesce(p.source_years, '{}') as source_years, p.exam_region_id, p.exam_year::int as exam_year, p.gaokao_type, p.exercise_type, p.est_seconds::int as est_seconds, p.cognitive,
      coalesce(p.competence, '{}') as competence, coalesce(p.tags, '{}') as tags, p.copyright, coalesce(p.products, '{}') as products, p.video, coalesce(p.scans, '{}') as scans,
      p.has_image, p.has_formula, p.has_video, p.has_analysis, p.status, p.urgent, p.owner_id, o.name as owner_name, v1.name as verifier1_name, v2.name as verifier2_name, a.name as assignee_name,
      p.quality::int as quality, p.version_no::int as version_no, p.published_at, p.origin_id, p.use_count::int as use_count, p.created_at, p.updated_at, b.content,
      coalesce((select jsonb_agg(jsonb_build_object('id', l.id, 'name', l.name, 'kind', l.kind, 'main', pl.main) order by pl.main desc, l.kind, l.id) from practice_label pl join label l on l.id = pl.label_id where pl.practice_id = p.id), '[]') as labels,
      case when st.practice_id is null then null else jsonb_build_object('attempts', st.attempts, 'facility', st.facility, 'discrimination', st.discrimination, 'flags', st.flags) end as stat,
      (select count(*)::int from practice_report r where r.practice_id = p.id and r.status in (0, 1) and r.deleted_at is null) as report_count,
      ${countUses(sql`p.id`)}::int as ref_count,
      exists (select 1 from basket_item k where k.staff_id = ${staff.id} and k.practice_id = p.id) as in_basket
    from unnest(${sql.param([...ids])}::bigint[]) with ordinality u(id, place)
    join practice p on p.id = u.id
    join practice_body b on b.practice_id = p.id
    left join subject s on s.id = p.subject_id
    left join practice_category c on c.id = p.category_id
    left join staff o on o.id = p.owner_id
    left join staff v1 on v1.id = p.verifier1_id
    left join staff v2 on v2.id = p.verifier2_id
    left join staff a on a.id = p.assignee_id
    left join practice_stat st on st.practice_id = p.id
    order by u.place`)
  return rows.map((row) => ({ ...row, can: abilitiesOf(row, heldActions(staff, row)) }))
}

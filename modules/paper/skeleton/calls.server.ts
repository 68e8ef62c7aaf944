import { sql, type SQL } from 'drizzle-orm'
import { handle, idParam, type Served } from '../../../core/endpoint/serve.server.ts'
import { badRequest, notFound, notGranted } from '../../../core/error/error.ts'
import type { Staff } from '../../../core/grant/staff.server.ts'
import type { PaperBody } from '../compose/body.ts'
import { mayEdit } from '../content.server.ts'
import { placesOf } from '../kind.ts'
import { makePaper } from '../make.server.ts'
import { PAPERS, screenOfPaper } from '../paper.ts'
import { paperFromSkeleton, skeletonChoices, type SkeletonChoice } from './calls.ts'

interface Row {
  id: number
  name: string
  level: number
  subject_id: number
  year: number | null
  duration: number | null
  secret: string | null
  school: string | null
  logo: string | null
  marks: number | null
  notices: string | null
  sections: { part?: string; name: string; count: number; score: number; instruction?: string }[]
  status: number
}

/** Skeletons within a person's reach. */
const within = ({ scopes: { subject, level } }: Staff): SQL => sql.join([sql`s.deleted_at is null`,
  ...(subject ? [sql`s.subject_id = any(${sql.param([...subject])}::bigint[])`] : []), ...(level ? [sql`s.level = any(${sql.param([...level])}::int[])`] : [])], sql` and `)

/** A paper without questions, as a skeleton has it. */
function bodyOf({ secret, school, logo, marks, notices, sections }: Row): PaperBody {
  return {
    front: { secret: secret ?? '', school: school ?? '', logo, marks: marks === 1, notices: notices ?? '' },
    sections: sections.map(({ part, name, count, score, instruction }, index) => ({
      key: `k${index + 1}`, name, title: '', instruction: instruction ?? '', ...(part && { part }), wanted: count, each: score, items: [],
    })),
  }
}

/** The calls of skeletons beside those of their list, answered. */
export function skeletonCalls(): Served[] {
  return [
    handle(skeletonChoices, async (call) => ({
      items: await call.db.query<SkeletonChoice & Record<string, unknown>>(sql`select s.id, s.name, s.level, u.name as subject_name, s.region,
        (select coalesce(sum((one->>'count')::int), 0)::int from jsonb_array_elements(s.sections) one) as questions, (select coalesce(sum((one->>'count')::int * (one->>'score')::numeric), 0)::float8 from jsonb_array_elements(s.sections) one) as points
        from paper_skeleton s join subject u on u.id = s.subject_id where s.status = 1 and ${within(call.staff)}${call.input.level === undefined ? sql`` : sql` and s.level = ${Number(call.input.level)}`} order by s.level, s.subject_id, s.year desc nulls last, s.id limit 200`),
    })),
    handle(paperFromSkeleton, (call) => call.transaction(async (tx) => {
      const [row] = await tx.query<Row & Record<string, unknown>>(sql`select s.id, s.name, s.level, s.subject_id, s.year, s.duration, s.secret, s.school, s.logo, s.marks, s.notices, s.sections, s.status from paper_skeleton s where s.id = ${idParam(call)} and ${within(call.staff)}`)
      if (!row) throw notFound('试卷模板')
      if (row.status !== 1) throw badRequest(`模板「${row.name}」已停用`)
      const resource = PAPERS.base[row.level]
      if (!resource || !mayEdit(call.staff, { kind: 'base', level: row.level })) throw notGranted('试卷 · 新增和编辑')
      const id = await makePaper(tx, call.staff.id, resource, { name: call.input.name, subject_id: row.subject_id, level: row.level, ...(row.duration !== null && { duration: row.duration }) }, bodyOf(row))
      return { id, detail: placesOf(screenOfPaper({ kind: 'base', level: row.level }), id).detail }
    })),
  ]
}

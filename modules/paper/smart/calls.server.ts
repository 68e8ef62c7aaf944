import { randomInt } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { Queryable } from '../../../core/database/database.server.ts'
import { handle, idParam, type Served } from '../../../core/endpoint/serve.server.ts'
import { badRequest, invalid, notFound, notGranted } from '../../../core/error/error.ts'
import type { Staff } from '../../../core/grant/staff.server.ts'
import { touch } from '../../../core/resource/touch.server.ts'
import type { TableUse } from '../../../core/resource/uses.server.ts'
import { insertRow, lockRow } from '../../../core/resource/write.server.ts'
import { readCards } from '../../practice/door.server.ts'
import type { PaperBody } from '../compose/body.ts'
import { mayEdit } from '../content.server.ts'
import { makePaper } from '../make.server.ts'
import { PAPERS } from '../paper.ts'
import { addSmartMaterial, createSmart, pointFrequency, readSmart, removeSmartMaterial, smartMaterials, smartToPapers, trySmart, weakPoints, type PointFrequency, type SmartMaterial, type SmartOutcome, type WeakPoint } from './calls.ts'
import { feasibility } from './candidates.server.ts'
import { composePapers, type SmartVersion } from './compose.server.ts'
import { ruleSchema, type SmartRule } from './rule.ts'
import { smartPaper } from './smart-paper.ts'
import { subjectOf } from './subject.server.ts'

/** domain 3.8: with fewer answers a share says nothing. */
const ENOUGH = 30
/** So many points are offered to choose from. */
const WEAKEST = 20
const LETTERS = ['A', 'B', 'C', 'D', 'E']
const MATERIALS = { practice: { table: 'practice', title: 'no' }, paper: { table: 'paper', title: 'name' }, lesson: { table: 'micro_lesson', title: 'name' } } as const satisfies Record<SmartMaterial['kind'], { table: string; title: string }>

/** Smart papers that something goes with, as what needs it. */
export const materialOf = (kind: 'paper' | 'lesson'): Omit<TableUse, 'target'> => ({
  table: 'smart_material', label: '智能试卷', measure: '份',
  when: sql`r.kind = ${sql.raw(`'${kind}'`)} and r.ref_id = u.id and exists (select 1 from smart_paper p where p.id = r.smart_paper_id and p.deleted_at is null)`,
})

interface SmartRow {
  id: number
  name: string
  subject_id: number
  level: number
  seed: number
  rule: SmartRule
  result: SmartVersion[]
}

async function outcome(db: Queryable, staff: Staff, subjectId: number, rule: SmartRule): Promise<SmartOutcome> {
  const seed = rule.seed ?? randomInt(2 ** 31)
  const unmet = await feasibility(db, rule, subjectId)
  if (unmet.length > 0) return { seed, unmet, versions: [], practices: [] }
  const versions = await composePapers(db, rule, subjectId, seed).catch((error: unknown) => {
    throw error instanceof Error && error.message.includes('contradict') ? badRequest('锁定的试题与同知识点、同来源的上限冲突，请减少锁定或放宽上限') : error
  })
  return { seed, unmet, versions, practices: await practicesOf(db, staff, versions) }
}

/** How many years count as recent. */
const RECENT_YEARS = 3

/** How often each point, with all below it, was asked in the last years that the bank has sources of. */
async function frequencies(db: Queryable, subjectId: number, labels: readonly number[]): Promise<PointFrequency[]> {
  const official = sql`p.pool = 'official' and p.status = 4 and p.deleted_at is null and p.subject_id = ${subjectId}`
  const [last] = await db.query<{ year: number | null }>(sql`select max(y)::int as year from practice p, unnest(p.source_years) y where ${official} and p.source_paper is not null and y <= extract(year from now())`)
  const newest = last?.year ?? new Date().getFullYear()
  const years = Array.from({ length: RECENT_YEARS }, (_, index) => newest - index)
  const [names, rows] = await Promise.all([
    db.query<{ id: number; name: string }>(sql`select id, name from label where id = any(${sql.param([...labels])}::bigint[]) and deleted_at is null`),
    db.query<{ label_id: number; year: number; n: number }>(sql`select t.label_id, y::int as year, count(distinct p.id)::int as n from practice_label_tree t join practice p on p.id = t.practice_id cross join lateral unnest(p.source_years) y
      where t.pool = 'official' and t.label_id = any(${sql.param([...labels])}::bigint[]) and ${official} and p.source_paper is not null and y = any(${sql.param(years)}::bigint[]) group by 1, 2`),
  ])
  return names.map(({ id, name }) => ({ label_id: id, name, years: years.map((year) => ({ year, questions: rows.find((row) => row.label_id === id && row.year === year)?.n ?? 0 })) }))
}

const practicesOf = (db: Queryable, staff: Staff, versions: readonly SmartVersion[]) =>
  readCards(db, staff, [...new Set(versions.flatMap(({ chosen }) => chosen.flatMap(({ practice_id, replacements }) => [practice_id, ...replacements])))])

/** A smart paper within the person's reach. @throws AppError also when it has no result, as nothing composed it */
async function findSmart(db: Queryable, staff: Staff, id: number): Promise<SmartRow> {
  const row = await lockRow(db, smartPaper, staff, id)
  const rule = ruleSchema.safeParse(row.rule)
  if (!rule.success || !Array.isArray(row.result)) throw badRequest('该智能试卷没有结果，请重新组卷')
  return { id: row.id, name: row.name, subject_id: row.subject_id, level: row.level, seed: row.seed ?? 0, rule: rule.data, result: row.result }
}

/** The calls of smart papers, answered. */
export function smartCalls(): Served[] {
  return [
    handle(trySmart, async (call) => {
      const subject = await subjectOf(call.db, call.staff, call.input.subject_id ?? call.input.cat_id)
      return outcome(call.db, call.staff, subject.id, call.input.rule)
    }),
    handle(createSmart, (call) => call.transaction(async (tx) => {
      const { name, rule } = call.input
      const subject = await subjectOf(tx, call.staff, call.input.subject_id ?? call.input.cat_id)
      const { seed, unmet, versions } = await outcome(tx, call.staff, subject.id, rule)
      if (unmet.length > 0 || versions.some((version) => version.unmet.length > 0)) throw badRequest('题库中的试题不足，请先按提示放宽要求')
      const row = await insertRow(tx, smartPaper, call.staff.id, {
        name, subject_id: subject.id, level: subject.level, seed, rule: { ...rule, seed }, result: versions, version_count: versions.length,
        question_count: rule.sections.reduce((sum, { count }) => sum + count, 0), total_score: rule.sections.reduce((sum, { count, score }) => sum + count * score, 0),
      }, {})
      return { id: Number(row.id) }
    })),
    handle(readSmart, (call) => call.db.transaction({ staff_id: call.staff.id }, async (tx) => {
      const { id, name, subject_id, rule, seed, result } = await findSmart(tx, call.staff, idParam(call))
      return { id, name, subject_id, rule, seed, unmet: [], versions: result, practices: await practicesOf(tx, call.staff, result) }
    })),
    handle(smartToPapers, (call) => call.transaction(async (tx) => {
      const smart = await findSmart(tx, call.staff, idParam(call))
      const resource = PAPERS.base[smart.level]
      if (!resource || !mayEdit(call.staff, { kind: 'base', level: smart.level })) throw notGranted('试卷 · 新增和编辑')
      const papers = []
      for (const [index, version] of smart.result.entries()) {
        const name = smart.result.length === 1 ? smart.name : `${smart.name}（${LETTERS[index] ?? index + 1}卷）`
        const id = await makePaper(tx, call.staff.id, resource, { name, subject_id: smart.subject_id, level: smart.level, source: 'smart' }, await bodyOf(tx, smart.rule, version))
        papers.push({ id, name, level: smart.level })
      }
      await touch(tx, smartPaper, { status: 1 }, smart.id)
      return { papers }
    })),
    handle(pointFrequency, async (call) => {
      const subject = await subjectOf(call.db, call.staff, Number(call.input.cat_id))
      return { items: await frequencies(call.db, subject.id, [...new Set(call.input.label_ids.split(',').map(Number))]) }
    }),
    handle(weakPoints, async (call) => {
      const subject = await subjectOf(call.db, call.staff, Number(call.input.cat_id))
      const { sitting } = call.input
      const answers = sitting === undefined
        ? sql`select s.practice_id, s.attempts, s.facility * s.attempts as reached from practice_stat s where s.facility is not null`
        : sql`select a.practice_id, 1 as attempts, a.score / a.max as reached from practice_answer a where a.sitting = ${Number(sitting)}`
      const items = await call.db.query<WeakPoint>(sql`select l.id as label_id, l.name, above.name as above, sum(a.attempts)::int as attempts, round(sum(a.reached) / sum(a.attempts), 3)::float as facility
        from (${answers}) a join practice p on p.id = a.practice_id join practice_label pl on pl.practice_id = p.id join label l on l.id = pl.label_id left join label above on above.id = l.parent_id
        where p.subject_id = ${subject.id} and p.deleted_at is null and l.kind = 'knowledge' and l.deleted_at is null
        group by l.id, l.name, above.name having sum(a.attempts) >= ${sitting === undefined ? ENOUGH : 1} order by facility, attempts desc, label_id limit ${WEAKEST}`)
      return { items, total: items.length }
    }),
    handle(addSmartMaterial, (call) => call.transaction(async (tx) => {
      const { paper_id, kind: named, ref_id, ref_ids = [], ord = 0 } = call.input
      const kind = named === 'micro' ? 'lesson' : named
      const refs = [...new Set([...(ref_id === undefined ? [] : [ref_id]), ...ref_ids])]
      const key = ref_ids.length > 0 ? 'ref_ids' : 'ref_id'
      if (refs.length === 0) throw invalid({ [key]: '请选择材料' })
      await findSmart(tx, call.staff, paper_id)
      const known = await tx.query(sql`select 1 from ${sql.identifier(MATERIALS[kind].table)} where id = any(${sql.param(refs)}::bigint[]) and deleted_at is null order by id for key share`)
      if (known.length < refs.length) throw invalid({ [key]: '材料不存在或已被删除' })
      const rows = await tx.query<{ id: number }>(sql`insert into smart_material (smart_paper_id, kind, ref_id, ord)
        select ${paper_id}::bigint, ${kind}, r.id, ${ord}::int + r.place::int - 1 from unnest(${sql.param(refs)}::bigint[]) with ordinality as r (id, place)
        on conflict (smart_paper_id, kind, ref_id) do update set ord = excluded.ord returning id`)
      const ids = rows.map(({ id }) => id)
      return { id: ids[0] ?? 0, ids }
    })),
    handle(smartMaterials, (call) => call.db.transaction({ staff_id: call.staff.id }, async (tx) => {
      const smart = await findSmart(tx, call.staff, idParam(call))
      const items = await tx.query<SmartMaterial>(sql`select m.id, m.kind, m.ref_id, m.ord, case m.kind when 'practice' then (select no from practice where id = m.ref_id) when 'paper' then (select name from paper where id = m.ref_id) else (select name from micro_lesson where id = m.ref_id) end as name
        from smart_material m where m.smart_paper_id = ${smart.id} order by m.ord, m.id`)
      return { items, total: items.length }
    })),
    handle(removeSmartMaterial, (call) => call.transaction(async (tx) => {
      const [row] = await tx.query<{ smart_paper_id: number }>(sql`select smart_paper_id from smart_material where id = ${Number(call.input.id)}`)
      if (!row) throw notFound('材料')
      await findSmart(tx, call.staff, row.smart_paper_id)
      await tx.query(sql`delete from smart_material where id = ${Number(call.input.id)}`)
      return {}
    })),
  ]
}

/** The questions of the first version of a smart paper within a person's reach, with what it is called. */
export async function smartBody(tx: Queryable, staff: Staff, id: number): Promise<{ name: string; subject_id: number; body: PaperBody }> {
  const { name, subject_id, rule, result: [version] } = await findSmart(tx, staff, id)
  if (!version) throw badRequest('该智能试卷没有结果，请重新组卷')
  return { name, subject_id, body: await bodyOf(tx, rule, version) }
}

/** Sections and questions of a composed paper, with the versions that the questions have now. */
async function bodyOf(tx: Queryable, rule: SmartRule, version: SmartVersion): Promise<PaperBody> {
  const rows = await tx.query<{ id: number; version_no: number }>(sql`select id, version_no::int as version_no from practice where id = any(${sql.param(version.chosen.map(({ practice_id }) => practice_id))}::bigint[])`)
  const versions = new Map(rows.map(({ id, version_no }) => [id, version_no]))
  return {
    sections: rule.sections.map(({ name }, index) => ({
      key: `s${index + 1}`, name, title: '', instruction: '',
      items: version.chosen.filter(({ section }) => section === index).map(({ practice_id, score }) => ({ practice_id, version_no: versions.get(practice_id) ?? 0, score, sub_scores: [] })),
    })),
  }
}

import { sql, type SQL } from 'drizzle-orm'
import type { Queryable } from '../../../core/database/database.server.ts'
import { handle, idParam, type Served } from '../../../core/endpoint/serve.server.ts'
import { badRequest, invalid, notFound, notGranted } from '../../../core/error/error.ts'
import { standardId } from '../../../core/grant/grant.ts'
import type { Staff } from '../../../core/grant/staff.server.ts'
import { scopeCondition } from '../../../core/resource/where.server.ts'
import { makePaper } from '../../paper/door.server.ts'
import { ALL_PAPERS, PAPER_STATE } from '../../paper/module.ts'
import { EXAM_REGIONS, subject } from '../../reference/module.ts'
import { screenId } from '../../screens.ts'
import { ORDER_STATE } from '../order/writing-order.ts'
import { GAOKAO_YEARS, makeGaokao, readGaokao, readGaps, type GaokaoCell, type GaokaoGap, type GaokaoPaper } from './calls.ts'

/** The source that questions and papers of the exam have (spec 3). */
const SOURCE = 'college_entrance_exam_paper'
const SENIOR = 0
const MOST_QUESTIONS = 100
/** Points of a question that nobody has given any, by its type. */
const USUAL: Readonly<Record<number, number>> = { 1: 5, 2: 6, 3: 5, 4: 12 }

function seniorPapers() {
  const found = ALL_PAPERS.find(({ where }) => where['kind'] === 'base' && where['level'] === SENIOR)
  if (!found) throw new Error('no base papers of senior schools')
  return found
}
const papers = seniorPapers()

/** A senior subject within the person's reach. */
async function subjectOf(db: Queryable, staff: Staff, id: number): Promise<{ id: number; name: string }> {
  const [row] = await db.query<{ id: number; name: string; level: number }>(sql`select id, name, level from (select * from subject where id = ${id} and deleted_at is null) t`)
  const { subject: subjects, level: levels } = staff.scopes
  if (!row || (subjects && !subjects.includes(row.id)) || (levels && !levels.includes(row.level))) throw notFound(subject.label)
  if (row.level !== SENIOR) throw invalid({ cat_id: '高考题只有高中学科' })
  return row
}

/** Official questions `p` of the exams of a subject. */
const official = (subjectId: number): SQL => sql`p.pool = 'official' and p.status = 4 and p.deleted_at is null and p.subject_id = ${subjectId} and p.source = ${SOURCE} and p.exam_region_id is not null`
const yearOf = sql`(select max(y)::int from unnest(p.source_years) y)`

interface PaperFigures extends GaokaoPaper { year: number; region_id: number }

async function matrixOf(db: Queryable, staff: Staff, subjectId: number, type: number | undefined) {
  const last = new Date().getFullYear()
  const years = Array.from({ length: GAOKAO_YEARS }, (_, at) => last - at)
  const from = years.at(-1) ?? last
  const found = await db.query<PaperFigures & Record<string, unknown>>(sql`select p.id, p.name, p.state, p.state in (${PAPER_STATE.shelved}, ${PAPER_STATE.revising}) as live, p.source_year::int as year, p.exam_region_id as region_id, count(q.id)::int as questions,
      count(q.id) filter (where q.has_analysis = 1)::int as analysed, count(q.id) filter (where q.has_video = 1)::int as filmed, count(q.id) filter (where exists (select 1 from practice_label l where l.practice_id = q.id))::int as labelled
    from (select * from paper where kind = 'base' and level = ${SENIOR} and source = ${SOURCE} and subject_id = ${subjectId} and exam_region_id is not null and source_year between ${from} and ${last} and state <> ${PAPER_STATE.archived} and deleted_at is null
      ${type === undefined ? sql`` : sql`and gaokao_type = ${type}`} and ${scopeCondition(papers, staff) ?? sql`true`}) p
    left join paper_item i on i.paper_id = p.id left join practice q on q.id = i.practice_id and q.deleted_at is null group by p.id, p.name, p.state, p.source_year, p.exam_region_id order by p.id`)
  const loose = await db.query<{ year: number; region_id: number; n: number }>(sql`select ${yearOf} as year, p.exam_region_id as region_id, count(*)::int as n from practice p
    where ${official(subjectId)} ${type === undefined ? sql`` : sql`and p.gaokao_type = ${type}`} and ${yearOf} between ${from} and ${last}
      and not exists (select 1 from paper_item i join paper w on w.id = i.paper_id and w.kind = 'base' and w.source = ${SOURCE} and w.deleted_at is null where i.practice_id = p.id) group by 1, 2`)
  const orders = await db.query<{ id: number; year: number; region_id: number; staff_name: string | null; due_at: number }>(sql`select o.id, o.year::int as year, o.region_id, s.name as staff_name, extract(epoch from o.due_at)::int as due_at from writing_order o left join staff s on s.id = o.staff_id
    where o.kind = 'gaokao' and o.subject_id = ${subjectId} and o.state = ${ORDER_STATE.open} and o.deleted_at is null`)
  const cells = new Map<string, GaokaoCell>()
  const cellOf = (year: number, region_id: number): GaokaoCell => {
    const key = `${year} ${region_id}`
    const cell = cells.get(key) ?? { year, region_id, papers: [], loose: 0, order: null }
    cells.set(key, cell)
    return cell
  }
  for (const { year, region_id, ...paper } of found) cellOf(year, region_id).papers.push(paper)
  for (const { year, region_id, n } of loose) cellOf(year, region_id).loose = n
  for (const { year, region_id, ...order } of orders) cellOf(year, region_id).order = order
  return { years, cells: [...cells.values()] }
}

/** The questions of one paper that lack something, in the order of the paper. */
async function gapsOf(db: Queryable, staff: Staff, id: number): Promise<GaokaoGap[]> {
  const [paper] = await db.query(sql`select 1 from (select * from paper where id = ${id} and kind = 'base' and source = ${SOURCE} and deleted_at is null and ${scopeCondition(papers, staff) ?? sql`true`}) p`)
  if (!paper) throw notFound('试卷')
  const rows = await db.query<{ id: number; no: string; place: number; analysis: boolean; video: boolean; label: boolean }>(sql`select * from (select q.id, q.no, i.ord::int as place, q.has_analysis = 1 as analysis, q.has_video = 1 as video,
      exists (select 1 from practice_label l where l.practice_id = q.id) as label from paper_item i join practice q on q.id = i.practice_id where i.paper_id = ${id}) x where not (analysis and video and label) order by place`)
  const mends = staff.modules.has(screenId('/practice/official'))
  return rows.map((row) => ({
    id: row.id, no: row.no, place: row.place, path: mends ? `/practice/official/${row.id}` : null,
    lacks: ([['解析', row.analysis], ['视频', row.video], ['知识点', row.label]] as const).flatMap(([word, has]) => (has ? [] : [word])),
  }))
}

interface Question { id: number; version_no: number; type: number; score: number | null; category: string | null }

/** The calls of exam papers by year and region, answered. */
export const gaokaoCalls = (): Served[] => [
  handle(readGaokao, async (call) => {
    const { id } = await subjectOf(call.db, call.staff, Number(call.input.cat_id))
    return matrixOf(call.db, call.staff, id, call.input.gaokao_type === undefined ? undefined : Number(call.input.gaokao_type))
  }),
  handle(readGaps, async (call) => {
    const items = await gapsOf(call.db, call.staff, idParam(call))
    return { items, total: items.length }
  }),
  handle(makeGaokao, (call) => call.transaction(async (tx) => {
    const { cat_id, year, region_id, gaokao_type } = call.input
    const own = await subjectOf(tx, call.staff, cat_id)
    if (!call.staff.modules.has(standardId(papers.grant, 'edit'))) throw notGranted(`${papers.label} · 新增和编辑`)
    const region = EXAM_REGIONS.find(({ id }) => id === region_id)
    if (!region) throw invalid({ region_id: '请选择卷区' })
    if (year > new Date().getFullYear()) throw invalid({ year: '这一年还没有考试' })
    // One paper of a year and a region is made, however many ask at once.
    await tx.query(sql`select pg_advisory_xact_lock(hashtext(${`gaokao ${cat_id} ${year} ${region_id} ${gaokao_type ?? ''}`}))`)
    const name = `${year} 年${region.kind === 'national' ? '高考' : `${region.name}高考`}${own.name}${region.kind === 'national' ? `（${region.name}）` : ''}`
    const [twin] = await tx.query(sql`select 1 from paper where kind = 'base' and subject_id = ${cat_id} and name = ${name} and deleted_at is null limit 1`)
    if (twin) throw badRequest(`已有试卷「${name}」`)
    const questions = await tx.query<Question & Record<string, unknown>>(sql`select p.id, p.version_no::int as version_no, p.type, p.score, c.name as category from practice p left join practice_category c on c.id = p.category_id
      where ${official(cat_id)} and p.exam_region_id = ${region_id} and ${yearOf} = ${year} order by p.source_order nulls last, p.type, p.id limit ${MOST_QUESTIONS}`)
    const sections = [...Map.groupBy(questions, ({ category, type }) => category ?? String(type))].map(([section, items], at) => ({
      key: `g${at + 1}`, name: items[0]?.category ?? '试题', title: '', instruction: '', section,
      items: items.map(({ id, version_no, type, score }) => ({ practice_id: id, version_no, score: Math.round((score ?? USUAL[type] ?? 10) * 2) / 2, sub_scores: [] })),
    })).map(({ section: _section, ...rest }) => rest)
    const id = await makePaper(tx, call.staff.id, papers, { name, subject_id: cat_id, level: SENIOR, kind: 'base', source: SOURCE, source_year: year, exam_region_id: region_id, exam_type: '高考', gaokao_type: gaokao_type ?? null }, { sections })
    return { id, name, questions: questions.length }
  })),
]

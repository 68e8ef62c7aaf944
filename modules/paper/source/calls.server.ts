import { sql, type SQL } from 'drizzle-orm'
import { handle, type Served } from '../../../core/endpoint/serve.server.ts'
import { badRequest, notGranted } from '../../../core/error/error.ts'
import { foldText } from '../../../core/field/field.ts'
import { insertRow } from '../../../core/resource/write.server.ts'
import { likeText } from '../../../core/resource/where.server.ts'
import { difference, MAX_ITEMS, type PaperBody } from '../compose/body.ts'
import { usualScore } from '../compose/pick.ts'
import { mayEdit, writeBody } from '../content.server.ts'
import { groupOfType, orderGroups } from '../order-groups.ts'
import { PAPER_STATE, PAPERS } from '../paper.ts'
import { subjectOf } from '../smart/subject.server.ts'
import { paperFromSource, paperSources, type PaperSource } from './calls.ts'

/** What may stand in a paper. */
const usable = sql`p.pool = 'official' and p.status = 4 and p.deleted_at is null and p.source_paper is not null`
/** Names that differ by the letters of a numeral or the width of a bracket are one paper: 新课标Ⅰ, 新课标ⅰ, 新课标I. */
const sameName = (name: SQL) => sql`lower(normalize(${name}, NFKC))`
/** As many as one looks through; a keyword finds the rest. */
const MOST = 200

/** 2022 年新课标Ⅰ数学: the source without the brackets that sets put around it. */
const nameOf = (source: string, year: number | null, subject: string) => {
  const bare = source.replace(/^[（(]\s*(.*?)\s*[）)]$/, '$1')
  return `${year && !bare.includes(String(year)) ? `${year} 年` : ''}${bare}${bare.includes(subject) ? '' : subject}`.slice(0, 100)
}

interface Found {
  id: number
  version_no: number
  type: number
  score: number | null
  category_id: number | null
  exam_region_id: number | null
  source: string | null
}

const PAPER_SOURCES: ReadonlySet<string> = new Set(['college_entrance_exam_paper', 'senior_must_paper', 'practice_book', 'dou_practice'])
/** What all questions have, if they all have the same. */
const common = <Value>(values: readonly (Value | null)[]): Value | null => (new Set(values).size === 1 ? values[0] ?? null : null)

/** The calls of papers made of the sources of questions, answered. */
export function sourceCalls(): Served[] {
  return [
    handle(paperSources, async (call) => {
      const subject = await subjectOf(call.db, call.staff, Number(call.input.cat_id))
      const { keyword } = call.input
      const rows = await call.db.query<Omit<PaperSource, 'paper_id'>>(sql`select min(p.source_paper) as source_paper, y.year::int as year, count(*)::int as question_count
        from practice p left join lateral (select max(one) as year from unnest(p.source_years) one) y on true
        where ${usable} and p.subject_id = ${subject.id}${keyword ? sql` and p.source_paper ilike ${`%${likeText(foldText(keyword))}%`}` : sql``}
        group by ${sameName(sql`p.source_paper`)}, 2 order by 2 desc nulls last, 3 desc, 1 limit ${sql.raw(String(MOST))}`)
      const names = rows.map(({ source_paper, year }) => nameOf(source_paper, year, subject.name))
      const made = await call.db.query<{ id: number; name: string }>(sql`select max(id) as id, name from paper where kind = 'base' and subject_id = ${subject.id} and deleted_at is null and name = any(${sql.param(names)}::text[]) group by name`)
      const byName = new Map(made.map(({ id, name }) => [name, id]))
      return { items: rows.map((row, index) => ({ ...row, paper_id: byName.get(names[index] ?? '') ?? null })), total: rows.length, level: subject.level }
    }),
    handle(paperFromSource, (call) => call.transaction(async (tx) => {
      const { source_paper, year = null } = call.input
      const subject = await subjectOf(tx, call.staff, call.input.cat_id)
      const resource = PAPERS.base[subject.level]
      if (!resource || !mayEdit(call.staff, { kind: 'base', level: subject.level })) throw notGranted('试卷 · 新增和编辑')
      const questions = await tx.query<Found>(sql`select p.id, p.version_no::int as version_no, p.type, p.score, p.category_id, p.exam_region_id, p.source from practice p
        where ${usable} and p.subject_id = ${subject.id} and ${sameName(sql`p.source_paper`)} = ${sameName(sql`${source_paper}::text`)} and (select max(one) from unnest(p.source_years) one) is not distinct from ${year}::bigint
        order by p.source_order nulls last, p.id`)
      if (questions.length === 0) throw badRequest('正式题库中没有这份试卷的试题')
      if (questions.length > MAX_ITEMS) throw badRequest(`这份试卷有 ${questions.length} 题，超过 ${MAX_ITEMS} 题`)
      const name = nameOf(source_paper, year, subject.name)
      const [twin] = await tx.query(sql`select 1 from paper where kind = 'base' and subject_id = ${subject.id} and name = ${name} and deleted_at is null limit 1`)
      if (twin) throw badRequest(`已有试卷「${name}」`)
      const categories = await tx.query<{ id: number; name: string; type: number }>(sql`select id, name, type from practice_category where subject_id = ${subject.id} and deleted_at is null order by sort, id`)
      const groups = [...orderGroups(categories), { group_no: 99, name: '其他题', category_ids: [] as readonly number[] }]
      const groupOf = ({ category_id, type }: Found) => groups.find((group) => (category_id === null ? group.name === groupOfType(type) : group.category_ids.includes(category_id)))?.group_no ?? 99
      const body: PaperBody = { sections: groups.flatMap(({ group_no, name: section }) => {
        const items = questions.filter((question) => groupOf(question) === group_no)
        return items.length > 0 ? [{ key: `g${group_no}`, name: section, title: '', instruction: '', items: items.map(({ id, version_no, type, score }) => ({ practice_id: id, version_no, score: Math.round((score ?? usualScore(type)) * 2) / 2, sub_scores: [] })) }] : []
      }) }
      const source = common(questions.map((question) => question.source))
      const row = await insertRow(tx, resource, call.staff.id, {
        name, subject_id: subject.id, source_year: year, exam_region_id: common(questions.map(({ exam_region_id }) => exam_region_id)), ...(source && PAPER_SOURCES.has(source) && { source }),
      }, {})
      const id = Number(row.id)
      await writeBody(tx, call.staff.id, { id, name, kind: 'base', level: subject.level, subject_id: subject.id, subject_name: subject.name, state: PAPER_STATE.draft, version_no: 0, duration: null }, body, difference({ sections: [] }, body))
      return { id, name, level: subject.level, question_count: questions.length }
    })),
  ]
}

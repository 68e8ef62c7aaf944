import { sql, type SQL } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { badRequest } from '../../core/error/error.ts'
import { asks, branches, optionsOf, type SurveyItem } from '../../core/public-page/survey.ts'
import type { CrossTable, Figures, QuestionFigures } from './calls.ts'
import { association, npsOf } from './figures.ts'

/** Words of one question that are shown. */
const SHOWN_TEXTS = 200

/** Answers `a` that count. */
const counting = (id: number, withCareless: boolean): SQL => sql`a.questionnaire_id = ${id}${withCareless ? sql`` : sql` and a.careless is null`}`

/** What every question came to. Shares have for base who saw the question, not who answered anything. */
export async function figuresOf(db: Queryable, id: number, items: readonly SurveyItem[], withCareless: boolean): Promise<Figures> {
  const where = counting(id, withCareless)
  const [head, days, bases, counts, places, texts] = [
    (await db.query<{ opened: number; answers: number; careless: number; seconds: number | null }>(sql`select (select coalesce(sum(opened), 0)::int from questionnaire_day where questionnaire_id = ${id}) as opened, count(*) filter (where ${withCareless ? sql`true` : sql`careless is null`})::int as answers,
      count(careless)::int as careless, (percentile_cont(0.5) within group (order by seconds) filter (where careless is null))::float8 as seconds from questionnaire_answer where questionnaire_id = ${id}`))[0],
    await db.query<{ day: string; answers: number }>(sql`select to_char(a.at at time zone 'Asia/Shanghai', 'YYYY-MM-DD') as day, count(*)::int as answers from questionnaire_answer a where ${where} group by 1 order by 1 desc limit 60`),
    await db.query<{ q: string; n: number }>(sql`select q, count(*)::int as n from questionnaire_answer a, unnest(a.path) q where ${where} group by 1`),
    await db.query<{ q: string; v: string; n: number }>(sql`select c.key as q, v, count(*)::int as n from questionnaire_answer a, jsonb_each(a.values) c, jsonb_array_elements_text(c.value) v
      where ${where} and c.key = any(${sql.param(items.filter(({ type }) => type !== 'fill' && type !== 'words').map((item) => item.id))}::text[]) group by 1, 2`),
    await db.query<{ q: string; v: string; place: number }>(sql`select c.key as q, v, avg(n)::float8 as place from questionnaire_answer a, jsonb_each(a.values) c, jsonb_array_elements_text(c.value) with ordinality r (v, n)
      where ${where} and c.key = any(${sql.param(items.filter(({ type }) => type === 'rank').map((item) => item.id))}::text[]) group by 1, 2`),
    await db.query<{ q: string; answer_id: number; words: string; n: number }>(sql`select * from (select c.key as q, a.id as answer_id, c.value ->> 0 as words, count(*) over (partition by c.key)::int as n, row_number() over (partition by c.key order by a.id desc) as at from questionnaire_answer a, jsonb_each(a.values) c
      where ${where} and c.key = any(${sql.param(items.filter(({ type }) => type === 'fill' || type === 'words').map((item) => item.id))}::text[])) x where at <= ${SHOWN_TEXTS} order by answer_id desc`),
  ]
  const answered = new Map((await db.query<{ q: string; n: number }>(sql`select c.key as q, count(*)::int as n from questionnaire_answer a, jsonb_each(a.values) c where ${where} group by 1`)).map(({ q, n }) => [q, n]))
  const baseOf = new Map(bases.map(({ q, n }) => [q, n]))
  const byQuestion = Map.groupBy(counts, ({ q }) => q)
  const questions = items.filter(asks).map((item): QuestionFigures => {
    const own = Object.fromEntries((byQuestion.get(item.id) ?? []).map(({ v, n }) => [v, n]))
    const marks = item.type === 'rate' || item.type === 'nps' ? Object.entries(own) : []
    const all = marks.reduce((sum, [, n]) => sum + n, 0)
    const options = item.type === 'date' ? Object.keys(own).toSorted().map((day) => ({ id: day, label: day })) : optionsOf(item)
    return {
      id: item.id, type: item.type, title: item.title, base: baseOf.get(item.id) ?? 0, answered: answered.get(item.id) ?? 0,
      options: item.type === 'matrix' ? options.map((one) => ({ ...one, count: 0 })) : options.map((one) => ({ ...one, count: own[one.id] ?? 0 })),
      mean: all === 0 ? null : marks.reduce((sum, [mark, n]) => sum + Number(mark) * n, 0) / all,
      places: Object.fromEntries(places.filter(({ q }) => q === item.id).map(({ v, place }) => [v, place])),
      nps: item.type === 'nps' ? npsOf(own) : null,
      rows: (item.rows ?? []).map((row) => {
        const cells = Object.fromEntries(options.map((one) => [one.id, own[`${row.id}:${one.id}`] ?? 0]))
        return { ...row, base: Object.values(cells).reduce((sum, n) => sum + n, 0), counts: cells }
      }),
      texts: texts.filter(({ q }) => q === item.id).map(({ answer_id, words }) => ({ answer_id, words })),
    }
  })
  return { opened: head?.opened ?? 0, answers: head?.answers ?? 0, careless: head?.careless ?? 0, seconds: head?.seconds ?? null, days: days.toReversed(), questions }
}

/** How the answers to two questions go together. @throws AppError for a question whose answers are not among a few */
export async function crossOf(db: Queryable, id: number, items: readonly SurveyItem[], { row, col, withCareless }: { row: string; col: string; withCareless: boolean }): Promise<CrossTable> {
  const [y, x] = [row, col].map((one) => items.find((item) => item.id === one))
  if (!y || !x || !branches(y) || !branches(x)) throw badRequest('只有单选、多选、评分和 NPS 可以交叉分析')
  if (row === col) throw badRequest('请选择两道不同的题')
  const where = counting(id, withCareless)
  const found = await db.query<{ y: string; x: string; n: number }>(sql`select y, x, count(*)::int as n from questionnaire_answer a, jsonb_array_elements_text(a.values -> ${row}::text) y, jsonb_array_elements_text(a.values -> ${col}::text) x where ${where} group by 1, 2`)
  const [base] = await db.query<{ n: number }>(sql`select count(*)::int as n from questionnaire_answer a where ${where} and a.values -> ${row}::text is not null and a.values -> ${col}::text is not null`)
  const counts = Object.fromEntries(found.map((one) => [`${one.y}:${one.x}`, one.n]))
  const [rows, cols] = [optionsOf(y), optionsOf(x)].map((options) => options.map(({ id: option, label }) => ({ id: option, label }))) as [CrossTable['rows'], CrossTable['cols']]
  return { rows, cols, counts, base: base?.n ?? 0, ...association(rows.map((one) => cols.map((other) => counts[`${one.id}:${other.id}`] ?? 0))) }
}

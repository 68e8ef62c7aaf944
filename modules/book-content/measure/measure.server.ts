import { randomInt } from 'node:crypto'
import { sql, type SQL } from 'drizzle-orm'
import type { Queryable } from '../../../core/database/database.server.ts'
import { handle, idParam, type Call, type Served } from '../../../core/endpoint/serve.server.ts'
import { badRequest, invalid, notFound } from '../../../core/error/error.ts'
import type { Staff } from '../../../core/grant/staff.server.ts'
import type { RowType } from '../../../core/resource/define.ts'
import { present, readOne } from '../../../core/resource/list.server.ts'
import { showRow } from '../../../core/resource/regions.server.ts'
import { serve } from '../../../core/resource/serve.server.ts'
import { touch } from '../../../core/resource/touch.server.ts'
import { holds, listCondition } from '../../../core/resource/where.server.ts'
import { checkRev, lockRow } from '../../../core/resource/write.server.ts'
import { levelCodes } from '../../book/module.ts'
import type { BlockTarget } from '../../outline/module.ts'
import { composePapers, feasibility } from '../../paper/door.server.ts'
import type { SmartRule } from '../../paper/module.ts'
import { readCards, type PracticeUser } from '../../practice/door.server.ts'
import { addCode } from '../../qr/door.server.ts'
import { findBook } from '../find-book.server.ts'
import { composeMeasure, dropQuestion, placeMeasure, readMeasure, swapQuestion, type MeasureContent } from './calls.ts'
import { CURVES, MAX_LABELS, MEASURE_STATE, measurement } from './measurement.ts'

type Row = RowType<typeof measurement>
interface Question { practice_id: number; version_no: number; label_id: number; difficulty: number | null }

const listOf = (value: unknown) => (value ?? []) as Question[]
/** Types that are marked without anybody: choices and blanks. */
const MARKED = [1, 2, 3]
/** Micro lessons that are offered for one piece of knowledge. */
const LESSONS = 2

/** Writes down which questions a measurement asks, in the transaction that writes them. */
export async function writeMeasureUses(tx: Queryable, id: number, questions: readonly Question[]): Promise<void> {
  await tx.query(sql`delete from measurement_use where measurement_id = ${id}`)
  await tx.query(sql`insert into measurement_use (measurement_id, practice_id) select ${id}, p from unnest(${sql.param(questions.map(({ practice_id }) => practice_id))}::bigint[]) p on conflict do nothing`)
}

const gone = (id: SQL) => sql`exists (select 1 from measurement_use u join practice p on p.id = u.practice_id where u.measurement_id = ${id} and (p.pool <> 'official' or p.status <> 4 or p.deleted_at is not null))`
const codesOf = (id: SQL) => sql`qr_target q where q.target_kind = 'measurement' and q.ref_id = ${id} and q.deleted_at is null`

/** Publishes what can be answered and marked. @throws AppError that says what is missing */
async function checkPublish(tx: Queryable, row: Pick<Row, 'id' | 'questions' | 'label_ids'>): Promise<void> {
  const questions = listOf(row.questions)
  if (questions.length === 0) throw badRequest('还没有组卷，不能发布')
  const empty = (row.label_ids ?? []).filter((id) => !questions.some(({ label_id }) => label_id === id))
  if (empty.length > 0) {
    const names = await tx.query<{ name: string }>(sql`select name from label where id = any(${sql.param(empty)}::bigint[]) order by id limit 3`)
    throw badRequest(`${names.map(({ name }) => `「${name}」`).join('、')}${empty.length > 3 ? '等' : ''}还没有试题，请重新组卷或去掉这些知识点`)
  }
  const [broken] = await tx.query<{ gone: boolean }>(sql`select ${gone(sql`${row.id}`)} as gone`)
  if (broken?.gone) throw badRequest('有试题已下架或被删除，请先换题')
}

export const measureService = serve(measurement)({
  computed: { question_cnt: sql`coalesce(jsonb_array_length(t.questions), 0)`, code_cnt: sql`(select count(*)::int from ${codesOf(sql`t.id`)})` },
  segments: {
    needs: {
      empty: sql`coalesce(jsonb_array_length(measurement.questions), 0) = 0`,
      unplaced: sql`measurement.state = 1 and not exists (select 1 from ${codesOf(sql`measurement.id`)})`,
      broken: gone(sql`measurement.id`),
    },
  },
  async before({ tx, staff, values, row }) {
    if (!row && values.book_id !== undefined) {
      const { subject_id, level } = await findBook(tx, staff, values.book_id)
      if (subject_id !== values.subject_id) throw invalid({ book_id: '图书不是这个学科的' })
      Object.assign(values, { level })
    }
    const labels = values.label_ids
    if (!labels) return
    if (labels.length > MAX_LABELS) throw invalid({ label_ids: `知识点最多 ${MAX_LABELS} 个` })
    const [foreign] = await tx.query<{ name: string }>(sql`select name from label where id = any(${sql.param([...labels])}::bigint[]) and (subject_id <> ${row?.subject_id ?? values.subject_id} or parent_id is null) limit 1`)
    if (foreign) throw invalid({ label_ids: `「${foreign.name}」不是这个学科的知识点` })
    // Questions of knowledge that is no longer asked for go with it.
    const kept = listOf(row?.questions).filter(({ label_id }) => labels.includes(label_id))
    if (row && kept.length < listOf(row.questions).length) Object.assign(values, { questions: kept })
  },
  async after({ tx, values, saved }) {
    if ('questions' in values) await writeMeasureUses(tx, saved.id, listOf(saved.questions))
  },
  beforeRemove: async ({ tx, row }) => {
    const [used] = await tx.query<{ n: number }>(sql`select count(*)::int as n from ${codesOf(sql`${row.id}`)}`)
    if (used && used.n > 0) throw badRequest(`「${row.name}」还被 ${used.n} 个二维码使用，不能删除`)
  },
  effects: { publish: ({ tx, row }) => checkPublish(tx, row) },
})

const COMPUTED = measureService.rules.computed ?? {}

async function contentOf(db: Queryable, staff: Staff, id: number, lacks: string[] = []): Promise<MeasureContent> {
  const row = await readOne(db, measurement, staff, id, COMPUTED)
  if (!row) throw notFound(measurement.label)
  const questions = listOf(row.questions)
  const labels = sql.param([...(row.label_ids ?? [])])
  return {
    row: showRow(measurement, staff, row) as MeasureContent['row'], lacks, cards: await readCards(db, staff, questions.map(({ practice_id }) => practice_id)),
    labels: await db.query(sql`select l.id, l.name, a.name as above from unnest(${labels}::bigint[]) with ordinality u (id, place) join label l on l.id = u.id left join label a on a.id = l.parent_id order by u.place`),
    lessons: await db.query(sql`select x.label_id, x.id, x.name from (select m.label_id, m.id, m.name, row_number() over (partition by m.label_id order by m.id) as place from micro_lesson m where m.label_id = any(${labels}::bigint[]) and m.state = 2 and m.deleted_at is null) x where x.place <= ${LESSONS}`),
    codes: await db.query(sql`select q.id, q.code, q.name, q.page_no::int as page_no, q.state > 0 as printed from ${codesOf(sql`${id}`)} order by q.page_no, q.id`),
  }
}

/** What is asked of the composer: for each piece of knowledge a row for each band of its curve. */
function ruleOf(row: Row, categories: number[], lackOf: ReadonlyMap<number, number>): SmartRule {
  const bands = CURVES.find(({ value }) => value === row.curve)?.bands ?? CURVES[0].bands
  const per = row.per_label ?? 1
  const rows = (row.label_ids ?? []).flatMap((label) => {
    const have = lackOf.get(label)
    // Where the bank has too few, whatever it has is asked, however hard it is.
    if (have !== undefined) return have === 0 ? [] : [{ label_ids: [label], count: have }]
    const wanted = Array.from({ length: per }, (_, at) => bands[Math.floor((at * bands.length) / per)] ?? 'medium')
    return [...Map.groupBy(wanted, (band) => band)].map(([band, all]) => ({ label_ids: [label], bands: [band], count: all.length }))
  })
  return { sections: [{ name: '测评', category_ids: categories, count: Math.max(1, rows.reduce((sum, { count }) => sum + count, 0)), score: 5, rows }] }
}

/** Chooses the questions of a measurement. @returns what the bank could not give, in words */
export async function compose(tx: Queryable, row: Row, seed: number): Promise<{ questions: Question[]; lacks: string[] }> {
  const categories = (await tx.query<{ id: number }>(sql`select id from practice_category where subject_id = ${row.subject_id} and type = any(${sql.param(MARKED)}::int[]) and deleted_at is null order by id`)).map(({ id }) => id)
  if (categories.length === 0) throw badRequest('该学科还没有可以自动批改的题型')
  const per = row.per_label ?? 1
  const names = new Map((await tx.query<{ id: number; name: string }>(sql`select id, name from label where id = any(${sql.param([...(row.label_ids ?? [])])}::bigint[])`)).map(({ id, name }) => [id, name]))
  const lackOf = new Map<number, number>()
  const lacks: string[] = []
  const labelOfRow = (rule: SmartRule, at: number | undefined) => (at === undefined ? undefined : rule.sections[0]?.rows?.[at]?.label_ids?.[0])
  // First as it was asked; knowledge of which there is too little then takes what there is.
  for (const note of [false, true]) {
    const rule = ruleOf(row, categories, lackOf)
    if ((rule.sections[0]?.rows ?? []).length === 0) break
    for (const { row: at, have } of await feasibility(tx, rule, row.subject_id)) {
      const label = labelOfRow(rule, at)
      if (label === undefined) continue
      lackOf.set(label, note ? Math.min(have, per) : per)
      lacks.push(note ? `「${names.get(label) ?? ''}」题库只有 ${have} 道，少于 ${per} 道` : '')
    }
    if (lackOf.size === 0) break
  }
  const rule = ruleOf(row, categories, lackOf)
  if ((rule.sections[0]?.rows ?? []).length === 0) throw badRequest('题库里没有这些知识点的客观题，不能组卷')
  const [version] = await composePapers(tx, rule, row.subject_id, seed)
  const facts = new Map((await tx.query<{ id: number; version_no: number; difficulty: number | null }>(sql`select id, version_no::int as version_no, difficulty from practice where id = any(${sql.param((version?.chosen ?? []).map(({ practice_id }) => practice_id))}::bigint[])`)).map((fact) => [fact.id, fact]))
  const questions = (version?.chosen ?? []).flatMap(({ practice_id, row: at }): Question[] => {
    const [label, fact] = [labelOfRow(rule, at), facts.get(practice_id)]
    return label === undefined || !fact ? [] : [{ practice_id, version_no: fact.version_no, label_id: label, difficulty: fact.difficulty }]
  })
  const order = row.label_ids ?? []
  // Knowledge by knowledge, what is easy first.
  questions.sort((a, b) => order.indexOf(a.label_id) - order.indexOf(b.label_id) || (b.difficulty ?? 3) - (a.difficulty ?? 3) || a.practice_id - b.practice_id)
  for (const { row: at, lack } of version?.unmet ?? []) lacks.push(`「${names.get(labelOfRow(rule, at) ?? 0) ?? ''}」少 ${lack} 道`)
  return { questions, lacks: [...new Set(lacks)].filter(Boolean) }
}

/** The measurement of a call, locked, to change its questions. @throws AppError when it is published, or changed meanwhile */
async function toChange(tx: Queryable, call: Pick<Call, 'staff' | 'params'>, rev: number | undefined): Promise<Row> {
  const row = await lockRow(tx, measurement, call.staff, idParam(call))
  await checkRev(tx, row, rev, (stale) => present(measurement, call.staff, stale))
  if (row.state === MEASURE_STATE.live) throw badRequest('测评已发布，请先停用再修改')
  return row
}

async function save(tx: Queryable, staff: Staff, row: Row, questions: Question[], lacks: string[] = []): Promise<MeasureContent> {
  await touch(tx, measurement, { questions }, row.id)
  await writeMeasureUses(tx, row.id, questions)
  return contentOf(tx, staff, row.id, lacks)
}

/** The calls of measurements beside those of their list, answered. */
export const measureCalls = (): Served[] => [
  handle(readMeasure, (call) => contentOf(call.db, call.staff, idParam(call))),
  handle(composeMeasure, (call) => call.transaction(async (tx) => {
    const row = await toChange(tx, call, call.input.rev)
    const { questions, lacks } = await compose(tx, row, randomInt(2 ** 31))
    return save(tx, call.staff, row, questions, lacks)
  })),
  handle(swapQuestion, (call) => call.transaction(async (tx) => {
    const row = await toChange(tx, call, call.input.rev)
    const questions = listOf(row.questions)
    const old = questions.find(({ practice_id }) => practice_id === call.input.practice_id)
    if (!old) throw notFound('试题')
    const [next] = await tx.query<{ id: number; version_no: number; difficulty: number | null }>(sql`select p.id, p.version_no::int as version_no, p.difficulty from practice p join practice_label_tree t on t.practice_id = p.id and t.pool = 'official' and t.label_id = ${old.label_id}
      where p.pool = 'official' and p.status = 4 and p.deleted_at is null and p.type = any(${sql.param(MARKED)}::int[]) and p.subject_id = ${row.subject_id} and p.id <> all(${sql.param(questions.map(({ practice_id }) => practice_id))}::bigint[])
      order by abs(coalesce(p.difficulty, 3) - ${old.difficulty ?? 3}), (p.id <= ${old.practice_id}), p.id limit 1`)
    if (!next) throw badRequest('这个知识点没有别的客观题可换')
    return save(tx, call.staff, row, questions.map((one) => (one === old ? { practice_id: next.id, version_no: next.version_no, label_id: old.label_id, difficulty: next.difficulty } : one)))
  })),
  handle(dropQuestion, (call) => call.transaction(async (tx) => {
    const row = await toChange(tx, call, call.input.rev)
    return save(tx, call.staff, row, listOf(row.questions).filter(({ practice_id }) => practice_id !== call.input.practice_id))
  })),
  handle(placeMeasure, (call) => call.transaction(async (tx) => {
    const row = await lockRow(tx, measurement, call.staff, idParam(call))
    if (row.state !== MEASURE_STATE.live) throw badRequest('测评还没有发布，不能放进图书')
    const { name, section = '', page_no } = call.input
    const found = await findBook(tx, call.staff, row.book_id)
    await addCode(tx, call.staff, levelCodes(found.level), { book_id: row.book_id, level: found.level, name, section: section === '' ? null : section, page_no, kind: 'measurement', ref_id: row.id })
    return contentOf(tx, call.staff, row.id)
  })),
]

async function facts(db: Queryable, where: SQL): Promise<Omit<BlockTarget, 'kind'>[]> {
  const rows = await db.query<{ id: number; name: string; state: number; minutes: number | null; n: number }>(sql`select m.id, m.name, m.state, m.minutes::int as minutes, coalesce(jsonb_array_length(m.questions), 0)::int as n from measurement m where m.deleted_at is null and ${where}`)
  return rows.map(({ id, name, state, minutes, n }) => ({
    id, name, note: `${n} 题 · ${minutes ?? 0} 分钟`, minutes: minutes ?? 0, version_no: null, cover: null, path: `/practiceBook/content/ai-measurement?open=${id}`,
    health: state === MEASURE_STATE.live ? { tone: 'ok' as const, words: '可用' } : { tone: 'bad' as const, words: state === MEASURE_STATE.draft ? '测评还没有发布' : '测评已停用' },
  }))
}

/** What is to be said of measurements where they are shown; one that was removed is absent. */
export const measureFacts = (db: Queryable, ids: readonly number[]): Promise<Omit<BlockTarget, 'kind'>[]> => facts(db, sql`m.id = any(${sql.param([...ids])}::bigint[])`)

/** Published measurements that a person may choose, narrowed by words or a number. @param subjectId null: of any subject */
export const findMeasures = (db: Queryable, staff: Staff, words: string, subjectId: number | null): Promise<Omit<BlockTarget, 'kind'>[]> => facts(db, sql`m.state = ${MEASURE_STATE.live} and m.id in (select id from measurement where ${listCondition(measurement, staff, {})})
  ${subjectId === null ? sql`` : sql`and m.subject_id = ${subjectId}`} ${words === '' ? sql`` : sql`and ${/^\d{1,15}$/.test(words) ? sql`(m.id = ${Number(words)} or ${holds(sql`m.name`, words)})` : holds(sql`m.name`, words)}`} order by m.id desc limit 50`)

/** Measurements as users of questions; drafts follow a merge, what is published is mended by its editors. */
export const measureUses: PracticeUser = {
  count: (id) => sql`(select count(*) from measurement_use u join measurement m on m.id = u.measurement_id and m.deleted_at is null where u.practice_id = ${id})`,
  async list(db, staff, id) {
    if (!staff.modules.has(measurement.grant)) return []
    const rows = await db.query<{ id: number; name: string }>(sql`select m.id, m.name from measurement_use u join measurement m on m.id = u.measurement_id and m.deleted_at is null where u.practice_id = ${id} and m.id in (select id from measurement where ${listCondition(measurement, staff, {})}) order by m.id desc limit 100`)
    return rows.map(({ id: own, name }) => ({ kind: '测评', title: name, path: `/practiceBook/content/ai-measurement?open=${own}` }))
  },
  async move(tx, staff, from, to) {
    const done = { moved: 0, left_alone: 0 }
    for (const { id, questions } of await tx.query<{ id: number; questions: Question[] }>(sql`select m.id, m.questions from measurement_use u join measurement m on m.id = u.measurement_id and m.deleted_at is null where u.practice_id = ${from} order by m.id for no key update of m`)) {
      const [may] = staff.modules.has(measurement.actions.update ?? 0) ? await tx.query(sql`select 1 from measurement where id = ${id} and ${listCondition(measurement, staff, {})}`) : []
      const [fact] = await tx.query<{ version_no: number; difficulty: number | null }>(sql`select version_no::int as version_no, difficulty from practice where id = ${to}`)
      if (!may || !fact || questions.some(({ practice_id }) => practice_id === to)) {
        done.left_alone++
        continue
      }
      const next = questions.map((one) => (one.practice_id === from ? { ...one, practice_id: to, ...fact } : one))
      await touch(tx, measurement, { questions: next }, id)
      await writeMeasureUses(tx, id, next)
      done.moved++
    }
    return done
  },
}

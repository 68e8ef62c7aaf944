import { sql } from 'drizzle-orm'
import type { Queryable } from '../../../core/database/database.server.ts'
import { invalid } from '../../../core/error/error.ts'
import { attachFiles } from '../../../core/resource/attach.server.ts'
import type { Staff } from '../../../core/grant/staff.server.ts'
import { checkRecord } from '../../../core/resource/rules.ts'
import { holdTargets, updateRow } from '../../../core/resource/write.server.ts'
import { insertMany } from '../../../core/setup/insert-many.server.ts'
import { contentSchema, type QuestionContent } from '../content/question.ts'
import { rebuildClosure } from '../label/closure.server.ts'
import { resolveLabels } from '../label/read.server.ts'
import { readHashes } from '../picture/hash.server.ts'
import type { PracticeFacts } from './calls.ts'
import { completeness, derived } from './derive.ts'
import { chapter } from '../textbook/textbook.ts'
import { practiceCategory } from './category.ts'
import { tellCorrected } from './corrected.server.ts'
import { practiceNo } from './number.ts'
import { bankScreen, practice, SCANS, STATUS, type Pool } from './practice.ts'

/** A label that a question is given. */
export interface GivenLabel {
  id: number
  main: boolean
}

/** Everything that a person writes about a question. */
export interface PracticeInput {
  content: QuestionContent
  facts: PracticeFacts
  labels: GivenLabel[]
  chapter_ids: number[]
}

/** A question that enters a bank. */
export interface NewPractice extends PracticeInput {
  pool: Pool
  level: number
  status?: number
  owner_id: number | null
  origin_id?: number | null
  version_no?: number
  verifier1_id?: number | null
  verifier2_id?: number | null
  published_at?: number | null
  use_count?: number
  created_at?: number
}

/** domain 3.2: one main label and at most four others of knowledge; other kinds beside them. */
export const MAX_LABELS = 12

/**
 * Checks what was sent as a question.
 * @param stored facts that were good when they were saved
 * @throws AppError naming the fields: content, facts by their keys, labels, chapters
 */
export async function readInput(db: Queryable, staff: Staff, level: number, sent: Readonly<Record<string, unknown>>, stored: readonly Readonly<Record<string, unknown>>[] = []): Promise<PracticeInput> {
  const read = contentSchema.safeParse(sent['content'])
  if (!read.success) throw invalid({ content: read.error.issues[0]?.message ?? '内容格式不正确' })
  const content = read.data
  const sentFacts = (sent['facts'] ?? {}) as Record<string, unknown>
  const { values, errors } = checkRecord(practice, { ...sentFacts, type: content.type, option_layout: content.option_layout, score: content.score }, false, stored)
  if (Object.keys(errors).length > 0) throw invalid(errors)
  const facts = values as unknown as PracticeFacts
  const { subject: subjects } = staff.scopes
  const [known] = await db.query<{ level: number }>(sql`select level from subject where id = ${facts.subject_id} and deleted_at is null`)
  if (known?.level !== level || !(subjects?.includes(facts.subject_id) ?? true)) throw invalid({ subject_id: '请选择本学段的学科' })
  if (facts.category_id) {
    const [category] = await db.query<{ type: number }>(sql`select type from practice_category where id = ${facts.category_id} and subject_id = ${facts.subject_id} and deleted_at is null`)
    if (!category) throw invalid({ category_id: '题型分类不属于该学科，请重新选择' })
    if (category.type !== content.type) throw invalid({ category_id: '题型分类与题型不符，请重新选择' })
  }
  return { content, facts, labels: await readLabels(db, facts.subject_id, (sent['labels'] ?? []) as GivenLabel[]), chapter_ids: await readChapters(db, facts.subject_id, (sent['chapter_ids'] ?? []) as number[]) }
}

/** Labels as they are today, each once, at most one of them the main one; the first of knowledge where none was named. */
export async function readLabels(db: Queryable, subjectId: number, given: readonly GivenLabel[]): Promise<GivenLabel[]> {
  if (given.length > MAX_LABELS) throw invalid({ labels: `最多 ${MAX_LABELS} 个标签` })
  const today = await resolveLabels(db, given.map(({ id }) => id))
  const found = await db.query<{ id: number; kind: string; subject_id: number }>(sql`select id, kind, subject_id from label where id = any(${sql.param([...today.values()])}::bigint[])`)
  if (given.some(({ id }) => !today.has(id))) throw invalid({ labels: '标签不存在或已被删除，请重新选择' })
  if (found.some((label) => label.subject_id !== subjectId)) throw invalid({ labels: '标签不属于该学科，请重新选择' })
  const ids = [...new Set(given.map(({ id }) => today.get(id) ?? id))]
  const isKnowledge = (id: number) => found.find((label) => label.id === id)?.kind === 'knowledge'
  const chosen = given.find((label) => label.main && isKnowledge(today.get(label.id) ?? 0))
  const main = chosen ? today.get(chosen.id) : ids.find(isKnowledge)
  return ids.map((id) => ({ id, main: id === main }))
}

async function readChapters(db: Queryable, subjectId: number, given: readonly number[]): Promise<number[]> {
  const ids = [...new Set(given)]
  if (ids.length === 0) return []
  if (ids.length > 20) throw invalid({ chapter_ids: '最多 20 个章节' })
  const found = await db.query<{ id: number }>(sql`select id from chapter where id = any(${sql.param(ids)}::bigint[]) and subject_id = ${subjectId} and deleted_at is null`)
  if (found.length < ids.length) throw invalid({ chapter_ids: '章节不存在或不属于该学科，请重新选择' })
  return ids
}

/** Writes what hangs on questions: labels, chapters, keys of duplicates. What was there is replaced. */
async function writeParts(tx: Queryable, parts: readonly { id: number; labels: readonly GivenLabel[]; chapter_ids: readonly number[]; bands: readonly number[] }[], fresh: boolean): Promise<void> {
  const ids = parts.map(({ id }) => id)
  const all = sql`${sql.param(ids)}::bigint[]`
  if (!fresh) for (const table of ['practice_label', 'practice_chapter', 'practice_band']) await tx.query(sql`delete from ${sql.identifier(table)} where practice_id = any(${all})`)
  await holdTargets(tx, { table: 'label', label: '标签' }, parts.flatMap(({ labels: own }) => own.map(({ id }) => id)))
  await holdTargets(tx, chapter, parts.flatMap(({ chapter_ids }) => chapter_ids))
  const labels = parts.flatMap(({ id, labels: own }) => own.map((label) => ({ p: id, l: label.id, m: label.main })))
  const chapters = parts.flatMap(({ id, chapter_ids }) => chapter_ids.map((chapter) => ({ p: id, c: chapter })))
  if (labels.length > 0) await tx.query(sql`insert into practice_label (practice_id, label_id, main) select p, l, m from jsonb_to_recordset(${JSON.stringify(labels)}::jsonb) as r (p bigint, l bigint, m boolean)`)
  if (chapters.length > 0) await tx.query(sql`insert into practice_chapter (practice_id, chapter_id) select p, c from jsonb_to_recordset(${JSON.stringify(chapters)}::jsonb) as r (p bigint, c bigint)`)
  await addBands(tx, parts)
  await rebuildClosure(tx, sql`select unnest(${all})`)
}

/** Writes keys of duplicates; those that a question has already stay. */
export async function addBands(tx: Queryable, rows: readonly { id: number; bands: readonly number[] }[]): Promise<void> {
  const bands = rows.flatMap(({ id, bands: own }) => [...new Set(own)].map((key) => ({ p: id, k: key })))
  if (bands.length > 0) await tx.query(sql`insert into practice_band (key, practice_id) select k, p from jsonb_to_recordset(${JSON.stringify(bands)}::jsonb) as r (k integer, p bigint) on conflict do nothing`)
}

/** Writes the present state of questions as a version, under the number that each carries. */
async function writeVersions(tx: Queryable, staffId: number | null, versions: readonly { id: number; version_no: number; input: PracticeInput; note?: string | undefined; published?: boolean }[]): Promise<void> {
  const rows = versions.map(({ id, version_no, input, note, published }) => ({ p: id, v: version_no, s: input, n: note ?? null, o: published ?? false }))
  await tx.query(sql`insert into practice_version (practice_id, version_no, snapshot, staff_id, note, published)
    select p, v, s, ${staffId}, n, o from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (p bigint, v integer, s jsonb, n text, o boolean)`)
}

/**
 * Adds questions, whole and in few statements, however many. Content, labels and chapters have been checked.
 * @returns their ids, in order
 */
export async function insertPractices(tx: Queryable, staffId: number | null, rows: readonly NewPractice[], note?: string): Promise<number[]> {
  if (rows.length === 0) return []
  const reserved = await tx.query<{ id: number }>(sql`select nextval(pg_get_serial_sequence('practice', 'id')) as id from generate_series(1, ${sql.raw(String(rows.length))})`)
  const hashes = await readHashes(tx, rows.map(({ content }) => content))
  await holdTargets(tx, practiceCategory, rows.flatMap(({ facts }) => facts.category_id ?? []))
  const made = rows.map((row, index) => ({ row, id: reserved[index]?.id ?? 0, ...derived(row.content, hashes) }))
  await insertMany(tx, practice, made.map(({ row, id, columns }) => ({
    ...row.facts, ...columns, id, no: practiceNo(row.facts.subject_id, row.level, id), pool: row.pool, level: row.level, status: row.status ?? STATUS.draft, owner_id: row.owner_id, origin_id: row.origin_id ?? null,
    version_no: row.version_no ?? 1, verifier1_id: row.verifier1_id ?? null, verifier2_id: row.verifier2_id ?? null, assignee_id: null, published_at: row.published_at ?? null, use_count: row.use_count ?? 0,
    has_video: Number(Boolean(row.facts.video)), quality: completeness(row.content, row.facts, row.labels.length), created_by: staffId, updated_by: staffId,
    ...(row.created_at !== undefined && { created_at: row.created_at }),
  } as never)))
  await tx.query(sql`insert into practice_body (practice_id, content) select p, c from jsonb_to_recordset(${JSON.stringify(made.map(({ id, row }) => ({ p: id, c: row.content })))}::jsonb) as r (p bigint, c jsonb)`)
  await writeParts(tx, made.map(({ id, row, bands }) => ({ id, labels: row.labels, chapter_ids: row.chapter_ids, bands })), true)
  await writeVersions(tx, staffId, made.map(({ id, row }) => ({ id, version_no: row.version_no ?? 1, input: inputOf(row), note, published: row.pool === 'official' })))
  return made.map(({ id }) => id)
}

const inputOf = ({ content, facts, labels, chapter_ids }: PracticeInput): PracticeInput => ({ content, facts, labels, chapter_ids })

/**
 * Opens the files of a question for a person who may open its bank. Only files that the person may fetch can be used.
 * @param content the texts, and whatever else names files
 */
export function claimContent(tx: Queryable, staff: Pick<Staff, 'id'>, level: number, content: QuestionContent, { video, scans }: Partial<Pick<PracticeFacts, 'video' | 'scans'>> = {}): Promise<void> {
  const field = { kind: 'json', label: '内容' }
  const fields = { content: field as never, video: field as never, scans: SCANS }
  return [bankScreen('back', level), bankScreen('official', level)].reduce<Promise<void>>(
    (before, grant) => before.then(() => attachFiles(tx, { fields, grant }, { content, video, scans }, staff.id)), Promise.resolve())
}

/**
 * Writes a changed question that is locked, with a version of it.
 * @param extra further columns that change with it, such as its state
 */
export async function updatePractice(
  tx: Queryable, staffId: number | null, row: { id: number; version_no: number }, input: PracticeInput, options: { note?: string | undefined; published?: boolean; extra?: Readonly<Record<string, unknown>> } = {},
): Promise<void> {
  const { columns, bands } = derived(input.content, await readHashes(tx, [input.content]))
  const version_no = row.version_no + 1
  const [before] = await tx.query<{ content: QuestionContent; pool: Pool; no: string }>(sql`select b.content, p.pool, p.no from practice_body b join practice p on p.id = b.practice_id where b.practice_id = ${row.id}`)
  await holdTargets(tx, practiceCategory, [input.facts.category_id ?? []].flat())
  await updateRow(tx, practice, row.id, {
    ...input.facts, ...columns, has_video: Number(Boolean(input.facts.video)), quality: completeness(input.content, input.facts, input.labels.length), version_no, ...options.extra,
  }, {})
  await tx.query(sql`update practice_body set content = ${JSON.stringify(input.content)}::jsonb where practice_id = ${row.id}`)
  await writeParts(tx, [{ id: row.id, labels: input.labels, chapter_ids: input.chapter_ids, bands }], false)
  await writeVersions(tx, staffId, [{ id: row.id, version_no, input: inputOf(input), note: options.note, published: options.published ?? false }])
  if (before?.pool === 'official') await tellCorrected(tx, { id: row.id, no: before.no, staffId, before: before.content, after: input.content })
}

/** A question as it stands, in the form in which it is written. */
export async function readWritten(db: Queryable, id: number): Promise<PracticeInput | undefined> {
  const [row] = await db.query<PracticeInput>(sql`select b.content,
    jsonb_build_object('subject_id', p.subject_id, 'category_id', p.category_id, 'difficulty', p.difficulty, 'coef', p.coef, 'source', p.source, 'source_paper', p.source_paper, 'source_order', p.source_order,
      'source_years', coalesce(p.source_years, '{}'), 'exam_region_id', p.exam_region_id, 'exam_year', p.exam_year, 'gaokao_type', p.gaokao_type, 'exercise_type', p.exercise_type, 'est_seconds', p.est_seconds,
      'cognitive', p.cognitive, 'competence', coalesce(p.competence, '{}'), 'tags', coalesce(p.tags, '{}'), 'copyright', p.copyright, 'products', coalesce(p.products, '{}'), 'video', p.video, 'scans', coalesce(p.scans, '{}')) as facts,
    coalesce((select jsonb_agg(jsonb_build_object('id', label_id, 'main', main) order by main desc, label_id) from practice_label where practice_id = p.id), '[]') as labels,
    coalesce((select jsonb_agg(chapter_id order by chapter_id) from practice_chapter where practice_id = p.id), '[]') as chapter_ids
    from practice p join practice_body b on b.practice_id = p.id where p.id = ${id}`)
  return row
}

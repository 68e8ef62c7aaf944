/** The long parts of an import: reading a file, and writing its questions. */
import { sql } from 'drizzle-orm'
import type { Queryable } from '../../../core/database/database.server.ts'
import { notFound } from '../../../core/error/error.ts'
import type { FileStore } from '../../../core/file/store.server.ts'
import { holdFiles } from '../../../core/resource/attach.server.ts'
import { fileIdsIn } from '../../../core/file/url.ts'
import type { Staff } from '../../../core/grant/staff.server.ts'
import { inBatches } from '../../../core/job/batches.server.ts'
import { defineJob, type JobContext } from '../../../core/job/define.server.ts'
import type { JobDefinition } from '../../../core/job/define.server.ts'
import { EXAM_REGIONS } from '../../reference/module.ts'
import { bankGrant } from '../bank/practice.ts'
import { claimContent, insertPractices, type GivenLabel, type NewPractice } from '../bank/write.server.ts'
import type { Question } from '../content/question.ts'
import { hint, type ParsedItem } from '../formats/item.ts'
import type { JsonMapping } from '../formats/json-mapping.ts'
import { hashPictures } from '../picture/hash.server.ts'
import { runFacts, type FactsInput } from './facts.server.ts'
import { nameFinder, unplaced, type NameFinder } from './chapters.server.ts'
import { checkImportLabels } from './handover.server.ts'
import { markTwins, partTwins } from './twins.server.ts'
import { labelFinder, type LabelFinder } from './labels.server.ts'
import { recallLayout } from './layout.server.ts'
import { readQuestions } from './read-file.server.ts'
import { assetNames, insertStaged, stageItem, storeAssets, subjectsOf, withStored, type Staged } from './stage.server.ts'

interface ImportRow {
  id: number
  staff_id: number
  level: number
  subject_id: number | null
  file_id: string
  file_name: string
  mapping: JsonMapping | null
}

export interface ParseInput {
  import_id: number
  level: number
}

export interface CommitInput extends ParseInput {
  problems: boolean
  alike: boolean
}

/** Items that are written, and progress that is told, at a time. */
const CHUNK = 200

async function ownImport(db: Queryable, id: number, staff: Staff): Promise<ImportRow> {
  const [row] = await db.query<ImportRow>(sql`select id, staff_id, level, subject_id, file_id, file_name, mapping from practice_import where id = ${id} and staff_id = ${staff.id}`)
  if (!row) throw notFound('导入')
  return row
}

async function parse(context: JobContext<ParseInput>, files: FileStore): Promise<void> {
  const { db, input, staff, signal } = context
  const row = await ownImport(db, input.import_id, staff)
  const { reading, isKept } = await files.withPath(row.file_id, async (path) => {
    const guessed = await readQuestions(path, row.file_name, row.mapping)
    const kept = row.mapping === null && guessed.fields ? await recallLayout(db, staff.id, guessed.fields) : null
    return { reading: kept ? await readQuestions(path, row.file_name, kept) : guessed, isKept: kept !== null || row.mapping !== null }
  })
  const { items, assets } = reading.parsed
  const used = new Set(items.flatMap((item) => (item.question ? assetNames(item.question) : [])))
  const { addresses, refused } = await storeAssets(files, staff.id, assets, used)
  const pictures = [...addresses.values()].flatMap((address) => fileIdsIn(address))
  await hashPictures(db, files, pictures)
  const subjects = await subjectsOf(db, row.level)
  const read: Staged[] = []
  for (const [ord, item] of items.entries()) {
    signal.throwIfAborted()
    read.push(await stageItem(db, staff, stored(item, addresses, refused), ord, subjects, row.subject_id))
    if (ord % 20 === 0) context.progress(ord, items.length)
  }
  const staged = markTwins(read)
  const notes = unplaced(staged, await nameFinder(db, [...new Set(staged.flatMap(({ subject_id }) => subject_id ?? []))])).map(hint)
  await db.transaction(context.actor, async (tx) => {
    await tx.query(sql`delete from practice_import_item where import_id = ${row.id}`)
    // They wait with their questions, however long nobody looks at them.
    await holdFiles(tx, pictures, staff.id)
    for (let at = 0; at < staged.length; at += CHUNK) await insertStaged(tx, row.id, staged.slice(at, at + CHUNK))
    await tx.query(sql`update practice_import set state = 'ready', mapping = ${reading.mapping ? JSON.stringify(reading.mapping) : null}::jsonb, fields = ${reading.fields ? JSON.stringify(reading.fields) : null}::jsonb,
      mapping_kept = ${isKept}, head = ${reading.parsed.head ? JSON.stringify(reading.parsed.head) : null}::jsonb, notes = ${JSON.stringify([...reading.parsed.warnings, ...notes])}::jsonb where id = ${row.id}`)
    await context.finish(tx, { items: staged.length, problems: staged.filter((item) => item.state === 'problem').length })
  })
}

/** The item with stored pictures, and with a word about each that was refused. */
function stored(item: ParsedItem, addresses: ReadonlyMap<string, string>, refused: ReadonlyMap<string, string>): ParsedItem {
  if (!item.question) return item
  const reasons = assetNames(item.question).flatMap((name) => refused.get(name) ?? [])
  return { ...item, question: withStored(item.question, addresses), warnings: [...item.warnings, ...[...new Set(reasons)].map((reason) => hint(`有图片没有导入：${reason}`))] }
}

interface Lookup {
  names: NameFinder
  labels: LabelFinder
}

/** Ids of what questions name, for the subjects of a batch. */
async function lookupOf(db: Queryable, importId: number, subjectIds: readonly number[]): Promise<Lookup> {
  return { names: await nameFinder(db, subjectIds), labels: await labelFinder(db, importId, subjectIds) }
}

/** A staged question as the bank writes one. */
function newPractice(question: Question, subjectId: number, level: number, owner: number, { names, labels }: Lookup): NewPractice {
  const { type, stem, options, option_layout, answer, analysis, score, category, children } = question
  const found = question.labels.flatMap((path) => labels(subjectId, path).id ?? [])
  const given = [...new Set(found)].slice(0, 5).map((id, index): GivenLabel => ({ id, main: index === 0 }))
  const region = EXAM_REGIONS.find((one) => one.name === question.exam_region)?.id ?? null
  return {
    pool: 'back', level, owner_id: owner, labels: given, chapter_ids: [...new Set(question.chapters.flatMap((path) => names.chapter(subjectId, path) ?? []))].slice(0, 20),
    content: { type, stem, options, option_layout, answer, analysis, score, category, children },
    facts: {
      subject_id: subjectId, category_id: names.category(subjectId, question), difficulty: question.difficulty, coef: question.coef, source: question.source,
      source_paper: question.source_paper, source_order: question.source_order, source_years: question.source_years, exam_region_id: region, exam_year: null, gaokao_type: question.gaokao_type,
      exercise_type: question.exercise_type, est_seconds: question.est_seconds, cognitive: question.cognitive, competence: question.competence.slice(0, 20), tags: question.tags.map((tag) => tag.slice(0, 20)).slice(0, 20),
      copyright: question.copyright, products: [], video: null, scans: [],
    },
  }
}

interface Waiting {
  ord: number
  question: Question
  subject_id: number
}

/** How many questions the parts so far have written, and have left out because the bank has them by now. */
interface Written {
  written: number
  there: number
}

/** Writes questions of a batch as drafts, and says at each item which one it became. */
async function writeWaiting(tx: Queryable, staff: Staff, row: ImportRow, waiting: readonly Waiting[], lookup: Lookup): Promise<{ o: number; p: number }[]> {
  const rows = waiting.map((item) => newPractice(item.question, item.subject_id, row.level, staff.id, lookup))
  for (const one of rows) if (JSON.stringify(one.content).includes('/end/files/')) await claimContent(tx, staff, row.level, one.content)
  const ids = await insertPractices(tx, staff.id, rows, `导入：${row.file_name}`.slice(0, 200))
  const links = waiting.map((item, index) => ({ o: item.ord, p: ids[index] ?? 0 }))
  if (links.length > 0) await tx.query(sql`update practice_import_item i set practice_id = r.p from jsonb_to_recordset(${JSON.stringify(links)}::jsonb) as r (o int, p bigint) where i.import_id = ${row.id} and i.ord = r.o`)
  return links
}

/**
 * Writes some items of a person's own import at once, for a paper that is made of them.
 * @returns the question that each item became
 */
export async function writeImportItems(tx: Queryable, staff: Staff, importId: number, ords: readonly number[]): Promise<Map<number, number>> {
  const row = await ownImport(tx, importId, staff)
  await checkImportLabels(tx, importId)
  const waiting = await tx.query<Waiting>(sql`select ord, question, subject_id from practice_import_item where import_id = ${row.id} and ord = any(${sql.param([...ords])}::int[]) and practice_id is null and question is not null and subject_id is not null order by ord for update`)
  const links = await writeWaiting(tx, staff, row, waiting, await lookupOf(tx, row.id, [...new Set(waiting.map(({ subject_id }) => subject_id))]))
  await tx.query(sql`update practice_import set state = 'done' where id = ${row.id}`)
  return new Map(links.map(({ o, p }) => [o, p]))
}

async function commit(context: JobContext<CommitInput, Written>): Promise<void> {
  const { db, input, staff } = context
  const row = await ownImport(db, input.import_id, staff)
  const scope = staff.scopes.subject
  const wanted = sql`import_id = ${row.id} and practice_id is null and not skip and question is not null and subject_id is not null
    ${input.problems ? sql`` : sql` and state <> 'problem'`}${input.alike ? sql`` : sql` and like_kind is distinct from 'same'`}${scope ? sql` and subject_id = any(${sql.param([...scope])}::bigint[])` : sql``}`
  const [count] = await db.query<{ n: number }>(sql`select count(*)::int as n from practice_import_item where ${wanted}`)
  const total = count?.n ?? 0
  const before = context.saved?.written ?? 0
  const subjects = await db.query<{ id: number }>(sql`select distinct subject_id as id from practice_import_item where ${wanted}`)
  const lookup = await lookupOf(db, row.id, subjects.map(({ id }) => id))
  await inBatches(context, { written: 0, there: 0 }, async (state) => async (tx) => {
    const waiting = await tx.query<Waiting>(sql`select ord, question, subject_id from practice_import_item where ${wanted} order by ord limit ${sql.raw(String(CHUNK))} for update`)
    const { fresh, there } = input.alike ? { fresh: waiting, there: [] } : await partTwins(tx, waiting)
    if (there.length > 0) await tx.query(sql`update practice_import_item i set like_kind = 'same', like_id = coalesce(r.like_id, i.like_id) from jsonb_to_recordset(${JSON.stringify(there)}::jsonb) as r (ord int, like_id bigint) where i.import_id = ${row.id} and i.ord = r.ord`)
    const links = await writeWaiting(tx, staff, row, fresh, lookup)
    const done = { written: state.written + links.length, there: state.there + there.length }
    if (waiting.length === CHUNK) return done
    await tx.query(sql`update practice_import set state = 'done' where id = ${row.id}`)
    await context.finish(tx, done.there > 0 ? { ...done } : { written: done.written })
    return undefined
  }, ({ written }) => [written, before + total])
}

/** Kinds of jobs of the import. */
export function importJobs({ files }: { files: FileStore }): JobDefinition[] {
  return [
    defineJob<ParseInput>({ kind: 'practice_import_parse', grants: ({ level }) => [bankGrant('back', level, 'import')], run: (context) => parse(context, files) }),
    defineJob<CommitInput, Written>({ kind: 'practice_import_commit', grants: ({ level }) => [bankGrant('back', level, 'import')], run: commit }),
    defineJob<FactsInput>({ kind: 'practice_import_facts', grants: ({ level }) => [bankGrant('back', level, 'import')], run: runFacts }),
  ]
}

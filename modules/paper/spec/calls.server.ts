import { PassThrough, type Readable } from 'node:stream'
import { sql } from 'drizzle-orm'
import type { Queryable } from '../../../core/database/database.server.ts'
import { handle, idParam, type Served } from '../../../core/endpoint/serve.server.ts'
import { badRequest } from '../../../core/error/error.ts'
import type { FileStore } from '../../../core/file/store.server.ts'
import { fileUrl } from '../../../core/file/url.ts'
import { rowsOf } from '../../../core/sheet/uploaded.server.ts'
import { coefOf, secondsOf } from '../compose/analysis.ts'
import { findPaper, readBody, type PaperRow } from '../content.server.ts'
import { bandOf } from '../smart/problem.ts'
import { subjectOf } from '../smart/subject.server.ts'
import { paperSpec, paperSpecSheet, readSpecSheet, writeSpecSheet, type PaperSpec } from './calls.ts'
import { readSpec, writeSpec } from './sheet.server.ts'
import { recoverLines, sectionsOf, type SpecSection } from './spec.ts'

/** How long a written workbook can be fetched, seconds. */
const KEPT = 3600

interface Fact {
  id: number
  type: number
  category_id: number | null
  coef: number | null
  difficulty: number | null
  cognitive: string | null
  est_seconds: number | null
  label_id: number | null
}

/** The table behind a paper; questions without a kind of their own count as all kinds of their type. */
async function specOf(db: Queryable, paper: PaperRow): Promise<PaperSpec> {
  const { body } = await readBody(db, paper.id)
  const placed = body.sections.flatMap(({ name, items }) => items.map((item) => ({ ...item, section: name })))
  if (placed.length === 0) throw badRequest('试卷还没有试题，没有细目表')
  const practice_ids = placed.map(({ practice_id }) => practice_id)
  const [facts, categories] = await Promise.all([
    db.query<Fact>(sql`select p.id, p.type, p.category_id, p.coef, p.difficulty, p.cognitive, p.est_seconds::int as est_seconds,
      (select pl.label_id from practice_label pl join label l on l.id = pl.label_id and l.kind = 'knowledge' where pl.practice_id = p.id order by pl.main desc, pl.label_id limit 1) as label_id
      from practice p where p.id = any(${sql.param(practice_ids)}::bigint[])`),
    db.query<{ id: number; type: number }>(sql`select id, type from practice_category where subject_id = ${paper.subject_id} and deleted_at is null`),
  ])
  const known = new Map(facts.map((fact) => [fact.id, fact]))
  const questions = placed.flatMap(({ practice_id, section, score }) => {
    const fact = known.get(practice_id)
    if (!fact || score === 0) return []
    const category_ids = fact.category_id === null ? categories.filter(({ type }) => type === fact.type).map(({ id }) => id) : [fact.category_id]
    // The bank finds candidates by the difficulty that people gave, not by the measured coefficient.
    const given = coefOf({ coef: null, difficulty: fact.difficulty })
    return [{ section, score, category_ids, label_id: fact.label_id, band: given === null ? null : bandOf(given), coef: coefOf(fact), cognitive: fact.cognitive, seconds: secondsOf(fact) }]
  })
  const sections = sectionsOf(recoverLines(questions))
  const judged = questions.flatMap(({ coef, score }) => (coef === null ? [] : [{ coef, score }]))
  const points = judged.reduce((sum, { score }) => sum + score, 0)
  return {
    subject_id: paper.subject_id, name: paper.name, sections, practice_ids,
    coef: points === 0 ? null : Math.round((judged.reduce((sum, { coef, score }) => sum + coef * score, 0) / points) * 100) / 100,
    minutes: Math.max(1, Math.round(questions.reduce((sum, { seconds }) => sum + seconds, 0) / 60)),
  }
}

const fileName = (name: string) => `${name}细目表.xlsx`

/** The workbook while it is being written; a failure breaks it off. */
function workbook(db: Queryable, subjectId: number, sections: readonly SpecSection[]): Readable {
  const target = new PassThrough()
  writeSpec(db, target, subjectId, sections).catch((error: unknown) => target.destroy(error as Error))
  return target
}

/** The calls of specification tables, answered. */
export function specCalls(files: FileStore): Served[] {
  return [
    handle(paperSpec, async (call) => specOf(call.db, await findPaper(call.db, call.staff, idParam(call)))),
    handle(paperSpecSheet, async (call) => {
      const { subject_id, name, sections } = await specOf(call.db, await findPaper(call.db, call.staff, idParam(call)))
      call.reply.header('content-type', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet')
      call.reply.header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(fileName(name))}`)
      return workbook(call.db, subject_id, sections)
    }),
    handle(writeSpecSheet, async (call) => {
      const { name, sections } = call.input
      const subject = await subjectOf(call.db, call.staff, call.input.subject_id)
      const { id } = await files.put(workbook(call.db, subject.id, sections), { name: fileName(name || subject.name), staffId: call.staff.id, expiresAt: Math.floor(Date.now() / 1000) + KEPT })
      return { url: fileUrl(id) }
    }),
    handle(readSpecSheet, async (call) => {
      const subject = await subjectOf(call.db, call.staff, call.input.subject_id)
      return readSpec(call.db, subject.id, await rowsOf(files, call, call.input.file_id))
    }),
  ]
}

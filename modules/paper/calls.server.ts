import { sql } from 'drizzle-orm'
import type { Database } from '../../core/database/database.server.ts'
import { handle, idParam, type Call, type Served } from '../../core/endpoint/serve.server.ts'
import { notGranted } from '../../core/error/error.ts'
import type { Kernel } from '../../core/kernel/kernel.server.ts'
import { siteOrigin } from '../../core/login/site.server.ts'
import { insertRow } from '../../core/resource/write.server.ts'
import { pageOf, tooManyForOne } from '../../core/resource/list.server.ts'
import { checkQuery, listCondition, type Query } from '../../core/resource/where.server.ts'
import {
  basePapers, changePaper, copyPaper, dropPaperPractice, editPaperPractice, knowledgePaperPractices, orderRule, paperPractices, readPaper, type PaperChoice, type PaperPractice,
} from './calls.ts'
import { numbered } from './compose/heading.ts'
import type { Change } from './compose/body.ts'
import { applyChanges, findPaper, mayEdit, paperContent, readBody, writeBody } from './content.server.ts'
import { orderGroups } from './order-groups.ts'
import { EDITIONS } from './print/edition.ts'
import { paperWord } from './print/calls.ts'
import { PAPER_STATE, PAPERS, resourceOf } from './paper.ts'

const WORD = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'

/** The questions of a paper in a row, with their numbers. */
async function practicesOf(call: Call): Promise<{ items: PaperPractice[]; total: number }> {
  const content = await paperContent(call.db, call.staff, await findPaper(call.db, call.staff, idParam(call)))
  const cards = new Map(content.practices.map((card) => [card.id, card]))
  const items = numbered(content.body, ({ practice_id }) => cards.get(practice_id)?.content.children.length || 1).flatMap(({ section, items: rows }) => rows.flatMap(({ item, from }) => {
    const card = cards.get(item.practice_id)
    return card ? [{ ...card, number: from, section: section.name, paper_score: item.score }] : []
  }))
  return { items, total: items.length }
}

/** One change from a call that knows only single questions. */
const change = (call: Call, id: number, one: Change) => call.transaction(async (tx) => {
  await applyChanges(tx, call.staff, id, [one])
  return {}
})

/** Kinds of questions of a subject; of all subjects where none is named. */
async function categoriesOf(db: Database, subjectId: number | undefined) {
  const which = subjectId === undefined ? sql`` : sql` and subject_id = ${subjectId}`
  return db.query<{ id: number; name: string; type: number }>(sql`select id, name, type from practice_category where deleted_at is null${which} order by subject_id, sort, id`)
}

/** Papers of a kind, of all stages that the person may open, narrowed by the filters of their own lists. */
export async function papersToChoose(call: Call<Readonly<Record<string, unknown>>>, kind: keyof typeof PAPERS) {
  const query = call.input as Query
  const { page, size, all } = pageOf(query)
  const resources = PAPERS[kind].filter(({ grant }) => call.staff.modules.has(grant))
  for (const resource of resources) checkQuery(resource, query)
  const where = resources.length === 0 ? sql`false` : sql.join(resources.map((resource) => sql`(${listCondition(resource, call.staff, query)})`), sql` or `)
  const [items, [count]] = await Promise.all([
    call.db.query<PaperChoice & { label_ids: number[]; micro_lesson_ids: number[] }>(sql`select id, name, subject_id, subject_id as cat_id, question_count::int as question_count, total_score, source_year::int as source_year,
        duration::int as duration, coalesce(label_ids, '{}') as label_ids, coalesce(lesson_ids, '{}') as micro_lesson_ids,
        (state in (${PAPER_STATE.shelved}, ${PAPER_STATE.revising}))::int as status, state from paper where ${where}
      order by id desc limit ${sql.raw(String(size))} offset ${sql.raw(String(page * size))}`),
    call.db.query<{ n: number }>(sql`select count(*)::int as n from paper where ${where}`),
  ])
  if (all && (count?.n ?? 0) > size) throw tooManyForOne()
  return { items, total: count?.n ?? 0 }
}

const recentOf = ({ input }: Call<{ recent?: string | undefined }>): number | undefined => (input.recent === undefined ? undefined : Number(input.recent))

/** The calls of papers, answered. */
export function paperCalls({ files, config }: Pick<Kernel, 'files' | 'config'>): Served[] {
  return [
    handle(readPaper, async (call) => paperContent(call.db, call.staff, await findPaper(call.db, call.staff, idParam(call)), recentOf(call))),
    handle(paperWord, async (call) => {
      const { edition = 'student', sheet = 'a4', seal = '1', blank_lines = '4', codes = '0', watermark = '' } = call.input
      const content = await paperContent(call.db, call.staff, await findPaper(call.db, call.staff, idParam(call)))
      // What writes Word is large, and few processes are ever asked for it.
      const { writePaperWord } = await import('./print/word.server.ts')
      const bytes = await writePaperWord(content, { edition, sheet, seal: seal === '1', blankLines: Number(blank_lines), codes: codes === '1', watermark }, files, siteOrigin(config, call.request))
      const name = `${content.name}${edition === 'student' ? '' : `（${EDITIONS.find(({ value }) => value === edition)?.label ?? ''}）`}.docx`
      return call.reply.header('content-type', WORD).header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(name)}`).send(Buffer.from(bytes))
    }),
    handle(changePaper, (call) => call.transaction(async (tx) => paperContent(tx, call.staff, await applyChanges(tx, call.staff, idParam(call), call.input.changes), recentOf(call)))),
    handle(copyPaper, (call) => call.transaction(async (tx) => {
      const paper = await findPaper(tx, call.staff, idParam(call))
      if (!mayEdit(call.staff, paper)) throw notGranted(`${resourceOf(paper).label} · 新增和编辑`)
      const [original] = await tx.query<Record<string, unknown>>(sql`select * from paper where id = ${paper.id}`)
      const resource = resourceOf(paper)
      const own = Object.entries(resource.fields).filter(([, field]) => field.column && !field.readonly).map(([key]) => key)
      const values = Object.fromEntries(own.map((key) => [key, original?.[key] ?? null]))
      const row = await insertRow(tx, resource, call.staff.id, { ...values, level: paper.level, name: call.input.name }, {})
      const { body } = await readBody(tx, paper.id)
      await writeBody(tx, call.staff.id, { ...paper, id: Number(row.id), state: PAPER_STATE.draft }, body, [])
      return { id: Number(row.id) }
    })),
    handle(paperPractices, practicesOf),
    handle(knowledgePaperPractices, practicesOf),
    handle(editPaperPractice, (call) => change(call, idParam(call, 'paper_id'), { do: 'score', practice_id: idParam(call), score: call.input.score, sub_scores: [] })),
    handle(dropPaperPractice, (call) => change(call, idParam(call, 'paper_id'), { do: 'drop-item', practice_id: idParam(call) })),
    handle(orderRule, async (call) => {
      const rows = await categoriesOf(call.db, call.input.cat_id === undefined ? undefined : Number(call.input.cat_id))
      return { practice_category_rule: orderGroups(rows) }
    }),
    handle(basePapers, (call) => papersToChoose(call, 'base')),
  ]
}

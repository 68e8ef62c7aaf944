/** Reads what a marking holds. */
import { sql, type SQL } from 'drizzle-orm'
import type { Queryable } from '../../../core/database/database.server.ts'
import { notFound, notGranted } from '../../../core/error/error.ts'
import type { Staff } from '../../../core/grant/staff.server.ts'
import { learnersByNumber } from '../../user/door.server.ts'
import { findPaper, mayMark, type PaperRow } from '../content.server.ts'
import { resourceOf } from '../paper.ts'
import type { Answer, Marking, Results } from './calls.ts'
import type { StoredCard } from './jobs.server.ts'
import { candidateResult, questionResults, type Sheet } from './result.ts'
import type { Candidate } from './roster.ts'

/** A paper whose cards this person may mark. @throws AppError */
export async function markablePaper(db: Queryable, staff: Staff, id: number): Promise<PaperRow> {
  const paper = await findPaper(db, staff, id)
  if (!mayMark(staff, paper)) throw notGranted(`${resourceOf(paper).label} · 答题卡阅卷`)
  return paper
}

const COUNTED = sql`(select jsonb_build_object('all', count(*), 'read', count(*) filter (where state = 'read'), 'loose', count(*) filter (where state = 'loose'), 'twice', count(*) filter (where state = 'twice'), 'failed', count(*) filter (where state = 'failed')) from card_page p where p.marking_id = m.id)`

export const readMarkings = (db: Queryable, condition: SQL): Promise<Marking[]> => db.query<Marking>(sql`select m.id, m.paper_id, m.name, m.state, m.job_id, m.roster, extract(epoch from m.created_at)::int as created_at, ${COUNTED} as pages,
    (select count(distinct p.number)::int from card_page p where p.marking_id = m.id and p.state = 'read') as candidates,
    (select count(*)::int from card_mark k join card_page p on p.id = k.page_id where p.marking_id = m.id and p.state = 'read' and not p.absent and k.doubtful) as doubtful,
    (select count(*)::int from card_mark k join card_page p on p.id = k.page_id where p.marking_id = m.id and p.state = 'read' and not p.absent and k.letters is null and k.score is null) as unscored,
    (select coalesce(jsonb_agg(jsonb_build_object('name', u.name, 'problem', u.problem) order by u.id), '[]') from card_upload u where u.marking_id = m.id and u.problem is not null) as broken
  from card_marking m where ${condition} order by m.id desc limit 100`)

/** A marking that this person may work on. @throws AppError */
export async function findMarking(db: Queryable, staff: Staff, id: number): Promise<{ marking: Marking; paper: PaperRow }> {
  const [marking] = await readMarkings(db, sql`m.id = ${id}`)
  if (!marking) throw notFound('阅卷场次')
  return { marking, paper: await markablePaper(db, staff, marking.paper_id) }
}

/** Cards that pages of a marking were printed from. */
export async function cardsOf(db: Queryable, markingId: number): Promise<Map<number, StoredCard>> {
  const cards = await db.query<StoredCard>(sql`select c.id, c.layout, c.questions from paper_card c where c.id in (select card_id from card_page where marking_id = ${markingId})`)
  return new Map(cards.map((card) => [card.id, card]))
}

/** Most answers that are looked at in one go. */
const MOST_ANSWERS = 200

/** Answers with their places on the pictures. */
export async function readAnswers(db: Queryable, markingId: number, condition: SQL): Promise<{ items: Answer[]; total: number }> {
  const where = sql`p.marking_id = ${markingId} and p.state = 'read' and not p.absent and ${condition}`
  const [rows, [count], cards, pages] = await Promise.all([
    db.query<{ page_id: number; question: number; card_id: number; number: string; letters: string[] | null; score: number | null }>(sql`select k.page_id, k.question, p.card_id, p.number, k.letters, k.score
      from card_mark k join card_page p on p.id = k.page_id where ${where} order by k.question, k.score is not null, p.number limit ${sql.raw(String(MOST_ANSWERS))}`),
    db.query<{ n: number }>(sql`select count(*)::int as n from card_mark k join card_page p on p.id = k.page_id where ${where}`),
    cardsOf(db, markingId),
    db.query<{ id: number; number: string; page_no: number }>(sql`select id, number, page_no from card_page where marking_id = ${markingId} and state = 'read'`),
  ])
  const pageOf = new Map(pages.map(({ id, number, page_no }) => [`${number} ${page_no}`, id]))
  const items = rows.flatMap((row): Answer[] => {
    const card = cards.get(row.card_id)
    const question = card?.questions[row.question]
    if (!card || !question) return []
    const places = card.layout.pages.flatMap((page) => {
      const page_id = pageOf.get(`${row.number} ${page.no}`)
      const bubbles = page.bubbles.filter(({ field, index }) => field === 'choice' && index === row.question)
      const [first, last] = [bubbles[0], bubbles.at(-1)]
      const boxes = first && last ? [{ x: first.x - 11, y: first.y - 2.5, w: last.x + last.w - first.x + 14, h: first.h + 5 }] : page.areas.filter((area) => area.question === row.question).map(({ x, y, w, h }) => ({ x, y, w, h }))
      return page_id === undefined ? [] : boxes.map((box) => ({ page_id, box }))
    })
    const choices = card.layout.pages.flatMap(({ bubbles }) => bubbles.filter(({ field, index }) => field === 'choice' && index === row.question).map(({ value }) => value))
    return [{ page_id: row.page_id, question: row.question, label: question.number, number: row.number, letters: row.letters, choices, several: question.rule !== 'one', max: question.score, score: row.score, places }]
  })
  return { items, total: count?.n ?? 0 }
}

interface SheetRow {
  number: string
  page_id: number
  card_id: number
  absent: boolean
  pages: number
  /** Those of each page. */
  marks: Sheet['marks'][]
}

/** What every candidate of a marking has on all pages. */
export async function readSheets(db: Queryable, markingId: number, cards: ReadonlyMap<number, StoredCard>): Promise<Sheet[]> {
  const rows = await db.query<SheetRow>(sql`select p.number, min(p.id)::bigint as page_id, min(p.card_id)::bigint as card_id, bool_or(p.absent) as absent, count(*)::int as pages,
      coalesce(jsonb_agg(k.marks) filter (where k.marks is not null), '[]') as marks
    from card_page p left join lateral (select jsonb_agg(jsonb_build_object('question', m.question, 'letters', m.letters, 'doubtful', m.doubtful, 'score', m.score)) as marks from card_mark m where m.page_id = p.id) k on true
    where p.marking_id = ${markingId} and p.state = 'read' group by p.number order by p.number`)
  return rows.map(({ pages, marks, ...row }) => ({ ...row, marks: marks.flat(), lacking: row.absent ? 0 : (cards.get(row.card_id)?.layout.pages.length ?? 1) - pages }))
}

/** Points and figures of a marking. Figures are those of the card that most candidates have: others asked other things. */
export async function readResults(db: Queryable, staff: Staff, { id, roster }: Pick<Marking, 'id' | 'roster'>): Promise<Results & { sheets: Sheet[]; cards: ReadonlyMap<number, StoredCard> }> {
  const cards = await cardsOf(db, id)
  const sheets = await readSheets(db, id, cards)
  const listed = new Map<string, Candidate>(roster.map((candidate) => [candidate.number, candidate]))
  const learners = await learnersByNumber(db, staff, sheets.map(({ number }) => number).filter((number) => !listed.has(number)))
  const counts = Map.groupBy(sheets, ({ card_id }) => card_id)
  const main = [...counts].sort(([, a], [, b]) => b.length - a.length)[0]?.[0]
  const candidates = sheets.map((sheet) => ({ card: sheet.card_id, result: candidateResult(sheet, cards.get(sheet.card_id)?.questions ?? [], listed, learners) }))
  const questions = main === undefined ? [] : (cards.get(main)?.questions ?? [])
  const present = new Set(sheets.map(({ number }) => number))
  return {
    candidates: candidates.map(({ result }) => result), questions: questionResults(questions, candidates.filter(({ card }) => card === main).map(({ result }) => result)),
    missing: roster.filter(({ number }) => !present.has(number)), total: questions.reduce((sum, { score }) => sum + score, 0), sheets, cards,
  }
}

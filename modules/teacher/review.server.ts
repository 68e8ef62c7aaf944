import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { handle, idParam, type Call, type Served } from '../../core/endpoint/serve.server.ts'
import { AppError, badRequest, invalid, notFound, wrongState } from '../../core/error/error.ts'
import { choiceLabel } from '../../core/field/choice.ts'
import type { Staff } from '../../core/grant/staff.server.ts'
import { listWaiting, type WaitingKind } from '../../core/inbox/waiting.server.ts'
import { touch } from '../../core/resource/touch.server.ts'
import { listCondition } from '../../core/resource/where.server.ts'
import { lockRow } from '../../core/resource/write.server.ts'
import { addPaperQuestions, paperBody } from '../paper/door.server.ts'
import { admitPractice, likePractices, standingOf, type PracticeUser } from '../practice/door.server.ts'
import { TYPES, type QuestionContent } from '../practice/module.ts'
import { tell } from './effect.server.ts'
import { PAPER_PATH, teacherPaper } from './paper.ts'
import { admitQuestion, likeQuestion, placeQuestions, refuseQuestion, reuseQuestion, reviewQuestions, type ReviewQuestion } from './review.ts'
import { QUESTION, QUESTIONS, REVIEW } from './states.ts'

/** Days within which questions of a teacher are read. */
const REVIEW_DAYS = 3

interface Stored extends Record<string, unknown> { id: number; ord: number; content: QuestionContent; score: number; state: number; reason: string | null; practice_id: number | null; staff_name: string | null }

const questions = (db: Queryable, paperId: number) => db.query<Stored>(sql`select q.id, q.ord, q.content, q.score::float8 as score, q.state, q.reason, q.practice_id, s.name as staff_name from teacher_question q left join staff s on s.id = q.staff_id where q.paper_id = ${paperId} order by q.ord`)

async function seePaper(call: Call): Promise<{ id: number; subject_id: number }> {
  const [row] = await call.db.query<{ id: number; subject_id: number }>(sql`select id, subject_id from paper where ${listCondition(teacherPaper, call.staff, {})} and id = ${idParam(call)}`)
  if (!row) throw notFound(teacherPaper.label)
  return row
}

interface Decided { readonly state: number; readonly reason?: string; readonly practice_id?: number }

/** A paper and one of its questions that nobody has decided yet, both locked. @throws AppError naming who was quicker */
async function holdQuestion(call: Call, tx: Queryable) {
  const paper = await lockRow(tx, teacherPaper, call.staff, idParam(call))
  const [row] = await tx.query<Stored>(sql`select q.id, q.ord, q.content, q.score::float8 as score, q.state, q.reason, q.practice_id, s.name as staff_name from teacher_question q left join staff s on s.id = q.staff_id where q.paper_id = ${paper.id} and q.id = ${idParam(call, 'question')} for no key update of q`)
  if (!row) throw notFound('试题')
  if (row.state !== QUESTION.waiting) throw wrongState('审核', `${choiceLabel(QUESTIONS, row.state)}${row.staff_name ? `（${row.staff_name}）` : ''}`)
  return { paper, row }
}

/** Keeps what was decided of a question; with the last one the teacher is told. @returns how many are left */
async function decide(tx: Queryable, staff: Staff, paper: { id: number; name: string; teacher_id: number }, questionId: number, { state, reason, practice_id }: Decided): Promise<number> {
  await tx.query(sql`update teacher_question set state = ${state}, reason = ${reason ?? null}, practice_id = ${practice_id ?? null}::bigint, staff_id = ${staff.id}, decided_at = now() where id = ${questionId}`)
  const all = await questions(tx, paper.id)
  const count = (wanted: number) => all.filter((one) => one.state === wanted).length
  const left = count(QUESTION.waiting)
  if (left > 0) return left
  await touch(tx, teacherPaper, { review: REVIEW.done } as object, paper.id)
  const words = [[QUESTION.admitted, '入库'], [QUESTION.known, '用题库已有题'], [QUESTION.refused, '退回']] as const
  await tell(tx, paper.teacher_id, `《${paper.name}》的自编题已审核：${words.flatMap(([value, label]) => (count(value) > 0 ? [`${label} ${count(value)} 题`] : [])).join('，')}`, paper.id)
  return 0
}

/** Whose a question is, as its first version in the bank says it. */
async function originOf(tx: Queryable, paper: { name: string; teacher_id: number }): Promise<string> {
  const [teacher] = await tx.query<{ name: string; school: string }>(sql`select name, school from teacher_profile where id = ${paper.teacher_id}`)
  return `来自教师试卷《${paper.name}》（${teacher?.school ?? ''} ${teacher?.name ?? ''}）`
}

interface PaperHead { id: number; name: string; teacher_id: number; subject_id: number }
// The kind's own columns are known to its row of data, not to the type that all kinds share.
const headOf = (paper: object): PaperHead => paper as PaperHead

/** Decides about a question for the demo, by the steps behind the calls: into the bank, or what the bank has already in its place. */
export async function decideQuestion(tx: Queryable, staff: Staff, paperId: number, questionId: number, what: 'admit or reuse' | { refuse: string }): Promise<void> {
  const [paper] = await tx.query<PaperHead & Record<string, unknown>>(sql`select id, name, teacher_id, subject_id from paper where id = ${paperId}`)
  const row = (await questions(tx, paperId)).find(({ id }) => id === questionId)
  if (!paper || !row) throw notFound('试题')
  if (what !== 'admit or reuse') return void await decide(tx, staff, paper, row.id, { state: QUESTION.refused, reason: what.refuse })
  const made = await admitPractice(tx, staff, { content: row.content, subject_id: paper.subject_id, source_paper: paper.name, source_order: row.ord, origin: await originOf(tx, paper) }, false)
  await decide(tx, staff, paper, row.id, 'same' in made ? { state: QUESTION.known, practice_id: made.same } : { state: QUESTION.admitted, practice_id: made.id })
}

/** The calls by which questions of teachers are read and get into the bank, answered. */
export const reviewCalls = (): Served[] => [
  handle(reviewQuestions, async (call) => {
    const paper = await seePaper(call)
    const rows = await questions(call.db, paper.id)
    const standing = await standingOf(call.db, call.staff, rows.flatMap(({ practice_id }) => practice_id ?? []))
    const inside = new Set((await paperBody(call.db, paper.id)).sections.flatMap(({ items }) => items.map(({ practice_id }) => practice_id)))
    return { items: rows.map(({ practice_id, ...row }): ReviewQuestion => {
      const found = practice_id === null ? undefined : standing.get(practice_id)
      return { ...row, practice: found ? { no: found.no, path: found.path, status: found.status, official: found.official_id !== null, placed: inside.has(found.id) } : null }
    }) }
  }),
  handle(likeQuestion, async (call) => {
    const paper = await seePaper(call)
    const [row] = await call.db.query<{ content: QuestionContent }>(sql`select content from teacher_question where paper_id = ${paper.id} and id = ${idParam(call, 'question')}`)
    if (!row) throw notFound('试题')
    return { items: await likePractices(call.db, call.staff, row.content, paper.subject_id) }
  }),
  handle(admitQuestion, (call) => call.transaction(async (tx) => {
    const { paper, row } = await holdQuestion(call, tx)
    const head = headOf(paper)
    const made = await admitPractice(tx, call.staff, { content: row.content, subject_id: head.subject_id, source_paper: head.name, source_order: row.ord, origin: await originOf(tx, head) }, call.input.sure)
    if ('same' in made) {
      const [same] = await tx.query<{ no: string }>(sql`select no from practice where id = ${made.same}`)
      throw new AppError('same_practice', 409, `题库中已有相同的题 ${same?.no ?? ''}，可改用已有题，或确认仍要入库`)
    }
    return { left: await decide(tx, call.staff, head, row.id, { state: QUESTION.admitted, practice_id: made.id }), practice_id: made.id }
  }, { action: 'review_question' })),
  handle(reuseQuestion, (call) => call.transaction(async (tx) => {
    const { paper, row } = await holdQuestion(call, tx)
    const head = headOf(paper)
    const found = (await standingOf(tx, call.staff, [call.input.practice_id])).get(call.input.practice_id)
    const [known] = found ? await tx.query<{ subject_id: number }>(sql`select subject_id from practice where id = ${found.id}`) : []
    if (!found || known?.subject_id !== head.subject_id) throw invalid({ practice_id: '试题不存在，或不属于本学科' })
    return { left: await decide(tx, call.staff, head, row.id, { state: QUESTION.known, practice_id: found.id }) }
  }, { action: 'review_question' })),
  handle(refuseQuestion, (call) => call.transaction(async (tx) => {
    const { paper, row } = await holdQuestion(call, tx)
    return { left: await decide(tx, call.staff, headOf(paper), row.id, { state: QUESTION.refused, reason: call.input.reason }) }
  }, { action: 'review_question', reason: call.input.reason })),
  handle(placeQuestions, (call) => call.transaction(async (tx) => {
    const paper = await lockRow(tx, teacherPaper, call.staff, idParam(call))
    const rows = await questions(tx, paper.id)
    const standing = await standingOf(tx, call.staff, rows.flatMap(({ practice_id }) => practice_id ?? []))
    const fresh = new Map(rows.flatMap(({ practice_id, score, content }) => {
      const found = standing.get(practice_id ?? 0)
      return found?.official_id ? [[found.official_id, { practice_id: found.official_id, version_no: found.version_no, score, type: TYPES.find(({ value }) => value === content.type)?.label ?? '自编题' }] as const] : []
    }))
    const placed = await addPaperQuestions(tx, call.staff, paper.id, [...fresh.values()])
    if (placed === 0) throw badRequest('没有可放入的试题：入库的题发布到正式题库后才能放入')
    return { placed }
  }, { action: 'place_questions' })),
]

/** Papers of teachers whose own questions wait to be read. */
export const reviewWaiting: WaitingKind = listWaiting(teacherPaper, {
  name: 'teacher_question_waiting', title: '待审核入库的教师试卷', group: 'decide', verb: '审核', path: PAPER_PATH, query: () => ({ review: String(REVIEW.waiting) }),
  grant: teacherPaper.rights.id('approve'), due: { days: REVIEW_DAYS }, since: sql`handed_at`, notes: ['subject_id', 'teacher_id'],
})

/** Papers of teachers that a question of the bank came from; what it is merged with takes its place there. */
export const questionUses: PracticeUser = {
  async list(db, staff, practiceId) {
    if (!staff.modules.has(teacherPaper.grant)) return []
    const rows = await db.query<{ id: number; name: string }>(sql`select distinct p.id, p.name from teacher_question q join paper p on p.id = q.paper_id where q.practice_id = ${practiceId} and p.id in (select id from paper where ${listCondition(teacherPaper, staff, {})}) order by p.id limit 100`)
    return rows.map((row) => ({ kind: '教师试卷', title: row.name, path: `${PAPER_PATH}?open=${row.id}` }))
  },
  async move(tx, _staff, from, to) {
    const moved = await tx.query(sql`update teacher_question set practice_id = ${to} where practice_id = ${from} returning id`)
    return { moved: moved.length, left_alone: 0 }
  },
}

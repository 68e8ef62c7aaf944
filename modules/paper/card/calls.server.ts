import { createHash } from 'node:crypto'
import { PassThrough } from 'node:stream'
import { sql } from 'drizzle-orm'
import { handle, idParam, type Call, type Served } from '../../../core/endpoint/serve.server.ts'
import { badRequest, notFound } from '../../../core/error/error.ts'
import { receiveFile } from '../../../core/file/receive.server.ts'
import type { Kernel } from '../../../core/kernel/kernel.server.ts'
import { holdFiles } from '../../../core/resource/attach.server.ts'
import { takeAnswers } from '../../practice/door.server.ts'
import { findPaper, paperContent } from '../content.server.ts'
import { resourceOf } from '../paper.ts'
import {
  addMarking, doubtfulAnswers, finishMarking, getMarking, listMarkings, loosePages, makeCard, markingResults, markingSheet, pagePicture, readScans, removePage, setMark, setPageNumber, setRoster, uploadScan, writtenAnswers, writtenQuestions,
  type LoosePage, type Marking, type WrittenQuestion,
} from './calls.ts'
import { READ_CARDS_JOB, type ReadInput } from './jobs.server.ts'
import { layoutCard } from './layout.ts'
import { cardsOf, findMarking, markablePaper, readAnswers, readMarkings, readResults } from './marking.server.ts'
import { cardOf } from './paper-card.ts'
import { lockMarking, stateWith } from './place.server.ts'
import { answersOf } from './result.ts'
import { readRoster } from './roster.ts'
import { STRAIGHT } from './scan.server.ts'
import { writeResults } from './sheet.server.ts'

/** What scanners and telephones make. */
const ACCEPTED = ['application/pdf', 'image/png', 'image/jpeg', 'image/webp']
/** A pile of five hundred sheets in grey. */
const MAX_BYTES = 300 * 1024 * 1024

const candidatesOf = (text: string) => {
  const { candidates, problem } = readRoster(text)
  if (problem) throw badRequest(problem)
  return candidates
}

const checkOpen = ({ state }: Pick<Marking, 'state'>) => {
  if (state === 'done') throw badRequest('这场阅卷已经完成，不能再修改')
}

/** A page that this person may work on, with its marking. @throws AppError */
async function findPage(call: Pick<Call<unknown>, 'staff' | 'params'>, db: Call['db'] | Parameters<Parameters<Call['transaction']>[0]>[0]) {
  const [page] = await db.query<{ id: number; marking_id: number; upload_id: number; ord: number; card_id: number | null; page_no: number | null; number: string | null; state: string; file_id: string }>(
    sql`select id, marking_id, upload_id, ord, card_id, page_no, number, state, file_id from card_page where id = ${idParam(call)}`)
  if (!page) throw notFound('答题卡页面')
  return { page, ...(await findMarking(db, call.staff, page.marking_id)) }
}

/** The calls of answer cards and of their marking, answered. */
export function cardCalls({ files, jobs }: Pick<Kernel, 'files' | 'jobs'>): Served[] {
  const one = async (call: Call<unknown>) => (await findMarking(call.db, call.staff, idParam(call))).marking
  return [
    handle(makeCard, (call) => call.transaction(async (tx) => {
      const content = await paperContent(tx, call.staff, await findPaper(tx, call.staff, idParam(call)))
      const { paper, questions } = cardOf(content.name, content.body, new Map(content.practices.map((card) => [card.id, card])))
      if (questions.length === 0) throw badRequest('试卷还没有试题，不能生成答题卡')
      const layout = layoutCard(paper, call.input)
      const digest = createHash('sha256').update(JSON.stringify([layout, questions])).digest('hex')
      await tx.query(sql`insert into paper_card (paper_id, version_no, digest, layout, questions, staff_id) values (${content.id}, ${content.version_no}, ${digest}, ${JSON.stringify(layout)}::jsonb, ${JSON.stringify(questions)}::jsonb, ${call.staff.id}) on conflict do nothing`)
      const [card] = await tx.query<{ id: number }>(sql`select id from paper_card where paper_id = ${content.id} and digest = ${digest}`)
      return { id: card?.id ?? 0, layout }
    })),
    handle(listMarkings, async (call) => ({ items: await readMarkings(call.db, sql`m.paper_id = ${(await markablePaper(call.db, call.staff, idParam(call))).id}`) })),
    handle(addMarking, (call) => call.transaction(async (tx) => {
      const paper = await markablePaper(tx, call.staff, idParam(call))
      const [row] = await tx.query<{ id: number }>(sql`insert into card_marking (paper_id, name, roster, state, staff_id) values (${paper.id}, ${call.input.name}, ${JSON.stringify(candidatesOf(call.input.roster ?? ''))}::jsonb, 'open', ${call.staff.id}) returning id`)
      return { id: row?.id ?? 0 }
    })),
    handle(getMarking, one),
    handle(setRoster, (call) => call.transaction(async (tx) => {
      const { marking } = await findMarking(tx, call.staff, idParam(call))
      const roster = candidatesOf(call.input.roster)
      await tx.query(sql`update card_marking set roster = ${JSON.stringify(roster)}::jsonb where id = ${marking.id}`)
      return { candidates: roster.length }
    })),
    handle(uploadScan, async (call) => {
      const { id, name } = await receiveFile(call, files, { accept: ACCEPTED, maxBytes: MAX_BYTES })
      return { id, name }
    }),
    handle(readScans, (call) => call.transaction(async (tx) => {
      const { marking, paper } = await findMarking(tx, call.staff, idParam(call))
      checkOpen(marking)
      const ids = [...new Set(call.input.file_ids)]
      await holdFiles(tx, ids, call.staff.id)
      // The same file sent once more is the same pages.
      const added = await tx.query(sql`insert into card_upload (marking_id, file_id, name) select ${marking.id}, f.id::text, f.name from unnest(${sql.param(ids)}::uuid[]) with ordinality w (id, place) join file f on f.id = w.id
        where not exists (select 1 from card_upload u join file o on o.id = u.file_id::uuid where u.marking_id = ${marking.id} and o.sha256 = f.sha256) order by w.place on conflict do nothing returning id`)
      const input: ReadInput = { marking_id: marking.id, paper_id: paper.id, grant: resourceOf(paper).rights.id('mark') }
      const job_id = await jobs.add(tx, call, { kind: READ_CARDS_JOB, title: `识别答题卡：${marking.name}`, input })
      await tx.query(sql`update card_marking set job_id = ${job_id} where id = ${marking.id}`)
      return { job_id, added: added.length, again: ids.length - added.length }
    })),
    handle(loosePages, async (call) => {
      const { id } = await one(call)
      const cards = await cardsOf(call.db, id)
      const rows = await call.db.query<Omit<LoosePage, 'place'> & { card_id: number | null }>(sql`select p.id, p.state, p.problem, p.number, p.guess, p.page_no, p.card_id, u.name as file_name, p.ord
        from card_page p join card_upload u on u.id = p.upload_id where p.marking_id = ${id} and p.state <> 'read' order by p.upload_id, p.ord limit 500`)
      return { items: rows.map(({ card_id, ...row }) => ({ ...row, place: cards.get(card_id ?? 0)?.layout.pages[(row.page_no ?? 1) - 1]?.person ?? null })) }
    }),
    handle(setPageNumber, (call) => call.transaction(async (tx) => {
      const { page, marking } = await findPage(call, tx)
      checkOpen(marking)
      const { card_id, page_no } = page
      if (card_id === null || page_no === null) throw badRequest('这一页没有识别出答题卡，请重新扫描')
      await lockMarking(tx, marking.id)
      const { number } = call.input
      const { state, problem } = await stateWith(tx, { marking_id: marking.id, id: page.id, card_id, page_no }, number)
      await tx.query(sql`update card_page set number = ${number}, guess = null, state = ${state}, problem = ${problem} where id = ${page.id}`)
      // What follows it in the pile waited for this page: it is asked about next, with this number.
      if (state === 'read') await tx.query(sql`update card_page set guess = ${number} where card_id = ${card_id} and page_no = ${page_no + 1} and state = 'loose'
        and id = (select n.id from card_page n where n.marking_id = ${marking.id} and (n.upload_id, n.ord) > (${page.upload_id}::bigint, ${page.ord}::int) order by n.upload_id, n.ord limit 1)`)
      return { state }
    })),
    handle(removePage, (call) => call.transaction(async (tx) => {
      const { page, marking } = await findPage(call, tx)
      checkOpen(marking)
      await tx.query(sql`delete from card_mark where page_id = ${page.id}`)
      await tx.query(sql`delete from card_page where id = ${page.id}`)
      return {}
    })),
    handle(doubtfulAnswers, async (call) => readAnswers(call.db, (await one(call)).id, sql`k.doubtful`)),
    handle(writtenQuestions, async (call) => {
      const { id } = await one(call)
      const cards = await cardsOf(call.db, id)
      const rows = await call.db.query<{ question: number; card_id: number; total: number; left: number }>(sql`select k.question, p.card_id, count(*)::int as total, count(*) filter (where k.score is null)::int as left
        from card_mark k join card_page p on p.id = k.page_id where p.marking_id = ${id} and p.state = 'read' and not p.absent and k.letters is null group by k.question, p.card_id order by p.card_id, k.question`)
      return { items: rows.flatMap((row): WrittenQuestion[] => {
        const question = cards.get(row.card_id)?.questions[row.question]
        return question ? [{ ...row, label: question.number, max: question.score }] : []
      }) }
    }),
    handle(writtenAnswers, async (call) => readAnswers(call.db, (await one(call)).id, sql`k.letters is null and p.card_id = ${call.input.card_id} and k.question = ${call.input.question}`)),
    handle(setMark, (call) => call.transaction(async (tx) => {
      const { page, marking } = await findPage(call, tx)
      checkOpen(marking)
      const at = Number(call.params['question'])
      const question = (await cardsOf(tx, marking.id)).get(page.card_id ?? 0)?.questions[Number.isSafeInteger(at) ? at : -1]
      if (!question) throw notFound('答题卡上的题')
      const { letters, score } = call.input
      if (question.kind === 'letters' ? letters === undefined : score === undefined) throw badRequest(question.kind === 'letters' ? '请选择填涂的选项' : '请给分')
      if (score !== undefined && score > question.score) throw badRequest(`本题最多 ${question.score} 分`)
      const [changed] = question.kind === 'letters'
        ? await tx.query(sql`update card_mark set letters = ${sql.param([...new Set(letters)].sort())}::text[], doubtful = false, confidence = 1, staff_id = ${call.staff.id} where page_id = ${page.id} and question = ${at} returning 1`)
        : await tx.query(sql`update card_mark set score = ${score}, staff_id = ${call.staff.id} where page_id = ${page.id} and question = ${at} returning 1`)
      if (!changed) throw notFound('答题卡上的题')
      return {}
    })),
    handle(pagePicture, async (call) => {
      const { page } = await findPage(call, call.db)
      const { x, y, w, h } = call.input
      const { default: sharp } = await import('sharp')
      const picture = await files.withPath(page.file_id, async (path) => {
        const whole = sharp(path)
        if (x === undefined || y === undefined || w === undefined || h === undefined || page.card_id === null) return whole.resize({ width: 1200, height: 1700, fit: 'inside', withoutEnlargement: true }).jpeg({ quality: 70 }).toBuffer()
        const { width, height } = await whole.metadata()
        const [left, top] = [Math.min(Math.max(0, Math.round(x * STRAIGHT)), width - 1), Math.min(Math.max(0, Math.round(y * STRAIGHT)), height - 1)]
        return whole.extract({ left, top, width: Math.max(1, Math.min(Math.round(w * STRAIGHT), width - left)), height: Math.max(1, Math.min(Math.round(h * STRAIGHT), height - top)) }).jpeg({ quality: 80 }).toBuffer()
      })
      return call.reply.header('content-type', 'image/jpeg').header('cache-control', 'private, max-age=600').send(picture)
    }),
    handle(markingResults, async (call) => {
      const { sheets: _sheets, cards: _cards, ...results } = await readResults(call.db, call.staff, await one(call))
      return results
    }),
    handle(markingSheet, async (call) => {
      const { marking, paper } = await findMarking(call.db, call.staff, idParam(call))
      const target = new PassThrough()
      const results = await readResults(call.db, call.staff, marking)
      writeResults(target, results).catch((error: unknown) => target.destroy(error instanceof Error ? error : new Error('sheet')))
      return call.reply.header('content-type', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet').header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(`${paper.name}成绩（${marking.name}）.xlsx`)}`).send(target)
    }),
    handle(finishMarking, (call) => call.transaction(async (tx) => {
      await lockMarking(tx, idParam(call))
      const { marking, paper } = await findMarking(tx, call.staff, idParam(call))
      checkOpen(marking)
      if (marking.candidates === 0) throw badRequest('还没有识别出考生，不能完成阅卷')
      if (marking.pages.loose > 0) throw badRequest(`还有 ${marking.pages.loose} 页没有考号，请先处理`)
      if (marking.doubtful > 0) throw badRequest(`还有 ${marking.doubtful} 处填涂存疑，请先核对`)
      if (marking.unscored > 0) throw badRequest(`还有 ${marking.unscored} 处主观题没有给分`)
      const { sheets, cards } = await readResults(tx, call.staff, marking)
      const { received } = await takeAnswers(tx, call, jobs, sql`p.level = ${paper.level} and p.subject_id = ${paper.subject_id}`, sheets.flatMap((sheet) => answersOf(sheet, cards.get(sheet.card_id)?.questions ?? [])))
      await tx.query(sql`update card_marking set state = 'done' where id = ${marking.id}`)
      return { sent: received }
    })),
  ]
}

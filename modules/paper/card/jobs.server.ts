/** Reads scanned pages, one after another. */
import { Readable } from 'node:stream'
import { sql } from 'drizzle-orm'
import type { Queryable } from '../../../core/database/database.server.ts'
import type { FileStore } from '../../../core/file/store.server.ts'
import { inBatches } from '../../../core/job/batches.server.ts'
import { defineJob, type JobContext, type JobDefinition } from '../../../core/job/define.server.ts'
import type { Kernel } from '../../../core/kernel/kernel.server.ts'
import { holdFiles } from '../../../core/resource/attach.server.ts'
import type { CardLayout } from './layout.ts'
import type { CardQuestion } from './paper-card.ts'
import type { Grey } from './pixels.ts'
import { lockMarking, stateWith } from './place.server.ts'
import { marksOf, numberOf, readBubbles, type Mark } from './read.ts'
import { registerPage } from './register.ts'
import { BrokenScan, openScan, straighten, toJpeg, type Scan } from './scan.server.ts'

export const READ_CARDS_JOB = 'paper_card_read'

export interface ReadInput {
  marking_id: number
  paper_id: number
  /** Right that reading them takes. */
  grant: number
}

interface Upload {
  id: number
  file_id: string
  name: string
  pages: number | null
  next: number
  type: string
}

export interface StoredCard {
  id: number
  layout: CardLayout
  questions: CardQuestion[]
}

/** A card by the number in its page marks. */
export async function findCard(db: Queryable, id: number, paperId: number): Promise<StoredCard | undefined> {
  const [card] = await db.query<StoredCard>(sql`select id, layout, questions from paper_card where id = ${id} and paper_id = ${paperId}`)
  return card
}

/** What was seen on a page. */
interface Seen {
  readonly picture: Grey
  readonly problem: string | null
  readonly card?: StoredCard
  readonly page_no?: number
  readonly marks?: readonly Mark[]
}

const NO_MARKS = '没有找到答题卡的定位块：请重新扫描，四角的黑块要完整'
/** Paper that is bent more than this, in millimetres, is not read. */
const MOST_BENT = 1.5
/** Whoever did not come answers nothing: more answers than this say that somebody was there. */
const STRAY_ANSWERS = 2

/** Looks at one page. */
async function look(db: Queryable, image: Grey, paperId: number): Promise<Seen> {
  const found = registerPage(image)
  if (!found) return { picture: image, problem: NO_MARKS }
  const card = await findCard(db, found.card, paperId)
  if (!card) return { picture: image, problem: '不是这份试卷的答题卡' }
  const page = card.layout.pages[found.page - 1]
  if (!page) return { picture: image, problem: '答题卡没有这一页' }
  const picture = straighten(image, found.map, card.layout)
  if (found.error > MOST_BENT) return { picture, problem: '纸张弯折太大，请压平后重新扫描' }
  const marks = marksOf(readBubbles(image, page, found.map, found.black), (question) => (card.questions[question]?.right.length ?? 1) > 1 || card.questions[question]?.rule !== 'one')
  return { picture, problem: null, card, page_no: found.page, marks }
}

interface Whose {
  number: string | null
  guess: string | null
  problem: string | null
}

/** Whom a page belongs to, as far as it says so. A further page follows the one before it in the pile, be that in the same file or in the one before. */
async function whose(tx: Queryable, markingId: number, uploadId: number, ord: number, seen: Required<Pick<Seen, 'card' | 'page_no' | 'marks'>>): Promise<Whose> {
  const { card: { id, layout }, page_no, marks } = seen
  if (page_no === 1) {
    if (layout.person === 'barcode') return { number: null, guess: null, problem: '请按条形码填写考号' }
    const number = numberOf(marks)
    const sure = !number.includes('?') && marks.every((mark) => mark.field !== 'number' || !mark.doubtful)
    return sure ? { number, guess: null, problem: null } : { number: null, guess: number.includes('?') ? null : number, problem: `考号没有填涂清楚（${number}）` }
  }
  const [before] = await tx.query<{ number: string | null }>(sql`select number from (select number, card_id, page_no, state from card_page where marking_id = ${markingId} and (upload_id, ord) < (${uploadId}::bigint, ${ord}::int) order by upload_id desc, ord desc limit 1) p
    where card_id = ${id} and page_no = ${page_no - 1} and state in ('read', 'twice')`)
  const number = before?.number ?? null
  const check = numberOf(marks, 'check')
  const fits = number !== null && number.endsWith(check) && marks.every((mark) => mark.field !== 'check' || !mark.doubtful)
  if (layout.person === 'number' && fits) return { number, guess: null, problem: null }
  return { number: null, guess: number, problem: number === null ? `第 ${page_no} 页没有紧跟在第 ${page_no - 1} 页后面` : layout.person === 'barcode' ? '请核对是否与前一页同一考生' : `考号末两位（${check}）没有填涂清楚，或与前一页不是同一考生` }
}

/** Stores a page with what was read on it. */
async function store(tx: Queryable, markingId: number, upload: Upload, seen: Seen, fileId: string): Promise<void> {
  const { card, page_no, marks } = seen
  const known = card && page_no !== undefined && marks ? { card, page_no, marks } : undefined
  const who: Whose = known ? await whose(tx, markingId, upload.id, upload.next, known) : { number: null, guess: null, problem: seen.problem }
  const answers = (marks ?? []).filter(({ field, values }) => field === 'choice' && values.length > 0).length
  const crossed = (marks ?? []).some(({ field, values }) => field === 'absent' && values.length > 0)
  // Who fills in this mark and answers all the same was there, or somebody else's number stands on the page.
  const contradicts = crossed && answers > STRAY_ANSWERS
  const given = contradicts ? { number: null, guess: who.number, problem: '填涂了缺考标记，但有作答：确认考号后按作答计分' } : who
  const placed = known && given.number !== null ? await stateWith(tx, { marking_id: markingId, id: 0, card_id: known.card.id, page_no: known.page_no }, given.number) : { state: known ? 'loose' : 'failed', problem: given.problem }
  const [row] = await tx.query<{ id: number }>(sql`insert into card_page (marking_id, upload_id, ord, card_id, page_no, number, guess, state, problem, absent, file_id)
    values (${markingId}, ${upload.id}, ${upload.next}, ${card?.id ?? null}, ${page_no ?? null}, ${given.number}, ${given.guess}, ${placed.state}, ${placed.problem}, ${crossed && !contradicts}, ${fileId}) returning id`)
  if (!row || !known) return
  const page = known.card.layout.pages[known.page_no - 1]
  const rows = [
    ...known.marks.filter(({ field }) => field === 'choice').map(({ index, values, confidence, doubtful }) => ({ question: index, letters: [...values], confidence: Math.round(confidence * 1000) / 1000, doubtful })),
    ...[...new Set((page?.areas ?? []).map(({ question }) => question))].map((question) => ({ question, letters: null, confidence: null, doubtful: false })),
  ]
  await tx.query(sql`insert into card_mark (page_id, question, letters, confidence, doubtful) select ${row.id}, r.question, r.letters, r.confidence, r.doubtful
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (question int, letters text[], confidence numeric, doubtful boolean)
    where r.letters is not null or not exists (select 1 from card_mark m join card_page p on p.id = m.page_id where p.marking_id = ${markingId} and p.number = ${given.number} and p.state = 'read' and p.id <> ${row.id} and m.question = r.question)`)
}

async function read(context: JobContext<ReadInput, number>, files: FileStore): Promise<unknown> {
  const { db, input: { marking_id, paper_id }, staff } = context
  let open: { upload: number; scan: Scan } | undefined
  const openUpload = async ({ id, file_id, type }: Upload): Promise<Scan> => {
    if (open?.upload === id) return open.scan
    open?.scan.close()
    open = undefined
    // What is on the disk is read once: the pages come out of memory.
    const scan = await files.withPath(file_id, async (path) => {
      const opened = await openScan(path, type)
      return type === 'application/pdf' ? opened : { ...opened, page: ((first) => () => first)(opened.page(0)) }
    })
    open = { upload: id, scan }
    return scan
  }
  let left = 0
  try {
    const pages = await inBatches(context, 0, async (done) => {
      const [upload] = await db.query<Upload>(sql`select u.id, u.file_id, u.name, u.pages, u.next, f.type from card_upload u join file f on f.id = u.file_id::uuid
        where u.marking_id = ${marking_id} and u.problem is null and (u.pages is null or u.next < u.pages) order by u.id limit 1`)
      if (!upload) return undefined
      const broken = (problem: string) => async (tx: Queryable) => {
        await tx.query(sql`update card_upload set problem = ${problem} where id = ${upload.id}`)
        return done
      }
      let seen: Seen
      let pages: number
      try {
        const scan = await openUpload(upload)
        pages = scan.pages
        seen = await look(db, await scan.page(upload.next), paper_id)
      } catch (error) {
        if (!(error instanceof BrokenScan)) throw error
        return broken(error.message)
      }
      const { id: fileId } = await files.put(Readable.from([await toJpeg(seen.picture)]), { name: `答题卡-${upload.id}-${upload.next + 1}.jpg`, staffId: staff.id })
      return async (tx) => {
        await lockMarking(tx, marking_id)
        const [mine] = await tx.query(sql`update card_upload set next = next + 1, pages = ${pages} where id = ${upload.id} and next = ${upload.next} returning 1`)
        // Another run was faster.
        if (!mine) return done
        await holdFiles(tx, [fileId], staff.id)
        await store(tx, marking_id, upload, seen, fileId)
        const [rest] = await tx.query<{ n: number }>(sql`select coalesce(sum(coalesce(pages, 1) - next), 0)::int as n from card_upload where marking_id = ${marking_id} and problem is null`)
        left = rest?.n ?? 0
        return done + 1
      }
    }, (done) => [done, Math.max(done + left, 1)])
    return { pages }
  } finally {
    open?.scan.close()
  }
}

/** The job that reads cards. A run that begins again goes on behind the last page that was stored. */
export const cardJobs = ({ files }: Pick<Kernel, 'files'>): JobDefinition[] => [
  defineJob<ReadInput, number>({ kind: READ_CARDS_JOB, grants: ({ grant }) => [grant], run: (context) => read(context, files) }),
]

/** A question that was corrected after it was printed: a draft of an erratum for each page and print that has it. */
import { sql } from 'drizzle-orm'
import type { Queryable } from '../../../core/database/database.server.ts'
import { plainText } from '../../../core/rich-text/rich-doc.ts'
import { touch } from '../../../core/resource/touch.server.ts'
import { insertRow } from '../../../core/resource/write.server.ts'
import { answerLetters, contentSchema, docsOf, type Correction } from '../../practice/door.server.ts'
import type { QuestionContent } from '../../practice/module.ts'
import { differences, type Part } from './differences.ts'
import { erratum, ERRATUM_STATE } from './erratum.ts'
import { ERRATUM_COMPUTED } from './shown.server.ts'

/** A page that holds the question, and a print that has the page. */
interface Held { book_id: number; page_no: number; print_no: number; print_at: number; last_no: number }

/** Prints that follow one another and have the question on the same page, in the same words. */
interface Run { readonly book_id: number; readonly page_no: number; readonly from: number; readonly to: number | null; readonly before: QuestionContent }

/** Where a question stands in print: by the pages of today where they are those that were printed, else by those that were kept. */
function heldIn(tx: Queryable, practiceId: number): Promise<Held[]> {
  const spot = JSON.stringify([{ kind: 'practice', ref_id: practiceId }])
  return tx.query<Held & Record<string, unknown>>(sql`select x.book_id, x.page_no, r.no as print_no, extract(epoch from r.at)::int as print_at, b.print_no as last_no
    from (
      select p.book_id, p.page_no, (select f.id from book_pdf f where f.book_id = p.book_id and f.state = 3) as pdf_id from hotspot_use s join book_page p on p.id = s.page_id and p.deleted_at is null where s.kind = 'practice' and s.ref_id = ${practiceId}
      union all select f.book_id, o.page_no, f.id from book_pdf_page o join book_pdf f on f.id = o.pdf_id and f.state = 4 where o.spots @> ${spot}::jsonb
    ) x join book_print r on r.book_id = x.book_id and r.pdf_id is not distinct from x.pdf_id join book b on b.id = x.book_id
    order by x.book_id, x.page_no, r.no`)
}

const partsOf = (content: QuestionContent): Part[] => {
  const letters = answerLetters(content)
  return [...docsOf(content).map(({ place, doc }) => ({ place, text: plainText(doc) })), ...(letters === '' ? [] : [{ place: '答案', text: letters }]), ...content.children.flatMap((child, at) => (answerLetters(child) === '' ? [] : [{ place: `第${at + 1}小题答案`, text: answerLetters(child) }]))]
}

/** What a question said when a print was made, its newest version left out; null where nobody knows. */
async function printedAs(tx: Queryable, practiceId: number, at: number): Promise<QuestionContent | null> {
  const [row] = await tx.query<{ content: unknown }>(sql`select snapshot->'content' as content from practice_version where practice_id = ${practiceId} and at <= to_timestamp(${at}) and version_no < (select version_no from practice where id = ${practiceId}) order by version_no desc limit 1`)
  const read = row && contentSchema.safeParse(row.content)
  return read?.success ? read.data : null
}

/** Drafts errata for what was printed of a question. What waits already for the same page is brought up to date. */
export async function draftErrata(tx: Queryable, { id, no, staffId, before, after }: Correction): Promise<void> {
  const runs: Run[] = []
  let last: Held | undefined
  for (const held of await heldIn(tx, id)) {
    const printed = await printedAs(tx, id, held.print_at) ?? before
    const run = runs.at(-1)
    const goesOn = run && last?.book_id === held.book_id && last.page_no === held.page_no && last.print_no + 1 === held.print_no && !differences(partsOf(run.before), partsOf(printed))
    const to = held.print_no === held.last_no ? null : held.print_no
    if (goesOn) runs[runs.length - 1] = { ...run, to }
    else runs.push({ book_id: held.book_id, page_no: held.page_no, from: held.print_no, to, before: printed })
    last = held
  }
  for (const run of runs) await draftOne(tx, run, { id, no, staffId, before, after })
}

async function draftOne(tx: Queryable, { book_id, page_no, from, to, before: printed }: Run, { id, no, staffId, before, after }: Correction): Promise<void> {
  const known = await tx.query<{ id: number; state: number }>(sql`select id, state from book_erratum where book_id = ${book_id} and page_no = ${page_no} and practice_id = ${id} and deleted_at is null and print_from <= ${to ?? from} and coalesce(print_to, ${to ?? from}) >= ${from} order by id for no key update`)
  const waiting = known.find(({ state }) => state === ERRATUM_STATE.waiting)
  // What was confirmed of an earlier correction is said already.
  const said = known.some(({ state }) => state !== ERRATUM_STATE.waiting && state !== ERRATUM_STATE.refused)
  const found = differences(partsOf(said ? before : printed), partsOf(after))
  if (!found) return
  if (waiting) await touch(tx, erratum, { ...(!said && { wrong: found.wrong }), right: found.right }, waiting.id)
  else await insertRow(tx, erratum, staffId, { book_id, page_no, print_from: from, print_to: to, ...found, practice_id: id, practice_no: no, level: found.wrong.includes('答案：') ? 3 : 2 }, ERRATUM_COMPUTED)
}

import { sql } from 'drizzle-orm'
import { AppError } from '../../core/error/error.ts'
import type { PracticeUser } from '../practice/door.server.ts'
import { applyAll, itemsOf, type Change } from './compose/body.ts'
import { applyChanges, readBody, writeBody, type PaperRow } from './content.server.ts'
import { placesOf } from './kind.ts'
import { screenOfPaper } from './paper.ts'

interface UsingPaper {
  id: number
  kind: string
  level: number
  name: string
}

const using = (practiceId: number) => sql`select p.id, p.kind, p.level, p.name from paper_item i join paper p on p.id = i.paper_id where i.practice_id = ${practiceId} and p.deleted_at is null`

/** Papers that hold a question, and how another one takes its place in them, with its points. */
export const paperUses: PracticeUser = {
  count: (id) => sql`(select count(*) from paper_item i join paper o on o.id = i.paper_id and o.deleted_at is null where i.practice_id = ${id})`,
  async list(db, staff, practiceId) {
    const { subject: subjects } = staff.scopes
    const rows = await db.query<UsingPaper>(sql`${using(practiceId)}${subjects ? sql` and p.subject_id = any(${sql.param([...subjects])}::bigint[])` : sql``} order by p.id desc limit 100`)
    return rows.map((row) => ({ kind: '试卷', title: row.name, path: placesOf(screenOfPaper(row), row.id).detail }))
  },
  async move(tx, staff, from, to) {
    const done = { moved: 0, left_alone: 0 }
    for (const { id } of await tx.query<UsingPaper>(sql`${using(from)} order by p.id`)) {
      const { body } = await readBody(tx, id)
      const section = body.sections.find(({ items }) => items.some(({ practice_id }) => practice_id === from))
      const item = section?.items.find(({ practice_id }) => practice_id === from)
      const there = body.sections.some(({ items }) => items.some(({ practice_id }) => practice_id === to))
      // Of a paper that holds both, its editors say which goes.
      if (!section || !item || there) {
        done.left_alone++
        continue
      }
      try {
        // Refused before anything is written: papers that the person may not change now.
        await applyChanges(tx, staff, id, [{ do: 'item', section: section.key, item: { ...item, practice_id: to }, instead_of: from }])
        done.moved++
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        done.left_alone++
      }
    }
    return done
  },
  async published(tx, draft, official) {
    const papers = await tx.query<PaperRow & Record<string, unknown>>(sql`select p.id, p.name, p.kind, p.level, p.subject_id, '' as subject_name, p.state, p.version_no::int as version_no, p.duration::int as duration
      from paper_item i join paper p on p.id = i.paper_id where i.practice_id = ${draft} and p.deleted_at is null order by p.id for no key update of p`)
    if (papers.length === 0) return
    const [row] = await tx.query<{ version_no: number }>(sql`select version_no::int as version_no from practice where id = ${official}`)
    for (const paper of papers) {
      const { body } = await readBody(tx, paper.id)
      const there = itemsOf(body).some(({ practice_id }) => practice_id === official)
      const home = body.sections.find(({ items }) => items.some(({ practice_id }) => practice_id === draft))
      const item = home?.items.find(({ practice_id }) => practice_id === draft)
      if (!home || !item) continue
      const changes: Change[] = there ? [{ do: 'drop-item', practice_id: draft }] : [{ do: 'item', section: home.key, item: { ...item, practice_id: official, version_no: row?.version_no ?? 1 }, instead_of: draft }]
      await writeBody(tx, null, paper, applyAll(body, changes), changes)
    }
  },
}

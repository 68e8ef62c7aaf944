import { sql } from 'drizzle-orm'
import type { Database } from '../../core/database/database.server.ts'
import { handle, type Served } from '../../core/endpoint/serve.server.ts'
import { provinces } from '../../core/field/region.server.ts'
import type { Staff } from '../../core/grant/staff.server.ts'
import { answerTagged, tagged } from './etag.server.ts'
import { ALL_LEVELS } from './level.ts'
import { cats, channels, provinceTree, type Cat } from './lookup.ts'
import { subjectReader, type SubjectRow } from './subject.server.ts'
import { ALL_SUBJECTS, fullName } from './subject.ts'

/** The subjects that somebody may see, as the wire has them. */
function catsFor(rows: readonly SubjectRow[], staff: Staff, wanted: { level: number; ebook: boolean; all: boolean }): Cat[] {
  const { subject: ids, level: levels } = staff.scopes
  const combined = wanted.level === ALL_LEVELS
  const shown = rows.filter((row) =>
    (combined || row.level === wanted.level) && (wanted.ebook || !row.ebook_only) && (ids?.includes(row.id) ?? true) && (levels?.includes(row.level) ?? true))
  const found: Cat[] = shown.map(({ id, name, level, root_label_id }) => {
    const name_full = fullName(name, level)
    return { id, name: combined ? name_full : name, level, name_full, root_label_id }
  })
  // It stands for every subject, so only those may choose it who are limited to none.
  if (wanted.all && !ids && !levels) found.push({ ...ALL_SUBJECTS, level: null, name_full: ALL_SUBJECTS.name, root_label_id: null })
  return found
}

/** Lookups that every logged-in person may read. */
export function lookupCalls(db: Database): Served[] {
  const readSubjects = subjectReader(db)
  const tree = tagged({ provinces })
  return [
    handle(cats, async (call) => {
      const { education_level, ebook, all } = call.input
      const wanted = { level: Number(education_level ?? ALL_LEVELS), ebook: ebook === '1', all: all === '1' }
      return answerTagged(call, tagged({ subjects: catsFor(await readSubjects(), call.staff, wanted) }))
    }),
    handle(channels, async (call) => ({
      channels: await call.db.query<{ id: number; name: string; kind: number }>(sql`select id, name, kind from channel where deleted_at is null order by id`),
    })),
    handle(provinceTree, (call) => answerTagged(call, tree)),
  ]
}

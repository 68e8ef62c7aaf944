import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { notFound } from '../../core/error/error.ts'
import type { Staff } from '../../core/grant/staff.server.ts'
import { scopeCondition } from '../../core/resource/where.server.ts'
import { book } from '../book/module.ts'

/** A book with the textbook whose chapters it follows. */
export interface FoundBook {
  id: number
  name: string
  level: number
  subject_id: number
  subject_name: string
  partwork_id: number | null
  partwork_name: string | null
}

/** A book within the person's reach. @throws notFound */
export async function findBook(db: Queryable, staff: Staff, id: number): Promise<FoundBook> {
  const [row] = await db.query<FoundBook & Record<string, unknown>>(sql`select b.id, b.name, b.level, b.subject_id, s.name as subject_name, b.partwork_id, v.name || ' ' || w.name as partwork_name
    from (select * from book where id = ${id} and deleted_at is null and ${scopeCondition(book, staff) ?? sql`true`}) b join subject s on s.id = b.subject_id left join partwork w on w.id = b.partwork_id left join material_version v on v.id = w.version_id`)
  if (!row) throw notFound(book.label)
  return row
}

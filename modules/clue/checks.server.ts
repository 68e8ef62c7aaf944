import { sql } from 'drizzle-orm'
import { questionChecks } from '../../core/kernel/self-check.server.ts'

/** A clue has exactly the owner of its open row, and rows of owners that neither overlap nor run backwards (operations 1.10, 17). */
export const clueChecks = questionChecks('线索', [
  ['clue_owner', '线索的顾问与归属记录不一致', sql`select c.id from clue c where c.deleted_at is null and c.owner_id is distinct from (select l.staff_id from clue_owner_log l where l.clue_id = c.id and l.to_at is null)`],
  ['clue_owner_overlap', '线索的归属时间重叠', sql`select a.clue_id as id from clue_owner_log a join clue_owner_log b on b.clue_id = a.clue_id and b.id > a.id and b.from_at < coalesce(a.to_at, 'infinity') - interval '1 second' and coalesce(b.to_at, 'infinity') > a.from_at`],
])

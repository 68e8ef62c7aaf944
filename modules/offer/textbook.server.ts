import { sql } from 'drizzle-orm'
import { serve, type ResourceService } from '../../core/resource/serve.server.ts'
import { ENTITLEMENT_STATUS } from '../user/module.ts'
import type { TextbookResource } from './textbook.ts'

/** Serves the textbooks of a line. */
export function serveTextbooks(textbooks: TextbookResource): ResourceService {
  return serve(textbooks)({
    computed: {
      offer_cnt: sql`select count(*)::int from offer x where x.textbook_id = t.id and x.deleted_at is null`,
      learner_cnt: sql`select count(distinct e.user_id)::int from entitlement e join offer x on x.id = e.offer_id where x.textbook_id = t.id and e.line = t.line
        and e.status = ${sql.raw(String(ENTITLEMENT_STATUS.active))} and e.expire_at > now() and e.deleted_at is null`,
    },
    async before({ tx, values, row }) {
      if (row || !values.partwork_id) return
      // The subject narrows the books that are offered; what is stored is that of the book.
      const [book] = await tx.query<{ subject_id: number | null }>(sql`select subject_id from partwork where id = ${values.partwork_id}`)
      if (book?.subject_id) values.subject_id = book.subject_id
    },
  })
}

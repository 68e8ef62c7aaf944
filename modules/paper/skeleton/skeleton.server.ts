import { sql } from 'drizzle-orm'
import { openToAllStaff } from '../../../core/resource/attach.server.ts'
import { serve } from '../../../core/resource/serve.server.ts'
import { skeleton } from './skeleton.ts'

/** Skeletons: of the stage of their subject, with a sign that whoever reads papers may see. */
export const skeletonService = serve(skeleton)({
  async before({ tx, values }) {
    if (!values.subject_id) return
    const [subject] = await tx.query<{ level: 0 | 1 | 2 }>(sql`select level from subject where id = ${values.subject_id}`)
    Object.assign(values, { level: subject?.level })
  },
  beforeOnlyReads: true,
  after: ({ tx, saved }) => openToAllStaff(tx, saved.logo ?? ''),
})

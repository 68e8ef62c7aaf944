import { sql } from 'drizzle-orm'
import type { Queryable } from '../../../core/database/database.server.ts'
import { listWaiting, type WaitingKind } from '../../../core/inbox/waiting.server.ts'
import { serve, type RulesOf } from '../../../core/resource/serve.server.ts'
import { touch } from '../../../core/resource/touch.server.ts'
import type { PracticeUser } from '../../practice/door.server.ts'
import { OPEN_ASKS } from '../answer/assign.server.ts'
import { decidedElsewhere } from '../review/decide.server.ts'
import { closeReviews } from '../review/open.server.ts'
import { TEACHER_RIGHTS } from '../rights.ts'
import { practiceComment, PURPOSE, videoComment } from './said.ts'

const REPLIES = { replies: sql`(select count(*)::int from comment r where r.root_id = t.id and r.deleted_at is null)` }
const SEGMENTS = {
  trait: {
    hit: sql`jsonb_array_length(coalesce(comment.hits, '[]')) > 0`, reported: sql`exists (select 1 from comment_report r where r.comment_id = comment.id)`,
    root: sql`coalesce(comment.root_id, 0) = 0`, reply: sql`comment.root_id > 0`,
  },
  answering: {
    open: OPEN_ASKS, free: sql`(${OPEN_ASKS} and comment.assignee_id is null)`, late: sql`(${OPEN_ASKS} and comment.due_at < now())`,
    done: sql`(comment.purpose = ${sql.raw(String(PURPOSE.ask))} and comment.answered_at is not null)`,
  },
}

const RULES: RulesOf<typeof videoComment> = {
  computed: REPLIES,
  segments: SEGMENTS,
  effects: {
    pass: ({ tx, staff, row }) => decidedElsewhere(tx, row.id, '通过', staff.id),
    hide: ({ tx, staff, row }) => decidedElsewhere(tx, row.id, '屏蔽', staff.id),
  },
  async beforeRemove({ tx, staff, row }) {
    const [who] = await tx.query<{ name: string }>(sql`select name from staff where id = ${staff.id}`)
    await closeReviews(tx, row.id, `${who?.name ?? '同事'}在评论列表删除`)
  },
}

export const videoComments = serve(videoComment)(RULES)
export const practiceComments = serve(practiceComment)(RULES as RulesOf<typeof practiceComment>)

const QUEUE = '/comment/teacher?show=queue'

/** Questions of learners that this person answers. */
export const askWaiting: WaitingKind[] = [
  listWaiting(videoComment, { name: 'video_ask', title: '待我回答的视频提问', group: 'act', verb: '回答', path: QUEUE, query: ({ staff }) => ({ answering: 'open', assignee_id: String(staff.id) }), grant: TEACHER_RIGHTS.id('answer'), due: { at: 'due_at' }, notes: ['target_id', 'subject_id'] }),
  listWaiting(practiceComment, { name: 'practice_ask', title: '待我回答的习题提问', group: 'act', verb: '回答', path: QUEUE, query: ({ staff }) => ({ answering: 'open', assignee_id: String(staff.id) }), grant: TEACHER_RIGHTS.id('answer'), due: { at: 'due_at' }, notes: ['practice_no', 'subject_id'] }),
]

/** What is said of a question goes with it into what it was merged with; it uses nothing. */
export const spokenPractice: PracticeUser = {
  list: async () => [],
  async move(tx: Queryable, _staff, from, to) {
    await touch(tx, practiceComment, { target_id: to, practice_no: sql`(select no from practice where id = ${to})` }, sql`t.target = 'practice' and t.target_id = ${from} and t.deleted_at is null`)
    return { moved: 0, left_alone: 0 }
  },
}


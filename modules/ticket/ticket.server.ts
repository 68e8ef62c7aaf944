import { sql } from 'drizzle-orm'
import { listWaiting } from '../../core/inbox/waiting.server.ts'
import type { Sweep } from '../../core/job/sweep.server.ts'
import type { Database, Queryable } from '../../core/database/database.server.ts'
import { choiceLabel } from '../../core/field/choice.ts'
import type { OverviewSection } from '../../core/kernel/overview.server.ts'
import { publishLive, publishRecords } from '../../core/live/live.server.ts'
import { serve } from '../../core/resource/serve.server.ts'
import { setDerived, touch } from '../../core/resource/touch.server.ts'
import { reportOfLearner } from '../practice/door.server.ts'
import { ticketMoved } from './live.ts'
import { LIVING, PRIORITY, TICKET_STATE, TICKET_STATES } from './sla.ts'
import { clocks, holdTicket, moved, say, titleOf } from './thread.server.ts'
import { REOPEN_DAYS, ticket, TICKET_KIND, TICKET_RIGHTS, ticketPath } from './ticket.ts'
import { isWorking } from './work-time.ts'

const S = TICKET_STATE
const living = sql.raw(`(${LIVING.join(', ')})`)
/** Hours before it runs out that a clock is worth looking at. */
const SOON_HOURS = 4

/** Sets what follows from a state that was written just now. */
async function settle(tx: Queryable, id: number, before: number, to: number, words: string, staffId: number): Promise<void> {
  const row = await holdTicket(tx, id)
  if (!row) return
  await setDerived(tx, ticket, moved({ ...row, state: before }, to, Math.floor(Date.now() / 1000)) as object, id)
  await say(tx, id, 'system', words, { staffId })
}

type Effect = { tx: Queryable; staff: { id: number }; row: { id: number; state: number | null }; transition: { to: string | number; label: string }; reason: string | undefined }
const effect = ({ tx, staff, row, transition, reason }: Effect) => settle(tx, row.id, row.state ?? S.waiting, Number(transition.to), reason ? `${transition.label}：${reason}` : transition.label, staff.id)

export const tickets = serve(ticket)({
  computed: { said: sql`select count(*)::int from ticket_message m where m.ticket_id = t.id and m.side in ('user', 'staff')` },
  segments: {
    queue: {
      free: sql`ticket.assignee_id is null and ticket.state in ${living}`,
      soon: sql`ticket.due_at > now() and ticket.due_at <= now() + make_interval(hours => ${sql.raw(String(SOON_HOURS))})`,
      late: sql`ticket.due_at <= now()`,
      asked: sql`ticket.asked_at is not null and ticket.state in ${living}`,
    },
  },
  before({ values, row }) {
    if (!row) {
      const now = Math.floor(Date.now() / 1000)
      values['title'] = titleOf(String(values.content ?? ''))
      Object.assign(values, { asked_at: now, ...clocks({ created_at: now, priority: values.priority ?? PRIORITY.normal, state: S.waiting, first_at: null, asked_at: now, paused_min: 0, merged_into_id: null }) })
    } else if (values.priority !== undefined && values.priority !== row.priority) {
      // Another priority keeps what was waited.
      Object.assign(values, clocks({ created_at: row.created_at, priority: values.priority ?? PRIORITY.normal, state: row.state ?? S.waiting, first_at: row.first_at ?? null, asked_at: row.asked_at ?? null, paused_min: row.paused_min ?? 0, merged_into_id: row.merged_into_id ?? null }))
    }
  },
  async after({ tx, staff, row, saved }) {
    if (!row && saved.kind === TICKET_KIND.practice && saved.practice_id != null) await reportOfLearner(tx, saved.practice_id, { content: saved.content, user_id: saved.user_id, staffId: staff.id })
    const assignee = saved.assignee_id
    if (assignee != null && assignee !== row?.assignee_id && assignee !== staff.id && isWorking(Date.now() / 1000)) await publishLive(tx, assignee, { type: 'notice', title: `有反馈分配给您：${saved.title}`, to: ticketPath(saved.id) })
    await publishRecords(tx, 'all', ticketMoved, [saved.id])
  },
  effects: { start: effect, wait: effect, resume: effect, solve: effect, reopen: effect, close: effect },
})

/** Questions that were mended answer everybody who reported them. */
export async function answerFixed(tx: Queryable, practiceIds: readonly number[]): Promise<void> {
  const rows = await tx.query<{ id: number }>(sql`select id from ticket where kind = ${TICKET_KIND.practice} and practice_id = any(${sql.param([...practiceIds])}::bigint[]) and deleted_at is null
    and (state in ${living} or merged_into_id in (select id from ticket where state in ${living})) order by id`)
  const now = Math.floor(Date.now() / 1000)
  for (const { id } of rows) {
    const row = await holdTicket(tx, id)
    if (!row) continue
    await say(tx, id, 'staff', '您反馈的试题已经修正并重新发布，感谢您的反馈！')
    if (!LIVING.includes(row.state)) continue
    const done = { ...row, first_at: row.first_at ?? now, asked_at: null }
    await setDerived(tx, ticket, { first_at: Math.floor(done.first_at), ...moved(done, S.solved, now) } as object, id)
    await touch(tx, ticket, { state: S.solved }, id)
  }
}

const PATH = '/operate/feedback'

export const ticketWaiting = [
  listWaiting(ticket, { name: 'ticket_mine', title: '分给我的反馈', group: 'act', verb: '回复', path: PATH, query: ({ staff }) => ({ assignee_id: String(staff.id), state: [String(S.waiting), String(S.doing)] }), grant: TICKET_RIGHTS.id('handle'), due: { at: 'due_at' }, notes: ['kind', 'user_id'], pass: 'solve' }),
  listWaiting(ticket, { name: 'ticket_free', title: '未分配的反馈', group: 'act', verb: '领取', path: PATH, query: () => ({ queue: 'free', state: [String(S.waiting), String(S.doing)] }), grant: TICKET_RIGHTS.id('handle'), due: { at: 'due_at' }, notes: ['kind', 'user_id'] }),
]

/** What somebody wrote to us, in the view that gathers everything about them. */
export const ticketOverview: OverviewSection = {
  name: 'ticket', title: '反馈', grant: ticket.grant,
  async load(db, _staff, { id }) {
    const rows = await db.query<{ id: number; title: string; state: number; at: number }>(sql`select id, title, state, extract(epoch from created_at)::float8 as at from ticket where user_id = ${id} and deleted_at is null order by id desc limit 50`)
    return { columns: [{ key: 'title', title: '反馈', as: 'text' }, { key: 'state', title: '状态', as: 'text' }, { key: 'at', title: '时间', as: 'time' }], rows: rows.map((row) => ({ ...row, state: choiceLabel(TICKET_STATES, row.state) })), screen: PATH }
  },
}

/** Closes what was solved a week ago. */
export const ticketSweep = (db: Database): Sweep => ({
  name: 'ticket_close',
  run: () => db.transaction({ staff_id: null, action: 'close' }, (tx) => touch(tx, ticket, { state: S.closed }, sql`t.state = ${S.solved} and t.solved_at < now() - make_interval(days => ${REOPEN_DAYS}) and t.deleted_at is null`)),
})

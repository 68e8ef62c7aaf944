import { sql } from 'drizzle-orm'
import type { Queryable } from '../../../core/database/database.server.ts'
import { notFound } from '../../../core/error/error.ts'
import type { Staff } from '../../../core/grant/staff.server.ts'
import type { OverviewSection } from '../../../core/kernel/overview.server.ts'
import { choiceLabel } from '../../../core/field/choice.ts'
import { shownName } from '../../../core/resource/names.ts'
import { COMMENT_STATE } from '../../comment/module.ts'
import { appUser } from '../../user/module.ts'
import { MUTE_RANGES, MUTE_STATE } from '../mute.ts'
import { MANAGE_RIGHTS, VIDEO_RIGHTS } from '../rights.ts'
import type { AuthorStory } from './calls.ts'
import { readSaid, seenComments } from './read.server.ts'
import { SAID_STATES, TARGETS } from './said.ts'

const RECENT = 12
const S = COMMENT_STATE

/** What somebody said before, and what came of it. Numbers count everything; words are within what the person may see. */
export async function storyOf(db: Queryable, staff: Staff, id: number): Promise<AuthorStory> {
  const [user] = await db.query<AuthorStory['user'] & Record<string, unknown>>(sql`select id, user_no, nickname as name, register_at from app_user where id = ${id}`)
  if (!user) throw notFound(appUser.label)
  const [counts] = await db.query<AuthorStory['counts'] & Record<string, unknown>>(sql`select count(*) filter (where state = ${S.shown} and deleted_at is null)::int as shown, count(*) filter (where state = ${S.waiting} and deleted_at is null)::int as waiting,
    count(*) filter (where state = ${S.hidden} and deleted_at is null)::int as hidden, count(*) filter (where deleted_at is not null)::int as removed, (select count(*)::int from comment_refused f where f.user_id = ${id}) as refused,
    (select count(*)::int from comment_report r join comment x on x.id = r.comment_id where x.user_id = ${id}) as reported from comment where user_id = ${id} and target in ('video', 'practice')`)
  const mutes = await db.query<{ until: number; reason: string; range: NonNullable<AuthorStory['mute']>['range']; on: boolean }>(sql`select until, reason, range, state = ${MUTE_STATE.on} and until > now() as on from user_mute where user_id = ${id} and deleted_at is null order by until desc limit 50`)
  const recent = await db.query<{ id: number }>(sql`select id from comment where user_id = ${id} and ${seenComments(staff)} order by id desc limit ${RECENT}`)
  const active = mutes.find(({ on }) => on)
  return {
    user: { ...user, name: shownName(appUser, staff, user.name) }, counts: counts ?? { shown: 0, waiting: 0, hidden: 0, removed: 0, refused: 0, reported: 0 }, muted: mutes.length,
    mute: active ? { until: active.until, reason: active.reason, range: active.range } : null, recent: await readSaid(db, staff, recent.map((one) => one.id)),
    refused: await db.query<AuthorStory['refused'][number] & Record<string, unknown>>(sql`select id, at, content, words, why from comment_refused where user_id = ${id} order by id desc limit 5`),
  }
}

/** What somebody said, and when they may not, in the view that gathers everything about them. */
export const commentOverview: OverviewSection[] = [
  {
    name: 'comment', title: '评论', grant: VIDEO_RIGHTS.screen,
    async load(db, staff, { id }) {
      const rows = await db.query<{ id: number; content: string; target: string; state: number; at: number }>(sql`select id, content, target, state, created_at as at from comment where user_id = ${id} and ${seenComments(staff)} order by id desc limit 50`)
      return {
        columns: [{ key: 'content', title: '内容', as: 'text' }, { key: 'target', title: '对象', as: 'text' }, { key: 'state', title: '状态', as: 'text' }, { key: 'at', title: '时间', as: 'time' }],
        rows: rows.map((row) => ({ ...row, target: choiceLabel(TARGETS, row.target), state: choiceLabel(SAID_STATES, row.state) })), screen: '/comment/search',
      }
    },
  },
  {
    name: 'mute', title: '禁言', grant: MANAGE_RIGHTS.screen,
    async load(db, _staff, { id }) {
      const rows = await db.query<{ id: number; reason: string; range: string; until: number; state: number }>(sql`select id, reason, range, until, state from user_mute where user_id = ${id} and deleted_at is null order by id desc limit 20`)
      return {
        columns: [{ key: 'reason', title: '原因', as: 'text' }, { key: 'range', title: '范围', as: 'text' }, { key: 'until', title: '禁言至', as: 'time' }, { key: 'state', title: '状态', as: 'text' }],
        rows: rows.map((row) => ({ ...row, range: choiceLabel(MUTE_RANGES, row.range), state: row.state === MUTE_STATE.lifted ? '已解除' : row.until < Date.now() / 1000 ? '已到期' : '禁言中' })), screen: '/comment/manage?show=mutes',
      }
    },
  },
]

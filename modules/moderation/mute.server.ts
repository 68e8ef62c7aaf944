import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { badRequest, notFound } from '../../core/error/error.ts'
import { formatTime } from '../../core/field/time.ts'
import { serve } from '../../core/resource/serve.server.ts'
import { insertMany } from '../../core/setup/insert-many.server.ts'
import { appUser } from '../user/module.ts'
import { MUTE_STATE, userMute, type MuteRange } from './mute.ts'

const DAY = 86_400

export const mutes = serve(userMute)({
  segments: { now: { on: sql`user_mute.state = ${sql.raw(String(MUTE_STATE.on))} and user_mute.until > now()`, over: sql`user_mute.until <= now()` } },
})

/** What somebody may not do for now; undefined where they may speak. */
export async function muteOf(db: Queryable, userId: number, target: string): Promise<{ until: number; reason: string } | undefined> {
  const [mute] = await db.query<{ until: number; reason: string }>(sql`select until, reason from user_mute where user_id = ${userId} and state = ${MUTE_STATE.on} and until > now() and range in ('all', ${target}) and deleted_at is null order by until desc limit 1`)
  return mute
}

/** What somebody is told who may not speak. */
export const mutedWords = ({ until, reason }: { until: number; reason: string }): string => `您已被禁言至 ${formatTime(until).slice(0, 16)}，原因：${reason}`

interface Muting { readonly userId: number; readonly days: number; readonly range: MuteRange; readonly reason: string; readonly reviewId?: number; readonly staffId: number }

/** Silences somebody. @throws AppError where they are for as long already */
export async function muteUser(tx: Queryable, { userId, days, range, reason, reviewId = 0, staffId }: Muting): Promise<{ id: number; until: number }> {
  // Two who silence the same person wait for each other.
  const [user] = await tx.query(sql`select 1 from app_user where id = ${userId} and deleted_at is null for no key update`)
  if (!user) throw notFound(appUser.label)
  const until = Math.floor(Date.now() / 1000) + days * DAY
  const [longer] = await tx.query<{ until: number }>(sql`select until from user_mute where user_id = ${userId} and state = ${MUTE_STATE.on} and until >= to_timestamp(${until}) and range in ('all', ${range}) and deleted_at is null order by until desc limit 1`)
  if (longer) throw badRequest(`该用户已被禁言至 ${formatTime(longer.until).slice(0, 16)}`)
  const [id = 0] = await insertMany(tx, userMute, [{ reason, user_id: userId, range, until, review_id: reviewId, state: MUTE_STATE.on, created_by: staffId }])
  return { id, until }
}

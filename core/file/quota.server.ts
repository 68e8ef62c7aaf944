import { sql } from 'drizzle-orm'
import type { Config } from '../config.server.ts'
import type { Database } from '../database/database.server.ts'
import { tooMany } from '../error/error.ts'
import { sizeText } from './size.ts'

/** What was sent on a day is known for this long, in days. */
const DAYS_KEPT = 30

/** The day of our staff, wherever the server stands. */
const today = sql.raw("(now() at time zone 'Asia/Shanghai')::date")

/**
 * Counts what a person is about to send against what they may send in a day. One statement counts and compares, so that
 * two uploads at once cannot both take the last place. What was refused later stays counted: it was sent.
 * @param bytes announced length; as much is counted, whether all of it comes or not
 * @throws tooMany when it would be more than may be sent
 */
export async function countUpload(db: Database, { files, bytes: most }: Config['uploadsPerDay'], staffId: number, bytes: number): Promise<void> {
  const fits = await db.query(sql`insert into upload_day (staff_id, day, files, bytes) select ${staffId}, ${today}, 1, ${bytes} where ${bytes}::bigint <= ${most}::bigint
    on conflict (staff_id, day) do update set files = upload_day.files + 1, bytes = upload_day.bytes + excluded.bytes
    where upload_day.files < ${files} and upload_day.bytes + excluded.bytes <= ${most} returning files`)
  if (fits.length > 0) return
  const [used] = await db.query<{ files: number; bytes: number }>(sql`select files, bytes from upload_day where staff_id = ${staffId} and day = ${today}`)
  if (used && used.files >= files) throw tooMany(`每人每天最多上传 ${files} 个文件，您今天的已用完，请明天再传；需要更多请联系管理员`)
  throw tooMany(`每人每天最多上传 ${sizeText(most)}，您今天还可上传 ${sizeText(most - (used?.bytes ?? 0))}，请明天再传；需要更多请联系管理员`)
}

/** Forgets what was sent long ago. */
export async function sweepUploadDays(db: Database): Promise<void> {
  await db.query(sql`delete from upload_day where day < ${today} - ${sql.raw(String(DAYS_KEPT))}`)
}

import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { invalid } from '../../core/error/error.ts'
import { fileIdsIn } from '../../core/file/url.ts'

/** What each kind of message may carry, by how the types of its files begin, and what is said of others. */
const FITS: Readonly<Partial<Record<string, { readonly begins: readonly string[]; readonly refusal: string }>>> = {
  image: { begins: ['image/'], refusal: '请上传图片；HEIC 图片请转为 JPG' },
  voice: { begins: ['audio/'], refusal: '不支持该音频格式' },
}

/**
 * Opens the files of a message to those who read it, for as long as the message is there.
 * @param screens ids of the screens on which the thread is read
 * @param staffId who sends it, and may use their own files alone; null for a learner's app, which is trusted with its learners'
 * @throws AppError when a file is gone, somebody else's or of the wrong kind
 */
export async function attachMessageFiles(tx: Queryable, { kind, files, screens, staffId }: { kind: string; files: readonly string[]; screens: readonly number[]; staffId: number | null }): Promise<void> {
  const ids = fileIdsIn(files.join(' '))
  if (ids.length === 0) return
  const rows = await tx.query<{ type: string }>(sql`update file set expires_at = null, screens = (select array_agg(distinct x) from unnest(screens || ${sql.param([...screens])}::int[]) x)
    where id = any(${sql.param(ids)}::uuid[]) and (expires_at is null or expires_at > now())${staffId === null ? sql`` : sql` and (staff_id = ${staffId} or screens && ${sql.param([...screens])}::int[])`} returning type`)
  if (rows.length < ids.length) throw invalid({ files: '文件不存在或不属于您，请重新上传' })
  const fit = FITS[kind]
  if (fit && !rows.every(({ type }) => fit.begins.some((begin) => type.startsWith(begin)))) throw invalid({ files: fit.refusal })
}

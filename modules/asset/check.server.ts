import { createReadStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { AppError } from '../../core/error/error.ts'
import { attachFiles, releaseFiles } from '../../core/resource/attach.server.ts'
import type { FileStore } from '../../core/file/store.server.ts'
import { fileIdsIn, fileUrl } from '../../core/file/url.ts'
import { inBatches } from '../../core/job/batches.server.ts'
import { defineJob, type JobDefinition } from '../../core/job/define.server.ts'
import { addJob } from '../../core/job/queue.server.ts'
import type { Sweep } from '../../core/job/sweep.server.ts'
import { publishRecords } from '../../core/live/live.server.ts'
import type { Kernel } from '../../core/kernel/kernel.server.ts'
import { setDerived, touch } from '../../core/resource/touch.server.ts'
import { ASSET_STATE, ASSETS, type AssetKind } from './asset.ts'
import { assetChecked } from './live.ts'
import { handOverFile } from './facts.server.ts'
import { readMedia, rewriteVideo, type Found } from './media.server.ts'
import { shiftTimed, type Timed } from './timing.ts'

const KIND = 'asset_check'
/** How long a file that was replaced can be brought back, in days. */
export const VERSION_DAYS = 30
/** What is said of a video whose wrapping browsers do not open. */
const UNPACKED = '浏览器不能播放这种格式，请重新导出为 MP4，再用「替换文件」上传'
/** Longest reason that is kept. */
const REASON = 200

/** An asset that waits to be looked at. */
interface Waiting {
  id: number
  kind: AssetKind
  name: string
  url: string
  next_url: string | null
}

/** What came of looking at a file. */
type Outcome = { readonly found: Found; readonly url: string } | { readonly reason: string }

/**
 * Asks for all assets that wait to be looked at: one job does many, so that forty uploads are one line among a person's tasks.
 * What is asked for while a job runs gets the next one.
 */
export async function wantCheck(tx: Queryable, staff: { readonly id: number }): Promise<void> {
  const [waiting] = await tx.query(sql`select 1 from job where kind = ${KIND} and status = 'waiting' limit 1`)
  if (!waiting) await addJob(tx, { staff }, { kind: KIND, title: '检查素材', input: null })
}

async function nextWaiting(db: Queryable): Promise<Waiting | undefined> {
  const [asset] = await db.query<Waiting>(sql`select id, kind, name, url, next_url from asset where state = ${ASSET_STATE.checking} and deleted_at is null order by id limit 1`)
  return asset
}

/**
 * Looks at a file, and rewrites a video that browsers would play only after they have all of it.
 * @param staffId owner of the file that comes of it
 */
async function examine(files: FileStore, asset: Waiting, staffId: number): Promise<Outcome> {
  const url = asset.next_url ?? asset.url
  const [id = ''] = fileIdsIn(url)
  const file = await files.find(id)
  if (!file) return { reason: '文件已不存在，请重新上传' }
  try {
    return await files.withPath(id, async (path): Promise<Outcome> => {
      const found = await readMedia(path, file.type, asset.kind)
      // What plays is not given up for what does not.
      if (asset.next_url !== null && found.unplayable !== null) return { reason: found.unplayable }
      if (asset.kind !== 'video' || found.unplayable !== null) return { found, url }
      const folder = await mkdtemp(join(tmpdir(), 'asset-'))
      try {
        const rewritten = await rewriteVideo(path, file.type, folder)
        if (rewritten !== undefined) {
          const stored = await files.put(createReadStream(rewritten), { name: file.name.replace(/\.[^.]*$/, '.mp4'), staffId })
          return { found, url: fileUrl(stored.id) }
        }
        // What cannot be put into an MP4 plays nowhere, whatever its codecs are.
        if (file.type === 'video/mp4') return { found, url }
        return asset.next_url === null ? { found: { ...found, unplayable: UNPACKED }, url } : { reason: UNPACKED }
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    })
  } catch (error) {
    if (error instanceof AppError && error.status < 500) return { reason: error.message }
    throw error
  }
}

/** Facts of the asset as it was, for those who bring it back. */
async function keepVersion(tx: Queryable, id: number): Promise<void> {
  await tx.query(sql`insert into asset_version (asset_id, no, url, sha256, bytes, seconds, codec, staff_id, expires_at)
    select t.id, coalesce((select max(v.no) from asset_version v where v.asset_id = t.id), 0) + 1, t.url, t.sha256, t.bytes, t.seconds, t.codec, t.updated_by, now() + make_interval(days => ${VERSION_DAYS})
    from asset t where t.id = ${id}`)
}

/** Writes what came of it, unless the asset was changed meanwhile. */
async function write(tx: Queryable, asset: Waiting, outcome: Outcome, staffId: number): Promise<void> {
  const resource = ASSETS[asset.kind]
  const [row] = await tx.query<{ chapters: Timed[] | null; cues: Timed[] | null; next_shift: number | null; next_sha256: string | null }>(sql`select chapters, cues, next_shift::float8 as next_shift, next_sha256 from asset
    where id = ${asset.id} and state = ${ASSET_STATE.checking} and url = ${asset.url} and next_url is not distinct from ${asset.next_url} and deleted_at is null for no key update`)
  if (!row) return
  await publishRecords(tx, 'all', assetChecked, [asset.id])
  const noNext = { next_url: null, next_sha256: null, next_shift: null }
  // What a first look finds follows from the file: a form that was opened meanwhile can still be saved.
  const put = asset.next_url === null ? setDerived : touch
  if ('reason' in outcome) {
    // What was to take its place is not fit for it, so it goes on as it was.
    const kept = asset.next_url !== null
    await put(tx, resource, { state: kept ? ASSET_STATE.ready : ASSET_STATE.failed, fail_reason: `${kept ? '替换没有成功，仍使用原文件：' : ''}${outcome.reason}`.slice(0, REASON), ...noNext }, asset.id)
    if (kept) await releaseFiles(tx, [asset.next_url], resource.grant)
    return
  }
  const { found: { unplayable, ...facts }, url } = outcome
  if (asset.next_url !== null) await keepVersion(tx, asset.id)
  if (url !== asset.url) {
    await attachFiles(tx, resource, { url }, staffId)
    await handOverFile(tx, asset.url, url, resource.grant)
  }
  const [stored] = await tx.query<{ bytes: number }>(sql`select bytes from file where id = ${fileIdsIn(url)[0] ?? null}::uuid`)
  const shift = row.next_shift ?? 0
  await put(tx, resource, {
    ...facts, url, bytes: stored?.bytes ?? null, state: unplayable === null ? ASSET_STATE.ready : ASSET_STATE.unplayable, fail_reason: unplayable?.slice(0, REASON) ?? null, ...noNext,
    ...(row.next_sha256 !== null && { sha256: row.next_sha256 }),
    ...(shift !== 0 && { chapters: sql`${JSON.stringify(shiftTimed(row.chapters ?? [], shift))}::jsonb`, cues: sql`${JSON.stringify(shiftTimed(row.cues ?? [], shift))}::jsonb` }),
  }, asset.id)
  // The file that was rewritten has a successor.
  await releaseFiles(tx, [asset.next_url ?? asset.url].filter((one) => one !== url), resource.grant)
}

/** Looks at every asset that waits for it. */
export function checkJob({ files }: Pick<Kernel, 'files'>): JobDefinition {
  return defineJob<null, { checked: number }>({
    kind: KIND,
    grants: () => [],
    async run(context) {
      return inBatches(context, { checked: 0 }, async ({ checked }) => {
        const asset = await nextWaiting(context.db)
        if (!asset) return undefined
        const outcome = await examine(files, asset, context.staff.id)
        return async (tx) => {
          await write(tx, asset, outcome, context.staff.id)
          return { checked: checked + 1 }
        }
      }, ({ checked }) => [checked, checked])
    },
  })
}

/** Asks again for assets that wait since long: a job may have looked a moment before they were written. */
export const waitingSweep = ({ db }: Pick<Kernel, 'db'>): Sweep => ({
  name: 'asset_waiting',
  every: 60,
  async run() {
    const [late] = await db.query<{ staff_id: number | null }>(sql`select coalesce(updated_by, created_by) as staff_id from asset
      where state = ${ASSET_STATE.checking} and deleted_at is null and updated_at < now() - interval '1 minute' and not exists (select 1 from job where kind = ${KIND} and status in ('waiting', 'running')) limit 1`)
    const id = late?.staff_id
    if (typeof id === 'number') await db.transaction({ staff_id: null }, (tx) => wantCheck(tx, { id }))
  },
})

/** Gives up files whose time to be brought back is over. */
export const versionSweep = ({ db }: Pick<Kernel, 'db'>): Sweep => ({
  name: 'asset_version',
  run: () => db.transaction({ staff_id: null }, async (tx) => {
    const gone = await tx.query<{ url: string; kind: AssetKind }>(sql`delete from asset_version v using asset a where a.id = v.asset_id and v.expires_at < now() returning v.url, a.kind`)
    for (const { url, kind } of gone) await releaseFiles(tx, [url], ASSETS[kind].grant)
  }),
})

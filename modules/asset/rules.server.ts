import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { AppError, invalid } from '../../core/error/error.ts'
import { fileIdsIn } from '../../core/file/url.ts'
import { serve, type ResourceService, type RulesOf } from '../../core/resource/serve.server.ts'
import { countBelow } from '../../core/tree/read.server.ts'
import { ASSETS, videoAsset } from './asset.ts'
import { wantCheck } from './check.server.ts'
import { materialTag } from './tag.ts'
import { countUses, refuseUsed } from './uses.server.ts'

/** Days before the end of a licence from which on it is told. */
const LICENCE_DAYS = 30

/** What is known of an uploaded file. */
interface FileFacts {
  readonly sha256: string
  readonly bytes: number
}

/** The file behind an address. @throws AppError when it is gone */
export async function factsOf(tx: Queryable, url: string): Promise<FileFacts> {
  const [fileId] = fileIdsIn(url)
  const [found] = await tx.query<FileFacts>(sql`select sha256, bytes from file where id = ${fileId ?? null}::uuid`)
  if (!found) throw invalid({ url: '文件不存在，请重新上传' })
  return found
}

/**
 * Refuses bytes that are an asset already: two of them would be kept, changed and counted apart.
 * @param own the asset that they are for
 * @throws AppError that names the other one, with its id
 */
export async function refuseTwin(tx: Queryable, sha256: string, own?: number): Promise<void> {
  const [twin] = await tx.query<{ id: number; kind: string; name: string }>(sql`select id, kind, name from asset
    where (sha256 = ${sha256} or next_sha256 = ${sha256}) and deleted_at is null and id is distinct from ${own ?? null}::bigint limit 1`)
  if (!twin) return
  const words = `已有相同文件「${twin.name}」`
  throw new AppError('asset_known', 409, words, { fields: { url: words }, extra: { asset: twin } })
}

/** What a list is narrowed by to find what is left to do. */
const NEEDS = {
  unused: sql`${countUses(sql`asset.id`)} = 0`,
  untagged: sql`coalesce(cardinality(asset.tag_ids), 0) = 0`,
  unsubtitled: sql`coalesce(jsonb_array_length(asset.subtitles), 0) = 0`,
  expiring: sql`asset.licence_until < now() + make_interval(days => ${sql.raw(String(LICENCE_DAYS))})`,
}

const { unsubtitled: _spoken, ...SILENT_NEEDS } = NEEDS

const rules: RulesOf<typeof videoAsset> = {
  computed: { use_count: countUses(sql`t.id`) },
  segments: { needs: NEEDS },
  async before({ tx, values, row }) {
    if (row || typeof values.url !== 'string') return
    const { sha256, bytes } = await factsOf(tx, values.url)
    await refuseTwin(tx, sha256)
    Object.assign(values, { sha256, bytes })
  },
  async after({ tx, staff, row }) {
    if (!row) await wantCheck(tx, staff)
  },
  beforeRemove: ({ tx, staff, row }) => refuseUsed(tx, staff, row),
  effects: {
    check: ({ tx, staff }) => wantCheck(tx, staff),
  },
}

export const assetServices: readonly ResourceService[] = [
  serve(materialTag)({ computed: { asset_count: sql`(${countBelow(materialTag, videoAsset, 'tag_ids')})` } }),
  ...[ASSETS.video, ASSETS.audio].map((asset) => serve(asset)(rules)),
  // Nobody speaks in what does not run.
  ...[ASSETS.image, ASSETS.document].map((asset) => serve(asset)({ ...rules, segments: { needs: SILENT_NEEDS as typeof NEEDS } })),
]

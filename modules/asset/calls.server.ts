import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { handle, idParam, type Call, type Served } from '../../core/endpoint/serve.server.ts'
import { invalid, notFound, notGranted } from '../../core/error/error.ts'
import { attachFiles, releaseFiles } from '../../core/resource/attach.server.ts'
import type { Kernel } from '../../core/kernel/kernel.server.ts'
import { checkPolicy } from '../../core/resource/refusal.server.ts'
import { touch } from '../../core/resource/touch.server.ts'
import { checkRev, lockRow } from '../../core/resource/write.server.ts'
import { ASSET_STATE, ASSETS, type AssetKind } from './asset.ts'
import { assetUses, assetVersions, folderTag, knownAsset, labelTree, moveAssetUses, replaceAsset, type AssetVersion, type TagBranch } from './calls.ts'
import { wantCheck } from './check.server.ts'
import { tagOfFolders } from './folders.server.ts'
import { factsOf, refuseTwin } from './rules.server.ts'
import { materialTag } from './tag.ts'
import { countUses, moveUses, usesOf } from './uses.server.ts'

/** The asset that a call names, of whichever kind, to somebody who may open its screen. @throws notFound */
async function kindOf(db: Queryable, call: Pick<Call, 'params' | 'staff'>): Promise<{ id: number; resource: (typeof ASSETS)[AssetKind] }> {
  const id = idParam(call)
  const [row] = await db.query<{ kind: AssetKind }>(sql`select kind from asset where id = ${id} and deleted_at is null`)
  const resource = row && ASSETS[row.kind]
  if (!resource || !call.staff.modules.has(resource.grant)) throw notFound('素材')
  return { id, resource }
}

/** The asset that a call changes, locked. @throws AppError when there is none or the person lacks the right */
async function lockAsset(tx: Queryable, call: Pick<Call, 'params' | 'staff'>) {
  const { id, resource } = await kindOf(tx, call)
  if (!call.staff.modules.has(resource.rights.id('replace'))) throw notGranted(`${resource.label} · ${resource.rights.title('replace')}`)
  return { resource, row: await lockRow(tx, resource, call.staff, id) }
}

/** Tags with their children; spec 3: a node without children carries no list of them. */
function treeOf(rows: readonly { id: number; parent_id: number | null; name: string }[]): TagBranch[] {
  const children = Map.groupBy(rows, ({ parent_id }) => parent_id)
  const below = (parent: number | null): TagBranch[] => (children.get(parent) ?? []).map(({ id, name }) => {
    const own = below(id)
    return { id, name, ...(own.length > 0 && { children: own }) }
  })
  return below(null)
}

/** The calls of the library beside those of its lists. */
export function assetCalls({ registry }: Pick<Kernel, 'registry'>): Served[] {
  const tags = registry.get(materialTag.name)
  if (!tags) throw new Error('the tags of the library are not served')
  const targets = new Map([...registry].map(([name, known]) => [name, known.resource]))
  return [
    handle(folderTag, (call) => call.transaction(async (tx) => ({
      id: await tagOfFolders(tx, { service: tags, registry, targets, staff: call.staff }, call.input.names, call.input.under_id),
    }))),
    handle(labelTree, async ({ db }) => {
      const items = treeOf(await db.query(sql`select id, parent_id, name from material_tag where deleted_at is null order by ord, id`))
      return { items, total: items.length }
    }),
    handle(knownAsset, async ({ db, staff, input }) => {
      const [asset] = await db.query<{ id: number; kind: AssetKind; name: string; state: number; use_count: number }>(sql`select t.id, t.kind, t.name, t.state, ${countUses(sql`t.id`)} as use_count
        from asset t where t.sha256 = ${input.sha256} and t.deleted_at is null`)
      return { asset: asset ? { ...asset, uses: await usesOf(db, staff, asset.id) } : null }
    }),
    handle(assetUses, async (call) => {
      const { id } = await kindOf(call.db, call)
      const [counted] = await call.db.query<{ n: number }>(sql`select ${countUses(sql`u.id`)}::int as n from (select ${id}::bigint as id) u`)
      return { items: await usesOf(call.db, call.staff, id), total: counted?.n ?? 0 }
    }),
    handle(assetVersions, async (call) => {
      const { id } = await kindOf(call.db, call)
      return {
        items: await call.db.query<AssetVersion>(sql`select v.no, v.url, v.bytes, v.seconds::float8 as seconds, v.codec, s.name as staff_name, v.at, v.expires_at
          from asset_version v left join staff s on s.id = v.staff_id where v.asset_id = ${id} order by v.no desc`),
      }
    }),
    handle(replaceAsset, (call) => call.transaction(async (tx) => {
      const { resource, row } = await lockAsset(tx, call)
      await checkRev(tx, row, call.input.rev, (stale) => stale)
      checkPolicy(resource, call.staff, row, 'replace')
      const { url, shift = 0 } = call.input
      const { sha256, bytes } = await factsOf(tx, url)
      await refuseTwin(tx, sha256, row.id)
      if (sha256 === row.sha256) throw invalid({ url: '与现在的文件相同，不需要替换' })
      await attachFiles(tx, resource, { url }, call.staff.id)
      const plays = row.state === ASSET_STATE.ready
      // What plays goes on playing until the server has looked at the new file.
      await touch(tx, resource, plays
        ? { next_url: url, next_sha256: sha256, next_shift: shift, state: ASSET_STATE.checking, fail_reason: null }
        : { url, sha256, bytes, state: ASSET_STATE.checking, fail_reason: null }, row.id)
      // What nobody could play does not come back.
      if (!plays) await releaseFiles(tx, [row.url], resource.grant)
      await wantCheck(tx, call.staff)
      return { id: row.id, state: ASSET_STATE.checking }
    }, { action: 'replace' })),
    handle(moveAssetUses, (call) => call.transaction(async (tx) => {
      const { resource, row } = await lockAsset(tx, call)
      const { into_id } = call.input
      if (into_id === row.id) throw invalid({ into_id: '请选择另一个素材' })
      const into = await lockRow(tx, resource, call.staff, into_id)
      if (into.state !== ASSET_STATE.ready) throw invalid({ into_id: `「${into.name}」当前不可用，不能接替` })
      return moveUses(tx, call.staff, row.id, into.id)
    }, { action: 'move_uses' })),
  ]
}

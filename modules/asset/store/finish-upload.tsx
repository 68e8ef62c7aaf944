import { call, request } from '../../../core/endpoint/call.tsx'
import type { Upload, UploadKind } from '../../../core/upload/upload.ts'
import { ASSET_KINDS, assetPath, ASSETS, UPLOADS, type AssetKind } from '../asset.ts'
import { folderTag, knownAsset } from '../calls.ts'
import { coverOf } from './cover.tsx'

/** What the library wants to know of a file that it is sent. */
export interface AboutAsset {
  /** The tag that was open when the file was chosen. */
  readonly tag_id?: number
  /** Folders that the file was in, from the top. */
  readonly folders: readonly string[]
}

/** Longest name of an asset. */
const LONGEST = 80

const kindOfUpload = (upload: UploadKind): AssetKind => ASSET_KINDS.find(({ value }) => (UPLOADS[value] as readonly UploadKind[]).includes(upload))?.value ?? 'document'

/** The asset that has these bytes already, in words. */
export async function findKnown(sha256: string): Promise<{ words: string; to: string } | undefined> {
  const { asset } = await call(knownAsset, { sha256 }, { quiet: true })
  if (!asset) return undefined
  return { words: `已有相同文件「${asset.name}」，${asset.use_count > 0 ? `${asset.use_count} 处在使用` : '还没有被使用'}`, to: assetPath(asset.kind, asset.id) }
}

/** Makes an asset of a file that has arrived, with the tag of its folder. */
export async function finishUpload(url: string, { kind: uploaded, name, about }: Upload, file: File): Promise<{ to: string }> {
  const kind = kindOfUpload(uploaded)
  const { folders, tag_id } = about as unknown as AboutAsset
  const tag = folders.length > 0 ? (await call(folderTag, { names: [...folders], ...(tag_id !== undefined && { under_id: tag_id }) }, { quiet: true })).id : tag_id
  const cover = kind === 'image' ? url : kind === 'video' ? await coverOf(file) : undefined
  const { id } = await request<{ id: number }>('POST', ASSETS[kind].api.item, {
    name: name.replace(/\.[^.]+$/, '').slice(0, LONGEST) || name.slice(0, LONGEST), url, ...(tag !== undefined && { tag_ids: [tag] }), ...(cover !== undefined && { cover }),
  }, { quiet: true })
  return { to: assetPath(kind, id) }
}

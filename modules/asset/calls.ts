import * as z from 'zod/mini'
import { defineEndpoint } from '../../core/endpoint/define.ts'
import { ASSETS, type AssetKind } from './asset.ts'
import { materialTag } from './tag.ts'

const END = '/material/api/end'

/** One place where an asset is used. */
export interface AssetUse {
  /** What uses it: 课时, 组合. */
  kind: string
  title: string
  /** Screen that shows it; null where the person may open none. */
  path: string | null
  /** Learners see it now. */
  live: boolean
}

/** An asset that has the bytes that somebody is about to send. */
export interface KnownAsset {
  id: number
  kind: AssetKind
  name: string
  state: number
  use_count: number
  uses: AssetUse[]
}

/** What an asset was before its file was replaced. */
export interface AssetVersion {
  no: number
  url: string
  bytes: number | null
  seconds: number | null
  codec: string | null
  staff_name: string | null
  at: number
  expires_at: number
}

export interface TagBranch {
  id: number
  name: string
  children?: TagBranch[]
}

const GRANTS: readonly number[] = [...new Set(Object.values(ASSETS).map(({ grant }) => grant))]
const REPLACE: readonly number[] = [...new Set(Object.values(ASSETS).map(({ rights }) => rights.id('replace')))]
const id = z.int('编号有误').check(z.positive('编号有误'))

/** The tag that stands for folders, from the top; what is missing of them is made. */
export const folderTag = defineEndpoint<{ id: number }>()({
  method: 'POST', path: `${END}/labels/folders`, summary: '按文件夹取得素材标签', grant: [materialTag.grant, ...GRANTS],
  input: z.object({
    names: z.array(z.string('文件夹名称有误').check(z.minLength(1, '文件夹名称有误'), z.maxLength(255, '文件夹名称有误')), '文件夹有误').check(z.minLength(1, '文件夹有误'), z.maxLength(50, '文件夹层级过多')),
    under_id: z.optional(id),
  }),
})

/** spec 7: the tree of tags; children are removed when empty. */
export const labelTree = defineEndpoint<{ items: TagBranch[]; total: number }>()({ method: 'GET', path: `${END}/label`, summary: '素材标签树', grant: [materialTag.grant, ...GRANTS] })

/** Whether the bytes of this hash are an asset already, asked before they are sent. */
export const knownAsset = defineEndpoint<{ asset: KnownAsset | null }>()({
  method: 'GET', path: `${END}/assets/known`, summary: '查找相同的素材', grant: GRANTS,
  input: z.object({ sha256: z.string('校验值有误').check(z.regex(/^[0-9a-f]{64}$/, '校验值有误')) }),
})

export const assetUses = defineEndpoint<{ items: AssetUse[]; total: number }>()({ method: 'GET', path: `${END}/assets/{id}/uses`, summary: '素材的引用', grant: GRANTS })

export const assetVersions = defineEndpoint<{ items: AssetVersion[] }>()({ method: 'GET', path: `${END}/assets/{id}/versions`, summary: '素材的历史文件', grant: GRANTS })

/** Puts another file in the place of an asset's own; what is bound to seconds of it moves along by `shift`. */
export const replaceAsset = defineEndpoint<{ id: number; state: number }>()({
  method: 'POST', path: `${END}/assets/{id}/replace`, summary: '替换素材的文件', grant: REPLACE,
  input: z.object({
    url: z.string('请上传文件').check(z.regex(/^\/daoyuan\/api\/end\/files\/[0-9a-f-]{36}$/, '请重新上传文件')),
    shift: z.optional(z.number('平移秒数有误').check(z.gte(-86_400, '平移秒数有误'), z.lte(86_400, '平移秒数有误'))),
    rev: z.optional(z.int('版本有误')),
  }),
})

/** Everything that uses the asset uses another one of the same kind from now on. */
export const moveAssetUses = defineEndpoint<{ moved: number; left_alone: number }>()({
  method: 'POST', path: `${END}/assets/{id}/move_uses`, summary: '把素材的引用转移给另一个素材', grant: REPLACE,
  input: z.object({ into_id: id }),
})

import * as z from 'zod/mini'
import { defineEndpoint } from '../../core/endpoint/define.ts'
import { standardId } from '../../core/grant/grant.ts'
import type { WireRow } from '../../core/resource/endpoints.ts'
import type { BlockTarget, OfferedKind } from '../outline/module.ts'
import type { PracticeCard } from '../practice/module.ts'
import { screenId } from '../screens.ts'
import { combination } from './combination.ts'
import { ITEM_KINDS, type CombinationItem } from './items.ts'

/** A combination as its screen shows it, beside its record. */
export interface CombinationContent {
  row: WireRow<typeof combination>
  /** What the items show, and those of the published version. */
  targets: BlockTarget[]
  /** Questions among them, as they are printed. */
  cards: PracticeCard[]
  /** Addresses that play, by the id of the asset. */
  files: Record<string, string>
  kinds: OfferedKind[]
}

/** A place that needs a combination. */
export interface CombinationUse {
  kind: string
  title: string
  path: string | null
  live: boolean
}

export interface CombinationVersion {
  no: number
  items: CombinationItem[]
  staff_name: string | null
  at: number
}

const BASE = combination.api.list
const VIEW: readonly number[] = [combination.grant, screenId('/material/combination/detail/:id')]

export const readCombination = defineEndpoint<CombinationContent>()({ method: 'GET', path: `${BASE}/{id}/content`, summary: '素材组合的内容', grant: VIEW })
/** What can be put into a combination. */
export const findContent = defineEndpoint<{ items: BlockTarget[] }>()({
  method: 'GET', path: `${BASE}/{id}/targets`, summary: '可以放入素材组合的内容', grant: [standardId(combination.grant, 'edit')],
  input: z.object({ kind: z.enum(ITEM_KINDS, '内容类型不正确'), keyword: z.optional(z.string('关键词有误').check(z.trim(), z.maxLength(60, '关键词最多 60 个字'))), subject: z.optional(z.literal('1', '学科有误')) }),
})
export const combinationVersions = defineEndpoint<{ items: CombinationVersion[]; targets: BlockTarget[]; total: number }>()({ method: 'GET', path: `${BASE}/{id}/versions`, summary: '素材组合的版本', grant: VIEW })
export const combinationUses = defineEndpoint<{ items: CombinationUse[]; total: number }>()({ method: 'GET', path: `${BASE}/{id}/uses`, summary: '素材组合的引用', grant: VIEW })

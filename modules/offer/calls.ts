import * as z from 'zod/mini'
import { defineEndpoint } from '../../core/endpoint/define.ts'
import { standardId } from '../../core/grant/grant.ts'
import type { Resource } from '../../core/resource/define.ts'
import { reasonSchema, type WireRow } from '../../core/resource/endpoints.ts'
import type { CourseLine } from './course-line.ts'
import { MAX_PRICE, type OfferResource } from './offer.ts'

/** Courses whose prices are set at once. */
export const MOST_PRICED = 200
/** Courses of one series. */
export const MOST_ARRANGED = 200

const id = (words: string) => z.int(words).check(z.positive(words))

/** 上架体检, item by item. */
export interface ShelfCheck {
  /** Nothing that has to be right is wrong. */
  passes: boolean
  items: { label: string; ok: boolean; /** It has to be right; otherwise it is advice. */ must: boolean; /** What is wrong. */ detail: string | null }[]
}

/** A price that was set, with what takes it back. */
export interface Priced {
  id: number
  rev: number
  price: number
  before: number
  /** The new price asks a second person: it is sold again once that is approved. */
  waits: boolean
}

/** A course as a series arranges it. */
export interface Arranged {
  id: number
  title: string
  price: number
  state: number
  /** In this series. */
  chosen: boolean
  /** Name of the other series that it is in. */
  elsewhere: string | null
}

/** Calls of a line's offers beside the standard ones. */
export function offerEndpoints({ api: { list, item }, grant, label }: Pick<OfferResource, 'api' | 'grant' | 'label'>) {
  const edit = [standardId(grant, 'edit')]
  return {
    check: defineEndpoint<ShelfCheck>()({ method: 'GET', path: `${item}/{id}/check`, summary: `${label}上架体检`, grant: [grant] }),
    duplicate: defineEndpoint<WireRow>()({ method: 'POST', path: `${item}/{id}/duplicate`, summary: `复制${label}`, grant: edit }),
    prices: defineEndpoint<{ items: Priced[]; undo?: number }>()({
      method: 'PUT', path: `${list}/prices`, summary: `批量修改${label}价格`, grant: edit,
      input: z.object({
        items: z.array(z.object({ id: id('课程编号有误'), rev: z.int('版本有误'), price: z.int('价格应为整数分').check(z.gte(0, '价格不能小于 0'), z.lte(MAX_PRICE, `价格不能超过 ${MAX_PRICE / 100} 元`)) }), '请选择课程').check(z.minLength(1, '请选择课程'), z.maxLength(MOST_PRICED, `一次最多 ${MOST_PRICED} 门`)),
        reason: reasonSchema,
      }),
      back: 'undo',
    }),
  }
}

/** The call that opens the outline of a textbook or a course, by its line; undefined where the line has none. */
export function openOutline({ textbooks, offers, outlineRights }: Pick<CourseLine, 'textbooks' | 'offers' | 'outlineRights'>) {
  const { api: { item }, label } = textbooks ?? offers
  return outlineRights && defineEndpoint<{ outline_id: number }>()({ method: 'POST', path: `${item}/{id}/outline`, summary: `打开${label}的目录`, grant: [outlineRights.screen] })
}

/** Calls of a line's series beside the standard ones. */
export function seriesEndpoints({ api: { item }, grant, label }: Pick<Resource, 'api' | 'grant' | 'label'>) {
  return {
    arranged: defineEndpoint<{ items: Arranged[] }>()({ method: 'GET', path: `${item}/{id}/offers`, summary: `${label}的课程`, grant: [grant] }),
    arrange: defineEndpoint<{ items: Arranged[] }>()({
      method: 'PUT', path: `${item}/{id}/offers`, summary: `管理${label}的课程`, grant: [standardId(grant, 'edit')],
      input: z.object({ offer_ids: z.array(id('课程编号有误'), '请选择课程').check(z.maxLength(MOST_ARRANGED, `一个系列最多 ${MOST_ARRANGED} 门课程`)) }),
    }),
  }
}

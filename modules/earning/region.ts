import * as z from 'zod/mini'
import { defineEndpoint } from '../../core/endpoint/define.ts'
import { agent } from '../agent/module.ts'

/** Days that are looked back. */
export const REGION_DAYS = ['30', '90', '365'] as const

/** Somebody with a region of their own, and what others sold there. */
export interface Holder { id: number; name: string; region_code: string; region_name: string; partners: number; orders: number; amount: number }

/** Something that another agent has in an exclusive region. */
export interface Foreign {
  kind: 'partner' | 'order'
  id: number
  holder_id: number
  holder: string
  /** Who sold it; null outside of what the person may see. */
  seller: string | null
  /** A partner's name, an order's number. */
  name: string
  region_name: string
  amount: number | null
  at: number
}

/** Exclusive regions, and what agents of other branches sold in them. */
export interface Regions { holders: Holder[]; foreign: Foreign[]; total: number }

/** Rows that are shown: the newest. */
export const MOST_FOREIGN = 300

export const regionCheck = defineEndpoint<Regions>()({
  method: 'GET', path: '/daoyuan/api/end/distribution/regions', summary: '独家区域和跨区', grant: [agent.grant],
  input: z.object({ days: z.optional(z.enum(REGION_DAYS, '请选择时段')) }),
})

import { defineEndpoint } from '../../core/endpoint/define.ts'
import { BASE } from './api.ts'

/** One kind of study room as the spec's map has it (spec 3). */
export interface RoomTypeInfo {
  id: number
  desc: string
  service_fee: number
  exchange_service_fee: number
  pad_cnt: number
}

/** spec 7: the study room type map, keyed by type. */
export const roomTypeMap = defineEndpoint<Record<string, RoomTypeInfo>>()({
  method: 'GET', path: `${BASE}/type`, summary: '自习室类型表', grant: 'staff',
})

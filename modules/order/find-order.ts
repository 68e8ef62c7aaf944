import * as z from 'zod/mini'
import { defineEndpoint } from '../../core/endpoint/define.ts'

/** Where an order of whatever line is: its id, and the id of the screen that opens it. */
export interface FoundOrder {
  id: number
  screen: number
}

/** Finds the screen of an order by its number; nothing for a person who may not open it there. */
export const findOrder = defineEndpoint<{ order: FoundOrder | null }>()({
  method: 'GET', path: '/daoyuan/api/end/order_screen', summary: '按订单号查找订单所在页面', grant: 'staff',
  input: z.object({ order_no: z.string('请填写订单号').check(z.maxLength(24, '订单号过长')) }),
})

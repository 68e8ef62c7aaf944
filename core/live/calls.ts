import { defineEndpoint } from '../endpoint/define.ts'

/** Server-sent events: each message is named by the event's type, its data is the event as JSON. */
export const liveEvents = defineEndpoint<unknown>()({
  method: 'GET', path: '/daoyuan/api/end/live', summary: '实时消息', grant: 'staff', stream: true,
})

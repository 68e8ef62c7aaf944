import { handle, type Served } from '../endpoint/serve.server.ts'
import { badToken } from '../error/error.ts'
import { liveEvents } from './calls.ts'
import type { Live } from './live.server.ts'

/** The call that holds a console's stream open. */
export function liveCalls(live: Live): Served[] {
  return [
    handle(liveEvents, async (call) => {
      const hash = call.request.session?.hash
      if (!hash) throw badToken()
      call.reply.type('text/event-stream')
      // Proxies that collect an answer before they pass it on would hold every event back.
      call.reply.header('x-accel-buffering', 'no')
      // Kept alive for a next request, the connection would hold up a server that stops.
      call.reply.header('connection', 'close')
      return live.open(call.staff.id, hash)
    }),
  ]
}

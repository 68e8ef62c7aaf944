import { currentStaff } from '../session/calls.ts'
import { liveEvents } from './calls.ts'
import type { LiveEvent, LiveEventType } from './event.ts'

/** A proxy or a restarting server answers with an error, after which the browser gives up: then we try, in milliseconds. */
const FIRST_WAIT = 2000
const LONGEST_WAIT = 60_000

const types: Readonly<Record<LiveEventType, true>> = { job: true, grants: true, notice: true, record: true, release: true, displaced: true }

interface Hearing {
  heard: (event: LiveEvent) => void
  /** The stream is back after it was away; whatever happened in between was not heard. */
  back: () => void
  /** The session is over. Promises whether it is there again, after a login in place. */
  out: () => Promise<boolean>
}

const open = new Set<() => void>()

/** Ends all streams of this window: who logs out is not told that their session is over. */
export function closeStreams(): void {
  for (const end of open) end()
}

/**
 * Holds the stream of live events open while the window is seen. A window in the background lets go of it: browsers
 * allow six connections to a site, and windows that nobody looks at would use them up.
 * @returns ends it
 */
export function openStream({ heard, back, out }: Hearing): () => void {
  let source: EventSource | undefined
  let timer: number | undefined
  let wait = FIRST_WAIT
  let opened = false
  let over = false

  const close = () => {
    window.clearTimeout(timer)
    source?.close()
    source = undefined
  }
  const connect = () => {
    if (over || source || document.hidden) return
    const stream = new EventSource(liveEvents.path)
    source = stream
    stream.addEventListener('open', () => {
      wait = FIRST_WAIT
      if (opened) back()
      opened = true
    })
    stream.addEventListener('error', () => {
      // While it is connecting the browser goes on by itself.
      if (stream.readyState !== EventSource.CLOSED || source !== stream) return
      close()
      void again()
    })
    for (const type of Object.keys(types)) {
      stream.addEventListener(type, (message) => {
        const event = JSON.parse((message as MessageEvent<string>).data) as LiveEvent
        if (event.type === 'displaced') {
          over = true
          close()
        } else heard(event)
      })
    }
  }
  const again = async () => {
    const answer = await fetch(currentStaff.path, { credentials: 'same-origin' }).catch(() => undefined)
    if (over) return
    if (answer?.status === 401) {
      if (await out() && !over) {
        connect()
        back()
      }
      return
    }
    timer = window.setTimeout(connect, wait)
    wait = Math.min(wait * 2, LONGEST_WAIT)
  }
  const seen = () => {
    if (document.hidden) close()
    else connect()
  }
  document.addEventListener('visibilitychange', seen)
  connect()
  const end = () => {
    over = true
    open.delete(end)
    document.removeEventListener('visibilitychange', seen)
    close()
  }
  open.add(end)
  return end
}

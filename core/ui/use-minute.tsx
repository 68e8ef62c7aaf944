import { useSyncExternalStore } from 'react'

const MINUTE = 60_000

/** The current minute in unix seconds, for what may stay open all day. */
export function useMinute(): number {
  return useSyncExternalStore((changed) => {
    const timer = window.setInterval(changed, MINUTE)
    return () => window.clearInterval(timer)
  }, () => Math.floor(Date.now() / MINUTE) * 60)
}

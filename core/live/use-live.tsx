import { useEffect, useEffectEvent } from 'react'
import type { LiveIds, LiveKind } from './event.ts'

type Listener = (ids: LiveIds) => void

const listeners = new Map<string, Set<Listener>>()

/** Tells those who listen to a kind, or to any, which records changed. */
export function tellListeners(kind: string, ids: LiveIds): void {
  const heard = kind === 'all' ? [...listeners.values()] : [listeners.get(kind) ?? new Set<Listener>()]
  for (const group of heard) for (const listener of group) listener(ids)
}

/**
 * Hears of records of a kind that changed, while the component is there.
 * @param changed is given their ids, or `'all'` where any may have changed, also after the stream was away
 * @public for the modules that declare a kind
 * @example useLive(threadMoved, (ids) => void client.invalidateQueries({ queryKey: ['thread'] }))
 */
export function useLive(kind: LiveKind, changed: Listener): void {
  const heard = useEffectEvent(changed)
  useEffect(() => {
    const listener: Listener = (ids) => heard(ids)
    const group = listeners.get(kind.name) ?? new Set()
    listeners.set(kind.name, group.add(listener))
    return () => void group.delete(listener)
  }, [kind])
}

import { useCallback, useMemo } from 'react'
import { useSearchParams } from 'react-router'
import { RANGES, type RangeName } from './stretch.ts'

/** What the data center is asked for. */
export interface AskedStats { range: RangeName; from?: number; to?: number; line: string; channel: string }

const isRange = (text: string | null): text is RangeName => text !== null && Object.hasOwn(RANGES, text)

/** What is asked for stands in the address, so that it can be sent to somebody. */
export function useAsked(): { asked: AskedStats; search: URLSearchParams; change: (next: Readonly<Record<string, string | undefined>>) => void } {
  const [search, setSearch] = useSearchParams()
  const asked = useMemo((): AskedStats => {
    const range = search.get('range')
    const [from, to] = [Number(search.get('from')), Number(search.get('to'))]
    const known = isRange(range) && (range !== 'custom' || (from > 0 && to > 0)) ? range : 'month'
    return { range: known, line: search.get('line') ?? '', channel: /^\d+$/.test(search.get('channel') ?? '') ? search.get('channel') ?? '' : '', ...(known === 'custom' && { from, to }) }
  }, [search])
  const change = useCallback((next: Readonly<Record<string, string | undefined>>) => setSearch((current) => {
    const all = new URLSearchParams(current)
    for (const [key, value] of Object.entries(next)) {
      if (value) all.set(key, value)
      else all.delete(key)
    }
    return all
  }, { replace: true }), [setSearch])
  return { asked, search, change }
}

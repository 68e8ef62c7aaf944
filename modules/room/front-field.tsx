import { ScanOutlined } from '@ant-design/icons'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useDeferredValue, useState, type KeyboardEvent, type RefObject } from 'react'
import { call } from '../../core/endpoint/call.tsx'
import { ScanButton } from '../../core/ui/scan-button.tsx'
import type { partnerFront } from './front-calls.ts'

interface Props {
  calls: typeof partnerFront
  roomId: number
  field: RefObject<HTMLInputElement | null>
  words: string
  onWords: (words: string) => void
  onFound: (id: number) => void
  /** A camera read a code. */
  onScan: (code: string) => void
}

const found = (calls: typeof partnerFront, roomId: number, words: string) => ({
  queryKey: ['front-find', calls.find.path, roomId, words],
  queryFn: ({ signal }: { signal: AbortSignal }) => call(calls.find, { words }, { params: { id: roomId }, signal, quiet: true }),
  staleTime: 5_000,
})

/** Looks for what was scanned or typed whole. */
export function useLookUp({ calls, roomId, onWords, onFound }: Pick<Props, 'calls' | 'roomId' | 'onWords' | 'onFound'>): (words: string) => Promise<void> {
  const client = useQueryClient()
  return async (words) => {
    const { members, exact } = await client.fetchQuery(found(calls, roomId, words)).catch(() => ({ members: [], exact: false }))
    const [one] = members
    if (one && exact) return onFound(one.id)
    // What leads to nobody, or to several, stays where it can be put right.
    onWords(words)
  }
}

/** The one field of the counter: a name, a number, a card or what a scanner reads. */
export function FrontField({ calls, roomId, field, words, onWords, onFound, onScan }: Props) {
  const [at, setAt] = useState(0)
  const asked = useDeferredValue(words.trim())
  const { data, error, isFetching } = useQuery({ ...found(calls, roomId, asked), enabled: asked !== '' })
  const lookUp = useLookUp({ calls, roomId, onWords, onFound })
  const members = words.trim() === '' ? [] : data?.members ?? []
  const place = Math.min(at, Math.max(0, members.length - 1))
  const type = (next: string) => {
    onWords(next)
    setAt(0)
  }
  const keys = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === 'Escape' && words !== '') { event.preventDefault(); event.stopPropagation(); return type('') }
    if (words.trim() === '') return
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      return setAt((place + (event.key === 'ArrowDown' ? 1 : -1) + Math.max(1, members.length)) % Math.max(1, members.length))
    }
    if (event.key !== 'Enter') return
    event.preventDefault()
    event.stopPropagation()
    const chosen = asked === words.trim() && !isFetching ? members[place] : undefined
    if (chosen) onFound(chosen.id)
    else void lookUp(words.trim())
  }
  const none = asked !== '' && asked === words.trim() && data !== undefined && !isFetching && members.length === 0
  return (
    <div className="front-find">
      <label className="front-field" aria-label="姓名、手机号、卡号，或扫码">
        <ScanOutlined aria-hidden />
        <input ref={field} role="combobox" aria-expanded={members.length > 0} aria-controls={`front-found-${roomId}`} aria-label="姓名、手机号、卡号，或扫码" placeholder="姓名、手机号、卡号，或扫码" autoComplete="off" maxLength={100} value={words}
          onChange={(event) => type(event.target.value)} onKeyDown={keys} />
        <ScanButton always onScan={onScan} />
      </label>
      <div aria-live="polite">
        {error && words.trim() !== '' && <p className="problem">{error.message}</p>}
        {none && <p className="problem" role="alert">没有找到「{words.trim()}」</p>}
      </div>
      <div id={`front-found-${roomId}`} className="front-found" role="listbox" aria-label="找到的会员" hidden={members.length === 0}>
        {members.map((one, index) => (
          <button key={one.id} type="button" role="option" aria-selected={index === place} tabIndex={-1} onClick={() => onFound(one.id)}><b>{one.name}</b><span className="figure">{one.card_no ?? one.mobile}</span><small>{one.seat ? `在座 ${one.seat}` : ''}</small></button>
        ))}
      </div>
    </div>
  )
}

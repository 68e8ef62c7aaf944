import { useQuery, useQueryClient } from '@tanstack/react-query'
import { App } from 'antd'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { call } from '../../../core/endpoint/call.tsx'
import { CallError } from '../../../core/endpoint/wire.ts'
import { useUnsaved } from '../../../core/form/unsaved.tsx'
import { useFront } from '../../../core/ui/front.tsx'
import type { PracticeCard } from '../../practice/module.ts'
import { changePaper, readPaper, type PaperCard, type PaperContent } from '../calls.ts'
import { applyAll, difference, type Change, type PaperBody } from '../compose/body.ts'

/** How often the paper is looked at for what colleagues do, milliseconds. */
const LOOK_AGAIN = 10_000
/** Among how many of the last papers repeated questions are looked for, until somebody asks otherwise. */
const RECENT = 10
/** How many steps can be taken back. */
const MOST_STEPS = 100

export interface PaperEditing {
  readonly content: PaperContent
  /** The paper with everything that was done here, saved or not. */
  readonly body: PaperBody
  readonly cards: ReadonlyMap<number, PaperCard>
  /** Among how many of the last papers repeated questions are looked for. */
  readonly recent: number
  readonly setRecent: (papers: number) => void
  /** Does something and saves it. `cards` are the questions that it brings in. */
  readonly change: (changes: readonly Change[], cards?: readonly PracticeCard[]) => void
  readonly undo: (() => void) | undefined
  readonly redo: (() => void) | undefined
  readonly saving: 'saved' | 'saving' | 'failed'
  readonly retry: () => void
}

/**
 * A paper while it is edited: every change is shown at once and saved by itself, one after another. Changes name what
 * they change, so those of a colleague are simply there with the next answer.
 */
export function usePaper(id: number): { editing?: PaperEditing; error: Error | null; reload: () => void } {
  const client = useQueryClient()
  const { message } = App.useApp()
  const [recent, setRecent] = useState(RECENT)
  const key = useMemo(() => ['paper', id, recent], [id, recent])
  const [pending, setPending] = useState<readonly Change[]>([])
  const [failed, setFailed] = useState(false)
  const [brought, setBrought] = useState<ReadonlyMap<number, PracticeCard>>(new Map())
  const [past, setPast] = useState<readonly Change[][]>([])
  const [future, setFuture] = useState<readonly Change[][]>([])
  const sending = useRef(false)
  const front = useFront()
  const { data: content, error, refetch } = useQuery<PaperContent>({
    queryKey: key, queryFn: ({ signal }) => call(readPaper, { recent: String(recent) }, { params: { id }, signal, quiet: true }),
    // The same paper stays where it is while it is looked at again.
    placeholderData: (before) => (before?.id === id ? before : undefined),
    // An answer that is older than what was done here would take it back for a moment.
    refetchInterval: front && pending.length === 0 ? LOOK_AGAIN : false, staleTime: 0,
  })
  useUnsaved(pending.length > 0, content ? `试卷「${content.name}」` : '试卷')

  const send = useCallback(async (batch: readonly Change[]) => {
    sending.current = true
    try {
      const answer = await call(changePaper, { changes: [...batch], recent: String(recent) }, { params: { id }, quiet: true, background: true })
      client.setQueryData(key, answer)
      setPending((now) => now.slice(batch.length))
      setFailed(false)
    } catch (reason) {
      const refused = reason instanceof CallError && reason.status >= 400 && reason.status < 500 && reason.status !== 401
      if (refused) {
        void message.error(reason.message, 5)
        setPending((now) => now.slice(batch.length))
        void refetch()
      } else {
        setFailed(true)
      }
    } finally {
      sending.current = false
    }
  }, [client, id, key, message, recent, refetch])
  useEffect(() => {
    if (pending.length > 0 && !failed && !sending.current) void send(pending)
  }, [pending, failed, send])

  const body = useMemo(() => content && applyAll(content.body, pending), [content, pending])
  const cards = useMemo(() => {
    const all = new Map<number, PaperCard>([...brought].map(([one, card]) => [one, { ...card, latest: card.version_no, repeats: 0, chapter: null }]))
    for (const card of content?.practices ?? []) all.set(card.id, card)
    return all
  }, [brought, content])
  if (!content || !body) return { error, reload: () => void refetch() }

  const perform = (changes: readonly Change[]): Change[] => {
    const after = applyAll(body, changes)
    setPending((now) => [...now, ...changes])
    return difference(after, body)
  }
  const step = (from: readonly Change[][], setFrom: typeof setPast, setTo: typeof setPast) => {
    const last = from.at(-1)
    if (!last) return undefined
    return () => {
      const back = perform(last)
      setFrom((steps) => steps.slice(0, -1))
      setTo((steps) => [...steps, back])
    }
  }
  return {
    error,
    reload: () => void refetch(),
    editing: {
      content, body, cards, recent, setRecent,
      change: (changes, more = []) => {
        if (changes.length === 0) return
        if (more.length > 0) setBrought((now) => new Map([...now, ...more.map((card) => [card.id, card] as const)]))
        const back = perform(changes)
        setPast((steps) => [...steps, back].slice(-MOST_STEPS))
        setFuture([])
      },
      undo: step(past, setPast, setFuture),
      redo: step(future, setFuture, setPast),
      saving: failed ? 'failed' : pending.length > 0 ? 'saving' : 'saved',
      retry: () => setFailed(false),
    },
  }
}

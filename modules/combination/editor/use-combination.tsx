import { useQuery, useQueryClient } from '@tanstack/react-query'
import { App } from 'antd'
import { useEffect, useMemo, useRef, useState } from 'react'
import { call, request } from '../../../core/endpoint/call.tsx'
import { CallError } from '../../../core/endpoint/wire.ts'
import { useUnsaved } from '../../../core/form/unsaved.tsx'
import { useLive } from '../../../core/live/use-live.tsx'
import { useEventCallback } from '../../../core/ui/use-event-callback.tsx'
import type { BlockTarget } from '../../outline/module.ts'
import { readCombination, type CombinationContent } from '../calls.ts'
import { combination } from '../combination.ts'
import { merge, type CombinationItem } from '../items.ts'
import { combinationChanged } from '../live.ts'

/** How many steps can be taken back. */
const MOST_STEPS = 100

export const targetKey = (kind: string, id: number): string => `${kind} ${id}`
type Items = readonly CombinationItem[]

export interface CombinationEditing {
  readonly content: CombinationContent
  /** With everything that was done here, saved or not. */
  readonly items: Items
  readonly targets: ReadonlyMap<string, BlockTarget>
  /** Does something and saves it. `brought` is what new items show. */
  readonly change: (next: Items, brought?: readonly BlockTarget[]) => void
  readonly undo: (() => void) | undefined
  readonly redo: (() => void) | undefined
  readonly saving: 'saved' | 'saving' | 'failed'
  readonly retry: () => void
  readonly reload: () => Promise<void>
}

const listOf = (value: unknown) => (value ?? []) as Items

/**
 * A combination while it is put together: what is done is shown at once and saved by itself. Where a colleague saved first,
 * both changes are brought together and saved again.
 */
export function useCombination(id: number): { editing?: CombinationEditing; error: Error | null; reload: () => Promise<void> } {
  const { message } = App.useApp()
  const client = useQueryClient()
  const key = useMemo(() => ['combination', id], [id])
  const { data, error, refetch } = useQuery({ queryKey: key, queryFn: ({ signal }) => call(readCombination, undefined, { params: { id }, signal, quiet: true }), staleTime: Infinity, gcTime: 0 })
  const [read, setRead] = useState<CombinationContent>()
  /** What the server has, as far as it is known here, and what was made of it. */
  const [base, setBase] = useState<{ items: Items; rev: number }>()
  const [items, setItems] = useState<Items>([])
  const [brought, setBrought] = useState<readonly BlockTarget[]>([])
  const [past, setPast] = useState<readonly Items[]>([])
  const [future, setFuture] = useState<readonly Items[]>([])
  const [failed, setFailed] = useState(false)
  const busy = useRef(false)
  if (data && data !== read) {
    setRead(data)
    const fresh = { items: listOf(data.row.items), rev: data.row.rev }
    if (!base || fresh.rev > base.rev) {
      setItems(base ? merge(base.items, items, fresh.items) : fresh.items)
      setBase(fresh)
    }
  }
  const dirty = base !== undefined && JSON.stringify(items) !== JSON.stringify(base.items)
  useUnsaved(dirty, data ? `素材组合「${data.row.name}」` : '素材组合')

  const save = useEventCallback(async () => {
    if (busy.current || !base) return
    busy.current = true
    const sent = items
    try {
      const { rev } = await request<{ rev: number }>('PUT', `${combination.api.item}/${id}`, { items: sent, rev: base.rev }, { quiet: true, background: true })
      setBase({ items: sent, rev })
      await refetch()
    } catch (reason) {
      if (reason instanceof CallError && reason.status === 409 && reason.body['current']) {
        const current = reason.body['current'] as CombinationContent['row']
        const theirs = listOf(current.items)
        setItems((mine) => merge(base.items, mine, theirs))
        setBase({ items: theirs, rev: current.rev })
        void message.info(`${current.updated_by_name ?? '同事'}也在编辑，已合并双方的修改`, 5)
        void refetch()
      } else if (reason instanceof CallError && reason.status >= 400 && reason.status < 500 && reason.status !== 401) {
        // What was refused is not sent again: the step is undone, and said why.
        void message.error(reason.fields['items'] ?? reason.message, 5)
        setItems(base.items)
      } else setFailed(true)
    } finally {
      busy.current = false
    }
  })
  useEffect(() => {
    if (dirty && !failed) void save()
  }, [dirty, failed, items, base, save])
  useLive(combinationChanged, (ids) => { if (!busy.current && (ids === 'all' || ids.includes(id))) void refetch() })

  const change = (next: Items, more: readonly BlockTarget[] = []) => {
    if (more.length > 0) setBrought((known) => [...known, ...more])
    setPast((steps) => [...steps, items].slice(-MOST_STEPS))
    setFuture([])
    setItems(next)
  }
  const step = (from: readonly Items[], setFrom: typeof setPast, setTo: typeof setPast) => {
    const last = from.at(-1)
    return last && (() => {
      setFrom((steps) => steps.slice(0, -1))
      setTo((steps) => [...steps, items])
      setItems(last)
    })
  }
  const targets = useMemo(() => new Map([...brought, ...data?.targets ?? []].map((target) => [targetKey(target.kind, target.id), target])), [brought, data])
  const reload = async () => {
    await client.invalidateQueries({ queryKey: key })
  }
  if (!data || !base) return { error, reload }
  return {
    error, reload,
    editing: {
      content: data, items, targets, change, reload, undo: step(past, setPast, setFuture), redo: step(future, setFuture, setPast),
      saving: failed ? 'failed' : dirty ? 'saving' : 'saved', retry: () => setFailed(false),
    },
  }
}

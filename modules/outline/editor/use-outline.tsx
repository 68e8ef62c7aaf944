import { useQuery, useQueryClient } from '@tanstack/react-query'
import { App, Button } from 'antd'
import { useEffect, useMemo, useRef, useState } from 'react'
import { call } from '../../../core/endpoint/call.tsx'
import { CallError } from '../../../core/endpoint/wire.ts'
import { useUnsaved } from '../../../core/form/unsaved.tsx'
import { useLive } from '../../../core/live/use-live.tsx'
import { useEventCallback } from '../../../core/ui/use-event-callback.tsx'
import { changeOutline, outlineNews, readOutline, type BlockTarget, type OutlineContent, type OutlineNews } from '../calls.ts'
import { applyAll, difference, type Change } from '../changes.ts'
import { bodyOf, draftOf, type Draft } from '../draft.ts'
import { outlineChanged } from '../module.ts'

/** How many steps can be taken back. */
const MOST_STEPS = 100

/** By kind and id what blocks show. */
export type Targets = ReadonlyMap<string, BlockTarget>
export const targetKey = ({ kind, id }: { readonly kind: string; readonly id: number }): string => `${kind} ${id}`

export interface OutlineEditing {
  readonly content: OutlineContent
  /** The outline with everything that was done here, saved or not. */
  readonly draft: Draft
  readonly targets: Targets
  /** Does something and saves it. `brought` is what new blocks show. */
  readonly change: (changes: readonly Change[], brought?: readonly BlockTarget[]) => void
  readonly undo: (() => void) | undefined
  readonly redo: (() => void) | undefined
  readonly saving: 'saved' | 'saving' | 'failed'
  readonly retry: () => void
  /** Reads the whole again, as after publishing. */
  readonly reload: () => void
}

/** What is known with what has happened since. Null where it does not follow on: then the whole is read again. */
function withNews(known: OutlineContent, news: OutlineNews): OutlineContent | null {
  if (news.rev < known.rev) return known
  const fresh = (news.changes ?? []).filter(({ rev }) => rev > known.rev)
  if (news.changes === null || news.version_no !== known.version_no || (fresh[0] ? fresh[0].rev !== known.rev + 1 : news.rev > known.rev)) return null
  const draft = applyAll(draftOf(known.body), fresh.flatMap(({ changes }) => changes))
  const targets = new Map([...known.targets, ...news.targets].map((target) => [targetKey(target), target]))
  return { ...known, rev: news.rev, state: news.state, body: bodyOf(draft), targets: [...targets.values()] }
}

/**
 * An outline while it is edited: every change is shown at once and saved by itself, one after another. Changes name what they
 * change, so those of a colleague come in between without anything being lost.
 */
export function useOutline(id: number): { editing?: OutlineEditing; error: Error | null; reload: () => void } {
  const { message, notification } = App.useApp()
  const client = useQueryClient()
  const key = useMemo(() => ['outline', id], [id])
  const { data, error, refetch } = useQuery({ queryKey: key, queryFn: ({ signal }) => call(readOutline, undefined, { params: { id }, signal, quiet: true }), staleTime: Infinity, gcTime: 0 })
  const [read, setRead] = useState<OutlineContent>()
  const [content, setContent] = useState<OutlineContent>()
  const [pending, setPending] = useState<readonly Change[]>([])
  const [brought, setBrought] = useState<readonly BlockTarget[]>([])
  const [past, setPast] = useState<readonly Change[][]>([])
  const [future, setFuture] = useState<readonly Change[][]>([])
  const [failed, setFailed] = useState(false)
  const busy = useRef(false)
  if (data !== read) {
    setRead(data)
    setContent(data)
  }
  const reload = () => void client.invalidateQueries({ queryKey: key })
  const take = (news: OutlineNews) => {
    const next = content && withNews(content, news)
    if (next) setContent(next)
    else reload()
  }
  useUnsaved(pending.length > 0, content ? `目录「${content.title}」` : '课程目录')

  const draft = useMemo(() => content && applyAll(draftOf(content.body), pending), [content, pending])
  const targets = useMemo(() => new Map([...brought, ...content?.targets ?? []].map((target) => [targetKey(target), target])), [brought, content])
  const perform = (changes: readonly Change[]): Change[] => {
    if (!draft) return []
    const after = applyAll(draft, changes)
    setPending((now) => [...now, ...changes])
    return difference(after, draft)
  }
  const step = (from: readonly Change[][], setFrom: typeof setPast, setTo: typeof setPast) => {
    const last = from.at(-1)
    return last && (() => {
      const back = perform(last)
      setFrom((steps) => steps.slice(0, -1))
      setTo((steps) => [...steps, back])
    })
  }
  const change = (changes: readonly Change[], more: readonly BlockTarget[] = []) => {
    if (changes.length === 0) return
    if (more.length > 0) setBrought((known) => [...known, ...more])
    const back = perform(changes)
    setPast((steps) => [...steps, back].slice(-MOST_STEPS))
    setFuture([])
  }
  const tell = ({ key: node, name, did, staff_name }: OutlineNews['clashes'][number]) => {
    const removed = did === 'removed'
    notification.warning({
      key: `clash-${node}`, title: `「${name}」已被 ${staff_name} ${removed ? '删除' : '移到别处'}`, description: removed ? '刚才的修改留在被删除的内容里' : '最后一次移动算数', duration: 10,
      actions: removed ? <Button size="small" onClick={() => { notification.destroy(`clash-${node}`); change([{ do: 'restore', keys: [node] }]) }}>恢复</Button> : undefined,
    })
  }
  const send = useEventCallback(async (rev: number, batch: readonly Change[]) => {
    if (busy.current) return
    busy.current = true
    try {
      const news = await call(changeOutline, { rev, changes: [...batch] }, { params: { id }, quiet: true, background: true })
      take(news)
      setPending((now) => now.slice(batch.length))
      news.clashes.forEach(tell)
    } catch (reason) {
      const refused = reason instanceof CallError && reason.status >= 400 && reason.status < 500 && reason.status !== 401
      if (refused) {
        void message.error(reason.message, 5)
        setPending((now) => now.slice(batch.length))
        reload()
      } else setFailed(true)
    } finally {
      busy.current = false
    }
  })
  const rev = content?.rev
  useEffect(() => {
    if (rev !== undefined && pending.length > 0 && !failed) void send(rev, pending)
  }, [pending, failed, rev, send])
  const look = useEventCallback(async () => {
    // The answer to what is being sent brings what others did too.
    if (busy.current || pending.length > 0 || !content) return
    take(await call(outlineNews, { rev: String(content.rev) }, { params: { id }, quiet: true, background: true }))
  })
  useLive(outlineChanged, (ids) => { if (ids === 'all' || ids.includes(id)) void look().catch(() => undefined) })

  if (!content || !draft) return { error, reload: () => void refetch() }
  return {
    error, reload,
    editing: {
      content, draft, targets, change, reload,
      undo: step(past, setPast, setFuture), redo: step(future, setFuture, setPast),
      saving: failed ? 'failed' : pending.length > 0 ? 'saving' : 'saved', retry: () => setFailed(false),
    },
  }
}

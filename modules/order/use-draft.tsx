import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { call } from '../../core/endpoint/call.tsx'
import { CallError } from '../../core/endpoint/wire.ts'
import type { Resource } from '../../core/resource/define.ts'
import { orderEndpoints, type OrderDraft } from './calls.ts'
import { withoutEmpty, type DraftBody } from './draft-body.ts'

/** Somebody who stops typing for so long gets their draft saved, in milliseconds. */
const PAUSE = 800

/** How the saving of a draft stands. */
export type Saving = { state: 'idle' | 'saving' | 'saved' | 'failed'; at?: number; problem?: string; stale?: OrderDraft }

/**
 * Keeps a draft on the server as it is typed.
 * @param known the draft that is gone on with; undefined for a new one, which is made with the first keystroke
 * @param onMade tells the id of a new draft
 */
export function useDraft(orders: Resource, known: OrderDraft | undefined, onMade: (id: number) => void) {
  const endpoints = orderEndpoints(orders)
  const client = useQueryClient()
  const [saving, setSaving] = useState<Saving>({ state: 'idle' })
  const draft = useRef<{ id: number; rev: number } | undefined>(known && { id: known.id, rev: known.rev })
  const wanted = useRef<DraftBody | undefined>(undefined)
  const running = useRef<Promise<void> | undefined>(undefined)
  const timer = useRef(0)
  useEffect(() => () => window.clearTimeout(timer.current), [])

  /** Saves one after another, so that an older state never overtakes a newer one. */
  const drain = async (): Promise<void> => {
    while (wanted.current) {
      const body = wanted.current
      wanted.current = undefined
      setSaving({ state: 'saving' })
      try {
        const input = { step: 0, body: withoutEmpty(body) as OrderDraft['body'] }
        const current = draft.current
        const saved = current
          ? await call(endpoints.saveDraft, { ...input, rev: current.rev }, { params: { draft_id: current.id }, quiet: true, background: true })
          : await call(endpoints.addDraft, input, { quiet: true, background: true })
        draft.current = { id: saved.id, rev: saved.rev }
        if (!current) onMade(saved.id)
        setSaving({ state: 'saved', at: saved.updated_at })
        void client.invalidateQueries({ queryKey: ['order-drafts', orders.name] })
      } catch (error) {
        if (!(error instanceof CallError)) throw error
        const stale = error.status === 409 ? (error.body['current'] as OrderDraft | undefined) : undefined
        setSaving({ state: 'failed', problem: error.message, ...(stale && { stale }) })
        return
      }
    }
  }
  const flush = async (): Promise<void> => {
    window.clearTimeout(timer.current)
    await running.current
    running.current = drain().finally(() => { running.current = undefined })
    await running.current
  }
  return {
    saving,
    /** The draft that was made or is gone on with. */
    current: () => draft.current,
    /** Saves after a pause. */
    change(body: DraftBody) {
      wanted.current = body
      window.clearTimeout(timer.current)
      timer.current = window.setTimeout(() => void flush(), PAUSE)
    },
    /** Saves what is still waiting, now. */
    flush,
    /** Goes on over what another window has saved. */
    overwrite(rev: number, body: DraftBody) {
      if (draft.current) draft.current.rev = rev
      wanted.current = body
      void flush()
    },
  }
}

import { App } from 'antd'
import { useState } from 'react'
import { request } from '../../../core/endpoint/call.tsx'
import { isSameJson } from '../../../core/field/same-json.ts'
import { useUnsaved } from '../../../core/form/unsaved.tsx'
import type { WireRow } from '../../../core/resource/endpoints.ts'
import { bookPage } from '../book-page.ts'
import type { Hotspot } from '../hotspot.ts'

export type PageRow = WireRow<typeof bookPage>

/** Most steps that can be taken back. */
const MOST_STEPS = 100

/** The places of one page while they are edited. */
export interface SpotEditing {
  readonly spots: readonly Hotspot[]
  readonly dirty: boolean
  readonly busy: boolean
  readonly undo: (() => void) | undefined
  readonly redo: (() => void) | undefined
  /** @param step false where the change goes on from the one before, as while something is dragged */
  change(next: readonly Hotspot[], step?: boolean): void
  save(): Promise<void>
}

/** Saves the places of a page. */
export const savePage = (page: PageRow) => (spots: readonly Hotspot[]) => request('PUT', `${bookPage.api.item}/${page.id}`, { hotspots: spots, rev: page.rev }, { quiet: true })

/** Holds the places of a page, with the steps back and forth, until they are saved. */
export function useSpots({ page_no, spots: first, save, saved }: { page_no: number; spots: readonly Hotspot[]; save: (spots: readonly Hotspot[]) => Promise<unknown>; saved: () => void }): SpotEditing {
  const { message } = App.useApp()
  const [steps, setSteps] = useState<{ before: readonly (readonly Hotspot[])[]; now: readonly Hotspot[]; after: readonly (readonly Hotspot[])[] }>({ before: [], now: first, after: [] })
  const [busy, setBusy] = useState(false)
  const dirty = !isSameJson(steps.now, first)
  useUnsaved(dirty, `第 ${page_no} 页的热区`)
  const undo = () => setSteps(({ before, now, after }) => ({ before: before.slice(0, -1), now: before.at(-1) ?? now, after: [now, ...after] }))
  const redo = () => setSteps(({ before, now, after }) => ({ before: [...before, now], now: after[0] ?? now, after: after.slice(1) }))
  return {
    spots: steps.now, dirty, busy,
    undo: steps.before.length > 0 ? undo : undefined,
    redo: steps.after.length > 0 ? redo : undefined,
    change: (next, step = true) => setSteps(({ before, now, after }) => (step ? { before: [...before, now].slice(-MOST_STEPS), now: next, after: [] } : { before, now: next, after })),
    async save() {
      setBusy(true)
      try {
        await save(steps.now)
        void message.success('热区已保存')
        saved()
      } catch (error) {
        void message.error(error instanceof Error ? error.message : '保存失败', 5)
      } finally {
        setBusy(false)
      }
    },
  }
}

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { App } from 'antd'
import { useEffect, useMemo, useRef, useState } from 'react'
import { call, request } from '../../../core/endpoint/call.tsx'
import { CallError } from '../../../core/endpoint/wire.ts'
import { isSameJson } from '../../../core/field/same-json.ts'
import { useUnsaved } from '../../../core/form/unsaved.tsx'
import { useLive } from '../../../core/live/use-live.tsx'
import { useEventCallback } from '../../../core/ui/use-event-callback.tsx'
import { mergeItems } from '../../combination/module.ts'
import type { PracticeCard } from '../../practice/module.ts'
import { materialChanged } from '../live.ts'
import { readMaterial, type MaterialCard, type MaterialContent } from './calls.ts'
import { trainMaterial } from './material.ts'
import { FIRST_LAYOUT, layoutOf, practicesOf, type Layout, type Piece } from './pieces.ts'

/** How many steps can be taken back. */
const MOST_STEPS = 100

/** What is edited: the pieces and how they are laid out. */
export interface Sheet {
  readonly pieces: readonly Piece[]
  readonly layout: Layout
}

export interface MaterialEditing {
  readonly content: MaterialContent
  /** With everything that was done here, saved or not. */
  readonly sheet: Sheet
  readonly cards: ReadonlyMap<number, MaterialCard>
  /** Does something and saves it. `brought` are the questions that it brings in. */
  readonly change: (next: Partial<Sheet>, brought?: readonly PracticeCard[]) => void
  readonly undo: (() => void) | undefined
  readonly redo: (() => void) | undefined
  readonly saving: 'saved' | 'saving' | 'failed'
  readonly retry: () => void
  readonly reload: () => Promise<void>
}

const sheetOf = ({ pieces, layout }: { readonly pieces?: unknown; readonly layout?: unknown }): Sheet => ({ pieces: (pieces ?? []) as Piece[], layout: layoutOf(layout) })

/** What two people made of one sheet: pieces one by one, the layout as mine where I changed it. A question that both added is printed once. */
function mergeSheets(base: Sheet, mine: Sheet, theirs: Sheet): Sheet {
  const pieces = mergeItems(base.pieces, mine.pieces, theirs.pieces)
  const seen = new Set<number>()
  const once = pieces.filter(({ kind, ref_id }) => kind !== 'practice' || (!seen.has(ref_id) && Boolean(seen.add(ref_id))))
  return { pieces: once, layout: isSameJson(base.layout, mine.layout) ? theirs.layout : mine.layout }
}

/** A material while it is laid out: what is done is shown at once and saved by itself; what a colleague saved first is brought together with it. */
export function useMaterial(id: number): { editing?: MaterialEditing; error: Error | null; reload: () => Promise<void> } {
  const { message } = App.useApp()
  const client = useQueryClient()
  const key = useMemo(() => ['train-material', id], [id])
  const { data, error, refetch } = useQuery({ queryKey: key, queryFn: ({ signal }) => call(readMaterial, undefined, { params: { id }, signal, quiet: true }), staleTime: Infinity, gcTime: 0 })
  const [read, setRead] = useState<MaterialContent>()
  /** What the server has, as far as it is known here, and what was made of it. */
  const [base, setBase] = useState<Sheet & { rev: number }>()
  const [sheet, setSheet] = useState<Sheet>({ pieces: [], layout: FIRST_LAYOUT })
  const [brought, setBrought] = useState<readonly PracticeCard[]>([])
  const [past, setPast] = useState<readonly Sheet[]>([])
  const [future, setFuture] = useState<readonly Sheet[]>([])
  const [failed, setFailed] = useState(false)
  const busy = useRef(false)
  if (data && data !== read) {
    setRead(data)
    const fresh = { ...sheetOf(data.row), rev: data.row.rev }
    if (!base || fresh.rev > base.rev) {
      setSheet(base ? mergeSheets(base, sheet, fresh) : sheetOf(data.row))
      setBase(fresh)
    }
  }
  const dirty = base !== undefined && !isSameJson(sheet, { pieces: base.pieces, layout: base.layout })
  useUnsaved(dirty, data ? `训练素材「${data.row.name}」` : '训练素材')

  const save = useEventCallback(async () => {
    if (busy.current || !base) return
    busy.current = true
    const sent = sheet
    try {
      const { rev } = await request<{ rev: number }>('PUT', `${trainMaterial.api.item}/${id}`, { ...sent, rev: base.rev }, { quiet: true, background: true })
      setBase({ ...sent, rev })
      await refetch()
    } catch (reason) {
      if (reason instanceof CallError && reason.status === 409 && reason.body['current']) {
        const current = reason.body['current'] as MaterialContent['row']
        const theirs = sheetOf(current)
        setSheet((mine) => mergeSheets(base, mine, theirs))
        setBase({ ...theirs, rev: current.rev })
        void message.info(`${current.updated_by_name ?? '同事'}也在编辑，已合并双方的修改`, 5)
        void refetch()
      } else if (reason instanceof CallError && reason.status >= 400 && reason.status < 500 && reason.status !== 401) {
        // What was refused is not sent again: the step is undone, and said why.
        void message.error(reason.fields['pieces'] ?? reason.message, 5)
        setSheet({ pieces: base.pieces, layout: base.layout })
      } else setFailed(true)
    } finally {
      busy.current = false
    }
  })
  useEffect(() => {
    if (dirty && !failed) void save()
  }, [dirty, failed, sheet, base, save])
  useLive(materialChanged, (ids) => { if (!busy.current && (ids === 'all' || ids.includes(id))) void refetch() })

  const change = (next: Partial<Sheet>, more: readonly PracticeCard[] = []) => {
    if (more.length > 0) setBrought((known) => [...known, ...more])
    setPast((steps) => [...steps, sheet].slice(-MOST_STEPS))
    setFuture([])
    setSheet({ ...sheet, ...next })
  }
  const step = (from: readonly Sheet[], setFrom: typeof setPast, setTo: typeof setPast) => {
    const last = from.at(-1)
    return last && (() => {
      setFrom((steps) => steps.slice(0, -1))
      setTo((steps) => [...steps, sheet])
      setSheet(last)
    })
  }
  const cards = useMemo(() => new Map([...brought.map((card) => ({ ...card, latest: card.version_no })), ...data?.cards ?? []].map((card) => [card.id, card])), [brought, data])
  const reload = async () => {
    await client.invalidateQueries({ queryKey: key })
  }
  if (!data || !base) return { error, reload }
  return {
    error, reload,
    editing: {
      content: data, sheet, cards, change, reload, undo: step(past, setPast, setFuture), redo: step(future, setFuture, setPast),
      saving: failed ? 'failed' : dirty ? 'saving' : 'saved', retry: () => setFailed(false),
    },
  }
}

/** Questions of a sheet that the bank has a newer version of. */
export const outdated = ({ pieces }: Sheet, cards: ReadonlyMap<number, MaterialCard>): number[] =>
  practicesOf(pieces).filter((id) => { const card = cards.get(id); return card !== undefined && card.latest !== card.version_no })

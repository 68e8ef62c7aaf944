import { useQuery } from '@tanstack/react-query'
import { App } from 'antd'
import { useEffect, useMemo, useRef, useState } from 'react'
import { call, request } from '../../../core/endpoint/call.tsx'
import { CallError } from '../../../core/endpoint/wire.ts'
import { isSameJson } from '../../../core/field/same-json.ts'
import { useUnsaved } from '../../../core/form/unsaved.tsx'
import { useEventCallback } from '../../../core/ui/use-event-callback.tsx'
import type { BlockTarget } from '../../outline/module.ts'
import { trainingPlan } from '../plan.ts'
import { readPlan, type PlanContent } from '../plan-calls.ts'
import { merge, type PlanTask } from '../tasks.ts'

/** How many steps can be taken back. */
const MOST_STEPS = 100
type Tasks = readonly PlanTask[]

export interface PlanEditing {
  readonly row: PlanContent['row']
  /** With everything that was done here, saved or not. */
  readonly tasks: Tasks
  readonly targets: ReadonlyMap<string, BlockTarget>
  /** Does something and saves it. `brought` is what new tasks show. */
  readonly change: (next: Tasks, brought?: readonly BlockTarget[]) => void
  readonly undo: (() => void) | undefined
  readonly redo: (() => void) | undefined
  readonly saving: 'saved' | 'saving' | 'failed'
  readonly retry: () => void
  readonly reload: () => Promise<unknown>
}

export const targetKey = (kind: string, id: number): string => `${kind} ${id}`
const listOf = (value: unknown) => (value ?? []) as Tasks

/** A plan while its days are filled: what is done is shown at once and saved by itself; where a colleague saved first, both changes are brought together. */
export function usePlan(id: number): { editing?: PlanEditing; error: Error | null; reload: () => Promise<unknown> } {
  const { message } = App.useApp()
  const { data, error, refetch } = useQuery({ queryKey: ['training-plan', id], queryFn: ({ signal }) => call(readPlan, undefined, { params: { id }, signal, quiet: true }), staleTime: Infinity, gcTime: 0 })
  const [read, setRead] = useState<PlanContent>()
  /** What the server has, as far as it is known here, and what was made of it. */
  const [base, setBase] = useState<{ tasks: Tasks; rev: number }>()
  const [tasks, setTasks] = useState<Tasks>([])
  const [brought, setBrought] = useState<readonly BlockTarget[]>([])
  const [past, setPast] = useState<readonly Tasks[]>([])
  const [future, setFuture] = useState<readonly Tasks[]>([])
  const [failed, setFailed] = useState(false)
  const busy = useRef(false)
  if (data && data !== read) {
    setRead(data)
    const fresh = { tasks: listOf(data.row.tasks), rev: data.row.rev }
    if (!base || fresh.rev > base.rev) {
      setTasks(base ? merge(base.tasks, tasks, fresh.tasks) : fresh.tasks)
      setBase(fresh)
    }
  }
  const dirty = base !== undefined && !isSameJson(tasks, base.tasks)
  useUnsaved(dirty, data ? `训练计划「${data.row.name}」` : '训练计划')

  const save = useEventCallback(async () => {
    if (busy.current || !base) return
    busy.current = true
    const sent = tasks
    try {
      const { rev } = await request<{ rev: number }>('PUT', `${trainingPlan.api.item}/${id}`, { tasks: sent, rev: base.rev }, { quiet: true, background: true, keepEmpty: true })
      setBase({ tasks: sent, rev })
      await refetch()
    } catch (reason) {
      if (reason instanceof CallError && reason.status === 409 && reason.body['current']) {
        const current = reason.body['current'] as PlanContent['row']
        const theirs = listOf(current.tasks)
        setTasks((mine) => merge(base.tasks, mine, theirs))
        setBase({ tasks: theirs, rev: current.rev })
        void message.info(`${current.updated_by_name ?? '同事'}也在编辑，已合并双方的修改`, 5)
      } else if (reason instanceof CallError && reason.status >= 400 && reason.status < 500 && reason.status !== 401) {
        // What was refused is not sent again: the step is undone, and said why.
        void message.error(reason.fields['tasks'] ?? reason.message, 5)
        setTasks(base.tasks)
      } else setFailed(true)
    } finally {
      busy.current = false
    }
  })
  useEffect(() => {
    if (dirty && !failed) void save()
  }, [dirty, failed, tasks, base, save])

  const targets = useMemo(() => new Map([...brought, ...data?.targets ?? []].map((target) => [targetKey(target.kind, target.id), target])), [brought, data])
  if (!data || !base) return { error, reload: refetch }
  const step = (from: readonly Tasks[], setFrom: typeof setPast, setTo: typeof setPast) => {
    const last = from.at(-1)
    return last && (() => {
      setFrom((steps) => steps.slice(0, -1))
      setTo((steps) => [...steps, tasks])
      setTasks(last)
    })
  }
  return {
    error, reload: refetch,
    editing: {
      row: data.row, tasks, targets, reload: refetch, undo: step(past, setPast, setFuture), redo: step(future, setFuture, setPast),
      saving: failed ? 'failed' : dirty ? 'saving' : 'saved', retry: () => setFailed(false),
      change: (next, more = []) => {
        if (more.length > 0) setBrought((known) => [...known, ...more])
        setPast((steps) => [...steps, tasks].slice(-MOST_STEPS))
        setFuture([])
        setTasks(next)
      },
    },
  }
}

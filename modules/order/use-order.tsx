import { useQuery, useQueryClient } from '@tanstack/react-query'
import { App } from 'antd'
import { useState } from 'react'
import { call, newKey } from '../../core/endpoint/call.tsx'
import type { Endpoint } from '../../core/endpoint/define.ts'
import { CallError } from '../../core/endpoint/wire.ts'
import type { Resource } from '../../core/resource/define.ts'
import { orderEndpoints, type OrderDetail } from './calls.ts'

const keyOf = (orders: Resource, id: number) => ['order-detail', orders.name, id]

/** Everything that hangs on an order. */
export function useOrderDetail(orders: Resource, id: number, rev: number): { detail: OrderDetail | undefined; error: Error | null } {
  const { data, error } = useQuery({
    // A new revision is another order: what hangs on it has changed too.
    queryKey: [...keyOf(orders, id), rev],
    queryFn: ({ signal }) => call(orderEndpoints(orders).detail, undefined, { params: { id }, signal }),
  })
  return { detail: data, error }
}

/** Does something with an order; says what is wrong where it is wrong, and loses nothing of what was typed. */
export function useAct(orders: Resource, id: number, done: () => void) {
  const { message } = App.useApp()
  const client = useQueryClient()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<{ sentence: string; fields: Readonly<Record<string, string>> }>()
  const [key, setKey] = useState(newKey)
  const act = async <Input, Output>(endpoint: Endpoint<Input, Output>, input: Input | undefined, words: string, params: Readonly<Record<string, string | number>> = {}): Promise<boolean> => {
    setBusy(true)
    setProblem(undefined)
    try {
      await call(endpoint, input, { params: { id, ...params }, quiet: true, idempotencyKey: key })
      void message.success(words)
      return true
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      setProblem({ sentence: error.message, fields: error.fields })
      return false
    } finally {
      // What was refused may be put right and sent again: that is another request.
      setKey(newKey())
      setBusy(false)
      void client.invalidateQueries({ queryKey: keyOf(orders, id) })
      void client.invalidateQueries({ queryKey: ['record', orders.name, id] })
      done()
    }
  }
  return { act, busy, problem }
}

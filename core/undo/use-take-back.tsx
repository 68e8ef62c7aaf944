import { useQueryClient } from '@tanstack/react-query'
import { App } from 'antd'
import { useCallback } from 'react'
import { call } from '../endpoint/call.tsx'
import { takeBack, type TakenBack } from './calls.ts'

/** What shows records: all of it is read again once something was taken back. */
const SHOWN: ReadonlySet<unknown> = new Set(['list', 'record', 'history', 'summary', 'options', 'states', 'related', 'files', 'tree', 'undo', 'jobs'])

/** Takes something back and reads again what shows records. The shell has shown why where it could not be. */
export function useTakeBack(): (id: number) => Promise<TakenBack | undefined> {
  const { message } = App.useApp()
  const client = useQueryClient()
  return useCallback(async (id) => {
    try {
      const taken = await call(takeBack, undefined, { params: { id } })
      void message.success(taken.job_id ? '正在撤销，可在任务中心查看' : '已撤销')
      return taken
    } catch {
      return undefined
    } finally {
      void client.invalidateQueries({ predicate: ({ queryKey }) => SHOWN.has(queryKey[0]) })
    }
  }, [client, message])
}

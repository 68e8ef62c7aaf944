import { useQuery, useQueryClient } from '@tanstack/react-query'
import { App } from 'antd'
import { useEffect } from 'react'
import { call } from '../endpoint/call.tsx'
import { useFront } from '../ui/front.tsx'
import { cancelJob, getJob, retryJob, type JobInfo, type JobStatus } from './calls.ts'

const MOVING: readonly JobStatus[] = ['waiting', 'running']

/** Whether a job will still change by itself. */
export function isMoving(job: Pick<JobInfo, 'status'> | undefined): boolean {
  return job !== undefined && MOVING.includes(job.status)
}

/** The key under which the end of a job is told; by it the notice is taken back. */
export function noticeOfJob(id: number): string {
  return `job ${id}`
}

/** Follows a job: live events refresh it at once, and it is asked for every second while it moves, should they not come. */
export function useJob(id: number | undefined): { job: JobInfo | undefined; cancel: () => void; retry: () => void } {
  const client = useQueryClient()
  const { notification } = App.useApp()
  const front = useFront()
  const queryKey = ['job', id]
  // A short job may end, and be told of, before the component that started it knows its number.
  useEffect(() => {
    if (id !== undefined) notification.destroy(noticeOfJob(id))
  }, [id, notification])
  const { data } = useQuery({
    queryKey,
    queryFn: ({ signal }) => call(getJob, undefined, { params: { id: id ?? 0 }, signal }),
    enabled: id !== undefined,
    staleTime: 0,
    refetchInterval: (query) => (front && (query.state.data === undefined || isMoving(query.state.data)) ? 1000 : false),
  })
  const act = (endpoint: typeof cancelJob) => () => {
    if (id === undefined) return
    // The shell shows why it could not be done; the job itself tells the rest.
    void call(endpoint, undefined, { params: { id } }).then((job) => client.setQueryData(queryKey, job), () => undefined)
  }
  return { job: data, cancel: act(cancelJob), retry: act(retryJob) }
}

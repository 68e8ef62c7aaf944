import { useQueryClient } from '@tanstack/react-query'
import { App, Button, Space } from 'antd'
import { useEffect, useEffectEvent, useRef } from 'react'
import { useNavigate } from 'react-router'
import { call } from '../endpoint/call.tsx'
import { getJob, type JobInfo, type JobStatus } from '../job/calls.ts'
import { isMoving, noticeOfJob } from '../job/use-job.tsx'
import { currentStaff, type StaffInfo } from '../session/calls.ts'
import { useReloadNotice } from './new-release.tsx'
import { useStaff } from '../session/staff-context.tsx'
import type { LiveEvent, LiveEventType } from '../live/event.ts'
import { jobNews, moveJob } from '../job/job-news.ts'
import { tellListeners } from '../live/use-live.tsx'
import { openStream } from '../live/stream.tsx'

/** Seconds that the end of a job stays on the screen. */
const NEWS = 8

const sameRights = (a: StaffInfo, b: StaffInfo) =>
  JSON.stringify([a.role, a.must, a.scopes, [...a.modules].sort((x, y) => x - y)]) === JSON.stringify([b.role, b.must, b.scopes, [...b.modules].sort((x, y) => x - y)])

const JOBS = '/system/jobs'

/** Hears what the server tells and brings the console up to date. Used once, inside the shell; shows nothing itself. */
export function LiveEvents() {
  const { message, notification } = App.useApp()
  const announce = useReloadNotice()
  const client = useQueryClient()
  const navigate = useNavigate()
  /** Jobs seen moving, whose end may come while nobody listens. */
  const moving = useRef(new Set<number>())

  /** Reads the person's rights again. Whether the session is over the gate finds out. */
  const readStaff = async () => {
    const now = await call(currentStaff)
    client.setQueryData<StaffInfo>(['staff'], (old) => (old && sameRights(old, now) ? old : now))
  }
  const staff = useStaff()
  const known = useRef(staff)
  // After the menu has changed and screens that are not allowed any more are gone, what is left is read afresh.
  useEffect(() => {
    if (sameRights(known.current, staff)) return
    known.current = staff
    void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'staff' })
    void message.info('您的权限已更新')
  }, [staff, client, message])
  const tell = async (id: number) => {
    const job = await call(getJob, undefined, { params: { id } })
    client.setQueryData(['job', id], job)
    if (isMoving(job)) return
    moving.current.delete(id)
    const news = jobNews(job)
    const watched = (client.getQueryCache().find({ queryKey: ['job', id] })?.getObserversCount() ?? 0) > 0
    // Where the job is on the screen already, that is where its end is seen.
    if (!news || watched) return
    const key = noticeOfJob(id)
    const file = job.result?.['url']
    notification[news.tone]({
      key, title: news.title, description: news.detail, duration: NEWS, placement: 'bottomRight',
      actions: (
        <Space>
          {typeof file === 'string' && <Button type="primary" size="small" href={file} onClick={() => notification.destroy(key)}>下载</Button>}
          <Button type="link" size="small" onClick={() => { notification.destroy(key); void navigate(JOBS) }}>查看任务</Button>
        </Space>
      ),
    })
  }

  const handlers: { readonly [Type in LiveEventType]: (event: Extract<LiveEvent, { type: Type }>) => void | Promise<void> } = {
    job: async (event) => {
      client.setQueriesData<{ items: readonly JobInfo[] }>({ queryKey: ['jobs'] }, (old) => old && { ...old, items: moveJob(old.items, event) })
      client.setQueryData<JobInfo>(['job', event.id], (old) => old && moveJob([old], event)[0])
      if (isMoving({ status: event.status as JobStatus })) {
        // A job that is new here is not in any list yet.
        if (!moving.current.has(event.id)) void client.invalidateQueries({ queryKey: ['jobs'] })
        moving.current.add(event.id)
        return
      }
      void client.invalidateQueries({ queryKey: ['jobs'] })
      void client.invalidateQueries({ queryKey: ['dashboard'] })
      void client.invalidateQueries({ queryKey: ['notices'] })
      await tell(event.id)
    },
    grants: readStaff,
    notice: ({ title, to }) => {
      const key = title
      void client.invalidateQueries({ queryKey: ['notices'] })
      notification.info({
        key, title, duration: NEWS, placement: 'bottomRight',
        ...(to && { actions: <Button type="link" size="small" onClick={() => { notification.destroy(key); void navigate(to) }}>查看</Button> }),
      })
    },
    record: ({ kind, ids }) => tellListeners(kind, ids),
    release: ({ release }) => {
      // The development server and a server without a built console do not know releases.
      if (__RELEASE__ === 'dev' || release === 'dev' || release === __RELEASE__) return
      announce()
    },
    displaced: () => undefined,
  }

  const heard = useEffectEvent((event: LiveEvent) => {
    const handle = handlers[event.type] as (event: LiveEvent) => void | Promise<void>
    // What fails has been said by the shell.
    void Promise.resolve(handle(event)).catch(() => undefined)
  })
  const back = useEffectEvent(() => {
    void client.invalidateQueries({ queryKey: ['jobs'] })
    tellListeners('all', 'all')
    void readStaff().catch(() => undefined)
    for (const id of moving.current) void tell(id).catch(() => undefined)
  })
  const out = useEffectEvent(() => readStaff().then(() => true, () => false))
  useEffect(() => openStream({ heard, back, out }), [])
  return null
}

import { BellOutlined } from '@ant-design/icons'
import { useQueries } from '@tanstack/react-query'
import { Badge, Button, Popover } from 'antd'
import { lazy, Suspense, useMemo, useState } from 'react'
import { jobNotices } from './job-notices.tsx'
import { unreadOf, type NoticeSource } from '../module/notice.ts'
import { usePreference } from '../preference/use-preference.tsx'
import { leafRoutes } from './routes.ts'
import { useShell } from './shell-context.tsx'

const NotificationList = lazy(() => import('./notification-list.tsx').then((file) => ({ default: file.NotificationList })))

/** Live events say when something is new; this is for those that were missed, in milliseconds. */
const AGAIN = 300_000

const own: readonly NoticeSource[] = [{ name: 'job', title: '任务', load: jobNotices }]

/** The bell: news for this person, and how much of it they have not seen yet. */
export function Notifications() {
  const { modules, routes } = useShell()
  const [open, setOpen] = useState(false)
  const [readAt, setReadAt, known] = usePreference<number>('notices-read', 0)
  const sources = useMemo(() => {
    const allowed = new Set(leafRoutes(routes).map(({ path }) => path))
    return [...modules.flatMap((module) => module.notices), ...own].filter(({ screens }) => !screens || screens.some((path) => allowed.has(path)))
  }, [modules, routes])
  const queries = useQueries({
    queries: sources.map(({ name, load }) => ({ queryKey: ['notices', name], queryFn: ({ signal }: { signal: AbortSignal }) => load(signal), refetchInterval: AGAIN })),
  })
  const parts = sources.map((source, place) => ({ ...source, items: queries[place]?.data, failed: queries[place]?.isError ?? false }))
  const unread = known ? unreadOf(parts.flatMap(({ items }) => items ?? []), readAt).length : 0
  const toggle = (next: boolean) => {
    setOpen(next)
    // Seen is what was there when the list was closed again; while it is open it still says what was new.
    if (!next && unread > 0) setReadAt(Math.floor(Date.now() / 1000))
  }
  return (
    <Popover open={open} onOpenChange={toggle} trigger="click" placement="bottomRight" arrow={false} classNames={{ root: 'notices' }}
      content={<Suspense>{open && <NotificationList parts={parts} readAt={readAt} onLeave={() => toggle(false)} />}</Suspense>}>
      <Badge count={unread} size="small" overflowCount={99} offset={[-6, 8]}>
        <Button type="text" icon={<BellOutlined />} title="通知" aria-label={unread > 0 ? `通知，${unread} 条未读` : '通知'} aria-expanded={open} />
      </Badge>
    </Popover>
  )
}

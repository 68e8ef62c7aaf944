import { useQuery } from '@tanstack/react-query'
import { Alert, Button } from 'antd'
import { call } from '../../core/endpoint/call.tsx'
import { formatTime } from '../../core/field/time.ts'
import { Polling } from '../../core/ui/idle.tsx'
import { RichText } from '../../core/rich-text/rich-text.tsx'
import { usePreference } from '../../core/preference/use-preference.tsx'
import { LEVEL, shownAnnouncements, type ShownAnnouncement } from './announcement.ts'
import './system.css'

/** How often somebody who stays on the home page sees what is new, in milliseconds. */
const AGAIN = 300_000

const TONES = { [LEVEL.normal]: 'info', [LEVEL.important]: 'warning', [LEVEL.urgent]: 'error' } as const

/** Somebody who has read an announcement sees it again when it was changed. */
const stampOf = ({ id, rev }: ShownAnnouncement) => `${id}.${rev}`

/** What is announced to everybody, until each has read it. */
export default function AnnouncementHome() {
  const { data, refetch } = useQuery({ queryKey: ['announcements-shown'], queryFn: ({ signal }) => call(shownAnnouncements, undefined, { signal, quiet: true }) })
  const [read, setRead] = usePreference<string[]>('announcements-read', [])
  const items = data?.items ?? []
  const unread = items.filter((item) => !read.includes(stampOf(item)))
  const again = <Polling every={AGAIN} read={refetch} />
  if (unread.length === 0) return again
  // What is over need not be remembered.
  const markRead = (item: ShownAnnouncement) => setRead([...items.map(stampOf).filter((stamp) => read.includes(stamp)), stampOf(item)])
  return (
    <section className="announcements" aria-label="公告">
      {again}
      {unread.map((item) => (
        <Alert key={item.id} type={TONES[item.level]} showIcon title={<span className="announcement-title">{item.title}<time className="figure">{formatTime(item.start_at ?? item.created_at).slice(0, 16)}</time></span>}
          description={<div className="announcement-text"><RichText doc={item.body} /></div>} action={<Button size="small" aria-label={`知道了：${item.title}`} onClick={() => markRead(item)}>知道了</Button>} />
      ))}
    </section>
  )
}

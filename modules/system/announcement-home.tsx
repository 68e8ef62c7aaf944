import { CloseOutlined, InfoCircleOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Button, Modal } from 'antd'
import { useState } from 'react'
import { call } from '../../core/endpoint/call.tsx'
import { formatTime } from '../../core/field/time.ts'
import { Polling } from '../../core/ui/front.tsx'
import { RichText } from '../../core/rich-text/rich-text.tsx'
import { usePreference } from '../../core/preference/use-preference.tsx'
import { LEVEL, shownAnnouncements, type ShownAnnouncement } from './announcement.ts'
import './system.css'

/** How often somebody who stays on the home page sees what is new, in milliseconds. */
const AGAIN = 300_000

const TONES = { [LEVEL.normal]: 'info', [LEVEL.important]: 'warning', [LEVEL.urgent]: 'error' } as const

/** Somebody who has read an announcement sees it again when it was changed. */
const stampOf = ({ id, rev }: ShownAnnouncement) => `${id}.${rev}`

/** What is announced to everybody, in one line, until each has read it: the weightiest first. */
export default function AnnouncementHome() {
  const { data, refetch } = useQuery({ queryKey: ['announcements-shown'], queryFn: ({ signal }) => call(shownAnnouncements, undefined, { signal, quiet: true }) })
  const [read, setRead] = usePreference<string[]>('announcements-read', [])
  const [open, setOpen] = useState(false)
  const items = data?.items ?? []
  const unread = items.filter((item) => !read.includes(stampOf(item))).toSorted((a, b) => b.level - a.level)
  const again = <Polling every={AGAIN} read={refetch} />
  const [first] = unread
  if (!first) return again
  // What is over need not be remembered.
  const markRead = (done: readonly ShownAnnouncement[]) => setRead([...items.map(stampOf).filter((stamp) => read.includes(stamp)), ...done.map(stampOf)])
  return (
    <section className="announcement" data-tone={TONES[first.level]} aria-label="公告">
      {again}
      <InfoCircleOutlined aria-hidden />
      <b>{first.title}</b>
      <Button type="link" size="small" onClick={() => setOpen(true)}>详情</Button>
      <span>{unread.length > 1 && `另有 ${unread.length - 1} 条公告`}</span>
      <Button type="text" size="small" icon={<CloseOutlined />} aria-label={`知道了：${first.title}`} onClick={() => markRead([first])} />
      <Modal open={open} title="公告" onCancel={() => setOpen(false)} onOk={() => { markRead(unread); setOpen(false) }} okText="知道了" cancelText="稍后再看">
        {unread.map((item) => (
          <article key={item.id} className="announcement-full">
            <h3>{item.title}<time className="figure">{formatTime(item.start_at ?? item.created_at).slice(0, 16)}</time></h3>
            <RichText doc={item.body} />
          </article>
        ))}
      </Modal>
    </section>
  )
}

import { CheckCircleFilled, CloseCircleFilled, ExclamationCircleFilled, InfoCircleFilled } from '@ant-design/icons'
import { Alert, Badge, Empty, Skeleton, Tabs } from 'antd'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { formatTime } from '../field/time.ts'
import { unreadOf, type Notice, type NoticeSource } from '../module/notice.ts'
import './notifications.css'

const icons: Readonly<Record<Notice['tone'], ReactNode>> = { info: <InfoCircleFilled />, success: <CheckCircleFilled />, warning: <ExclamationCircleFilled />, error: <CloseCircleFilled /> }

interface Part extends NoticeSource {
  /** Undefined until they are there. */
  items: readonly Notice[] | undefined
  failed: boolean
}

function List({ part, readAt, onLeave }: { part: Part; readAt: number; onLeave: () => void }) {
  if (part.failed && !part.items) return <Alert type="error" showIcon title={`${part.title}加载失败`} />
  if (!part.items) return <Skeleton active title={false} />
  if (part.items.length === 0) return <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={`没有${part.title}`} />
  return (
    <ul className="notice-list">
      {part.items.toSorted((a, b) => b.at - a.at).map((notice) => (
        <li key={notice.key} data-tone={notice.tone} data-unread={notice.at > readAt}>
          {icons[notice.tone]}
          <div>
            {notice.to ? <Link to={notice.to} onClick={onLeave}>{notice.title}</Link> : <b>{notice.title}</b>}
            {notice.text && <p>{notice.text}</p>}
            <time className="figure">{formatTime(notice.at).slice(0, 16)}</time>
          </div>
        </li>
      ))}
    </ul>
  )
}

/** What the bell holds, each kind in a tab of its own; the first with something new is in front. */
export function NotificationList({ parts, readAt, onLeave }: { parts: readonly Part[]; readAt: number; onLeave: () => void }) {
  const unread = (part: Part) => unreadOf(part.items ?? [], readAt).length
  const first = parts.find((part) => unread(part) > 0) ?? parts[0]
  return (
    <Tabs className="notice-tabs" size="small" {...(first && { defaultActiveKey: first.name })} items={parts.map((part) => ({
      key: part.name,
      label: <Badge size="small" count={unread(part)} offset={[8, -2]}>{part.title}</Badge>,
      children: <List part={part} readAt={readAt} onLeave={onLeave} />,
    }))} />
  )
}

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Alert, App, Button, Skeleton, Tag } from 'antd'
import { call } from '../endpoint/call.tsx'
import { formatTime } from '../field/time.ts'
import { endSession, ownSessions, type OwnSession } from '../session/calls.ts'
import { deviceName } from './device.ts'
import { placeName } from './place.ts'

const minutes = (at: number) => formatTime(at).slice(0, 16)

/** Where the person is logged in; every other login can be ended. */
export function SessionCard() {
  const { message, modal } = App.useApp()
  const client = useQueryClient()
  const { data, error, refetch } = useQuery({
    queryKey: ['own-sessions'], staleTime: 0, queryFn: ({ signal }) => call(ownSessions, undefined, { signal, quiet: true }),
  })
  const others = data?.items.filter((item) => !item.current) ?? []
  const end = (items: readonly OwnSession[], title: string) => modal.confirm({
    title, content: '这些设备上未保存的内容会丢失，需要重新登录。', okText: '结束登录', okButtonProps: { danger: true },
    onOk: async () => {
      try {
        for (const { id } of items) await call(endSession, undefined, { params: { id } })
        void message.success(`已结束 ${items.length} 个登录`)
      } catch {
        // The shell has said what went wrong; what is true now is read again.
      }
      await client.invalidateQueries({ queryKey: ['own-sessions'] })
    },
  })
  return (
    <section className="account-card" aria-labelledby="account-sessions">
      <h2 id="account-sessions">登录设备{others.length > 1 && <Button size="small" danger onClick={() => end(others, `结束其他 ${others.length} 个登录？`)}>全部结束</Button>}</h2>
      <p>不认识的设备请立即结束登录并修改密码。</p>
      {error && <Alert type="error" showIcon title={error.message} action={<Button size="small" onClick={() => void refetch()}>重试</Button>} />}
      {!data && !error && <Skeleton active />}
      <ul className="account-list">
        {data?.items.map((item) => (
          <li key={item.id}>
            <span className="what" title={item.user_agent ?? ''}>
              {deviceName(item.user_agent)} {item.current && <Tag color="success">当前设备</Tag>}
              <small>{placeName(item.ip)}　登录于 {minutes(item.created_at)}　最近活动 {minutes(item.seen_at)}</small>
            </span>
            {!item.current && <Button size="small" danger aria-label={`结束${deviceName(item.user_agent)}的登录`} onClick={() => end([item], `结束「${deviceName(item.user_agent)}」的登录？`)}>结束</Button>}
          </li>
        ))}
      </ul>
    </section>
  )
}

import { useMutation, useQuery } from '@tanstack/react-query'
import { Alert, App, Button, Drawer, Empty, Skeleton, Space } from 'antd'
import { useMemo } from 'react'
import { call } from '../../../core/endpoint/call.tsx'
import { decideOrigin, originNews } from '../calls.ts'
import { compare, MARKS, type Names, type NodeDifference } from '../compare.ts'
import { draftOf } from '../draft.ts'
import { Lines } from './node-panel.tsx'
import type { OutlineEditing } from './use-outline.tsx'

type Take = 'accept' | 'keep' | 'skip'

/** What the origin of a copy changed since: node by node taken over, left for ever, or skipped until it changes again. */
export function OriginDrawer({ editing, names, onClose }: { editing: OutlineEditing; names: Names; onClose: () => void }) {
  const { content, reload } = editing
  const { message } = App.useApp()
  const news = useQuery({ queryKey: ['outline-origin', content.id], staleTime: 0, gcTime: 0, queryFn: ({ signal }) => call(originNews, undefined, { params: { id: content.id }, signal, quiet: true }) })
  const differences = useMemo(() => {
    const open = new Set(news.data?.open)
    return news.data ? compare(draftOf(news.data.base), draftOf(news.data.theirs), names).filter(({ key }) => open.has(key)) : []
  }, [news.data, names])
  const decide = useMutation({
    mutationFn: ({ some, take }: { some: readonly NodeDifference[]; take: Take }) => call(decideOrigin, { rev: content.rev, latest: news.data?.latest ?? 0, decisions: some.map(({ key }) => ({ key, take })) }, { params: { id: content.id }, quiet: true }),
    onSuccess: () => {
      reload()
      void news.refetch()
    },
    onError: (reason) => {
      void message.error(reason.message, 5)
      void news.refetch()
    },
  })
  const choices = (some: readonly NodeDifference[], all = false) => (
    <Space size={4} wrap>
      <Button size="small" loading={decide.isPending} onClick={() => decide.mutate({ some, take: 'accept' })}>{all ? `全部接受` : '接受'}</Button>
      <Button size="small" disabled={decide.isPending} onClick={() => decide.mutate({ some, take: 'skip' })}>{all ? '全部跳过这一版' : '跳过这一版'}</Button>
      <Button size="small" disabled={decide.isPending} onClick={() => decide.mutate({ some, take: 'keep' })}>{all ? '全部保留我的' : '保留我的'}</Button>
    </Space>
  )
  return (
    <Drawer open size={720} title="来源有更新" onClose={onClose} extra={content.can_edit && differences.length > 1 && choices(differences, true)}>
      {news.error && <Alert type="error" showIcon title={news.error.message} action={<Button size="small" onClick={() => void news.refetch()}>重试</Button>} />}
      {news.isPending && <Skeleton active />}
      {news.data && differences.length === 0 && <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="来源的更新都处理过了" />}
      <ul className="outline-changes">
        {differences.map((one) => (
          <li key={one.key}>
            <span className="outline-mark" data-mark={one.mark}>{MARKS[one.mark]}</span>
            <div><b>{one.name}</b><Lines lines={one.lines} />{content.can_edit && choices([one])}</div>
          </li>
        ))}
      </ul>
    </Drawer>
  )
}

import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { Alert, App, Button, Empty, Skeleton, Timeline } from 'antd'
import { request } from '../endpoint/call.tsx'
import { formatTime } from '../field/time.ts'
import type { Resource } from '../resource/define.ts'
import type { Change, WireRow } from '../resource/endpoints.ts'
import { useSaid } from '../undo/use-said.tsx'
import { ChangeList } from './change-list.tsx'

/** Changes of one record, newest first, each of which can be taken back. */
export function HistoryTab({ resource, row, onReverted }: { resource: Resource; row: WireRow; onReverted: () => void }) {
  const { modal } = App.useApp()
  const said = useSaid()
  const client = useQueryClient()
  const queryKey = ['history', resource.name, row.id, row.rev]
  const { data, error, isPending, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey,
    initialPageParam: 0,
    queryFn: ({ signal, pageParam }) => request<{ items: Change[]; total: number }>('GET', `${resource.api.item}/${row.id}/history`, { page: pageParam }, { signal }),
    getNextPageParam: (_last, pages) => (pages.flatMap(({ items }) => items).length < (pages[0]?.total ?? 0) ? pages.length : undefined),
  })
  // A change that came in between moves the last one of a page to the next.
  const changes = [...new Map((data?.pages ?? []).flatMap(({ items }) => items).map((change) => [change.id, change])).values()]
  if (error && !data) return <Alert type="error" title={error.message} />
  if (isPending) return <Skeleton active />
  if (changes.length === 0) return <Empty description="暂无操作日志" />

  const revert = (change: Change) => modal.confirm({
    title: '恢复到这次修改之前？', content: '只恢复这次修改涉及的字段，恢复本身也会记入日志。', okText: '恢复',
    onOk: async () => {
      const { undo } = await request<WireRow>('POST', `${resource.api.item}/${row.id}/revert`, { change_id: change.id })
      said({ words: '已恢复', undo })
      await client.invalidateQueries({ queryKey })
      onReverted()
    },
  })
  return (
    <>
      <Timeline items={changes.map((change) => ({
        key: change.id,
        content: (
          <div className="history">
            <div><b>{change.action_name}</b>　{change.staff_name ?? '系统'}　<span className="figure">{formatTime(change.at)}</span>　{change.ip}</div>
            {change.reason && <div>原因：{change.reason}</div>}
            <ChangeList fields={resource.fields} before={change.before} after={change.after} />
            {change.before && row.can.includes('edit') && Object.keys(change.before).some((key) => resource.fields[key] && !resource.fields[key]?.readonly) && (
              <Button size="small" type="link" onClick={() => revert(change)}>恢复到修改前</Button>
            )}
          </div>
        ),
      }))} />
      {error && <Alert type="error" title={error.message} />}
      {hasNextPage && <Button block loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>更早的修改</Button>}
    </>
  )
}

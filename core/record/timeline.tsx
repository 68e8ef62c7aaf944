import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { Alert, App, Button, Segmented, Skeleton } from 'antd'
import { startTransition, useOptimistic, useState, type ReactNode } from 'react'
import { discussionEndpoints, followUpDone, type Contribution } from '../discussion/calls.ts'
import { call, request } from '../endpoint/call.tsx'
import { briefTime, formatTime } from '../field/time.ts'
import type { Resource } from '../resource/define.ts'
import type { Change, WireRow } from '../resource/endpoints.ts'
import { useStaff } from '../session/staff-context.tsx'
import { useSaid } from '../undo/use-said.tsx'
import { ChangeList } from './change-list.tsx'
import { Composer } from './composer.tsx'
import './record.css'

interface Props {
  resource: Resource
  row: WireRow
  /** After the record was changed here. */
  onChanged: () => void
  /** Shows the record as it was right after a change; absent where the place beside it shows something else than its fields. */
  onLookBack?: (changeId: number) => void
}

type Kind = 'all' | 'changes' | 'discussion'

interface Entry {
  key: string
  at: number
  content: ReactNode
}

/** Words with the names of those whom they ask to look. */
function Words({ said: { body, mentions } }: { said: Contribution }) {
  const names = mentions.map(({ name }) => `@${name}`)
  const parts = names.length === 0 ? [body] : body.split(new RegExp(`(${names.map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)).join('|')})`))
  // What is split stands in its order, which never changes.
  // oxlint-disable-next-line react/no-array-index-key
  return <p className="timeline-words">{parts.map((part, place) => (names.includes(part) ? <b key={place}>{part}</b> : part))}</p>
}

function Said({ said, onDone }: { said: Contribution; onDone: (done: boolean) => Promise<unknown> }) {
  const { follow_up, staff_id, staff_name } = said
  const me = useStaff().id
  // The mark stands at once; where the call fails it goes again.
  const [done, setDone] = useOptimistic((follow_up?.done_at ?? null) !== null)
  const follow = (next: boolean) => startTransition(async () => {
    setDone(next)
    await onDone(next)
  })
  return (
    <>
      <div className="timeline-head"><b>{staff_name}</b><time title={formatTime(said.at)}>{briefTime(said.at)}</time></div>
      <Words said={said} />
      {follow_up && (
        <label className="timeline-follow" data-done={done}>
          <input type="checkbox" checked={done} disabled={me !== staff_id && me !== follow_up.staff_id} onChange={(event) => follow(event.target.checked)} />
          {follow_up.staff_name} 在 {formatTime(follow_up.at).slice(5, 16)} 前跟进
        </label>
      )}
    </>
  )
}

/** One timeline of what was changed and what was said, newest first; changes can be taken back, and something said. */
export function Timeline({ resource, row, onChanged, onLookBack }: Props) {
  const { modal } = App.useApp()
  const say = useSaid()
  const client = useQueryClient()
  const [kind, setKind] = useState<Kind>('all')
  const historyKey = ['history', resource.name, row.id, row.rev]
  const history = useInfiniteQuery({
    queryKey: historyKey,
    initialPageParam: 0,
    queryFn: ({ signal, pageParam }) => request<{ items: Change[]; total: number }>('GET', `${resource.api.item}/${row.id}/history`, { page: pageParam }, { signal, quiet: true }),
    getNextPageParam: (_last, pages) => (pages.flatMap(({ items }) => items).length < (pages[0]?.total ?? 0) ? pages.length : undefined),
  })
  const discussionKey = ['discussion', resource.name, row.id]
  const discussion = useQuery({ queryKey: discussionKey, queryFn: ({ signal }) => call(discussionEndpoints(resource).list, undefined, { params: { id: row.id }, signal, quiet: true }) })
  // A change that came in between moves the last one of a page to the next.
  const changes = [...new Map((history.data?.pages ?? []).flatMap(({ items }) => items).map((change) => [change.id, change])).values()]
  const said = discussion.data?.items ?? []
  const error = history.error ?? discussion.error

  const revert = (change: Change) => modal.confirm({
    title: '恢复到这次修改之前？', content: '只恢复这次修改涉及的字段，恢复本身也会记入日志。', okText: '恢复',
    onOk: async () => {
      const { undo } = await request<WireRow>('POST', `${resource.api.item}/${row.id}/revert`, { change_id: change.id })
      say({ words: '已恢复', undo })
      await client.invalidateQueries({ queryKey: historyKey })
      onChanged()
    },
  })
  const reread = () => client.invalidateQueries({ queryKey: discussionKey })
  const follow = (id: number, done: boolean) => call(followUpDone, { done }, { params: { id } }).then(reread, () => undefined)
  const entries: Entry[] = [
    ...(kind === 'discussion' ? [] : changes.map((change) => ({
      key: `c${change.id}`, at: change.at,
      content: (
        <div className="history">
          <div className="timeline-head"><b>{change.action_name}</b><span>{change.staff_name ?? '系统'}</span><time title={`${formatTime(change.at)}${change.ip ? `　${change.ip}` : ''}`}>{briefTime(change.at)}</time></div>
          {change.reason && <div>原因：{change.reason}</div>}
          <ChangeList fields={resource.fields} before={change.before} after={change.after} />
          {resource.audit && onLookBack && <Button size="small" type="link" onClick={() => onLookBack(change.id)}>看当时的样子</Button>}
          {change.before && row.can.includes('edit') && Object.keys(change.before).some((key) => resource.fields[key] && !resource.fields[key]?.readonly) && (
            <Button size="small" type="link" onClick={() => revert(change)}>恢复到修改前</Button>
          )}
        </div>
      ),
    }))),
    ...(kind === 'changes' ? [] : said.map((one) => ({ key: `d${one.id}`, at: one.at, content: <Said said={one} onDone={(done) => follow(one.id, done)} /> }))),
  ].toSorted((a, b) => b.at - a.at)
  const count = (words: string, found: number) => (found > 0 ? `${words} ${found}` : words)
  return (
    <section className="record-timeline" aria-label="动态">
      <Segmented<Kind> size="small" value={kind} onChange={setKind} aria-label="看哪些动态"
        options={[{ value: 'all', label: '全部' }, { value: 'changes', label: count('变更', history.data?.pages[0]?.total ?? 0) }, { value: 'discussion', label: count('讨论', said.length) }]} />
      <Composer resource={resource} id={row.id} onSaid={() => void reread()} />
      {error && <Alert type="error" title={error.message} />}
      {history.isPending || discussion.isPending ? <Skeleton active /> : entries.length === 0 ? <p className="note">{kind === 'discussion' ? '还没有讨论' : '还没有动态'}</p> : (
        <ol className="timeline">{entries.map(({ key, content }) => <li key={key}>{content}</li>)}</ol>
      )}
      {history.hasNextPage && kind !== 'discussion' && <Button block loading={history.isFetchingNextPage} onClick={() => void history.fetchNextPage()}>更早的修改</Button>}
    </section>
  )
}

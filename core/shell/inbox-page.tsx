import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Skeleton } from 'antd'
import { useMemo, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { call } from '../endpoint/call.tsx'
import { Polling } from '../ui/front.tsx'
import { useWide } from '../ui/use-media.tsx'
import { usePageKeys } from '../ui/use-page-keys.tsx'
import { Case } from './inbox-case.tsx'
import { Queue } from './inbox-queue.tsx'
import { useContentHeight } from './use-content-height.tsx'
import { useWaiting, useWaitingChanged } from './use-waiting.tsx'
import { inInbox, WAITING_GROUPS, keyOf, waitingItems, type WaitingGroup, type WaitingSum } from '../inbox/waiting.ts'
import './inbox.css'

/** How often it is read again while it is looked at, in milliseconds. */
const AGAIN = 60_000
const NOTHING: readonly WaitingSum[] = []
const GROUPS = (Object.keys(WAITING_GROUPS) as WaitingGroup[]).filter((group) => inInbox({ group }))

const counted = (sums: readonly WaitingSum[]) => sums.reduce((sum, { count }) => sum + count, 0)

/** Tabs of groups with how much waits in each. @param narrowed home led to one kind: none of the groups is shown */
function Tabs({ sums, group, narrowed, onChoose }: { sums: readonly WaitingSum[]; group: WaitingGroup | undefined; narrowed: boolean; onChoose: (group?: WaitingGroup) => void }) {
  const tab = (value: WaitingGroup | undefined, label: string, count: number) => (
    <button key={value ?? ''} type="button" className="state-tab" aria-pressed={!narrowed && value === group} onClick={() => onChoose(value)}>{label}<small>{count}</small></button>
  )
  return (
    <nav className="state-tabs" aria-label="按分组查看">
      {tab(undefined, '全部', counted(sums))}
      {GROUPS.flatMap((one) => {
        const count = counted(sums.filter((sum) => sum.group === one))
        return count > 0 || one === group ? [tab(one, WAITING_GROUPS[one], count)] : []
      })}
    </nav>
  )
}

/** What waits for this person across the whole product: a queue in the order in which it is due, the case beside it, decided in place by keys. */
export function InboxPage() {
  const [search, setSearch] = useSearchParams()
  const navigate = useNavigate()
  const wide = useWide('md')
  const changed = useWaitingChanged()
  const asked = search.get('group') as WaitingGroup | null
  const group = asked !== null && GROUPS.includes(asked) ? asked : undefined
  const kindName = search.get('kind') ?? undefined
  const { data: sums } = useWaiting()
  const all = sums?.waiting ?? NOTHING
  const inbox = useMemo(() => all.filter(inInbox), [all])
  const kind = kindName === undefined ? undefined : all.find(({ name }) => name === kindName)
  const shown = kind ? [kind] : inbox.filter((sum) => group === undefined || sum.group === group)
  const { data, error, refetch, isPending } = useQuery({
    queryKey: ['waiting', group, kindName],
    queryFn: ({ signal }) => call(waitingItems, { ...(group && { group }), ...(kindName !== undefined && { kind: kindName }) }, { signal }),
  })
  const items = data?.items ?? []
  const [at, setAt] = useState<{ key: string; place: number }>()
  // What was decided about is gone: what stands in its place comes next.
  const found = at === undefined ? -1 : items.findIndex((item) => keyOf(item) === at.key)
  const place = found >= 0 ? found : Math.min(at?.place ?? 0, items.length - 1)
  const current = wide || at !== undefined ? items[place] : undefined
  const choose = (next: number) => {
    const item = items[next]
    if (!item) return
    setAt({ key: keyOf(item), place: next })
    document.querySelector(`.inbox [data-item="${CSS.escape(keyOf(item))}"]`)?.scrollIntoView({ block: 'nearest' })
  }
  usePageKeys({ j: () => choose(place + 1), n: () => choose(place + 1), k: () => choose(place - 1), ...(current && { enter: () => void navigate(current.to) }) })
  const total = counted(shown)
  const height = useContentHeight()

  return (
    <section className="inbox" aria-label="待我处理" style={{ height }}>
      <Polling every={AGAIN} read={changed} />
      {(wide || !current) && (
        <div className="inbox-side">
          <header className="list-head"><h2>{kind?.title ?? '待我处理'}<small aria-live="polite">{sums && total}</small></h2><span className="inbox-order">按到期先后</span></header>
          <Tabs sums={inbox} group={group} narrowed={kind !== undefined} onChoose={(next) => { setAt(undefined); setSearch(next ? { group: next } : {}) }} />
          {error && !data ? <Alert type="error" showIcon title={error.message} action={<Button size="small" onClick={() => void refetch()}>重试</Button>} />
            : isPending ? <Skeleton active className="inbox-wait" paragraph={{ rows: 8 }} />
              : <Queue items={items} sums={all} shown={shown} chosen={current && keyOf(current)} onChoose={choose} />}
        </div>
      )}
      {current ? (
        <Case key={keyOf(current)} item={current} sum={all.find(({ name }) => name === current.kind)} onChanged={changed} onNext={items.length > 1 ? () => choose(place + 1 < items.length ? place + 1 : 0) : undefined}
          onBack={wide ? undefined : () => setAt(undefined)} />
      ) : wide && !isPending && !error && <p className="inbox-empty">没有等你处理的事。要办的到这里来，先到期的在前。</p>}
    </section>
  )
}

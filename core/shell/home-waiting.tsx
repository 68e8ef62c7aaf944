import { Alert, Button, Skeleton } from 'antd'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { useWaiting } from './use-waiting.tsx'
import { INBOX_PATH, inInbox, type WaitingSum } from '../inbox/waiting.ts'
import { dueWords, urgency, waitedWords } from '../inbox/words.ts'
import { COUNT_CAP } from '../list/use-list.tsx'
import { Polling } from '../ui/front.tsx'

/** How often the numbers are counted again while they are looked at, in milliseconds. */
const COUNT_AGAIN = 60_000

const shownCount = (count: number) => (count >= COUNT_CAP ? '10,000+' : count.toLocaleString('zh-CN'))

/** One kind of work: how much of it, what is first, and the way there. */
function Row({ sum: { name, title, count, late, first, verb, to, group }, main, now }: { sum: WaitingSum; main: boolean; now: number }) {
  const near = late > 0 ? 'late' : first && urgency(first, now)
  const watched = !inInbox({ group })
  return (
    <li className="home-row" data-main={main || undefined}>
      <strong className="figure" data-urgency={near === 'late' && !watched ? near : undefined}>{shownCount(count)}</strong>
      <div><Link to={to}>{title}</Link><small>{first && [watched ? null : `最早 ${waitedWords(first.since, now)}`, first.title].filter(Boolean).join(' · ')}</small></div>
      <span className="figure" data-urgency={watched ? undefined : near}>{late > 0 && !watched ? `超时 ${late} 件` : first && dueWords(first.due, now)}</span>
      <Link className="ant-btn ant-btn-default" to={watched ? to : `${INBOX_PATH}?kind=${encodeURIComponent(name)}`}>{verb}</Link>
    </li>
  )
}

function Rows({ title, sums, note, more, now }: { title: string; sums: readonly WaitingSum[]; note?: string | undefined; more?: ReactNode; now: number }) {
  const total = sums.reduce((all, { count }) => all + count, 0)
  return (
    <section className="home-card" aria-label={title}>
      <header><h3>{title}</h3><small>{total.toLocaleString('zh-CN')} 件{note}</small>{more}</header>
      <ul>{sums.map((sum, place) => <Row key={sum.name} sum={sum} main={place === 0 && inInbox(sum)} now={now} />)}</ul>
    </section>
  )
}

/** What to do today, what is due first, first; what only comes near stands below. Nothing that is zero. */
export function HomeWaiting({ now }: { now: number }) {
  const { data, error, refetch } = useWaiting()
  const again = <Polling every={COUNT_AGAIN} read={refetch} />
  if (error && !data) return <>{again}<Alert type="error" showIcon title={error.message} action={<Button size="small" onClick={() => void refetch()}>重试</Button>} /></>
  if (!data) return <section className="home-card home-bones" aria-busy><Skeleton active paragraph={{ rows: 6 }} title={false} /></section>
  const work = data.waiting.filter(inInbox)
  const watch = data.waiting.filter((sum) => !inInbox(sum))
  const late = work.reduce((all, sum) => all + sum.late, 0)
  return (
    <>
      {again}
      {work.length > 0
        ? <Rows title="要处理" sums={work} note={late > 0 ? `，${late} 件超时` : undefined} now={now} more={<Link className="home-more" to={INBOX_PATH}>逐件处理</Link>} />
        : <p className="home-card home-none">今天没有等你处理的事。</p>}
      {watch.length > 0 && <Rows title="留意" sums={watch} now={now} />}
    </>
  )
}

import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { call } from '../../core/endpoint/call.tsx'
import { useLive } from '../../core/live/use-live.tsx'
import { present } from '../../core/resource/present.tsx'
import { useStaff } from '../../core/session/staff-context.tsx'
import { ticketQueues, type QueueName } from './calls.ts'
import { Clock } from './clock.tsx'
import { ticketMoved } from './live.ts'
import { LIVING } from './sla.ts'
import { ticket, ticketPath } from './ticket.ts'
import './ticket.css'

const LABELS: Readonly<Record<QueueName, string>> = { mine: '我的', free: '未分配', soon: '即将超时', late: '已超时' }

/** The queues with what is in them; each leads to the list of exactly these. */
function Queues({ query }: { query: Readonly<Record<string, readonly string[]>> }) {
  const staff = useStaff()
  const { data, refetch } = useQuery({ queryKey: ['ticket-queues'], queryFn: ({ signal }) => call(ticketQueues, undefined, { signal, quiet: true }) })
  useLive(ticketMoved, () => void refetch())
  const states = LIVING.map((state) => `state=${state}`).join('&')
  const to = (name: QueueName) => `/operate/feedback?${name === 'mine' ? `assignee_id=${staff.id}` : `queue=${name}`}&${states}`
  const isOn = (name: QueueName) => (name === 'mine' ? query['assignee_id']?.[0] === String(staff.id) : query['queue']?.[0] === name)
  return (
    <nav className="view-links" aria-label="队列">
      {(Object.keys(LABELS) as QueueName[]).map((name) => <Link key={name} to={isOn(name) ? '/operate/feedback' : to(name)} data-on={isOn(name)} data-late={name === 'late' && (data?.counts.late ?? 0) > 0}>{LABELS[name]} <b>{data?.counts[name] ?? ''}</b></Link>)}
    </nav>
  )
}

/** Tickets: queues with their numbers above the list, clocks in it, and the way to where one is answered. */
export default present(ticket)({
  cells: {
    title: ({ value, row }) => <Link to={ticketPath(row.id)}>{value}</Link>,
    due_at: ({ row }) => (LIVING.includes(row.state ?? 0) ? <Clock due={row.due_at} /> : <span className="none">—</span>),
  },
  bulkFields: ['assignee_id', 'priority'],
  slots: { above: Queues },
})

import { useMinute } from '../../core/ui/use-minute.tsx'
import { sayMinutes, workingBetween } from './work-time.ts'

/** Working minutes before the end at which a clock is amber. */
const SOON = 60

/** What is left until a moment, in working time, or how long it is over. */
export function Clock({ due, label }: { due: number | null | undefined; label?: string }) {
  const now = useMinute()
  if (due === null || due === undefined) return <span className="none">{label ? `${label} 已停` : '已停'}</span>
  const late = due <= now
  const minutes = late ? workingBetween(due, now) : workingBetween(now, due)
  return <span className="clock figure" data-tone={late ? 'late' : minutes <= SOON ? 'soon' : undefined}>{label && `${label} `}{late ? `超 ${sayMinutes(minutes)}` : `剩 ${sayMinutes(minutes)}`}</span>
}

import { useWaiting } from './use-waiting.tsx'
import { inInbox } from '../inbox/waiting.ts'

/** How often the menu counts again, in milliseconds: home and the inbox do it oftener, and it follows them. */
const AGAIN = 600_000
/** More than this is many. */
const MOST = 999

/** How much waits for the person, in the menu. */
export function InboxCount() {
  const { data } = useWaiting({ every: AGAIN, quiet: true })
  const count = (data?.waiting ?? []).filter(inInbox).reduce((sum, one) => sum + one.count, 0)
  return count > 0 ? <span className="menu-count figure">{count > MOST ? `${MOST}+` : count}</span> : null
}

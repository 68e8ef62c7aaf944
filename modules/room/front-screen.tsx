import { useSearchParams } from 'react-router'
import { ListPage } from '../../core/list/list-page.tsx'
import type { Resource } from '../../core/resource/define.ts'
import type { Presentation } from '../../core/resource/present.tsx'
import { retryLazy } from '../../core/ui/retry-lazy.tsx'
import { ownCards, partnerCards } from './card-calls.ts'
import { ownFront, partnerFront } from './front-calls.ts'
import type { FrontCalls } from './front-desk.tsx'
import { FRONT } from './front-address.ts'
import { ownMap, partnerMap } from './map-calls.ts'
import { OWN_ROOMS, PARTNER_ROOMS } from './ownerships.ts'
import { ownVisits, partnerVisits } from './visit-calls.ts'

// Who looks after the list of rooms does not wait for the counter.
const FrontDesk = retryLazy(async () => ({ default: (await import('./front-desk.tsx')).FrontDesk }))

export const partnerFrontCalls: FrontCalls = { rooms: PARTNER_ROOMS, front: partnerFront, map: partnerMap, visits: partnerVisits, cards: partnerCards, ordersPath: '/new-study-room/self-study-room/user-order' }
export const ownFrontCalls: FrontCalls = { rooms: OWN_ROOMS, front: ownFront, map: ownMap, visits: ownVisits, cards: ownCards, ordersPath: '/study-room/user-order' }

/** The rooms of one side: their list, or the counter of one of them. */
export function RoomScreen({ resource, presentation, calls }: { resource: Resource; presentation: Presentation; calls: FrontCalls }) {
  const [search, setSearch] = useSearchParams()
  const roomId = Number(search.get(FRONT))
  if (roomId > 0) return <FrontDesk key={roomId} calls={calls} roomId={roomId} onLeave={() => setSearch({})} />
  return <ListPage resource={resource} presentation={presentation} />
}

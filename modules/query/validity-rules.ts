import { ALONE } from './validity.ts'

/** Somebody's time for a product, as far as a limit looks at it. */
export interface Given { readonly user_id: number; readonly line: string; readonly offer_id: number; readonly days: number }

/**
 * Why a second person has to agree: the time given to somebody for one product, or the people, are more than one person decides
 * about. What the same person gave today alone counts too, so that parts below the limit do not slip past it.
 * @param today what the person gave today without anybody's agreement
 * @returns undefined where nobody has to
 */
export function secondNeeded(today: readonly Given[], now: readonly Given[]): string | undefined {
  const key = ({ user_id, line, offer_id }: Given) => `${user_id} ${line} ${offer_id}`
  const sums = new Map<string, number>()
  for (const one of today) sums.set(key(one), (sums.get(key(one)) ?? 0) + one.days)
  let most = 0
  let before = 0
  for (const one of now) {
    const sum = (sums.get(key(one)) ?? 0) + one.days
    if (sum > most) [most, before] = [sum, sums.get(key(one)) ?? 0]
  }
  if (most > ALONE.days) return before > 0 ? `同一产品今天累计 ${most} 天，超过 ${ALONE.days} 天` : `${most} 天，超过 ${ALONE.days} 天`
  const earlier = new Set(today.map(({ user_id }) => user_id))
  const people = new Set([...earlier, ...now.map(({ user_id }) => user_id)]).size
  if (people > ALONE.people) return earlier.size > 0 ? `今天累计 ${people} 人，超过 ${ALONE.people} 人` : `${people} 人，超过 ${ALONE.people} 人`
  return undefined
}

import { useCan } from '../../core/session/staff-context.tsx'
import { rightsOf, type Rights } from './money-rules.ts'

/** What the person may do with the orders of a screen, beside writing them down. */
export function useRights(orders: { readonly grant: number }): Rights {
  const can = useCan()
  return rightsOf(orders, { has: can })
}

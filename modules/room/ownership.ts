import type { Target } from '../../core/field/reference.ts'
import { screenId } from '../screens.ts'
import { OWNERSHIP, school, selfSchool } from '../study-room/module.ts'

/** Everything in which the screens of partners' rooms and of our own differ. */
export interface Side {
  readonly self_run: 0 | 1
  /** Begins the names of resources; tables are shared. */
  readonly prefix: string
  /** Begins the paths of calls. */
  readonly base: string
  readonly schools: () => Target
  /** Ids of the screens. */
  readonly screens: { readonly room: number; readonly card: number; readonly member: number }
}

export const PARTNER_SIDE: Side = {
  ...OWNERSHIP.partner,
  schools: () => school,
  screens: {
    room: screenId('/new-study-room/self-study-room/list'), card: screenId('/new-study-room/self-study-room/membership-card'), member: screenId('/new-study-room/self-study-room/user'),
  },
}

export const OWN_SIDE: Side = {
  ...OWNERSHIP.own,
  schools: () => selfSchool,
  screens: { room: screenId('/study-room/list'), card: screenId('/study-room/member-card'), member: screenId('/study-room/user') },
}

import { memberCard, selfMemberCard } from './card.ts'
import { memberLeave, selfLeave } from './leave.ts'
import { roomMember, selfMember } from './member.ts'
import { selfRoom, studyRoom } from './room.ts'
import { OWN_SIDE, PARTNER_SIDE } from './ownership.ts'
import { cardLog, selfCardLog, selfUserCard, userCard } from './user-card.ts'
import { selfVisit, visit } from './visit.ts'

/** The resources of each side: what works on rooms works on a set of them. */
export const PARTNER_ROOMS = { side: PARTNER_SIDE, room: studyRoom, card: memberCard, member: roomMember, userCard, cardLog, visit, leave: memberLeave }
export const OWN_ROOMS = { side: OWN_SIDE, room: selfRoom, card: selfMemberCard, member: selfMember, userCard: selfUserCard, cardLog: selfCardLog, visit: selfVisit, leave: selfLeave }

export type Rooms = typeof PARTNER_ROOMS

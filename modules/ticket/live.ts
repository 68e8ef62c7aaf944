import { defineLiveKind } from '../../core/live/event.ts'

/** Something was said in tickets, or they moved: their ids. */
export const ticketMoved = defineLiveKind('ticket')

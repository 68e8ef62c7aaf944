import { defineLiveKind } from '../../core/live/event.ts'

/** Pieces of flash sales were taken, paid for or let go: their ids. */
export const flashMoved = defineLiveKind('flash_sale')

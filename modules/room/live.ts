import { defineLiveKind } from '../../core/live/event.ts'

/** Somebody came to a room, moved, left or paid there; the ids are those of rooms. */
export const roomMoved = defineLiveKind('room')

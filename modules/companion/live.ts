import { defineLiveKind } from '../../core/live/event.ts'

/** Something was said or handed in by learners: their ids. */
export const threadMoved = defineLiveKind('thread')

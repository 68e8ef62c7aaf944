import { defineLiveKind } from '../../core/live/event.ts'

/** Somebody changed or published a combination. */
export const combinationChanged = defineLiveKind('combination')

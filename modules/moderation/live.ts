import { defineLiveKind } from '../../core/live/event.ts'

/** Rows of the review queue came, were claimed, given back or decided: their ids. */
export const reviewMoved = defineLiveKind('comment_review')

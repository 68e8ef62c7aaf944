import { defineModule } from '../../core/module/define.ts'
import { defineLiveKind } from '../../core/live/event.ts'

export type { BlockTarget, OfferedKind } from './calls.ts'
export type { CompleteRule } from './complete.ts'

/** Somebody changed, published or took over something of an outline. */
export const outlineChanged = defineLiveKind('outline')

/** Catalogues of what is taught: a tree with content, its versions, and how far learners are. It has no screens of its own. */
export default defineModule({ name: 'outline', title: '课程目录', screens: [], live: [outlineChanged] })

import { defineLiveKind } from '../../core/live/event.ts'

/** Somebody changed a training material. */
export const materialChanged = defineLiveKind('train_material')

import { defineLiveKind } from '../../core/live/event.ts'

/** An asset was looked at: its state and what is known of its file are other ones. */
export const assetChecked = defineLiveKind('asset')

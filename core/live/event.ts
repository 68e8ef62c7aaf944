/** What the server tells an open console without being asked. */
export type LiveEvent =
  /** A job of this person moved on. */
  | { type: 'job'; id: number; status: string; done: number; total: number | null }
  /** What this person may do has changed: read it again. The stream ends after it and is opened again. */
  | { type: 'grants' }
  /** Something happened that the person wants to know. */
  | { type: 'notice'; id?: number; title: string; to?: string }
  /** Records of a module's kind changed: `'all'` where they are too many to name. Who hears it reads them by the ordinary calls. */
  | { type: 'record'; kind: string; ids: LiveIds }
  /** The release of the console that this server serves; comes first on every stream. */
  | { type: 'release'; release: string }
  /** Too many streams of one session: this one ends, and the console should not open it again. */
  | { type: 'displaced' }

export type LiveEventType = LiveEvent['type']

/** Ids of records that changed, or that any may have. */
export type LiveIds = readonly number[] | 'all'

/** A kind of event that a module adds, named in its door. */
export interface LiveKind {
  readonly name: string
}

/**
 * Declares a kind of event that carries ids alone: it may reach people who may not read the record.
 * @param name unique in the product, snake case
 * @example export const threadMoved = defineLiveKind('thread')
 */
export function defineLiveKind(name: string): LiveKind {
  return { name }
}

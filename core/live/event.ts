/** What the server tells an open console without being asked. */
export type LiveEvent =
  /** A job of this person moved on. */
  | { type: 'job'; id: number; status: string; done: number; total: number | null }
  /** What this person may do has changed: read it again. The stream ends after it and is opened anew. */
  | { type: 'grants' }
  /** Something happened that the person wants to know. */
  | { type: 'notice'; id?: number; title: string; to?: string }
  /** The release of the console that this server serves; comes first on every stream. */
  | { type: 'release'; release: string }
  /** Too many streams of one session: this one ends, and the console should not open it again. */
  | { type: 'displaced' }

export type LiveEventType = LiveEvent['type']

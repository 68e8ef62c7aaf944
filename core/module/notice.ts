/** Something that a person is told, for the bell. */
export interface Notice {
  /** Unique within its source. */
  readonly key: string
  readonly title: string
  readonly text?: string | undefined
  readonly tone: 'info' | 'success' | 'warning' | 'error'
  /** Unix seconds. */
  readonly at: number
  /** Screen that it leads to, with query. */
  readonly to?: string
}

/** Where notices come from; each module may have some. */
export interface NoticeSource {
  readonly name: string
  readonly title: string
  /** Screens of what is told: without the grant for one of them nothing is asked for. Absent: it concerns everybody. */
  readonly screens?: readonly string[]
  readonly load: (signal: AbortSignal) => Promise<Notice[]>
}

/** Notices that came after the person last looked. @param readAt unix seconds */
export function unreadOf(notices: readonly Notice[], readAt: number): Notice[] {
  return notices.filter((notice) => notice.at > readAt)
}

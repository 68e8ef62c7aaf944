import { call } from '../../core/endpoint/call.tsx'
import type { Notice } from '../../core/module/notice.ts'
import { LEVEL, shownAnnouncements } from './announcement.ts'

const TONES = { [LEVEL.normal]: 'info', [LEVEL.important]: 'warning', [LEVEL.urgent]: 'error' } as const

/** What is announced now, for the bell. */
export async function announcementNotices(signal: AbortSignal): Promise<Notice[]> {
  const { items } = await call(shownAnnouncements, undefined, { signal, quiet: true })
  return items.map(({ id, title, body, level, start_at, created_at }) => ({ key: String(id), title, text: body.words, tone: TONES[level], at: start_at ?? created_at, to: '/' }))
}

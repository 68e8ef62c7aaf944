import { sql } from 'drizzle-orm'
import type { Database } from '../../core/database/database.server.ts'
import { handle, type Served } from '../../core/endpoint/serve.server.ts'
import { invalid } from '../../core/error/error.ts'
import { openToAllStaff } from '../../core/resource/attach.server.ts'
import { linesOfText, withWords } from '../../core/field/rich-text.ts'
import { publishLive } from '../../core/live/live.server.ts'
import { serve } from '../../core/resource/serve.server.ts'
import { insertMany, seedTransaction } from '../../core/setup/insert-many.server.ts'
import { announcement, LEVEL, shownAnnouncements, type ShownAnnouncement } from './announcement.ts'

/** The home page is no notice board: older ones wait until newer ones are over. */
const SHOWN = 10

export const announcements = serve(announcement)({
  computed: { shown: sql`case when t.start_at > now() then '未开始' when t.end_at <= now() then '已结束' else '展示中' end` },
  before({ values, row }) {
    const start = 'start_at' in values ? values.start_at : row?.start_at
    const end = 'end_at' in values ? values.end_at : row?.end_at
    if (end != null && start != null && end <= start) throw invalid({ end_at: '结束时间应晚于开始时间' })
  },
  // A person who is at work hears of it at once; a mended sort order is no news.
  async after({ tx, values, row, saved }) {
    await openToAllStaff(tx, saved.body)
    const now = Date.now() / 1000
    const shown = (saved.start_at ?? 0) <= now && (saved.end_at ?? Infinity) > now
    const news = !row || (['title', 'body', 'level'] as const).some((key) => key in values && JSON.stringify(values[key]) !== JSON.stringify(row[key]))
    if (shown && news) await publishLive(tx, 'all', { type: 'notice', title: `公告：${saved.title}`, to: '/' })
  },
})

/** The call by which everybody reads what is announced. */
export function announcementCalls(): Served[] {
  return [
    handle(shownAnnouncements, async ({ db }) => {
      const items = await db.query<ShownAnnouncement>(sql`select id, rev, title, body, level, start_at, created_at from announcement
        where deleted_at is null and (start_at is null or start_at <= now()) and (end_at is null or end_at > now())
        order by level desc, sort_order, id desc limit ${sql.raw(String(SHOWN))}`)
      return { items, total: items.length }
    }),
  ]
}

const DAY = 86_400

const RENEWAL = withWords({
  t: 'doc', v: 1,
  c: [
    { t: 'p', c: ['合同到期前 ', { t: 'text', text: '30 天', b: true }, ' 请联系合伙人确认续约意向：'] },
    { t: 'list', style: 'decimal', items: ['首页「30 天内到期的合伙人」可以直接查看名单', '电话确认意向，并写入跟进记录', '续约后更新合同到期时间'].map((text) => [{ t: 'p', c: [text] }]) },
  ],
})

/** Two announcements, so that the demo's home page shows what they look like. */
export async function insertAnnouncements(db: Database): Promise<void> {
  const now = Math.floor(Date.now() / 1000)
  await seedTransaction(db, (tx) => insertMany(tx, announcement, [
    { title: '本周六 22:00 系统维护', body: linesOfText('周六 22:00 至 24:00 升级数据库，期间后台不能登录，请提前保存正在编辑的内容。'), level: LEVEL.important, end_at: now + 14 * DAY },
    { title: '合伙人续约须知', body: RENEWAL, level: LEVEL.normal },
  ]))
}

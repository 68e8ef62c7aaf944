import { sql } from 'drizzle-orm'
import type { Database } from '../../core/database/database.server.ts'
import { insertMany, seedTransaction } from '../../core/setup/insert-many.server.ts'
import { seasonalMoment, seededRandom } from '../../core/setup/random.ts'
import { clocksOf, LIVING, PRIORITY, TICKET_STATE as S } from './sla.ts'
import { titleOf } from './thread.server.ts'
import { ticket, TICKET_KIND as K } from './ticket.ts'
import { addWorking, workingBetween } from './work-time.ts'

const DAY = 86_400
const SIZE = 420
const BATCH = 60

const WORDS: Readonly<Record<number, readonly (readonly [asked: string, answered: string])[]>> = {
  [K.practice]: [['这道题的答案是不是给错了？按解析的步骤算出来是 3，不是 2。', '感谢反馈，我们已转给教研老师核对，修正后会通知您。'], ['题干少了一个条件，看不出角度是多少。', '已收到，教研老师会补全题干。'], ['解析第二步的符号写反了。', '您说得对，已提交修正。']],
  [K.feature]: [['做题的时候切到别的应用再回来，刚才写的答案没有了。', '请更新到最新版本，新版会自动保存草稿。'], ['视频倍速到 2 倍就卡，能不能优化一下？', '已记录您的网络和机型，技术同事正在排查。'], ['错题本能不能按章节筛选？', '这个功能在计划中，上线后第一时间告诉您。']],
  [K.content]: [['必修第二册的同步课缺了第 4 章第 3 节。', '该节正在录制，预计下周上线。'], ['讲义打印出来字太小了。', '已换成大字号版本，请重新下载。']],
  [K.account]: [['换了手机号，登录不了原来的账号。', '请提供原手机号和姓名，我们核实后为您换绑。'], ['孩子在两个平板上学，被提示强制下线。', '同一时间只能在一台设备学习，请先退出另一台。']],
  [K.refund]: [['买错了年级，还没有开始学，能退吗？', '可以，已为您提交退款，款项将原路退回。'], ['课程买重了，请退一份。', '已核实，重复的一份正在退款。']],
  [K.idea]: [['希望每天能提醒孩子打卡。', '好建议，我们会和产品同事讨论。'], ['建议增加家长端的学习报告。', '感谢建议，家长报告已在规划。']],
}
const CANNED = [
  ['问候', '{昵称}，您好，很高兴为您服务。'], ['报错', '感谢反馈，我们已转给教研老师核对，修正后会第一时间通知您。'], ['退款', '已为您提交退款申请，款项将在 1 到 3 个工作日内原路退回。'],
  ['换绑', '请提供原手机号、姓名和最近一次订单号，我们核实后为您换绑。'], ['更新', '请先更新到最新版本再试一次，如仍有问题，请告诉我们机型和系统版本。'], ['结束', '如果还有其他问题，随时联系我们。祝学习进步！'],
] as const

/** Tickets of a year in every state with what was said, and answers that are given often. */
export async function insertTicketDemo(db: Database, report: (text: string) => void): Promise<void> {
  const [random, now] = [seededRandom(1913), Math.floor(Date.now() / 1000)]
  const staff = (await db.query<{ id: number }>(sql`select id from staff where status = 1 order by id limit 6`)).map(({ id }) => id)
  const users = (await db.query<{ id: number }>(sql`select id from app_user where status = 1 and deleted_at is null order by id limit 300`)).map(({ id }) => id)
  const practices = (await db.query<{ id: number }>(sql`select id from practice where pool = 'official' and status = 4 and deleted_at is null order by id limit 40`)).map(({ id }) => id)
  const build = (index: number) => {
    const recent = index >= SIZE - 70
    const created_at = recent ? now - random.int(1800, 5 * DAY) : seasonalMoment(random, now - 360 * DAY, now - 8 * DAY)
    const kind = random.weighted([[K.practice, 30], [K.feature, 20], [K.content, 16], [K.account, 16], [K.refund, 8], [K.idea, 10]])
    const priority = random.weighted([[PRIORITY.low, 12], [PRIORITY.normal, 62], [PRIORITY.high, 20], [PRIORITY.urgent, 6]])
    const state = recent ? random.weighted([[S.waiting, 34], [S.doing, 30], [S.user, 16], [S.solved, 20]]) : random.weighted([[S.closed, 97], [S.user, 1], [S.doing, 2]])
    const [asked, answered] = random.pick(WORDS[kind] ?? WORDS[K.idea] ?? [])
    const first_at = state === S.waiting ? null : Math.min(now - 900, addWorking(created_at, random.int(8, 150)))
    const again = state === S.doing && random.chance(0.5)
    const asked_at = state === S.waiting ? created_at : again && first_at !== null ? Math.min(now - 300, first_at + random.int(600, 9000)) : null
    const paused_min = state === S.waiting ? 0 : random.chance(0.3) ? random.int(20, 300) : 0
    const solved_at = state === S.solved || state === S.closed ? Math.min(now - 600, addWorking(first_at ?? created_at, random.int(30, 900))) : null
    const clocks = clocksOf({ created_at, priority, state, first_at, asked_at, paused_min, merged: false })
    return { asked, answered, again, first_at, asked_at, solved_at, row: {
      title: titleOf(asked), user_id: random.pick(users), kind, priority, content: asked, ...(kind === K.practice && practices.length > 0 && { practice_id: random.pick(practices) }), device: random.pick(['iPad Air', '华为 MatePad 11', '小米平板 6', 'iPhone 13', '荣耀 90']), app_version: random.pick(['5.8.2', '5.9.0', '5.9.1']),
      assignee_id: state === S.waiting ? (random.chance(0.5) ? null : random.pick(staff)) : random.pick(staff), first_at, asked_at, paused_min, paused_at: state === S.user && first_at !== null ? first_at : null, solved_at, satisfaction: solved_at !== null && random.chance(0.5) ? random.weighted([[5, 60], [4, 24], [3, 9], [2, 4], [1, 3]]) : null,
      state, created_at, ...Object.fromEntries(Object.entries(clocks).map(([key, at]) => [key, at === null ? null : Math.floor(at)])),
    } }
  }
  const all = Array.from({ length: SIZE }, (_, index) => build(index)).sort((a, b) => a.row.created_at - b.row.created_at)
  let late = 0
  await seedTransaction(db, async (tx) => {
    for (const [code, body] of CANNED) await tx.query(sql`insert into canned_reply (code, body, used_n) values (${code}, ${body}, ${random.int(3, 90)})`)
    for (let at = 0; at < all.length; at += BATCH) {
      const part = all.slice(at, at + BATCH)
      const ids = await insertMany(tx, ticket, part.map(({ row }) => row))
      const lines = part.flatMap(({ row, answered, again, first_at, asked_at, solved_at }, index) => {
        const line = (when: number, side: string, body: string) => ({ ticket: ids[index] ?? 0, at: when, side, body, staff: side === 'user' ? null : row.assignee_id })
        if (LIVING.includes(row.state) && workingBetween(row.created_at, now) > 0 && (row as { due_at?: number | null }).due_at && Number((row as { due_at?: number | null }).due_at) < now) late++
        return [
          ...(first_at === null ? [] : [line(first_at, 'staff', answered)]), ...(again && asked_at !== null ? [line(asked_at, 'user', '请问处理好了吗？还是不行。')] : []),
          ...(row.state === S.doing && random.chance(0.3) ? [line((first_at ?? now) + 60, 'note', '已联系技术同事，今天给结论。')] : []), ...(solved_at === null ? [] : [line(solved_at, 'staff', '已处理完成，如果还有问题请随时联系我们。')]),
        ]
      }).sort((a, b) => a.at - b.at)
      await tx.query(sql`insert into ticket_message (ticket_id, at, side, staff_id, body) select ticket, to_timestamp(at), side, staff, body from jsonb_to_recordset(${JSON.stringify(lines)}::jsonb) as r (ticket bigint, at float8, side text, staff bigint, body text) order by at`)
    }
  })
  report(`已生成 ${SIZE} 条用户反馈，其中 ${late} 条已超时`)
}

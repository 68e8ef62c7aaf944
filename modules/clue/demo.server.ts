import { sql } from 'drizzle-orm'
import type { Database } from '../../core/database/database.server.ts'
import { insertMany, seedTransaction } from '../../core/setup/insert-many.server.ts'
import { person } from '../../core/setup/people.ts'
import { PLACES } from '../../core/setup/places.ts'
import { seasonalMoment, seededRandom } from '../../core/setup/random.ts'
import { clue } from './clue.ts'
import { LIVING, POOL, STAGE as S } from './stage.ts'

const DAY = 86_400
const SIZE = 460
/** Behind the people of the other modules. */
const FIRST_PERSON = 720_000
const TALKS = ['孩子数学在班里中游，想冲重点高中，约周六来测评。', '家长说先和孩子商量，三天后再联系。', '已加微信，发了课程介绍和往期成绩。', '接通后说在开会，改晚上八点再打。', '试听反馈不错，觉得老师讲得清楚，在比较价格。', '测评 78 分，建议进提高班，家长想再看看时间安排。', '物理比较弱，问了师资和班型。', '未接通，发了短信。'] as const
const LOST = ['空号', '孩子已在其他机构报名', '家长明确表示不考虑', '年级不符'] as const

/** Clues of a year in every stage, with what was said and who had them; those whose number bought are won by their orders. */
export async function insertClueDemo(db: Database, report: (text: string) => void): Promise<void> {
  const [random, now] = [seededRandom(1204), Math.floor(Date.now() / 1000)]
  const staff = (await db.query<{ id: number }>(sql`select id from staff where status = 1 order by id limit 8`)).map(({ id }) => id)
  const channels = (await db.query<{ id: number }>(sql`select id from channel where deleted_at is null order by id`)).map(({ id }) => id)
  const sold = await db.query<{ order_no: string; name: string; mobile: string; at: number }>(sql`select distinct on (buyer_mobile) order_no, buyer_name as name, buyer_mobile as mobile, extract(epoch from created_at)::float8 as at from orders where line = 'excellent_training' and paid > refunded and buyer_mobile is not null and buyer_name is not null and deleted_at is null order by buyer_mobile, id`)
  if (channels.length === 0) return
  const build = (index: number) => {
    const order = sold[index]
    const who = order ?? person(FIRST_PERSON + index, 'adult')
    const stage = order ? S.enrolled : random.weighted([[S.fresh, 26], [S.spoken, 26], [S.booked, 12], [S.assessed, 10], [S.tried, 10], [S.void, 16]])
    const lives = LIVING.includes(stage)
    const created_at = order ? Math.floor(order.at) - random.int(3, 30) * DAY : lives ? now - random.int(1, 24) * DAY - random.int(0, 80_000) : seasonalMoment(random, now - 340 * DAY, now - 20 * DAY)
    const pooled = lives && random.chance(0.18)
    const owner = random.pick(staff)
    const talks = stage === S.fresh ? 0 : random.int(1, 4)
    const last = talks === 0 ? null : Math.min(now - 1200, created_at + talks * random.int(1, 4) * DAY)
    const { code } = PLACES[(index * 13 + 3) % PLACES.length] ?? { code: '320508' }
    return { talks, last, owner, pooled, row: {
      name: `${who.name.slice(0, 1)}${index % 3 === 0 ? '先生' : '女士'}`, mobile: who.mobile, grade: random.pick([7, 8, 9]), school: random.pick(['实验初中', '第一中学', '外国语学校', '育才学校', null]), region_code: code, subjects: random.pick(['数学', '数学、物理', '物理', '英语', null]), channel_id: random.pick(channels), intent: random.weighted([['A', 15], ['B', 30], ['C', 38], ['D', 17]] as const),
      owner_id: pooled ? null : owner, last_owner_id: pooled ? owner : null, pooled_at: pooled ? now - random.int(1, 6) * DAY : null, next_follow_at: lives && !pooled && stage !== S.fresh ? now + random.int(-2, 5) * DAY + random.int(0, 30_000) : null, last_follow_at: last,
      ...(lives && !pooled && { protect_until: now + random.int(1, POOL.days) * DAY - random.int(0, 40_000), max_until: now + random.int(POOL.days, POOL.most) * DAY }), order_no: order?.order_no ?? null, lost_reason: stage === S.void ? random.pick(LOST) : null, stage, created_at, created_by: owner,
    } }
  }
  const all = Array.from({ length: SIZE }, (_, index) => build(index)).sort((a, b) => a.row.created_at - b.row.created_at)
  await seedTransaction(db, async (tx) => {
    const ids = await insertMany(tx, clue, all.map(({ row }) => row))
    const follows = all.flatMap(({ talks, last, owner, row }, index) => Array.from({ length: talks }, (_, n) => ({ clue: ids[index], staff: owner, at: n === talks - 1 ? last ?? row.created_at : row.created_at + Math.floor((((last ?? row.created_at) - row.created_at) * (n + 1)) / (talks + 1)), way: random.pick(['call', 'wechat', 'visit']), body: random.pick(TALKS) }))).sort((a, b) => a.at - b.at)
    await tx.query(sql`insert into clue_follow (clue_id, staff_id, at, way, body) select clue, staff, to_timestamp(at), way, body from jsonb_to_recordset(${JSON.stringify(follows)}::jsonb) as r (clue bigint, staff bigint, at float8, way text, body text) order by at`)
    await tx.query(sql`insert into clue_owner_log (clue_id, staff_id, from_at, to_at, cause) select id, coalesce(owner_id, last_owner_id), created_at, pooled_at, 'own' from clue where coalesce(owner_id, last_owner_id) is not null`)
  })
  report(`已生成 ${SIZE} 条线索，其中 ${Math.min(sold.length, SIZE)} 条已报名`)
}

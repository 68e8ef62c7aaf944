import { sql } from 'drizzle-orm'
import type { Database } from '../../core/database/database.server.ts'
import { insertMany, seedTransaction } from '../../core/setup/insert-many.server.ts'
import { PEOPLE, person } from '../../core/setup/people.ts'
import { PLACES } from '../../core/setup/places.ts'
import { seasonalMoment, seededRandom, type Random } from '../../core/setup/random.ts'
import { FIRST_USER_NO } from './user.server.ts'
import { appUser, USER_STATUS } from './user.ts'

const DAY = 86_400
const USERS = 3000
/** Of these, so many are people whom the study rooms know: first students, then parents. */
const STUDENTS = 1200
const PARENTS = 600
/** How many students and parents the study rooms' demo has. */
const KNOWN = 9000

const NICKNAMES = ('小太阳 追光者 一只小熊 学习使我快乐 星辰大海 风继续吹 橘子汽水 向日葵 夏天的风 小鹿乱撞 奔跑的蜗牛 数学小王子 背单词的猫 月亮不睡 薄荷糖 山有木兮 '
  + '清风徐来 乘风破浪 不想写作业 今天也要加油 半糖主义 云朵棉花糖 考试必过 努力的小白 柠檬茶 海边的星 小小梦想家 逆风飞翔 早起的鸟 南风知我意').split(' ')
const SCHOOL_KINDS = ['第一中学', '第二中学', '实验中学', '外国语学校', '第三中学', '育才中学', '附属中学', '第五中学', '高级中学']
const TAGS = ['高意向', '自习室学员', '中考', '高考', '家长群', '续费', '老带新', '公开课']

/** Year in which a grade sits the university entrance examination; school years begin in September. */
function examYear(grade: number, now: number): number {
  const today = new Date(now * 1000)
  const ends = today.getUTCFullYear() + (today.getUTCMonth() >= 8 ? 1 : 0)
  return ends + 12 - grade
}

/** Who a user is: somebody whom the study rooms know, or somebody new. */
function makePerson(random: Random, index: number) {
  if (index < STUDENTS) return { ...person(PEOPLE.student + (index * 7) % KNOWN, 'child'), role: 1 } as const
  if (index < STUDENTS + PARENTS) return { ...person(PEOPLE.parent + (index * 11) % KNOWN, 'adult'), role: 2 } as const
  const role = random.weighted([[1, 82], [2, 14], [3, 4]])
  return { ...person(PEOPLE.user + index, role === 1 ? 'child' : 'adult'), role } as const
}

function makeUser(random: Random, index: number, now: number, channels: readonly number[], agents: readonly number[]) {
  const { name, gender, mobile, role } = makePerson(random, index)
  const register_at = seasonalMoment(random, now - 548 * DAY, now)
  const { city, code } = random.pick(PLACES)
  const grade = role === 1 ? random.weighted([[7, 14], [8, 15], [9, 18], [10, 15], [11, 14], [12, 18], [6, 4], [5, 2]]) : null
  const age = grade === null ? random.int(32, 48) : grade + 6
  const status = random.weighted([[USER_STATUS.normal, 965], [USER_STATUS.frozen, 15], [USER_STATUS.closing, 8], [USER_STATUS.closed, 12]])
  const nickname = random.chance(0.3) ? name : `${random.pick(NICKNAMES)}${random.chance(0.6) ? random.int(1, 9999) : ''}`
  return {
    mobile,
    nickname,
    real_name: random.chance(0.7) ? name : null,
    gender: random.chance(0.8) ? gender : null,
    birthday: random.chance(0.4) ? Math.floor(now / DAY) * DAY - age * 365 * DAY - random.int(0, 364) * DAY - 8 * 3600 : null,
    role,
    grade,
    exam_year: grade !== null && grade >= 9 ? examYear(grade, now) : null,
    school: grade !== null && random.chance(0.75) ? `${city}市${random.pick(SCHOOL_KINDS)}` : null,
    region_code: random.chance(0.85) ? code : null,
    channel_id: channels.length > 0 && random.chance(0.95) ? random.pick(channels) : null,
    agent_id: agents.length > 0 && random.chance(0.3) ? random.pick(agents) : null,
    register_at,
    last_login_at: random.chance(0.93) ? Math.max(register_at, Math.floor(now - random.next() ** 2 * 200 * DAY)) : null,
    wechat_bound: random.chance(0.55) ? 1 : 0,
    tags: TAGS.filter(() => random.chance(0.08)),
    status,
    created_at: register_at,
  } as const
}

/** Three thousand users; many of them also study in the study rooms, so that their overview has something to show. */
export async function insertUserDemo(db: Database, report: (text: string) => void): Promise<void> {
  const random = seededRandom(5)
  const now = Math.floor(Date.now() / 1000)
  await seedTransaction(db, async (tx) => {
    const ids = async (rows: Promise<{ id: number }[]>) => (await rows).map((row) => row.id)
    const channels = await ids(tx.query(sql`select id from channel order by id`))
    const agents = await ids(tx.query(sql`select id from agent where status = 1 order by id`))
    const users = Array.from({ length: USERS }, (_unused, index) => makeUser(random, index, now, channels, agents)).sort((a, b) => a.created_at - b.created_at)
    await insertMany(tx, appUser, users.map((user, index) => ({ ...user, tags: [...user.tags], user_no: String(FIRST_USER_NO + index + 1) })))
  })
  report(`已生成 ${USERS} 位用户`)
}

import type { Database } from '../../core/database/database.server.ts'
import type { RowType } from '../../core/resource/define.ts'
import { seedTransaction } from '../../core/setup/insert-many.server.ts'
import { PEOPLE, person } from '../../core/setup/people.ts'
import { PLACES } from '../../core/setup/places.ts'
import { seasonalMoment, seededRandom, type Random } from '../../core/setup/random.ts'
import { insertNodes } from '../../core/tree/change.server.ts'
import { agent, AGENT_STATUS } from './agent.ts'
import { inviteCode } from './agent.server.ts'

type Type = RowType<typeof agent>['type']

/** How many agents of each type: regions, bookshops, teachers, individuals, campuses. */
const AGENTS = [[1, 10], [2, 16], [3, 12], [4, 14], [5, 8]] as const

const BOOKSHOPS = ['新华书店', '知行书店', '博文书社', '学海书城', '晨光文具图书', '状元书屋', '育英教辅书店', '三味书屋']
const CAMPUSES = ['师范大学', '理工大学', '第一中学', '实验中学', '外国语学校']

/** What an agent of each type is called. */
const names: Record<Type, (random: Random, city: string, name: string) => string> = {
  1: (_random, city, name) => `${city}区域代理（${name}）`,
  2: (random, city, name) => `${city}${random.pick(BOOKSHOPS)}（${name}）`,
  3: (_random, city, name) => `${name}老师（${city}）`,
  4: (_random, city, name) => `${name}（${city}）`,
  5: (random, city, name) => `${city}${random.pick(CAMPUSES)}校园代理（${name}）`,
}

/** Sixty agents: regional ones with sellers of their own below them. */
export async function insertAgentDemo(db: Database, report: (text: string) => void): Promise<void> {
  const random = seededRandom(11)
  const now = Math.floor(Date.now() / 1000)
  const start = now - 18 * 30 * 86_400
  const held = new Set<string>()
  /** The district's city, where nobody holds it yet. */
  const own = (code: string) => {
    const city = code.slice(0, 4)
    if (held.has(city)) return null
    held.add(city)
    return city
  }
  const build = (type: Type, index: number) => {
    const { city, code } = PLACES[(index * 7) % PLACES.length] ?? { city: '苏州', code: '320508' }
    const { name, mobile } = person(PEOPLE.agent + index, 'adult')
    return {
      province: code.slice(0, 2),
      row: {
        name: names[type](random, city, name),
        mobile,
        type,
        region_code: type === 1 ? own(code) : null,
        level_id: random.weighted([[1, type === 1 ? 6 : 1], [2, 3], [3, type === 1 ? 0 : 4]]),
        invite_code: inviteCode((below) => random.int(0, below - 1)),
        quota: type === 1 ? random.int(5, 40) * 100 : random.int(0, 10) * 10,
        balance: 0,
        frozen: 0,
        withdrawn: 0,
        status: random.weighted([[AGENT_STATUS.active, 84], [AGENT_STATUS.pending, 8], [AGENT_STATUS.frozen, 4], [AGENT_STATUS.ended, 4]]),
        created_at: seasonalMoment(random, start, now),
      },
    }
  }
  await seedTransaction(db, async (tx) => {
    let number = 0
    const [regional = [], ...others] = AGENTS.map(([type, count]) => Array.from({ length: count }, () => build(type, number++)))
    const ids = await insertNodes(tx, agent, regional.map(({ row }) => row))
    await insertNodes(tx, agent, others.flat().map(({ province, row }) => {
      const above = ids.filter((_id, index) => regional[index]?.province === province)
      return { ...row, parent_id: above.length > 0 && random.chance(0.8) ? random.pick(above) : null }
    }))
  })
  report(`已生成 ${AGENTS.reduce((sum, [, count]) => sum + count, 0)} 个代理`)
}

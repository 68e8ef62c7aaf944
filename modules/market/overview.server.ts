import { sql } from 'drizzle-orm'
import { choiceLabel } from '../../core/field/choice.ts'
import type { OverviewSection } from '../../core/kernel/overview.server.ts'
import type { Resource } from '../../core/resource/define.ts'
import { listCondition } from '../../core/resource/where.server.ts'
import { CHARITY_PATH } from './charity-apply.ts'
import { charityUser, marketUser, OPENING_STATES } from './opening.ts'

/** What somebody was given without money, by one way of giving. Whoever stands on a list has no account yet, but a number. */
const section = (resource: Resource, title: string, screen: string): OverviewSection => ({
  name: resource.name, title, grant: resource.grant,
  async load(db, staff, { id, mobile }) {
    const rows = await db.query<Record<string, unknown> & { state: number }>(sql`select g.id, a.org, o.title, extract(epoch from g.start_at)::float8 as start_at, extract(epoch from g.expire_at)::float8 as expire_at, g.state, g.note
      from market_grant g join apply a on a.id = g.apply_id join offer o on o.id = g.offer_id where g.id in (select id from market_grant where ${listCondition(resource, staff, {})} and (user_id = ${id} or (user_id is null and mobile = ${mobile}))) order by g.id desc limit 50`)
    return {
      screen,
      columns: [
        { key: 'org', title: '单位', as: 'text' }, { key: 'title', title: '内容', as: 'text' }, { key: 'start_at', title: '开通', as: 'date' }, { key: 'expire_at', title: '到期', as: 'date' },
        { key: 'state', title: '状态', as: 'text' }, { key: 'note', title: '说明', as: 'text' },
      ],
      rows: rows.map(({ state, ...row }) => ({ ...row, state: choiceLabel(OPENING_STATES, state) })),
    }
  },
})

export const openingOverview: OverviewSection[] = [section(marketUser, '市场开通', '/practiceBook/marketUser'), section(charityUser, '公益', `${CHARITY_PATH}?show=people`)]

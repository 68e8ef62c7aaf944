import { sql } from 'drizzle-orm'
import { choiceLabel } from '../../core/field/choice.ts'
import type { OverviewSection } from '../../core/kernel/overview.server.ts'
import { listCondition } from '../../core/resource/where.server.ts'
import { classAccount, GRANT_RIGHTS, GRANT_STATES } from './grant.ts'

/** Courses and plans that somebody uses in rooms, the newest first. */
export const accountOverview: OverviewSection = {
  name: 'class_account',
  title: '课堂课程',
  grant: GRANT_RIGHTS.screen,
  async load(db, staff, { id }) {
    const rows = await db.query<Record<string, unknown> & { state: number }>(sql`select g.name, case when g.kind = 'plan' then '训练计划' else '课程' end as kind, extract(epoch from a.opened_at)::int as opened_at, extract(epoch from g.valid_until)::int as valid_until, g.state, a.state as place,
        (select count(*)::int from plan_done d where d.account_id = a.id) as done
      from class_account a join room_course g on g.id = a.grant_id where a.id in (select id from class_account where ${listCondition(classAccount, staff, { user_id: String(id) })}) order by a.id desc limit 50`)
    return {
      columns: [
        { key: 'name', title: '自习室和内容', as: 'text' }, { key: 'kind', title: '类型', as: 'text' }, { key: 'opened_at', title: '开通', as: 'date' }, { key: 'valid_until', title: '有效期至', as: 'date' },
        { key: 'state', title: '状态', as: 'text' }, { key: 'done', title: '已完成任务', as: 'number' },
      ],
      rows: rows.map(({ state, place, ...row }) => ({ ...row, state: place === 1 ? choiceLabel(GRANT_STATES, state) : '已释放' })),
    }
  },
}

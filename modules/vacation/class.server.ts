import { sql } from 'drizzle-orm'
import { badRequest, invalid } from '../../core/error/error.ts'
import { serve } from '../../core/resource/serve.server.ts'
import { touch } from '../../core/resource/touch.server.ts'
import { moveUp } from './enrol.server.ts'
import { vacationMember } from './member.ts'
import { MEMBER_STATE as M } from './state.ts'
import { vacationClass } from './line.ts'

const members = (state: number) => sql`(select count(*)::int from vacation_member m where m.class_id = t.id and m.state = ${sql.raw(String(state))} and m.deleted_at is null)`

/** Classes: places that are taken, the waiting list that moves up when there are more of them, what the end of a class ends. */
export const classes = serve(vacationClass)({
  computed: {
    enrolled: members(M.in),
    waiting: members(M.waiting),
    seats: sql`case when ${members(M.in)} >= t.capacity then '已满' else '余 ' || (t.capacity - ${members(M.in)}) end`,
  },
  async before({ tx, values, row }) {
    if (row && typeof values.capacity === 'number' && values.capacity < row.capacity) {
      const [taken] = await tx.query<{ n: number }>(sql`select count(*)::int as n from vacation_member where class_id = ${row.id} and state = ${M.in} and deleted_at is null`)
      if (taken && taken.n > values.capacity) throw invalid({ capacity: `班里已有 ${taken.n} 名学员，人数上限不能小于 ${taken.n}` })
    }
    const hours = (values.times ?? []).find(({ hours: text }) => { const [from = '', to = ''] = text.split('-'); return from >= to })
    if (hours) throw invalid({ times: '下课时间应晚于上课时间' })
    if ('group_qr' in values && values.group_qr !== row?.group_qr) Object.assign(values, { qr_at: values.group_qr ? Math.floor(Date.now() / 1000) : null })
  },
  after: ({ tx, saved }) => moveUp(tx, saved.id),
  effects: {
    async finish({ tx, row }) {
      await touch(tx, vacationMember, { state: M.finished }, sql`t.class_id = ${row.id} and t.state = ${M.in} and t.deleted_at is null`)
    },
    async cancel_class({ tx, row }) {
      const [left] = await tx.query<{ n: number }>(sql`select count(*)::int as n from vacation_member where class_id = ${row.id} and state in (${M.in}, ${M.waiting}) and deleted_at is null`)
      if (left && left.n > 0) throw badRequest(`班里还有 ${left.n} 名学员或候补，请先退费或换班`)
    },
  },
})

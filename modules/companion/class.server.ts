import { sql } from 'drizzle-orm'
import { badRequest, invalid } from '../../core/error/error.ts'
import { serve, type ResourceService } from '../../core/resource/serve.server.ts'
import type { ClassResource } from './class.ts'
import { LIVING } from './student.ts'

const living = sql.raw(`(${LIVING.join(', ')})`)

/** Column by which learners name a class: those of a further selection have a column of their own. */
export const classColumn = (place: number): 'class_id' | 'next_class_id' => (place === 0 ? 'class_id' : 'next_class_id')

/** Serves classes of a business. @param place of their screen among those of the business */
export function serveClasses(classes: ClassResource, place: number): ResourceService {
  const column = sql.identifier(classColumn(place))
  return serve(classes)({
    computed: { student_cnt: sql`select count(*)::int from companion_student s where s.${column} = t.id and s.status in ${living} and s.deleted_at is null` },
    before({ values, row }) {
      const [start, end] = [values.start_at ?? row?.start_at, values.end_at ?? row?.end_at]
      if (start && end && end <= start) throw invalid({ end_at: '结课日期应晚于开课日期' })
      const slots = (values.slots ?? row?.slots ?? []) as readonly { weekday?: number; hours?: string }[]
      const clash = slots.find((one, index) => slots.slice(index + 1).some((other) => other.weekday === one.weekday && overlaps(one.hours ?? '', other.hours ?? '')))
      if (values.slots !== undefined && clash) throw invalid({ slots: `同一天的上课时间 ${clash.hours ?? ''} 有重叠` })
    },
    beforeOnlyReads: true,
    effects: {
      async cancel({ tx, row }) {
        const [held] = await tx.query<{ n: number }>(sql`select count(*)::int as n from companion_student s where s.${column} = ${row.id} and s.status in ${living} and s.deleted_at is null`)
        if (held && held.n > 0) throw badRequest(`班级还有 ${held.n} 名学生，不能取消`)
      },
    },
  })
}

/** Whether two times of a day, as 08:00-10:00, have minutes in common. */
function overlaps(one: string, other: string): boolean {
  const [a = '', b = ''] = one.split('-')
  const [c = '', d = ''] = other.split('-')
  return a < d && c < b
}

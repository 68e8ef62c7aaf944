import { sql } from 'drizzle-orm'
import { questionChecks, type SelfCheck } from '../../core/kernel/self-check.server.ts'
import type { Companion } from './companion.ts'
import { COMPANION_GOODS } from './order.ts'

/** Lessons of a learner are what was bought and taken, and never below nothing; one teacher has them at a time (operations 1.10, 1 and 2). */
export const companionChecks = ({ kind }: Companion): SelfCheck[] => questionChecks(kind.label, [
  [`${kind.value}_lessons`, '剩余课时不等于购买减消耗', sql`select s.id, s.lessons_left, s.lessons_bought from companion_student s where s.kind = ${kind.value} and (s.lessons_left < 0
    or s.lessons_left <> (select coalesce(sum(delta), 0) from lesson_entry e where e.student_id = s.id)
    or s.lessons_bought <> (select coalesce(sum(delta), 0) from lesson_entry e where e.student_id = s.id and e.cause in ('order', 'refund'))
    or s.lessons_bought <> (select coalesce(sum(i.granted_qty), 0) from order_item i where i.kind = ${COMPANION_GOODS.lessons} and (i.effect ->> 'student_id')::bigint = s.id))`],
  [`${kind.value}_assigned`, '一名学生同时分给多位教师', sql`select a.student_id as id, count(*)::int as n from companion_assign a join companion_student s on s.id = a.student_id where s.kind = ${kind.value} and a.to_at is null group by 1 having count(*) > 1`],
])

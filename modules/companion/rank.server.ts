import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { handle, type Served } from '../../core/endpoint/serve.server.ts'
import { badRequest, defineError, invalid } from '../../core/error/error.ts'
import type { Kernel } from '../../core/kernel/kernel.server.ts'
import { keepUndo } from '../../core/resource/keep-undo.server.ts'
import { shownName } from '../../core/resource/names.ts'
import { change, type Done } from '../../core/resource/operations.server.ts'
import { setDerived, touch } from '../../core/resource/touch.server.ts'
import type { Companion } from './companion.ts'
import { rankEndpoints, type Ranked, type ScoreLine } from './rank-calls.ts'
import { pipelineOf } from './student.server.ts'
import { CUT, LIVING } from './student.ts'

const living = sql.raw(`(${LIVING.join(', ')})`)
const MOST_POINTS = 1000

const countMoved = defineError('count_moved', 409, (above: number) => `达到分数线的人数已变为 ${above} 人，请重新确认`)

/** Reads a sheet of scores line by line: a number belongs to one learner of the class, and is said once. */
async function readSheet(db: Queryable, { kind }: Companion, { class_id, lines }: { class_id: number; lines: readonly { key: string; score: string }[] }): Promise<ScoreLine[]> {
  const people = await db.query<{ id: number; name: string; mobile: string }>(sql`select id, name, mobile from companion_student where kind = ${kind.value} and class_id = ${class_id} and status in ${living} and deleted_at is null`)
  const seen = new Set<number>()
  return lines.map(({ key, score }, index) => {
    const person = people.find(({ mobile }) => mobile === key.normalize('NFKC').replaceAll(/\s/g, ''))
    const value = Number(score.normalize('NFKC'))
    const why = !person ? '不是该班级的学生' : seen.has(person.id) ? '重复' : score === '' || !Number.isFinite(value) || value < 0 || value > MOST_POINTS ? `成绩应为 0 到 ${MOST_POINTS}` : null
    if (person) seen.add(person.id)
    return { row: index + 1, student_id: person?.id ?? null, name: person?.name ?? null, score: why === null ? Math.round(value * 10) / 10 : null, why }
  })
}

/** Learners of a class by rank; the same score is the same rank. */
async function ranking(db: Queryable, { kind }: Companion, classId: number, line: number): Promise<Ranked[]> {
  return db.query<Ranked & Record<string, unknown>>(sql`select s.id as student_id, s.name, s.score::float8 as score, rank() over (order by s.score desc)::int as rank, s.score >= ${line} as above, c.name as class_name, n.name as next_class_name
    from companion_student s left join companion_class c on c.id = s.class_id left join companion_class n on n.id = s.next_class_id
    where s.kind = ${kind.value} and s.class_id = ${classId} and s.score is not null and s.status in ${living} and s.deleted_at is null order by s.score desc, s.id limit 2000`)
}

/** Scores by a sheet, the line with its live count, and who goes on. */
export function rankCalls(kernel: Kernel, companion: Companion): Served[] {
  const { students, kind } = companion
  const calls = rankEndpoints(companion)
  return [
    handle(calls.checkScores, async (call) => ({ items: (await readSheet(call.db, companion, call.input)).map((line) => ({ ...line, name: line.name && shownName(students, call.staff, line.name) })) })),
    handle(calls.scores, (call) => call.transaction(async (tx) => {
      const lines = await readSheet(tx, companion, call.input)
      const good = lines.flatMap(({ student_id, score, why }) => (why === null && student_id !== null ? [{ id: student_id, score }] : []))
      if (good.length === 0) throw badRequest('没有可以录入的成绩，请检查手机号和分数')
      await touch(tx, students, { score: sql`r.score` } as object, sql`t.id = r.id`, { from: sql`jsonb_to_recordset(${JSON.stringify(good)}::jsonb) as r (id bigint, score numeric)` })
      // Everybody of the class is ranked anew: one score moves those below it.
      await touch(tx, students, { rank: sql`r.rank` } as object, sql`t.id = r.id and t.rank is distinct from r.rank`,
        { from: sql`(select id, rank() over (order by score desc)::int as rank from companion_student where kind = ${kind.value} and class_id = ${call.input.class_id} and score is not null and status in ${living} and deleted_at is null) r` })
      return { saved: good.length }
    }, { action: 'score' })),
    handle(calls.ranking, async (call) => {
      const items = (await ranking(call.db, companion, call.input.class_id, call.input.line)).map((row) => ({ ...row, name: shownName(students, call.staff, row.name) }))
      return { items, above: items.filter(({ above }) => above).length }
    }),
    handle(calls.promote, (call) => call.transaction(async (tx) => {
      const { class_id, next_class_id, line, expected } = call.input
      const [target] = await tx.query<{ capacity: number; held: number }>(sql`select capacity, (select count(*)::int from companion_student s where s.next_class_id = c.id and s.status in ${living} and s.deleted_at is null) as held
        from companion_class c where c.id = ${next_class_id} and kind = ${kind.value} and category = ${companion.classes[1]?.where['category'] ?? ''} and status in (1, 2) and deleted_at is null for no key update`)
      if (!target) throw invalid({ next_class_id: '班级不存在或已结束，请重新选择' })
      const rows = await ranking(tx, companion, class_id, line)
      const above = rows.filter((row) => row.above)
      // Scores that came in since the person looked are looked at first.
      if (above.length !== expected) throw countMoved(above.length)
      if (above.length === 0) throw badRequest('没有学生达到分数线')
      if (target.held + above.length > target.capacity) throw invalid({ next_class_id: `该班级还能容纳 ${Math.max(0, target.capacity - target.held)} 人` })
      const pipeline = pipelineOf(kernel, students, { ...call.staff, modules: new Set([...call.staff.modules, students.actions.edit ?? 0]) })
      const done: Done[] = []
      for (const { student_id } of [...above].sort((a, b) => a.student_id - b.student_id)) done.push(await change(tx, pipeline, student_id, { next_class_id }))
      const out = rows.filter((row) => !row.above)
      if (out.length > 0) await setDerived(tx, students, { cut: CUT.out } as object, out.map(({ student_id }) => student_id))
      const undo = await keepUndo(tx, { resource: students, staff: call.staff, action: 'promote' }, done)
      return { up: above.length, out: out.length, ...(undo !== undefined && { undo }) }
    }, { action: 'promote', reason: call.input.reason })),
  ]
}

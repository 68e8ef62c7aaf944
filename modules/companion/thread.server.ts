import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { defineError, invalid, notFound, wrongState } from '../../core/error/error.ts'
import { choiceLabel } from '../../core/field/choice.ts'
import { formatTime } from '../../core/field/time.ts'
import { publishRecords } from '../../core/live/live.server.ts'
import { setDerived } from '../../core/resource/touch.server.ts'
import { companionTeacher } from './teacher.ts'
import type { Companion } from './companion.ts'
import { writeLessons } from './lessons.server.ts'
import { threadMoved } from './live.ts'
import { PROGRESS, PROGRESS_EDGES, PROGRESS_STATES, type Marks, type MessageKind, type Progress, type ProgressAction } from './progress.ts'
import { isMarked, TASK_STATE } from './task.ts'

/** Somebody else marked it since the person looked; both marks stay in the thread. */
const markedMeanwhile = defineError('marked_meanwhile', 409, (name: string, at: string) => `已由 ${name} 于 ${at} 批改`)

/** A learner's place in a task, locked, with what the task says. */
interface StudentTask {
  task_id: number
  student_id: number
  teacher_id: number | null
  status: Progress
  score: number | null
  late: number
  graded_at: number | null
  graded_name: string | null
  last_id: number
  read_id: number
  task_kind: string
  lessons: number
  full: number
  auto: number
  due_at: number
  state: number
  title: string
}

/** Locks a learner's place in a task of the business. @throws AppError notFound */
export async function lockPlace(tx: Queryable, { kind: { value } }: Pick<Companion, 'kind'>, taskId: number, studentId: number): Promise<StudentTask> {
  const [row] = await tx.query<StudentTask & Record<string, unknown>>(sql`select p.task_id, p.student_id, p.teacher_id, p.status, p.score::float8 as score, p.late, extract(epoch from p.graded_at)::float8 as graded_at,
      g.name as graded_name, p.last_id, p.read_id, t.task_kind, t.lessons, t.full::float8 as full, t.auto, extract(epoch from t.due_at)::float8 as due_at, t.state, t.title
    from task_student p join companion_task t on t.id = p.task_id and t.kind = ${value} and t.deleted_at is null left join staff g on g.id = p.graded_by
    where p.task_id = ${taskId} and p.student_id = ${studentId} for no key update of p`)
  if (!row) throw notFound('该学生的任务')
  return row
}

/** Something that is said. */
export interface Said {
  readonly side: 'student' | 'teacher' | 'system'
  readonly kind: MessageKind
  readonly body?: string | null
  readonly files?: readonly string[]
  readonly marks?: Marks | null
  readonly seconds?: number | null
  readonly staffId?: number | null
  /** Sent with a retry: what was said once is not said twice. */
  readonly clientKey?: string | null
}

/**
 * Adds a message to a locked place and tells the consoles of those who look after the learner.
 * @returns the message's id; that of the first one when it was sent twice
 */
export async function say(tx: Queryable, { students }: Pick<Companion, 'students'>, place: Pick<StudentTask, 'task_id' | 'student_id'>, said: Said): Promise<number> {
  const { side, kind, body = null, files = [], marks = null, seconds = null, staffId = null, clientKey = null } = said
  const [known] = clientKey === null ? [] : await tx.query<{ id: number }>(sql`select id from task_message where task_id = ${place.task_id} and student_id = ${place.student_id} and client_key = ${clientKey}`)
  if (known) return known.id
  const [message] = await tx.query<{ id: number }>(sql`insert into task_message (task_id, student_id, side, kind, staff_id, body, files, marks, seconds, client_key)
    values (${place.task_id}, ${place.student_id}, ${side}, ${kind}, ${staffId}::bigint, ${body}::text, ${sql.param([...files])}::text[], ${marks === null ? null : JSON.stringify(marks)}::jsonb, ${seconds}::int, ${clientKey}::text) returning id`)
  const id = message?.id ?? 0
  await tx.query(sql`update task_student set last_id = ${id}, last_at = now(), unread = unread + ${side === 'student' ? 1 : 0} where task_id = ${place.task_id} and student_id = ${place.student_id}`)
  if (side !== 'system') await setDerived(tx, students, (side === 'student' ? { last_study_at: sql`now()` } : { last_talk_at: sql`now()` }) as object, place.student_id)
  const people = await tx.query<{ staff_id: number }>(sql`select t.staff_id from companion_student s join companion_teacher t on t.id = s.teacher_id where s.id = ${place.student_id}`)
  await publishRecords(tx, people.length > 0 ? people.map(({ staff_id }) => staff_id) : 'all', threadMoved, [place.student_id])
  return id
}

/**
 * Says up to where the responsible teacher has read. What came while the page opened is after it and stays unread.
 * @param upTo id of the newest message that was seen; undefined: the newest of this moment
 */
export async function markRead(tx: Queryable, taskId: number, studentIds: readonly number[], upTo?: number): Promise<void> {
  await tx.query(sql`update task_student p set read_id = greatest(p.read_id, least(${upTo ?? null}::bigint, p.last_id)),
      unread = (select count(*) from task_message m where m.task_id = p.task_id and m.student_id = p.student_id and m.side = 'student' and m.id > greatest(p.read_id, coalesce(least(${upTo ?? null}::bigint, p.last_id), p.last_id)))
    where p.task_id = ${taskId} and p.student_id = any(${sql.param([...studentIds])}::bigint[])`)
  if (upTo === undefined) await tx.query(sql`update task_student set read_id = last_id where task_id = ${taskId} and student_id = any(${sql.param([...studentIds])}::bigint[])`)
}

/** What somebody does with a learner's task. */
export interface Step {
  readonly action: ProgressAction
  readonly staffId?: number | null
  readonly score?: number | null
  readonly reason?: string
  /** When the marker last saw it marked; somebody else's mark since then is not overwritten unseen. */
  readonly seenMarkAt?: number | null
  /** As the newest message stands when it was marked: what the learner says after it is not answered by the mark. */
  readonly seenId?: number
}

/** Whether what is handed in waits for a teacher. */
const waits = ({ task_kind, auto }: Pick<StudentTask, 'task_kind' | 'auto'>) => isMarked(task_kind) && auto === 0

function stateAfter(place: StudentTask, to: Progress | 'handed in'): Progress {
  if (to !== 'handed in') return to
  if (waits(place)) return PROGRESS.marking
  return place.auto === 1 && isMarked(place.task_kind) ? PROGRESS.marked : PROGRESS.handed
}

const saidOf = (place: StudentTask, { action, score, reason }: Step): Pick<Said, 'kind' | 'body'> => {
  if (action === 'mark') return { kind: 'score', body: score === null || score === undefined ? '已阅' : `${score} / ${place.full} 分` }
  if (action === 'send_back') return { kind: 'state', body: `退回重做：${reason ?? ''}` }
  return { kind: 'state', body: PROGRESS_EDGES[action].label }
}

/**
 * Moves a learner's task along one edge, in the caller's transaction: the lesson that it is worth is taken with the mark and
 * given back when it is returned.
 * @throws AppError when the state has no such edge, when the score is out of range, or when somebody else marked it meanwhile
 */
export async function step(tx: Queryable, companion: Companion, place: StudentTask, what: Step): Promise<Progress> {
  const edge = PROGRESS_EDGES[what.action]
  if (place.state !== TASK_STATE.running && what.action !== 'open') throw wrongState(edge.label, place.state === TASK_STATE.withdrawn ? '任务已撤回' : '任务未发布或已归档')
  if (!edge.from.includes(place.status)) throw wrongState(edge.label, choiceLabel(PROGRESS_STATES, place.status))
  if (what.score !== undefined && what.score !== null && (what.score < 0 || what.score > place.full)) throw invalid({ score: `分数应为 0 到 ${place.full}` })
  if (what.action === 'mark' && what.seenMarkAt !== undefined && place.graded_at !== null && Math.floor(place.graded_at) > Math.floor(what.seenMarkAt ?? 0)) {
    throw markedMeanwhile(place.graded_name ?? '其他教师', formatTime(Math.floor(place.graded_at)).slice(5, 16))
  }
  const to = stateAfter(place, edge.to)
  const id = [place.task_id, place.student_id] as const
  const sets = {
    open: sql`opened_at = now()`,
    submit: sql`submitted_at = now(), late = case when ${place.due_at} < extract(epoch from now()) then 1 else 0 end`,
    mark: sql`score = ${what.score ?? null}::numeric, graded_at = now(), graded_by = ${what.staffId ?? null}::bigint`,
    send_back: sql`returned_n = returned_n + 1, score = null, graded_at = null, graded_by = null`,
  }[what.action]
  await tx.query(sql`update task_student set status = ${to}, ${sets} where task_id = ${id[0]} and student_id = ${id[1]}`)
  if (what.action !== 'open') await say(tx, companion, place, { side: what.action === 'submit' ? 'student' : 'teacher', ...saidOf(place, what), staffId: what.staffId ?? null })
  else await setDerived(tx, companion.students, { last_study_at: sql`now()` } as object, place.student_id)
  await countLessons(tx, companion, place, to, what.staffId ?? null)
  return to
}

/** A lesson is taken once when it is marked, or handed in where nobody marks; returned work gives it back. */
async function countLessons(tx: Queryable, { students }: Companion, place: StudentTask, to: Progress, staffId: number | null): Promise<void> {
  if (place.lessons === 0) return
  const counts = (status: Progress) => status === PROGRESS.marked || status === PROGRESS.handed
  const [was, is] = [counts(place.status), counts(to)]
  if (was === is) return
  const prefix = `task ${place.task_id}:${place.student_id}:`
  const [sum] = await tx.query<{ n: number; net: number }>(sql`select count(*)::int as n, coalesce(sum(delta), 0)::int as net from lesson_entry where student_id = ${place.student_id} and cause in ('task', 'back') and starts_with(ref, ${prefix})`)
  const { n = 0, net = 0 } = sum ?? {}
  await writeLessons(tx, students, place.student_id, is ? -place.lessons : -net, { cause: is ? 'task' : 'back', ref: `${prefix}${n}`, note: place.title, staffId })
}

/** The teacher's record of a member of the staff in a business; undefined when they are none, or not at work. */
export async function teacherOf(db: Queryable, kind: string, staffId: number): Promise<{ id: number; name: string; level: number } | undefined> {
  const [row] = await db.query<{ id: number; name: string; level: number }>(sql`select id, name, level from ${sql.identifier(companionTeacher.table)}
    where staff_id = ${staffId} and ${kind} = any(kinds) and status in (2, 3) and deleted_at is null`)
  return row
}

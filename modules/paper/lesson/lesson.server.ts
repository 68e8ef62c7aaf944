import { sql } from 'drizzle-orm'
import type { Queryable } from '../../../core/database/database.server.ts'
import { handle, idParam, type Call, type Served } from '../../../core/endpoint/serve.server.ts'
import { invalid, notFound, notGranted, wrongState } from '../../../core/error/error.ts'
import { choiceLabel } from '../../../core/field/choice.ts'
import { foldText } from '../../../core/field/field.ts'
import { attachFiles } from '../../../core/resource/attach.server.ts'
import { standardId } from '../../../core/grant/grant.ts'
import type { Kernel } from '../../../core/kernel/kernel.server.ts'
import type { Resource } from '../../../core/resource/define.ts'
import { checkRecord } from '../../../core/resource/rules.ts'
import { pageOf, tooManyForOne } from '../../../core/resource/list.server.ts'
import { touch } from '../../../core/resource/touch.server.ts'
import { likeText } from '../../../core/resource/where.server.ts'
import { checkReferences, insertRow, updateRow } from '../../../core/resource/write.server.ts'
import { readCards } from '../../practice/door.server.ts'
import { createMicroLesson, lessonPlays, lessonPractices, microLessons, receivePlays, setLessonPractices, setMicroLessonStatus, updateMicroLesson, type MicroLesson } from './calls.ts'
import { LESSON_STATE, LESSON_STATES, LESSONS } from './lesson.ts'

/** Share of a lesson that somebody who finished it has watched. */
const FINISHED = 0.9

/** SQL of what a lesson's row works out. */
export const lessonComputed = {
  practice_count: sql`(select count(*)::int from micro_practice m where m.lesson_id = t.id)`,
  play_count: sql`(select count(*)::int from micro_play p where p.lesson_id = t.id)`,
  finished_share: sql`(select avg(finished::int)::float8 from micro_play p where p.lesson_id = t.id)`,
}

interface LessonRow { id: number; level: number; subject_id: number; duration: number; state: number }

/** Stages whose lessons the person may open. */
const levelsOf = ({ staff: { modules, scopes } }: Pick<Call, 'staff'>) =>
  LESSONS.flatMap(({ grant }, level) => (modules.has(grant) && (scopes.level?.includes(level) ?? true) ? [level] : []))

/** Condition of lessons within reach. */
const within = (call: Pick<Call, 'staff'>) => sql`t.deleted_at is null and t.level = any(${sql.param(levelsOf(call))}::int[])${call.staff.scopes.subject ? sql` and t.subject_id = any(${sql.param([...call.staff.scopes.subject])}::bigint[])` : sql``}`

/** A lesson within reach, locked when it is to be changed by a right of its own. */
async function findLesson(db: Queryable, call: Call, right?: 'edit' | 'approve'): Promise<LessonRow> {
  const [lesson] = await db.query<LessonRow>(sql`select t.id, t.level, t.subject_id, t.duration::int as duration, t.state from micro_lesson t where t.id = ${idParam(call)} and ${within(call)}${right ? sql` for no key update` : sql``}`)
  const resource = LESSONS[lesson?.level ?? -1]
  if (!lesson || !resource) throw notFound('微课')
  if (right && !call.staff.modules.has(resource.rights.id(right))) throw notGranted(`微课 · ${resource.rights.title(right)}`)
  return lesson
}

/** The official questions of a subject among these, in their order; refuses others. */
async function replacePractices(tx: Queryable, lesson: Pick<LessonRow, 'id' | 'subject_id'>, ids: readonly number[]): Promise<void> {
  const wanted = [...new Set(ids)]
  const found = await tx.query<{ id: number }>(sql`select id from practice where id = any(${sql.param(wanted)}::bigint[]) and subject_id = ${lesson.subject_id} and deleted_at is null`)
  if (found.length < wanted.length) throw invalid({ practice_ids: '试题不存在、已删除或不属于这个学科' })
  await tx.query(sql`delete from micro_practice where lesson_id = ${lesson.id}`)
  if (wanted.length > 0) await tx.query(sql`insert into micro_practice (lesson_id, practice_id, ord) select ${lesson.id}::bigint, p.id, p.ord from unnest(${sql.param(wanted)}::bigint[]) with ordinality as p(id, ord)`)
}

const cardsOf = async (call: Call, db: Queryable, id: number) => {
  const rows = await db.query<{ practice_id: number }>(sql`select practice_id from micro_practice where lesson_id = ${id} order by ord`)
  const ids = rows.map((row) => row.practice_id)
  const cards = new Map((await readCards(db, call.staff, ids)).map((card) => [card.id, card]))
  return { items: ids.flatMap((one) => cards.get(one) ?? []) }
}

/** Values of a body in the spec's words, by the rules of the form. */
async function checkBody(tx: Queryable, call: Call, resource: Resource, targets: ReadonlyMap<string, Resource>, body: Readonly<Record<string, unknown>> & { label_ids?: number[] | undefined }, row?: Readonly<LessonRow>): Promise<Record<string, unknown>> {
  const [label_id, ...label_ids] = body.label_ids ?? []
  const { values, errors } = checkRecord(resource, { ...body, ...(body.label_ids && { label_id, label_ids }) }, row !== undefined)
  if (Object.keys(errors).length > 0) throw invalid(errors)
  await checkReferences(tx, resource, targets, call.staff, values, row && { ...row })
  await attachFiles(tx, resource, values, call.staff.id)
  return values
}

/** The calls of micro lessons beside those of their lists. */
export function lessonCalls({ registry }: Pick<Kernel, 'registry'>): Served[] {
  const targets = new Map([...registry].map(([name, known]) => [name, known.resource]))
  const resourceOf = (level: number | undefined) => targets.get(LESSONS[level ?? -1]?.name ?? '')
  return [
    handle(microLessons, async (call) => {
      const { cat_id, label_id, status, keyword } = call.input
      const { page, size, all } = pageOf(call.input)
      const where = sql.join([
        within(call),
        ...(cat_id ? [sql`t.subject_id = ${Number(cat_id)}`] : []),
        ...(status ? [sql`(t.state = ${LESSON_STATE.shelved})::int = ${Number(status)}`] : []),
        ...(keyword ? [sql`t.name ilike ${`%${likeText(foldText(keyword))}%`}`] : []),
        ...(label_id ? [sql`exists (select 1 from label l where (l.id = t.label_id or l.id = any(t.label_ids)) and (l.id = ${Number(label_id)} or l.path like ${`%/${label_id}/%`}))`] : []),
      ], sql` and `)
      const [items, [count]] = await Promise.all([
        call.db.query<MicroLesson>(sql`select t.id, t.name, t.subject_id as cat_id, t.label_id || coalesce(t.label_ids, '{}') as label_ids, t.teacher, t.video, t.duration::int as duration, t.cover, t.code_url, (t.state = ${LESSON_STATE.shelved})::int as status, t.state
          from micro_lesson t where ${where} order by t.id desc limit ${sql.raw(String(size))} offset ${page * size}`),
        call.db.query<{ n: number }>(sql`select count(*)::int as n from micro_lesson t where ${where}`),
      ])
      if (all && (count?.n ?? 0) > size) throw tooManyForOne()
      return { items, total: count?.n ?? 0 }
    }),
    handle(createMicroLesson, (call) => call.transaction(async (tx) => {
      const [found] = await tx.query<{ level: number }>(sql`select level from subject where id = ${call.input.cat_id} and deleted_at is null`)
      const resource = resourceOf(found?.level)
      const { subject: subjects } = call.staff.scopes
      if (!found || !resource || !levelsOf(call).includes(found.level) || !(subjects?.includes(call.input.cat_id) ?? true)) throw invalid({ cat_id: '请选择学科' })
      if (!call.staff.modules.has(standardId(resource.grant, 'edit'))) throw notGranted('微课 · 新增和编辑')
      const values = await checkBody(tx, call, resource, targets, call.input)
      const { id } = await insertRow(tx, resource, call.staff.id, values, lessonComputed)
      await replacePractices(tx, { id, subject_id: call.input.cat_id }, call.input.practice_ids ?? [])
      return { id }
    })),
    handle(updateMicroLesson, (call) => call.transaction(async (tx) => {
      const lesson = await findLesson(tx, call, 'edit')
      const resource = resourceOf(lesson.level)
      if (!resource) throw notFound('微课')
      const values = await checkBody(tx, call, resource, targets, call.input, lesson)
      if (Object.keys(values).length > 0) await updateRow(tx, resource, lesson.id, values, lessonComputed)
      if (call.input.practice_ids) await replacePractices(tx, lesson, call.input.practice_ids)
      return {}
    })),
    handle(setMicroLessonStatus, (call) => call.transaction(async (tx) => {
      const lesson = await findLesson(tx, call, 'approve')
      const { status } = call.input
      // The call knows no submission: a person who may approve puts a draft on the shelf in one step.
      const from: readonly number[] = status === 1 ? [LESSON_STATE.draft, LESSON_STATE.waiting, LESSON_STATE.off] : [LESSON_STATE.shelved]
      if (!from.includes(lesson.state)) throw wrongState(status === 1 ? '上架' : '下架', choiceLabel(LESSON_STATES, lesson.state))
      await touch(tx, LESSONS[0], { state: status === 1 ? LESSON_STATE.shelved : LESSON_STATE.off }, lesson.id)
      return {}
    })),
    handle(lessonPractices, async (call) => cardsOf(call, call.db, (await findLesson(call.db, call)).id)),
    handle(setLessonPractices, (call) => call.transaction(async (tx) => {
      const lesson = await findLesson(tx, call, 'edit')
      await replacePractices(tx, lesson, call.input.practice_ids)
      return cardsOf(call, tx, lesson.id)
    })),
    handle(receivePlays, (call) => call.transaction(async (tx) => {
      const { plays } = call.input
      const rows = await tx.query(sql`insert into micro_play (lesson_id, user_id, at, seconds, finished)
        select t.id, p.user_id, to_timestamp(p.at), p.seconds, p.seconds >= t.duration * ${FINISHED}::numeric
        from jsonb_to_recordset(${JSON.stringify(plays.map(({ user_id = 0, ...one }) => ({ ...one, user_id })))}::jsonb) as p(lesson_id bigint, user_id bigint, at bigint, seconds int)
        join micro_lesson t on t.id = p.lesson_id and ${within(call)}
        on conflict do nothing returning 1`)
      return { received: rows.length }
    })),
    handle(lessonPlays, async (call) => {
      const { id } = await findLesson(call.db, call)
      // spec 9: days are those of China.
      return { days: await call.db.query<{ day: string; plays: number; finished: number }>(sql`select to_char(at at time zone 'Asia/Shanghai', 'YYYY-MM-DD') as day, count(*)::int as plays, sum(finished::int)::int as finished from micro_play where lesson_id = ${id} group by 1 order by 1`) }
    }),
  ]
}

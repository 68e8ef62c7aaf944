import { sql } from 'drizzle-orm'
import type { Database, Queryable } from '../../core/database/database.server.ts'
import { handle, idParam, type Served } from '../../core/endpoint/serve.server.ts'
import { badRequest, defineError, invalid, notFound, notTeacher } from '../../core/error/error.ts'
import { formatDate } from '../../core/field/time.ts'
import type { Kernel } from '../../core/kernel/kernel.server.ts'
import type { PublicPage } from '../../core/public-page/page.ts'
import { createPublicLink, revokePublicLinks, type PublicPageKind } from '../../core/public-page/public-page.server.ts'
import { present, readOne } from '../../core/resource/list.server.ts'
import { change, create, remove, transition } from '../../core/resource/operations.server.ts'
import { serve, type ResourceService, type RulesOf } from '../../core/resource/serve.server.ts'
import { setDerived, touch } from '../../core/resource/touch.server.ts'
import type { Companion } from './companion.ts'
import { FINISHED, PROGRESS } from './progress.ts'
import { reportEndpoints } from './report-calls.ts'
import { draftOf } from './report-words.ts'
import { FEWEST_WORDS, REPORT_STATE, TAKE_BACK, type Facts, type ReportResource, type ReportRow } from './report.ts'
import { pipelineOf } from './student.server.ts'
import { TRUSTED_LEVEL } from './teacher.ts'
import { teacherOf } from './thread.server.ts'

const S = REPORT_STATE
const DAY = 86_400
const finished = sql.raw(`(${FINISHED.join(', ')})`)

const sentAlready = defineError('report_sent', 409, (period: string) => `该时段已有已发送的报告（${period}）`)

export const REPORT_COMPUTED = {
  summary: sql`select '完成 ' || coalesce(t.facts ->> 'done', '0') || ' / ' || coalesce(t.facts ->> 'tasks', '0') || ' 个任务' || coalesce('，得分率 ' || (t.facts ->> 'score') || '%', '')`,
}

/**
 * Counts what somebody did in a time: every figure comes from their tasks and messages.
 * @param from first day, `to` last day, both the starts of days in unix seconds
 */
export async function factsOf(db: Queryable, studentId: number, from: number, to: number): Promise<Facts> {
  const end = to + DAY
  const within = (column: string, start: number, stop: number) => sql`${sql.raw(column)} >= to_timestamp(${start}) and ${sql.raw(column)} < to_timestamp(${stop})`
  const share = (start: number, stop: number) => sql`(select round(100 * avg(p.score / t.full), 1)::float8 from task_student p join companion_task t on t.id = p.task_id where p.student_id = ${studentId} and p.status = ${PROGRESS.marked} and p.score is not null and ${within('p.graded_at', start, stop)})`
  const [row] = await db.query<Omit<Facts, 'marks'> & Record<string, unknown>>(sql`select count(*)::int as tasks, count(*) filter (where p.status in ${finished})::int as done, count(*) filter (where p.late = 1)::int as late,
      ${share(from, end)} as score, ${share(from - (end - from), from)} as before,
      (select count(*)::int from task_message m where m.student_id = ${studentId} and m.side = 'student' and ${within('m.at', from, end)}) as messages,
      (select count(distinct (m.at at time zone 'Asia/Shanghai')::date)::int from task_message m where m.student_id = ${studentId} and m.side = 'student' and ${within('m.at', from, end)}) as days,
      (select coalesce(-sum(e.delta), 0)::int from lesson_entry e where e.student_id = ${studentId} and e.cause in ('task', 'back') and ${within('e.at', from, end)}) as lessons
    from task_student p join companion_task t on t.id = p.task_id and t.deleted_at is null where p.student_id = ${studentId} and ${within('t.due_at', from, end)}`)
  const marks = await db.query<Facts['marks'][number] & Record<string, unknown>>(sql`select t.title, extract(epoch from p.graded_at)::float8 as at, p.score::float8 as score, t.full::float8 as full from task_student p join companion_task t on t.id = p.task_id
    where p.student_id = ${studentId} and p.score is not null and ${within('p.graded_at', from, end)} order by p.graded_at limit 60`)
  return { tasks: 0, done: 0, late: 0, messages: 0, lessons: 0, days: 0, ...row, marks }
}

/** Refuses a period for which parents have a report already. */
async function checkPeriod(tx: Queryable, row: { id: number; student_id: number; from_at: number; to_at: number }): Promise<void> {
  const [other] = await tx.query<{ from_at: number; to_at: number }>(sql`select extract(epoch from from_at)::float8 as from_at, extract(epoch from to_at)::float8 as to_at from companion_report
    where student_id = ${row.student_id} and id <> ${row.id} and state in (${S.sent}, ${S.read}) and deleted_at is null and from_at <= to_timestamp(${row.to_at}) and to_at >= to_timestamp(${row.from_at}) limit 1`)
  if (other) throw sentAlready(`${formatDate(other.from_at)} 至 ${formatDate(other.to_at)}`)
}

/** Sends a report: its figures are those of this moment from now on, and parents can open it. */
async function send(tx: Queryable, reports: ReportResource, pages: Pick<PublicPageKind, 'name'>, row: ReportRow, staffId: number): Promise<void> {
  await checkPeriod(tx, row)
  await setDerived(tx, reports, { facts: await factsOf(tx, row.student_id, row.from_at, row.to_at), sent_at: sql`now()` }, row.id)
  await createPublicLink(tx, pages, row.id, staffId)
}

const pageName = ({ kind }: Companion) => ({ name: `${kind.value}_report` })

/** Serves the reports of a business. */
export function serveReports(companion: Companion, reports: ReportResource): ResourceService {
  const rules: RulesOf<ReportResource> = {
    computed: REPORT_COMPUTED,
    async before({ tx, values, row }) {
      const [from, to] = [values.from_at ?? row?.from_at, values.to_at ?? row?.to_at]
      if (from && to && to < from) throw invalid({ to_at: '结束日期不能早于起始日期' })
      const student = values.student_id ?? row?.student_id
      if (values.student_id !== undefined) {
        const [of] = await tx.query<{ teacher_id: number | null }>(sql`select teacher_id from companion_student where id = ${values.student_id}`)
        values['teacher_id'] = of?.teacher_id ?? null
      }
      if (student && from && to) values['facts'] = await factsOf(tx, student, from, to)
    },
    effects: {
      async submit({ tx, row }) {
        if ((row.words ?? '').length < FEWEST_WORDS) throw invalid({ words: `教师评语至少 ${FEWEST_WORDS} 字` })
        await checkPeriod(tx, row)
      },
      send: ({ tx, staff, row }) => send(tx, reports, pageName(companion), row, staff.id),
      async withdraw({ tx, row }) {
        if (row.sent_at !== null && Date.now() / 1000 - row.sent_at > TAKE_BACK) throw badRequest('报告发送已超过 24 小时，不能撤回')
        await revokePublicLinks(tx, pageName(companion), row.id)
      },
    },
  }
  return serve(reports)(rules)
}

const percent = (value: number | null | undefined) => (value === null || value === undefined ? '—' : `${value}%`)

/** What parents see of a report, and their answer to it. */
export function reportPages(companion: Companion, reports: ReportResource): PublicPageKind {
  const read = async (tx: Queryable, id: number) => {
    const [row] = await tx.query<Record<string, unknown> & { id: number; name: string; teacher: string | null; facts: Facts; words: string; plan: string | null; from_at: number; to_at: number; reply: string | null; state: number }>(sql`select r.id, s.name, t.name as teacher, r.facts, r.words, r.plan,
        extract(epoch from r.from_at)::float8 as from_at, extract(epoch from r.to_at)::float8 as to_at, r.reply, r.state
      from companion_report r join companion_student s on s.id = r.student_id left join companion_teacher t on t.id = r.teacher_id where r.id = ${id} and r.state in (${S.sent}, ${S.read}) and r.deleted_at is null`)
    return row
  }
  return {
    ...pageName(companion),
    async load(tx, link): Promise<PublicPage | undefined> {
      const row = await read(tx, link.refId)
      if (!row) return undefined
      if (row.state === S.sent) await touch(tx, reports, { state: S.read, read_at: sql`now()` }, row.id)
      const { facts } = row
      return {
        title: `${row.name}的学习报告`,
        blocks: [
          { kind: 'text', text: `${formatDate(row.from_at)} 至 ${formatDate(row.to_at)}${row.teacher ? ` · ${row.teacher}老师` : ''}` },
          { kind: 'facts', facts: [
            { label: '完成任务', value: `${facts.done} / ${facts.tasks}` }, { label: '逾期提交', value: `${facts.late} 次` }, { label: '得分率', value: percent(facts.score) },
            { label: '上一阶段得分率', value: percent(facts.before) }, { label: '学习天数', value: `${facts.days} 天` }, { label: '上课', value: `${facts.lessons} 节` },
          ] },
          ...(facts.marks.length > 0 ? [{ kind: 'heading' as const, text: '每次成绩' }, { kind: 'table' as const, columns: ['日期', '任务', '得分'], rows: facts.marks.map(({ at, title, score, full }) => [formatDate(at).slice(5), title, `${score} / ${full}`]) }] : []),
          { kind: 'heading', text: '老师的话' }, { kind: 'text', text: row.words },
          ...(row.plan ? [{ kind: 'heading' as const, text: '下阶段计划' }, { kind: 'text' as const, text: row.plan }] : []),
          ...(row.reply ? [{ kind: 'heading' as const, text: '您的回复' }, { kind: 'text' as const, text: row.reply }] : [{ kind: 'ask' as const, key: 'reply', label: '给老师回复', required: true, max: 500, lines: 4 }]),
        ],
        ...(!row.reply && { send: '发送' }),
      } as PublicPage
    },
    async answer(tx, link, answers) {
      const reply = String(answers['reply'] ?? '').trim()
      if (reply === '') throw badRequest('请输入内容')
      await touch(tx, reports, { reply, replied_at: sql`now()` }, link.refId)
      return '已发送给老师，谢谢您'
    },
  }
}

/** The spec's calls of reports, the drafts of many at once, and the link that is sent. */
export function reportCalls(kernel: Kernel, companion: Companion, reports: ReportResource): Served[] {
  const calls = reportEndpoints(companion, reports)
  const { kind } = companion
  const asTeacher = <Who extends { modules: ReadonlySet<number> }>(staff: Who): Who => ({ ...staff, modules: new Set([...staff.modules, reports.grant, reports.actions.edit ?? 0, reports.actions.remove ?? 0, reports.rights.id('takeBack')]) })
  const edge = (name: 'submit' | 'send' | 'withdraw') => reports.transitions.find((one) => one.name === name) ?? (() => { throw new Error(`reports have no ${name}`) })()
  const mine = async (db: Queryable, staffId: number) => {
    const teacher = await teacherOf(db, kind.value, staffId)
    if (!teacher) throw notTeacher()
    return teacher
  }
  const ownReport = async (tx: Queryable, staffId: number, id: number) => {
    const teacher = await mine(tx, staffId)
    const [row] = await tx.query<{ id: number; state: number }>(sql`select r.id, r.state from companion_report r join companion_student s on s.id = r.student_id where r.id = ${id} and r.kind = ${kind.value} and s.teacher_id = ${teacher.id} and r.deleted_at is null`)
    if (!row) throw notFound(reports.label)
    return { ...row, teacher }
  }
  return [
    handle(calls.own, async (call) => {
      const teacher = await mine(call.db, call.staff.id)
      const { student_id } = call.input
      const items = await call.db.query<Record<string, unknown>>(sql`select r.id, r.rev, r.student_id, s.name as student_name, r.period, extract(epoch from r.from_at)::float8 as from_at, extract(epoch from r.to_at)::float8 as to_at, r.words, r.plan, r.facts, r.state,
          extract(epoch from r.sent_at)::float8 as sent_at, extract(epoch from r.read_at)::float8 as read_at, r.reply
        from companion_report r join companion_student s on s.id = r.student_id where r.kind = ${kind.value} and s.teacher_id = ${teacher.id} and r.deleted_at is null${student_id === undefined ? sql`` : sql` and r.student_id = ${student_id}`} order by r.to_at desc, r.id desc limit 200`)
      return { items: items as never, total: items.length }
    }),
    handle(calls.facts, async (call) => {
      const teacher = await mine(call.db, call.staff.id)
      const { student_id, from_at, to_at } = call.input
      const [student] = await call.db.query<{ id: number }>(sql`select id from companion_student where id = ${student_id} and teacher_id = ${teacher.id} and kind = ${kind.value} and deleted_at is null`)
      if (!student) throw notFound('学生')
      return factsOf(call.db as Database, student_id, from_at, to_at)
    }),
    handle(calls.write, (call) => call.transaction(async (tx) => {
      const { id, send: go = false, ...values } = call.input
      const teacher = await mine(tx, call.staff.id)
      const pipeline = pipelineOf(kernel, reports, asTeacher(call.staff))
      if (id !== undefined) await ownReport(tx, call.staff.id, id)
      else {
        const [student] = await tx.query<{ id: number }>(sql`select id from companion_student where id = ${values['student_id'] as number} and teacher_id = ${teacher.id} and kind = ${kind.value} and deleted_at is null`)
        if (!student) throw notFound('学生')
      }
      const { rev, ...sent } = values as { rev?: number }
      let done = id === undefined ? await create(tx, pipeline, sent) : await change(tx, pipeline, id, sent, { rev })
      if (go) {
        done = await transition(tx, pipeline, done.record.id, edge('submit'))
        // Whoever has done it for long sends without a second look.
        if (teacher.level >= TRUSTED_LEVEL) done = await transition(tx, { ...pipeline, staff: { ...pipeline.staff, modules: new Set([...pipeline.staff.modules, reports.rights.id('review')]) } }, done.record.id, edge('send'))
      }
      return present(reports, call.staff, done.record)
    }, { action: 'create' })),
    handle(calls.drop, (call) => call.transaction(async (tx) => {
      const row = await ownReport(tx, call.staff.id, idParam(call))
      const pipeline = pipelineOf(kernel, reports, asTeacher(call.staff))
      if (row.state === S.sent || row.state === S.read) await transition(tx, pipeline, row.id, edge('withdraw'), { reason: call.input.reason ?? '教师撤回' })
      else await remove(tx, pipeline, row.id)
      return {}
    }, { action: 'withdraw', reason: call.input.reason ?? '教师撤回' })),
    handle(calls.link, async (call) => {
      // Who manages reports reads those in their scope; a teacher those of their learners.
      const row = call.staff.modules.has(reports.grant) ? await readOne(call.db, reports, call.staff, idParam(call), REPORT_COMPUTED) : undefined
      const own = row ? undefined : await ownReport(call.db, call.staff.id, idParam(call))
      const id = row?.id ?? own?.id ?? 0
      const [link] = await call.db.query<{ token: string }>(sql`select token from public_link where kind = ${pageName(companion).name} and ref_id = ${id} and revoked_at is null order by id desc limit 1`)
      if (!link) throw badRequest('报告还没有发送')
      return { path: `/new/s/${link.token}` }
    }),
    handle(calls.drafts, (call) => call.transaction(async (tx) => {
      const { ids, period, from_at, to_at } = call.input
      const pipeline = pipelineOf(kernel, reports, call.staff)
      let made = 0
      for (const student_id of [...new Set(ids)].sort((a, b) => a - b)) {
        const [known] = await tx.query<{ id: number }>(sql`select id from companion_report where student_id = ${student_id} and state <> ${S.withdrawn} and deleted_at is null and from_at <= to_timestamp(${to_at}) and to_at >= to_timestamp(${from_at}) limit 1`)
        if (known) continue
        const facts = await factsOf(tx, student_id, from_at, to_at)
        await create(tx, pipeline, { student_id, period, from_at, to_at, words: draftOf(facts) })
        made += 1
      }
      return { made, left_out: new Set(ids).size - made }
    }, { action: 'drafts' })),
  ]
}

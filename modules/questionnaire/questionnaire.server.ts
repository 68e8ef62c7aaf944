import { PassThrough } from 'node:stream'
import { sql } from 'drizzle-orm'
import type { Database, Queryable } from '../../core/database/database.server.ts'
import { handle, idParam, type Call, type Served } from '../../core/endpoint/serve.server.ts'
import { badRequest, invalid, notFound } from '../../core/error/error.ts'
import { choiceLabel } from '../../core/field/choice.ts'
import { listWaiting } from '../../core/inbox/waiting.server.ts'
import type { Sweep } from '../../core/job/sweep.server.ts'
import type { OverviewSection } from '../../core/kernel/overview.server.ts'
import { listTrend } from '../../core/module/dashboard.server.ts'
import { createPublicLink } from '../../core/public-page/public-page.server.ts'
import { asks, optionsOf, type SurveyItem } from '../../core/public-page/survey.ts'
import type { RowType } from '../../core/resource/define.ts'
import { present, readOne } from '../../core/resource/list.server.ts'
import { shownName } from '../../core/resource/names.ts'
import { serve } from '../../core/resource/serve.server.ts'
import { setDerived, touch } from '../../core/resource/touch.server.ts'
import { insertMany } from '../../core/setup/insert-many.server.ts'
import { writeXlsx } from '../../core/sheet/write.server.ts'
import { appUser } from '../user/module.ts'
import { closedWhy, OPEN_COLUMNS, PAGE_KIND, readOpen, takeAnswers, THANKS, timesOf, type Open } from './answer.server.ts'
import { answerQuestionnaire, copyQuestionnaire, excludeAnswer, exportAnswers, openQuestionnaires, questionnaireAnswers, questionnaireCross, questionnaireFigures, questionnaireLink, type AnswerRow } from './calls.ts'
import { itemProblems, keepsMeaning, numberOf, publishProblems } from './check.ts'
import { crossOf, figuresOf } from './figures.server.ts'
import { questionnaire, QUESTIONNAIRE_PATH, QUESTIONNAIRE_RIGHTS, QUESTIONNAIRE_STATE, QUESTIONNAIRE_STATES } from './questionnaire.ts'

const S = QUESTIONNAIRE_STATE
const PAGE = 50
/** Answers that are read at once while they are written into a sheet. */
const BATCH = 500
/** Reason that is kept for what somebody took out by hand. */
const BY_HAND = '人工排除'

const answered = sql`(select count(*)::int from questionnaire_answer a where a.questionnaire_id = t.id)`
const opened = sql`(select coalesce(sum(d.opened), 0)::int from questionnaire_day d where d.questionnaire_id = t.id)`
export const QUESTIONNAIRE_COMPUTED = {
  question_cnt: sql`(select count(*)::int from jsonb_array_elements(coalesce(t.questions, '[]'::jsonb)) q where q ->> 'type' not in ('note', 'page'))`,
  opened, answered, rate: sql`(select case when ${opened} > 0 then least(1, count(*)::numeric / ${opened})::float8 end from questionnaire_answer a where a.questionnaire_id = t.id and a.source = 'page')`,
}

/** Keeps the questions as they are asked from now on, and gives a page to who has none. */
export async function publish(tx: Queryable, row: { id: number; questions?: SurveyItem[] | null }, staffId: number | null): Promise<void> {
  const items = row.questions ?? []
  const [problem] = publishProblems(items)
  if (problem) throw badRequest(problem.id === '' ? problem.words : `${numberOf(items, problem.id)}：${problem.words}`)
  await setDerived(tx, questionnaire, { version: 1, published_at: sql`now()` }, row.id)
  await keepVersion(tx, row.id, 1, items)
  await createPublicLink(tx, PAGE_KIND, row.id, staffId)
}

const keepVersion = (tx: Queryable, id: number, no: number, items: readonly SurveyItem[]) => tx.query(sql`insert into questionnaire_version (questionnaire_id, no, questions) values (${id}, ${no}, ${JSON.stringify(items)}::jsonb)`)

export const questionnaires = serve(questionnaire)({
  computed: QUESTIONNAIRE_COMPUTED,
  before({ values, row }) {
    const [from, to] = [values.start_at === undefined ? row?.start_at : values.start_at, values.end_at === undefined ? row?.end_at : values.end_at]
    if (from && to && to <= from) throw invalid({ end_at: '结束时间应晚于开始时间' })
    if (values.questions === undefined || !row || row.state === S.draft) return
    const [before, after] = [row.questions ?? [], values.questions ?? []]
    if (JSON.stringify(before) === JSON.stringify(after)) return
    if (!keepsMeaning(before, after)) throw invalid({ questions: '已发布的问卷只能改文字和增加选项，其他修改请复制一份' })
    const [problem] = itemProblems(after)
    if (problem) throw invalid({ questions: `${numberOf(after, problem.id)}：${problem.words}` })
    values['version'] = (row.version ?? 1) + 1
  },
  async after({ tx, row, saved }) {
    if (row && saved.state !== S.draft && saved.version !== row.version) await keepVersion(tx, saved.id, saved.version ?? 1, saved.questions ?? [])
  },
  async beforeRemove({ tx, row }) {
    const [one] = await tx.query(sql`select 1 from questionnaire_answer where questionnaire_id = ${row.id} limit 1`)
    if (one) throw badRequest('已有答卷的问卷不能删除，可以结束它')
  },
  effects: {
    async publish({ tx, staff, row }) {
      if (row.end_at && row.end_at <= Date.now() / 1000) throw badRequest('结束时间已过，请先修改')
      await publish(tx, row, staff.id)
    },
  },
})

/** The questionnaire that a call names. */
async function find(call: Pick<Call, 'db' | 'staff' | 'params'>): Promise<RowType<typeof questionnaire>> {
  const row = await readOne(call.db, questionnaire, call.staff, idParam(call as Call), QUESTIONNAIRE_COMPUTED)
  if (!row) throw notFound(questionnaire.label)
  return row
}

interface Stored extends Record<string, unknown> { id: number; at: number; seconds: number; careless: string | null; source: 'page' | 'app'; version: number; values: Record<string, string[]>; user_id: number | null; nickname: string | null; user_no: string | null }

/** An answer in words. */
function wordsOf(item: SurveyItem, given: readonly string[] | undefined): string {
  if (!given) return ''
  const label = (id: string) => optionsOf(item).find((one) => one.id === id)?.label ?? id
  if (item.type === 'matrix') return given.map((cell) => { const [row = '', option = ''] = cell.split(':'); return `${item.rows?.find((one) => one.id === row)?.label ?? row}：${label(option)}` }).join('；')
  if (item.type === 'nps' || item.type === 'rate' || item.type === 'fill' || item.type === 'words' || item.type === 'date') return given.join('')
  return given.map(label).join(item.type === 'rank' ? ' > ' : '、')
}

const readAnswers = (db: Queryable, id: number, more: { only?: 'careless' | 'good' | undefined; before?: number; limit: number; offset?: number }) => db.query<Stored>(sql`select a.id, extract(epoch from a.at)::float8 as at, a.seconds, a.careless, a.source, a.version, a.values, a.user_id, u.nickname, u.user_no
  from questionnaire_answer a left join app_user u on u.id = a.user_id where a.questionnaire_id = ${id} ${more.only === 'careless' ? sql`and a.careless is not null` : more.only === 'good' ? sql`and a.careless is null` : sql``} ${more.before === undefined ? sql`` : sql`and a.id < ${more.before}`}
  order by a.id desc limit ${more.limit} offset ${more.offset ?? 0}`)

/** Every answer as a row of a sheet, the newest first. */
async function* sheetRows(db: Queryable, call: Pick<Call, 'staff'>, id: number, items: readonly SurveyItem[]): AsyncGenerator<Record<string, unknown>> {
  for (let before: number | undefined; ;) {
    const rows = await readAnswers(db, id, { limit: BATCH, ...(before !== undefined && { before }) })
    for (const row of rows) yield { id: row.id, at: Math.floor(row.at), who: row.nickname === null ? '' : `${shownName(appUser, call.staff, row.nickname)}（${row.user_no}）`, seconds: row.seconds, careless: row.careless ?? '', ...Object.fromEntries(items.map((item) => [`q_${item.id}`, wordsOf(item, row.values[item.id])])) }
    if (rows.length < BATCH) return
    before = rows.at(-1)?.id
  }
}

/** The calls of questionnaires beside those of their list. */
export const questionnaireCalls = (): Served[] => [
  handle(copyQuestionnaire, async (call) => {
    const { title, intro, questions, lines, per_user, anonymous } = await find(call)
    const id = await call.transaction(async (tx) => (await insertMany(tx, questionnaire, [{ title: `${title.slice(0, 56)}-副本`, intro: intro ?? null, questions: questions ?? null, lines: lines ?? null, per_user, anonymous, state: S.draft, created_by: call.staff.id }]))[0] ?? 0, { action: 'copy' })
    const made = await readOne(call.db, questionnaire, call.staff, id, QUESTIONNAIRE_COMPUTED)
    if (!made) throw notFound(questionnaire.label)
    return present(questionnaire, call.staff, made)
  }),
  handle(questionnaireLink, async (call) => {
    const { id } = await find(call)
    const [link] = await call.db.query<{ token: string }>(sql`select token from public_link where kind = ${PAGE_KIND.name} and ref_id = ${id} and revoked_at is null order by id desc limit 1`)
    return { path: link ? `/new/s/${link.token}` : null }
  }),
  handle(questionnaireFigures, async (call) => {
    const { id, questions } = await find(call)
    return figuresOf(call.db, id, questions ?? [], call.input.careless === '1')
  }),
  handle(questionnaireCross, async (call) => {
    const { id, questions } = await find(call)
    return crossOf(call.db, id, questions ?? [], { row: call.input.row, col: call.input.col, withCareless: call.input.careless === '1' })
  }),
  handle(questionnaireAnswers, async (call) => {
    const { id, questions } = await find(call)
    const items = (questions ?? []).filter(asks)
    const { only, page = 1 } = call.input
    const [sum] = await call.db.query<{ n: number }>(sql`select count(*)::int as n from questionnaire_answer where questionnaire_id = ${id} ${only === 'careless' ? sql`and careless is not null` : only === 'good' ? sql`and careless is null` : sql``}`)
    const rows = await readAnswers(call.db, id, { only, limit: PAGE, offset: (page - 1) * PAGE })
    return { total: sum?.n ?? 0, items: rows.map((row): AnswerRow => ({
      id: row.id, at: Math.floor(row.at), who: row.nickname === null ? null : shownName(appUser, call.staff, row.nickname), seconds: row.seconds, careless: row.careless, from: row.source, version: row.version,
      values: items.flatMap((item, at) => (row.values[item.id] ? [{ id: item.id, number: at + 1, title: item.title, words: wordsOf(item, row.values[item.id]) }] : [])),
    })) }
  }),
  handle(exportAnswers, async (call) => {
    const { id, title, questions } = await find(call)
    const items = (questions ?? []).filter(asks)
    call.reply.header('content-type', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet')
    call.reply.header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(`${title}-答卷.xlsx`)}`)
    const target = new PassThrough()
    writeXlsx(target, { sheetName: '答卷', rows: sheetRows(call.db, call, id, items), columns: [
      { key: 'id', label: '编号', type: 'number' }, { key: 'at', label: '提交时间', type: 'time' }, { key: 'who', label: '填写人', type: 'text' }, { key: 'seconds', label: '用时（秒）', type: 'number' }, { key: 'careless', label: '未计入统计的原因', type: 'text' },
      ...items.map((item, at) => ({ key: `q_${item.id}`, label: `${at + 1}. ${item.title}`, type: 'text' as const })),
    ] }).catch((error: unknown) => target.destroy(error as Error))
    return target
  }),
  handle(excludeAnswer, async (call) => {
    const { id } = await find(call)
    return call.transaction(async (tx) => {
      const [row] = await tx.query<{ careless: string | null }>(sql`update questionnaire_answer set careless = ${call.input.excluded ? BY_HAND : null} where id = ${idParam(call, 'answer_id')} and questionnaire_id = ${id} returning careless`)
      if (!row) throw notFound('答卷')
      return row
    }, { action: 'exclude' })
  }),
  handle(openQuestionnaires, async ({ db, input: { user_id } }) => {
    const rows = await db.query<Open & { lines: string[] | null }>(sql`select ${OPEN_COLUMNS} from questionnaire q where state = ${S.live} and deleted_at is null and (coalesce(cardinality(lines), 0) = 0
      or exists (select 1 from entitlement e where e.user_id = ${user_id} and e.line = any(q.lines) and e.status = 1 and e.start_at <= now() and e.expire_at > now() and e.deleted_at is null)) order by id desc limit 20`)
    const items = []
    for (const row of rows) {
      if (closedWhy(row) !== undefined || await timesOf(db, row.id, `user ${user_id}`) >= row.per_user) continue
      items.push({ id: row.id, title: row.title, intro: row.intro, version: row.version ?? 1, questions: row.questions ?? [] })
    }
    return { items }
  }),
  handle(answerQuestionnaire, (call) => call.transaction(async (tx) => {
    const { user_id, answers, seconds } = call.input
    const [user] = await tx.query(sql`select 1 from app_user where id = ${user_id} and deleted_at is null and status <> 4`)
    if (!user) throw notFound(appUser.label)
    const open = await readOpen(tx, idParam(call))
    if (!open) throw notFound(questionnaire.label)
    await takeAnswers(tx, open, answers, { source: 'app', user_id, who: `user ${user_id}`, seconds })
    return { message: THANKS }
  }, { action: 'answer' })),
]

/** What is to be looked at before it ends by itself. */
export const questionnaireWaiting = listWaiting(questionnaire, {
  name: 'questionnaire_ending', title: '即将结束的问卷', group: 'watch', verb: '查看', path: QUESTIONNAIRE_PATH, query: ({ now }) => ({ state: [String(S.live)], end_at_start: String(now), end_at_end: String(now + 3 * 86_400) }),
  grant: QUESTIONNAIRE_RIGHTS.id('publish'), due: { at: 'end_at' },
})

/** Answers of somebody who gave their name. */
export const questionnaireOverview: OverviewSection = {
  name: 'questionnaire', title: '问卷', grant: QUESTIONNAIRE_RIGHTS.id('answers'),
  async load(db, _staff, { id }) {
    const rows = await db.query<{ id: number; title: string; state: number; at: number; seconds: number }>(sql`select q.id, q.title, q.state, extract(epoch from a.at)::float8 as at, a.seconds from questionnaire_answer a join questionnaire q on q.id = a.questionnaire_id where a.user_id = ${id} and q.deleted_at is null order by a.id desc limit 50`)
    return {
      columns: [{ key: 'title', title: '问卷', as: 'text' }, { key: 'state', title: '状态', as: 'text' }, { key: 'at', title: '填写时间', as: 'time' }, { key: 'seconds', title: '用时（秒）', as: 'number' }],
      rows: rows.map((row) => ({ ...row, state: choiceLabel(QUESTIONNAIRE_STATES, row.state) })), screen: QUESTIONNAIRE_PATH,
    }
  },
}

/** Questionnaires that went out, on home. */
export const publishedTrend = listTrend(questionnaire, { name: 'questionnaire_published', title: '发布问卷', as: 'number', path: QUESTIONNAIRE_PATH, at: 'published_at' })

/** Ends what was to end by now; the page says so by the clock, whether it has run or not. */
export const endSweep = (db: Database): Sweep => ({
  name: 'questionnaire_end', every: 600,
  run: () => db.transaction({ staff_id: null, action: 'end' }, (tx) => touch(tx, questionnaire, { state: S.ended }, sql`t.state in (${S.live}, ${S.paused}) and t.end_at <= now() and t.deleted_at is null`)),
})

import { createHash } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { badRequest, defineError, invalid } from '../../core/error/error.ts'
import type { PublicPage } from '../../core/public-page/page.ts'
import type { PublicPageKind } from '../../core/public-page/public-page.server.ts'
import { keptAnswers, surveyProblems, type SurveyAnswers, type SurveyItem } from '../../core/public-page/survey.ts'
import { careless } from './check.ts'
import { QUESTIONNAIRE_STATE as S } from './questionnaire.ts'

export const PAGE_KIND = { name: 'questionnaire' } as const
export const THANKS = '已收到您的回答，感谢参与！'
const answeredAlready = defineError('answered_already', 409, () => '您已提交过')

/** A questionnaire as far as somebody who answers needs it. Moments in unix seconds. */
export interface Open extends Record<string, unknown> { id: number; title: string; intro: string | null; questions: SurveyItem[] | null; state: number; version: number | null; start_at: number | null; end_at: number | null; per_user: number; anonymous: number }

export const OPEN_COLUMNS = sql.raw('id, title, intro, questions, state, version::int as version, start_at, end_at, per_user::int as per_user, anonymous')

/** Why nothing can be answered now; undefined where it can. */
export function closedWhy({ state, start_at, end_at }: Pick<Open, 'state' | 'start_at' | 'end_at'>, now = Date.now() / 1000): string | undefined {
  if (state === S.ended || (end_at !== null && end_at <= now)) return '问卷已结束'
  if (state === S.paused) return '问卷已暂停，请稍后再来'
  return start_at !== null && start_at > now ? '问卷还没有开始' : undefined
}

const hashOf = (questionnaire: number, who: string) => createHash('sha256').update(`questionnaire ${questionnaire} ${who}`).digest('hex').slice(0, 32)

/** Who answers: a browser, or a learner whom an app knows. */
export interface Answering { readonly source: 'page' | 'app'; readonly user_id: number | null; readonly who: string | null; readonly seconds: number; readonly at?: number }

/** How often somebody has answered. */
export async function timesOf(db: Queryable, id: number, who: string): Promise<number> {
  const [row] = await db.query<{ n: number }>(sql`select count(*)::int as n from questionnaire_answer where questionnaire_id = ${id} and who = ${hashOf(id, who)}`)
  return row?.n ?? 0
}

/**
 * Takes what somebody answered: what they did not see is dropped, and who answered carelessly does not count.
 * @throws AppError when it is over, was answered before, or does not fit
 */
export async function takeAnswers(tx: Queryable, open: Open, answers: SurveyAnswers, { source, user_id, who, seconds, at }: Answering): Promise<void> {
  const closed = closedWhy(open)
  if (closed !== undefined) throw badRequest(closed)
  const items = open.questions ?? []
  const problems = surveyProblems(items, answers)
  if (Object.keys(problems).length > 0) throw invalid(problems)
  if (who !== null) {
    // The same person twice at once is one after the other.
    await tx.query(sql`select pg_advisory_xact_lock(hashtext(${`questionnaire ${hashOf(open.id, who)}`}))`)
    if (await timesOf(tx, open.id, who) >= open.per_user) throw answeredAlready()
  }
  const kept = keptAnswers(items, answers)
  await tx.query(sql`insert into questionnaire_answer (questionnaire_id, version, at, source, user_id, who, path, values, seconds, careless)
    values (${open.id}, ${open.version ?? 1}, ${at === undefined ? sql`now()` : sql`to_timestamp(${at})`}, ${source}, ${open.anonymous === 1 ? null : user_id}::bigint, ${who === null ? null : hashOf(open.id, who)}, ${sql.param(kept.path)}::text[], ${JSON.stringify(kept.values)}::jsonb, ${seconds}, ${careless(items, kept.values, kept.path.length, seconds) ?? null})`)
}

/** A questionnaire that was published. */
export async function readOpen(db: Queryable, id: number): Promise<Open | undefined> {
  const [row] = await db.query<Open>(sql`select ${OPEN_COLUMNS} from questionnaire where id = ${id} and state <> ${S.draft} and deleted_at is null`)
  return row
}

/** Counts that its page was opened. */
export const countOpened = (tx: Queryable, id: number): Promise<unknown> => tx.query(sql`insert into questionnaire_day (questionnaire_id, day, opened) values (${id}, (now() at time zone 'Asia/Shanghai')::date, 1) on conflict (questionnaire_id, day) do update set opened = questionnaire_day.opened + 1`)

/** The page of a questionnaire, for whoever has its link. */
export const questionnairePages: PublicPageKind = {
  ...PAGE_KIND,
  async load(tx, { refId, opens }) {
    const open = await readOpen(tx, refId)
    if (!open) return undefined
    const closed = closedWhy(open)
    if (opens && closed === undefined) await countOpened(tx, refId)
    const blocks: PublicPage['blocks'] = [...(open.intro ? [{ kind: 'text' as const, text: open.intro }] : []), { kind: 'survey', items: closed === undefined ? open.questions ?? [] : [] }]
    return { title: open.title, send: '提交', blocks, ...(closed !== undefined && { closed }) }
  },
  async answer(tx, { refId }, answers, { visitor, seconds }) {
    const open = await readOpen(tx, refId)
    if (!open) throw badRequest('问卷已结束')
    await takeAnswers(tx, open, answers, { source: 'page', user_id: null, who: visitor === null ? null : `visitor ${visitor}`, seconds })
    return THANKS
  },
}


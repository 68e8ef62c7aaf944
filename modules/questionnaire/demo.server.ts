import { sql } from 'drizzle-orm'
import type { Database } from '../../core/database/database.server.ts'
import { asks, optionsOf, path, type SurveyAnswers, type SurveyItem } from '../../core/public-page/survey.ts'
import { insertMany, seedTransaction } from '../../core/setup/insert-many.server.ts'
import { seededRandom, type Random } from '../../core/setup/random.ts'
import { readOpen, takeAnswers, type Open } from './answer.server.ts'
import { publish } from './questionnaire.server.ts'
import { questionnaire, QUESTIONNAIRE_STATE as S } from './questionnaire.ts'
import { TEMPLATES } from './templates.ts'

const DAY = 86_400
/** State, template, answers, how long ago it was published and when it ends, in days from now. */
const PLAN = [
  { title: '秋季同步课满意度', of: 0, state: S.live, answers: 420, ago: 40, ends: 2, anonymous: 0 }, { title: '伴学服务满意度', of: 0, state: S.live, answers: 180, ago: 21, ends: 40, anonymous: 1 },
  { title: '寒假续费意向', of: 1, state: S.live, answers: 260, ago: 14, ends: 16, anonymous: 0 }, { title: '春季班续费意向', of: 1, state: S.ended, answers: 310, ago: 240, ends: -200, anonymous: 0 },
  { title: '新用户来源调查', of: 2, state: S.live, answers: 240, ago: 60, ends: null, anonymous: 0 }, { title: '短视频投放来源', of: 2, state: S.paused, answers: 22, ago: 9, ends: 30, anonymous: 0 },
  { title: '暑假班满意度', of: 0, state: S.ended, answers: 150, ago: 110, ends: -70, anonymous: 1 }, { title: '题库改版意见', of: 0, state: S.draft, answers: 0, ago: 3, ends: null, anonymous: 0 }, { title: '流失用户回访', of: 1, state: S.draft, answers: 0, ago: 1, ends: null, anonymous: 0 },
] as const
const SAID = ['老师讲得很清楚，孩子愿意听。', '希望晚上多开一个答疑时段。', '压轴题讲解可以再慢一点。', '课后练习和学校进度对不上。', '平板端偶尔卡顿，手机上没问题。', '班主任回复很及时，谢谢。', '价格能不能优惠一些？', '期中考试进步了二十分。'] as const
const SHORT = ['小区里的宣传单', '家长会', '亲戚介绍', '搜索引擎'] as const

/** An answer as people give it: mostly content, some of them without a look at the questions. */
function answerOf(random: Random, item: SurveyItem, straight: boolean): string | string[] {
  const ids = optionsOf(item).map(({ id }) => id)
  const lean = ids.map((id, at) => [id, item.type === 'rate' || item.type === 'nps' ? (at + 1) ** 2 : ids.length - at + 1] as const)
  if (item.type === 'fill') return random.pick(SHORT)
  if (item.type === 'words') return random.pick(SAID)
  if (item.type === 'date') return new Date(Date.now() + random.int(1, 20) * DAY * 1000).toISOString().slice(0, 10)
  if (item.type === 'matrix') return (item.rows ?? []).map((row) => `${row.id}:${straight ? ids.at(-1) ?? '' : random.weighted(ids.map((id, at) => [id, at + 1] as const))}`)
  if (item.type === 'rank') return ids.map((id) => ({ id, n: random.next() + ids.indexOf(id) * 0.25 })).toSorted((a, b) => a.n - b.n).map(({ id }) => id)
  if (item.type === 'multi') return [...new Set(Array.from({ length: random.int(1, Math.min(3, item.most ?? 3)) }, () => random.weighted(lean)))]
  return straight ? ids.at(-1) ?? '' : random.weighted(lean)
}

/** Goes through the questions as somebody does, one after the other. */
function walk(random: Random, items: readonly SurveyItem[], straight: boolean): SurveyAnswers {
  let answers: SurveyAnswers = {}
  for (let at = 0; ; at++) {
    const item = path(items, answers).filter(asks)[at]
    if (!item) return answers
    if (item.required || random.chance(item.type === 'words' ? 0.35 : 0.8)) answers = { ...answers, [item.id]: answerOf(random, item, straight) }
  }
}

/** Questionnaires in every state, with answers as their functions take them. */
export async function insertQuestionnaireDemo(db: Database, report: (text: string) => void): Promise<void> {
  const [random, now] = [seededRandom(1904), Math.floor(Date.now() / 1000)]
  const staff = (await db.query<{ id: number }>(sql`select id from staff where status = 1 order by id limit 5`)).map(({ id }) => id)
  const users = (await db.query<{ id: number }>(sql`select id from app_user where status = 1 and role = 1 order by id limit 900`)).map(({ id }) => id)
  let sum = 0
  await seedTransaction(db, async (tx) => {
    for (const [index, plan] of PLAN.entries()) {
      const { title, of, state, answers, ago, ends, anonymous } = plan
      const template = TEMPLATES[of]
      if (!template) continue
      const begun = now - ago * DAY
      const [id = 0] = await insertMany(tx, questionnaire, [{ title, intro: template.intro, questions: [...template.questions], lines: index === 0 ? ['sync_course'] : [], start_at: null, end_at: null, per_user: 1, anonymous, state: S.draft, created_at: begun - DAY, created_by: random.pick(staff) }])
      if (state === S.draft) continue
      await publish(tx, { id, questions: [...template.questions] }, staff[0] ?? null)
      await tx.query(sql`update questionnaire set state = ${S.live} where id = ${id}`)
      const open = await readOpen(tx, id) as Open
      const last = state === S.ended && ends !== null ? now + ends * DAY : now
      for (let n = 0; n < answers; n++) {
        const hasty = random.chance(0.08)
        const given = walk(random, template.questions, hasty)
        const asked = path(template.questions, given).filter(asks).length
        const byApp = random.chance(0.4) && users.length > 0
        const user_id = byApp ? users[(n * 7 + index * 131) % users.length] ?? null : null
        await takeAnswers(tx, open, given, { source: byApp ? 'app' : 'page', user_id, who: null, seconds: hasty ? asked : asked * random.int(4, 14) + random.int(5, 40), at: begun + Math.floor(((last - begun) * (n + random.next())) / (answers + 1)) })
        sum++
      }
      await tx.query(sql`insert into questionnaire_day (questionnaire_id, day, opened) select questionnaire_id, (at at time zone 'Asia/Shanghai')::date, count(*) + ${random.int(1, 4)} from questionnaire_answer where questionnaire_id = ${id} group by 1, 2`)
      await tx.query(sql`update questionnaire set state = ${state}, published_at = to_timestamp(${begun}), end_at = to_timestamp(${ends === null ? null : now + ends * DAY}) where id = ${id}`)
    }
  })
  report(`已生成 ${PLAN.length} 份问卷，${sum} 份答卷`)
}

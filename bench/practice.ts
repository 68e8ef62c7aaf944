/**
 * The question bank: lists by every filter, labels with everything below them, Chinese full text, opening, likeness and
 * saving, over 580,000 questions on PostgreSQL from ten clients. BENCH_QUESTIONS makes it smaller.
 */
import { sql } from 'drizzle-orm'
import { notePairs } from '../modules/practice/compare/pairs.server.ts'
import { picturesOf } from '../modules/practice/content/fingerprint.ts'
import { measureShots } from './filters.ts'
import type { Shot } from './measure.ts'
import { loadQuestions, QUESTIONS, REAL, realQuestion } from './questions.ts'
import { OURS } from './servers.ts'
import { loaded, onVolume } from './volume.ts'

const DOU = '/daoyuan/api/dou_practice/end'
/** Issue of the bank: milliseconds at p95. */
const LIST = 80
const LABEL = 120
const TEXT = 150
const ALIKE = 30
const OPEN = 200

const spread = (n: number, of: number) => (n * 7919) % of

await onVolume(async () => undefined, async ({ db, headers }) => {
  await loaded(db, `${(QUESTIONS + REAL).toLocaleString('en')} questions`, () => loadQuestions(db))
  const [sizes] = await db.query<{ bytes: number; labels: number; links: number; tree: number }>(sql`select (select avg(length(content::text))::int from practice_body tablesample system (1)) as bytes,
    (select count(*)::int from label) as labels, (select count(*)::int from practice_label) as links, (select count(*)::int from practice_label_tree) as tree`)
  console.log(`content of ${sizes?.bytes} characters in the mean, ${sizes?.labels} labels, ${sizes?.links} links, ${sizes?.tree} of them with what stands above`)
  const tops = (await db.query<{ id: number }>(sql`select id from label where kind = 'knowledge' and depth = 1 and subject_id = 1 order by id`)).map(({ id }) => id)
  const leaves = (await db.query<{ id: number }>(sql`select id from label where kind = 'knowledge' and depth = 3 and subject_id = 1 order by id`)).map(({ id }) => id)
  const [root] = await db.query<{ id: number }>(sql`select id from label where kind = 'knowledge' and depth = 0 and subject_id = 1`)
  const search = (target: number, body: (n: number) => object): Shot & { target: number } => ({ url: () => `${OURS}${DOU}/practices`, method: 'POST', headers, body: (n) => JSON.stringify({ cat_id: 1, pool: 'official', ...body(n) }), target })
  const missed = await measureShots('a page of 20 whole questions with a total, by', {
    'subject': search(LIST, () => ({})),
    'type and difficulty': search(LIST, (n) => ({ types: [1 + n % 4], difficulties: [1 + n % 5] })),
    'states of the back bank': search(LIST, (n) => ({ pool: 'back', statuses: [n % 6 === 4 ? 0 : n % 6] })),
    'year and region': search(LIST, (n) => ({ source_years: [2010 + n % 16], region_ids: [1 + spread(n, 37)] })),
    'no analysis': search(LIST, () => ({ has_analysis: 0 })),
    'writer': search(LIST, (n) => ({ owner_ids: [1 + n % 40] })),
    'by difficulty': search(LIST, () => ({ sort: 'difficulty' })),
    'a label': search(LABEL, (n) => ({ label_ids: [leaves[spread(n, leaves.length)]] })),
    'a topic and all below': search(LABEL, (n) => ({ label_ids: [tops[n % tops.length]] })),
    'the root and all below': search(LABEL, () => ({ label_ids: [root?.id] })),
    'two topics and difficulty': search(LABEL, (n) => ({ label_ids: [tops[n % tops.length], tops[(n + 1) % tops.length]], difficulties: [1 + n % 5] })),
    'text: four characters': search(TEXT, (n) => ({ keyword: ['函数数列', '电场磁场', '光合作用', '椭圆抛物'][n % 4] })),
    'text: found nowhere': search(TEXT, () => ({ keyword: '鸿门宴上的项羽' })),
    'text: a number': search(TEXT, (n) => ({ keyword: `M1-${String(10_000 + spread(n, QUESTIONS)).padStart(7, '0')}` })),
    'open a question': { url: (n) => `${OURS}${DOU}/practice/${10_001 + spread(n, QUESTIONS)}`, headers, target: OPEN },
  }, 3)
  const typed = Array.from({ length: 200 }, realQuestion)
  const like = (questions: typeof typed) => ({ url: () => `${OURS}/daoyuan/api/end/practice_alike`, method: 'POST' as const, headers, body: (n: number) => JSON.stringify({ content: questions[n % questions.length]?.content, cat_id: 1 }), target: ALIKE })
  missed.push(...await measureShots('while somebody types', {
    'questions like this one': like(typed),
    'of them those that are a picture': like(typed.filter(({ content }) => picturesOf(content).length > 0)),
  }, 3))
  // What a save does beside writing: each of the questions is measured against whatever shares a key with it.
  const rows = await db.query<{ id: number; content: ReturnType<typeof realQuestion>['content'] }>(sql`select p.id, b.content from practice p join practice_body b on b.practice_id = p.id where p.id <= ${REAL} order by p.id limit 200`)
  const took: number[] = []
  for (const row of rows) {
    const began = performance.now()
    await db.transaction({ staff_id: null, silent: true }, (tx) => notePairs(tx, { id: row.id, subject_id: 1, origin_id: null, content: row.content }))
    took.push(performance.now() - began)
  }
  took.sort((a, b) => a - b)
  console.log(`likeness noted inside a save, one client   p50 ${took[Math.floor(took.length / 2)]?.toFixed(1)} ms  p95 ${took[Math.floor(took.length * 0.95)]?.toFixed(1)} ms`)
  console.log(missed.length === 0 ? 'everything within its target' : `over the target: ${missed.join(', ')}`)
})

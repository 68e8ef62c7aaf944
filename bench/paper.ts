/**
 * A paper of 40 questions with formulas: how long it takes to open (the call that the editor makes, with every question) and
 * how long its Word document takes, through the real API on the embedded database.
 * Usage: node bench/paper.ts
 */
import { sql } from 'drizzle-orm'
import prepare from '../core/testing/setup.server.ts'
import { openTestApp } from '../core/testing/app.server.ts'
import { PAPERS } from '../modules/paper/paper.ts'

const QUESTIONS = 40
const RUNS = 40
const MATHS = 1

const p = (...c: unknown[]) => ({ t: 'doc', v: 1, c: [{ t: 'p', c }] })
const tex = (source: string) => ({ t: 'tex', tex: source })
/** A question as exams have them: a formula in the stem, in each option and in the explanation. */
const content = (n: number) => ({
  type: 1, option_layout: 3, answer: { k: 'one', ok: 'o2' }, score: 5, category: null, children: [],
  stem: p(`已知函数`, tex(`f(x)=\\frac{x^{${n}}+\\sqrt{x+${n}}}{x-${n}}`), '，数列', tex(`\\{a_n\\}`), '满足', tex(`a_{n+1}=\\sum_{k=1}^{n}\\frac{${n}}{k(k+1)}`), '，则'),
  options: [1, 2, 3, 4].map((k) => ({ id: `o${k}`, doc: p(tex(`x=\\pm\\sqrt{\\dfrac{${n}}{${k + 1}}}`)) })),
  analysis: { hint: null, comment: null, pitfall: null, solution: p('由', tex(`\\lim_{x\\to ${n}}f(x)=\\int_0^{${n}}\\left(1+\\frac{1}{t^2}\\right)\\mathrm{d}t`), '知结论成立．') },
})

await prepare()
const app = await openTestApp()
try {
  const admin = await app.login()
  const [kind] = await app.db.query<{ id: number }>(sql`insert into practice_category (subject_id, name, type, status) values (${MATHS}, '基准单选题', 1, 1) returning id`)
  const rows = await app.db.query<{ id: number }>(sql`insert into practice (no, pool, level, subject_id, type, category_id, difficulty, option_layout, status, version_no, score)
    select 'B1-' || lpad(n::text, 7, '0'), 'official', 0, ${MATHS}, 1, ${kind?.id}, 1 + n % 5, 3, 4, 1, 5 from generate_series(1, ${QUESTIONS}) n returning id`)
  for (const [n, { id }] of rows.entries()) await app.db.query(sql`insert into practice_body (practice_id, content) values (${id}, ${JSON.stringify(content(n + 1))}::jsonb)`)
  const { body: { id } } = await admin.post<{ id: number }>(PAPERS.base[0]?.api.item ?? '', { name: '基准试卷', subject_id: MATHS })
  const { status } = await admin.post(`/daoyuan/api/end/paper/${id}/changes`, { changes: [
    { do: 'section', key: 'a', name: '单选题', title: '', instruction: '' },
    ...rows.map((row) => ({ do: 'item', section: 'a', item: { practice_id: row.id, version_no: 0, score: 5, sub_scores: [] } })),
  ] })
  if (status !== 200) throw new Error(`the paper was not filled: ${status}`)

  const time = async (path: string): Promise<number[]> => {
    const times: number[] = []
    for (let run = 0; run <= RUNS; run++) {
      const start = performance.now()
      const answer = await admin.get(path)
      if (answer.status !== 200) throw new Error(`${path}: ${answer.status}`)
      // The first one loads what all later ones have.
      if (run > 0) times.push(performance.now() - start)
    }
    return times.toSorted((a, b) => a - b)
  }
  console.log(`paper: ${QUESTIONS} questions, ${QUESTIONS * 7} formulas, ${RUNS} times each`)
  for (const [what, path, most] of [['opens', `/daoyuan/api/end/paper/${id}/content`, 200], ['Word, teacher', `/daoyuan/api/end/paper/${id}/word?edition=teacher`, 2000]] as const) {
    const times = await time(path)
    console.log(`  ${what.padEnd(14)} p50 ${(times[RUNS / 2] ?? 0).toFixed(0)} ms, p95 ${(times[Math.floor(RUNS * 0.95)] ?? 0).toFixed(0)} ms (at most ${most} ms)`)
  }
} finally {
  await app.close()
}

import { sql } from 'drizzle-orm'
import type { Queryable } from '../../../core/database/database.server.ts'
import { invalid } from '../../../core/error/error.ts'
import { fileIdsIn } from '../../../core/file/url.ts'
import { STATUS } from '../bank/practice.ts'
import { machineCheck, type Finding } from '../content/machine-check.ts'
import type { QuestionContent } from '../content/question.ts'
import { measureAlike } from '../edit/alike.server.ts'
import { verifySettings } from './settings.server.ts'

interface Checked {
  id: number
  content: QuestionContent
  subject_id: number
  difficulty: number | null
  labelled: boolean
  origin_id: number | null
}

/** Questions that this one is to be, or was, published to or revised from, and those that somebody has called different: no duplicates of it. */
async function strangers(db: Queryable, row: Checked, ids: readonly number[]): Promise<{ id: number; no: string }[]> {
  return db.query<{ id: number; no: string }>(sql`select p.id, p.no from practice p where p.id = any(${sql.param([...ids])}::bigint[]) and p.status <> ${STATUS.void} and p.deleted_at is null
    and p.id is distinct from ${row.origin_id} and p.origin_id is distinct from ${row.id} and (p.origin_id is null or p.origin_id is distinct from ${row.origin_id})
    and not exists (select 1 from practice_similar s where s.kind = 'distinct' and ((s.practice_id = p.id and s.other_id = ${row.id}) or (s.practice_id = ${row.id} and s.other_id = p.id)))`)
}

/** Everything that a machine sees in a stored question: its own rules, pictures that are gone, and questions that are there already (domain 3.5, 机检). */
export async function findings(db: Queryable, id: number): Promise<Finding[]> {
  const [row] = await db.query<Checked>(sql`select p.id, b.content, p.subject_id, p.difficulty, p.origin_id,
    exists (select 1 from practice_label pl join label l on l.id = pl.label_id where pl.practice_id = p.id and l.kind = 'knowledge') as labelled
    from practice p join practice_body b on b.practice_id = p.id where p.id = ${id}`)
  if (!row) return []
  const settings = await verifySettings(db)
  const found = machineCheck(row.content, { banned: settings.banned, needsAnalysis: settings.needs_analysis, facts: { difficulty: row.difficulty, labels: row.labelled ? [0] : [] } })
  const assets = fileIdsIn(JSON.stringify(row.content))
  if (assets.length > 0) {
    const there = await db.query<{ id: string }>(sql`select id::text as id from file where id = any(${sql.param(assets)}::uuid[])`)
    const gone = assets.filter((asset) => !there.some((file) => file.id === asset)).length
    if (gone > 0) found.push({ place: '图片', message: `有 ${gone} 个图片或音频文件已不存在，请重新上传`, level: 'error' })
  }
  const near = (await measureAlike(db, row.content, row.subject_id, row.id)).filter(({ kind }) => kind === 'same' || kind === 'suspected')
  const others = await strangers(db, row, near.map((one) => one.id))
  for (const { id: other, score } of near) {
    const named = others.find((one) => one.id === other)
    if (named) found.push({ place: '查重', message: `与 ${named.no} 相似 ${Math.round(score * 100)}%`, level: score >= settings.duplicate_from ? 'error' : 'hint' })
  }
  return found
}

/**
 * What a machine can see before a person looks.
 * @throws AppError with everything that is missing or wrong, by its place in the question
 */
export async function checkBeforeSubmit(db: Queryable, id: number): Promise<void> {
  const wrong = (await findings(db, id)).filter(({ level }) => level === 'error')
  const sentence = ({ place, message }: Finding) => (place === '查重' ? `${message}，请先在试题比对中确认是否重复` : place === '标签' || place === '难度' ? message : `${place}：${message}`)
  const places = [...Map.groupBy(wrong, ({ place }) => place)]
  if (places.length > 0) throw invalid(Object.fromEntries(places.map(([place, own]) => [place, own.map(sentence).join('；')])))
}

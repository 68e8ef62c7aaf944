/** Questions of a file that are there already: in the file itself, or in the bank since it was parsed. */
import { sql } from 'drizzle-orm'
import type { Queryable } from '../../../core/database/database.server.ts'
import { measureAlike } from '../edit/alike.server.ts'
import { fingerprintOf, picturesOf } from '../content/fingerprint.ts'
import type { Question, QuestionContent } from '../content/question.ts'
import { hint, uncertain } from '../formats/item.ts'
import type { Staged } from './stage.server.ts'

/** Equal for questions that a learner cannot tell apart. */
const looksOf = (content: QuestionContent) => `${fingerprintOf(content, new Map()).content_hash} ${picturesOf(content).join(' ')}`

/** What is right, in the words of the question. */
const keyOf = ({ answer, options, children }: QuestionContent): string => {
  const words = (id: string | null) => JSON.stringify(options.find((option) => option.id === id)?.doc?.c ?? null)
  const own = answer.k === 'one' ? words(answer.ok) : answer.k === 'many' ? answer.ok.map(words).sort() : answer
  return JSON.stringify([own, ...children.map(keyOf)])
}

/** Says of questions that stand in the file before; where their answers differ one of them is wrong. */
export function markTwins(items: readonly Staged[]): Staged[] {
  const seen = new Map<string, { place: string; key: string }>()
  return items.map((item): Staged => {
    if (!item.question) return item
    const looks = looksOf(item.question)
    const key = keyOf(item.question)
    const first = seen.get(looks)
    if (!first) {
      seen.set(looks, { place: item.place, key })
      return item
    }
    const isSame = first.key === key
    const warning = isSame ? hint(`与本文件的「${first.place}」是同一道题`) : uncertain('answer', `与本文件的「${first.place}」题目相同，答案不同，其中一个有误`)
    return { ...item, warnings: [...item.warnings, warning], state: isSame ? (item.state === 'good' ? 'hint' : item.state) : 'problem', like_kind: isSame ? 'same' : item.like_kind }
  })
}

interface Waiting {
  ord: number
  question: Question
  subject_id: number
}

/**
 * Parts questions that are about to be written into those that are new, and those that somebody has written since the
 * file was parsed, or that stand in it twice. Until the transaction ends nobody else writes questions of files.
 */
export async function partTwins<Item extends Waiting>(tx: Queryable, items: readonly Item[]): Promise<{ fresh: Item[]; there: { ord: number; like_id: number | null }[] }> {
  await tx.query(sql`select pg_advisory_xact_lock(hashtext('practice_import'))`)
  const hashes = items.map(({ question }) => fingerprintOf(question, new Map()).content_hash)
  const known = new Set((await tx.query<{ content_hash: string }>(sql`select distinct content_hash from practice where content_hash = any(${sql.param(hashes)}::text[]) and deleted_at is null`)).map((row) => row.content_hash))
  const fresh: Item[] = []
  const there: { ord: number; like_id: number | null }[] = []
  const seen = new Set<string>()
  for (const [index, item] of items.entries()) {
    const looks = `${item.subject_id} ${looksOf(item.question)}`
    const [like] = known.has(hashes[index] ?? '') ? (await measureAlike(tx, item.question, item.subject_id, undefined)).filter(({ kind }) => kind === 'same') : []
    if (like || seen.has(looks)) there.push({ ord: item.ord, like_id: like?.id ?? null })
    else fresh.push(item)
    seen.add(looks)
  }
  return { fresh, there }
}

import { sql } from 'drizzle-orm'
import type { Queryable } from '../../../core/database/database.server.ts'
import { serve } from '../../../core/resource/serve.server.ts'
import { LEVEL, Matcher, replaced, verdictOf, type Hit, type ListedWord } from './match.ts'
import { soundOf } from './sound.server.ts'
import { sensitiveWord, WORD_STATE } from './word.ts'

/** One list of words with its number. */
export interface WordList { readonly version: number; readonly matcher: Matcher }

/** The list that was read last. It is never changed: another state of the list is another one, put in its place whole. */
let current: (WordList & { readonly key: string }) | undefined

/** The words as they are now. Read again when somebody changed them, in whichever process. */
export async function wordList(db: Queryable): Promise<WordList> {
  const [newest] = await db.query<{ id: number; tx: string; at: number }>(sql`select id, tx, at from word_version order by id desc limit 1`)
  const key = newest ? `${newest.id} ${newest.tx} ${newest.at}` : ''
  if (current && key !== '' && current.key === key) return current
  const words = await db.query<ListedWord & Record<string, unknown>>(sql`select id, word, level, coalesce(loose, 0) = 1 as loose, coalesce(exempt, '{}') as exempt from sensitive_word where state = ${WORD_STATE.on} and deleted_at is null order by id`)
  current = { key, version: newest?.id ?? 0, matcher: new Matcher(words, soundOf) }
  return current
}

/** Says that the list is another one after this transaction. Those who change it wait for each other, so that its numbers follow its changes. */
export async function nextVersion(tx: Queryable, staffId: number | null, note: string): Promise<number> {
  await tx.query(sql`select pg_advisory_xact_lock(hashtext('sensitive words'))`)
  await tx.query(sql`insert into word_version (staff_id, note, tx) values (${staffId}, ${note}, txid_current()::text) on conflict (tx) do nothing`)
  const [version] = await tx.query<{ id: number }>(sql`select id from word_version where tx = txid_current()::text`)
  return version?.id ?? 0
}

export const words = serve(sensitiveWord)({
  computed: { hit_n: sql`(select coalesce(sum(h.n), 0)::int from word_hit h where h.word_id = t.id and h.day > current_date - 30)` },
  // Switched, removed or brought back, one or many: the list is another one.
  async guard({ tx, staff, row }) {
    await nextVersion(tx, staff.id, `调整「${row.word}」等词`)
  },
})

/** What somebody wrote, looked at. */
export interface Heard { readonly text: string; readonly hits: Hit[]; readonly verdict: ReturnType<typeof verdictOf>; readonly version: number }

/** Looks for the words of the list in a text. @returns with the text as it may be kept: words to be replaced are behind stars */
export async function hear(db: Queryable, text: string): Promise<Heard> {
  const { matcher, version } = await wordList(db)
  const hits = matcher.find(text)
  return { text: replaced(text, hits), hits, verdict: verdictOf(hits), version }
}

/** Counts what was found, by word and day. */
export async function countHits(db: Queryable, hits: readonly Hit[]): Promise<void> {
  const ids = [...new Set(hits.map(({ id }) => id))].sort((a, b) => a - b)
  if (ids.length === 0) return
  await db.query(sql`insert into word_hit (word_id, day, n) select id, (now() at time zone 'Asia/Shanghai')::date, 1 from unnest(${sql.param(ids)}::bigint[]) as id order by id on conflict (word_id, day) do update set n = word_hit.n + 1`)
}

/** Words of a level that were found, each once. */
export const wordsOf = (hits: readonly Hit[], level?: number): string[] => [...new Set(hits.filter((hit) => level === undefined || hit.level === level).map(({ word }) => word))]

/** Whether words alone ask for a person. */
export const asksPerson = (hits: readonly Hit[]): Hit[] => hits.filter(({ level, unsure }) => level === LEVEL.review || (unsure && level !== LEVEL.note))

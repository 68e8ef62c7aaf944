import { sql } from 'drizzle-orm'
import type { Queryable } from '../../../core/database/database.server.ts'
import { handle, type Served } from '../../../core/endpoint/serve.server.ts'
import { AppError, duplicate, invalid } from '../../../core/error/error.ts'
import { choiceLabel } from '../../../core/field/choice.ts'
import type { Staff } from '../../../core/grant/staff.server.ts'
import { lockRow } from '../../../core/resource/write.server.ts'
import { touch } from '../../../core/resource/touch.server.ts'
import { insertMany } from '../../../core/setup/insert-many.server.ts'
import { listCondition } from '../../../core/resource/where.server.ts'
import { SAID, type SaidTarget } from '../said/said.ts'
import { checkText, MANY_HITS, MOST_LINES, pasteWords, saveWord, TRY_DAYS, tryWord, wordVersions, type Pasted, type Tried, type TriedComment } from './calls.ts'
import { foldWord } from './clean.ts'
import { Matcher, verdictOf, type ListedWord } from './match.ts'
import { soundOf } from './sound.server.ts'
import { hear, nextVersion, wordList } from './words.server.ts'
import { LEVELS, sensitiveWord, WORD_GROUPS, WORD_STATE } from './word.ts'

/** Most comments that words are tried on, the newest first, and how many are read at a time. */
const MOST_TRIED = 30_000
const BATCH = 5000
const SHOWN = 20

interface Said extends Record<string, unknown> { id: number; content: string; created_at: number; target: SaidTarget; state: number; user_id: number | null }

/** What words would have found in what was said lately, within what the person may see. */
async function trial(db: Queryable, staff: Staff, list: readonly ListedWord[]): Promise<Tried> {
  const matcher = new Matcher(list, soundOf)
  const since = Math.floor(Date.now() / 1000) - TRY_DAYS * 86_400
  const items: TriedComment[] = []
  const people = new Set<number>()
  let [hits, looked] = [0, 0]
  const own = sql.join((Object.keys(SAID) as SaidTarget[]).map((target) => sql`(${listCondition(SAID[target], staff, { created_at_start: String(since) })})`), sql` or `)
  for (let below = Number.MAX_SAFE_INTEGER; looked < MOST_TRIED;) {
    const rows = await db.query<Said>(sql`select id, content, created_at, target, state, user_id from comment where (${own}) and id < ${below} order by id desc limit ${BATCH}`)
    for (const row of rows) {
      const found = matcher.find(row.content)
      if (found.length === 0) continue
      hits++
      if (row.user_id !== null) people.add(row.user_id)
      if (items.length < SHOWN) items.push({ id: row.id, content: row.content, at: row.created_at, target: row.target, state: row.state, hits: found })
    }
    looked += rows.length
    below = rows.at(-1)?.id ?? 0
    if (rows.length < BATCH) break
  }
  return { hits, looked, people: people.size, items, verdict: list[0] ? verdictOf(matcher.find(list[0].word)) : 'clear' }
}

/** Refuses words that would have found much, until somebody has seen it. */
function askTwice(tried: Tried, sure: boolean | undefined): void {
  if (tried.hits < MANY_HITS || sure) return
  throw new AppError('many_hits', 409, `近 30 天命中 ${tried.hits.toLocaleString('en')} 条，请看过命中的评论再保存`, { extra: { tried } })
}

const listed = (input: { word: string; level: number; loose: number; exempt: readonly string[] }, id = 0): ListedWord => ({ id, word: input.word, level: input.level, loose: input.loose === 1, exempt: input.exempt })

/** Refuses what is found nowhere, and phrases in which the word is not. */
function checkWord({ word, exempt }: { word: string; exempt: readonly string[] }): string {
  const fold = foldWord(word)
  if (!/[\p{L}\p{N}]/u.test(fold)) throw invalid({ word: '敏感词应含有文字或数字' })
  const idle = exempt.find((phrase) => !foldWord(phrase).includes(fold) || foldWord(phrase) === fold)
  if (idle !== undefined) throw invalid({ exempt: `豁免短语「${idle}」应包含「${word}」且比它长` })
  return fold
}

/** Reads pasted lines: a word, behind tabs its group and how it is dealt with. */
async function readLines(db: Queryable, text: string, base: { group: string; level: number }): Promise<{ items: Pasted[]; rows: { word: string; fold: string; group: string; level: number }[] }> {
  const lines = text.replaceAll('\u3000', ' ').split(/\r?\n/)
  if (lines.length > MOST_LINES) throw invalid({ text: `一次最多粘贴 ${MOST_LINES} 行` })
  const items: Pasted[] = []
  const rows: { word: string; fold: string; group: string; level: number }[] = []
  const folds = new Set<string>()
  for (const [index, line] of lines.entries()) {
    const [word = '', group = '', level = ''] = line.split('\t').map((cell) => cell.normalize('NFKC').trim())
    if (word === '' && group === '' && level === '') continue
    const at = index + 1
    const fold = foldWord(word)
    const ofGroup = group === '' ? base.group : WORD_GROUPS.find(({ label }) => label === group)?.value
    const ofLevel = level === '' ? base.level : LEVELS.find(({ label }) => label === level)?.value
    const why = !/[\p{L}\p{N}]/u.test(fold) ? `第 ${at} 行无法识别` : [...word].length > 30 ? `第 ${at} 行超过 30 个字` : ofGroup === undefined ? `第 ${at} 行没有「${group}」这个分组` : ofLevel === undefined ? `第 ${at} 行没有「${level}」这种处理` : undefined
    if (why !== undefined) items.push({ line: at, word, as: 'wrong', why })
    else if (folds.has(fold)) items.push({ line: at, word, as: 'twice' })
    else {
      folds.add(fold)
      items.push({ line: at, word, as: 'new' })
      rows.push({ word, fold, group: ofGroup ?? base.group, level: ofLevel ?? base.level })
    }
  }
  const known = new Set((await db.query<{ fold: string }>(sql`select fold from sensitive_word where fold = any(${sql.param([...folds])}::text[]) and deleted_at is null`)).map(({ fold }) => fold))
  for (const one of items) if (one.as === 'new' && known.has(foldWord(one.word))) one.as = 'known'
  return { items, rows: rows.filter(({ fold }) => !known.has(fold)) }
}

/** The calls of the word list beside those of its list. */
export const wordCalls = (): Served[] => [
  handle(tryWord, async ({ db, staff, input }) => {
    checkWord(input)
    return trial(db, staff, [listed(input)])
  }),
  handle(saveWord, (call) => call.transaction(async (tx) => {
    const { id, sure, ...input } = call.input
    const fold = checkWord(input)
    const version = await nextVersion(tx, call.staff.id, `${id === undefined ? '新增' : '修改'}「${input.word}」（${choiceLabel(LEVELS, input.level)}）`)
    const [other] = await tx.query<{ id: number; word: string }>(sql`select id, word from sensitive_word where fold = ${fold} and id <> ${id ?? 0} and deleted_at is null`)
    if (other) throw duplicate('敏感词', other.word, 'word', { id: other.id, name: other.word })
    const tried = await trial(tx, call.staff, [listed(input)])
    askTwice(tried, sure)
    const values = { ...input, fold, exempt: [...new Set(input.exempt)] } as object
    if (id === undefined) {
      const [made = 0] = await insertMany(tx, sensitiveWord, [{ ...values, state: WORD_STATE.on, created_by: call.staff.id } as object])
      return { id: made, version, hits: tried.hits }
    }
    await lockRow(tx, sensitiveWord, call.staff, id)
    await touch(tx, sensitiveWord, values, id)
    return { id, version, hits: tried.hits }
  }, { action: 'save_word' })),
  handle(pasteWords, async (call) => {
    const { text, group, level, write, sure } = call.input
    if (!write) {
      const { items, rows } = await readLines(call.db, text, { group, level })
      const { hits } = await trial(call.db, call.staff, rows.map((row, index) => ({ id: index + 1, word: row.word, level: row.level, loose: false, exempt: [] })))
      return { items, total: items.length, added: rows.length, version: (await wordList(call.db)).version, hits }
    }
    return call.transaction(async (tx) => {
      const version = await nextVersion(tx, call.staff.id, '批量录入')
      const { items, rows } = await readLines(tx, text, { group, level })
      if (rows.length === 0) throw invalid({ text: '没有可以录入的新词' })
      const tried = await trial(tx, call.staff, rows.map((row, index) => ({ id: index + 1, word: row.word, level: row.level, loose: false, exempt: [] })))
      askTwice(tried, sure)
      await insertMany(tx, sensitiveWord, rows.map((row) => ({ ...row, loose: 0, exempt: [], state: WORD_STATE.on, created_by: call.staff.id }) as object))
      return { items, total: items.length, added: rows.length, version, hits: tried.hits }
    }, { action: 'paste_words' })
  }),
  handle(wordVersions, async ({ db }) => {
    const items = await db.query<{ id: number; at: number; staff_name: string | null; note: string }>(sql`select v.id, v.at, s.name as staff_name, v.note from word_version v left join staff s on s.id = v.staff_id order by v.id desc limit 100`)
    const [counted] = await db.query<{ n: number }>(sql`select count(*)::int as n from sensitive_word where state = ${WORD_STATE.on} and deleted_at is null`)
    return { items, total: items.length, words: counted?.n ?? 0 }
  }),
  handle(checkText, async ({ db, input: { text } }) => {
    const { hits, verdict, version } = await hear(db, text)
    return { hits, verdict, version }
  }),
]

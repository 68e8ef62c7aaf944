import { sql, type SQL } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import type { Staff } from '../../core/grant/staff.server.ts'
import { hasPieces, holds, listCondition } from '../../core/resource/where.server.ts'
import type { Resource } from '../../core/resource/define.ts'
import { addBlockKind } from '../outline/door.server.ts'
import type { BlockTarget } from '../outline/module.ts'
import { PHONOGRAM_BLOCKS } from './phonogram.server.ts'

import { englishUnit } from './unit.ts'

type Facts = Omit<BlockTarget, 'kind'>

/** What a person may choose from at once. */
const OFFERED = 50
/** Words with picture and both recordings that a unit needs before it counts as whole (teaching.md 1.9). */
const ENOUGH = 8
/** Minutes in which a learner goes through so many words, and through one phonogram. */
const [WORDS_A_MINUTE, PHONOGRAM_MINUTES] = [2, 3]

const named = (resource: Resource, alias: string, column: SQL, words: string) => (words === '' ? [] : [words.length > 1 ? sql`(${holds(column, words)} and ${hasPieces(resource, words, alias)})` : holds(column, words)])

async function readUnits(db: Queryable, where: SQL): Promise<Facts[]> {
  const rows = await db.query<{ id: number; name: string; book: string; words: number; whole: number; textbook_id: number }>(sql`select u.id, u.name, b.name as book, u.textbook_id, count(w.id)::int as words,
    count(w.id) filter (where w.uk_audio is not null and w.us_audio is not null and w.image is not null)::int as whole
    from english_unit u join textbook b on b.id = u.textbook_id left join english_word w on w.unit_id = u.id and w.deleted_at is null where u.deleted_at is null and ${where} group by u.id, b.name order by b.name, u.no limit ${OFFERED * 20}`)
  return rows.map(({ id, name, book, words, whole }) => ({
    id, name, note: `${book} · ${words} 词`, minutes: Math.ceil(words / WORDS_A_MINUTE), version_no: null, cover: null, path: `/englishApp/detail?unit_id=${id}`,
    health: words === 0 ? { tone: 'bad' as const, words: '单元还没有单词' } : whole < Math.min(ENOUGH, words) ? { tone: 'wait' as const, words: `${words - whole} 个单词缺音频或图片` } : { tone: 'ok' as const, words: '可用' },
  }))
}

async function readPhonograms(db: Queryable, where: SQL): Promise<Facts[]> {
  const rows = await db.query<{ id: number; symbol: string; examples: string[] | null; status: number; mouth: string | null }>(sql`select p.id, p.symbol, p.examples, p.status, p.mouth from phonogram p where p.deleted_at is null and ${where} order by p.sort, p.id`)
  return rows.map(({ id, symbol, examples, status, mouth }) => ({
    id, name: `/${symbol}/`, note: (examples ?? []).join(' · '), minutes: PHONOGRAM_MINUTES, version_no: null, cover: mouth, path: `/englishApp/phonogram?open=${id}`,
    health: status === 1 ? { tone: 'ok' as const, words: '可用' } : { tone: 'wait' as const, words: '音标已停用' },
  }))
}

const among = (ids: readonly number[]) => sql`any(${sql.param([...ids])}::bigint[])`

/** Makes known what English lessons hold: the words of a unit, patterns of sentences, and phonograms as they are explained and practised. */
export function addEnglishBlocks(): void {
  const unitList = englishUnit as unknown as Resource
  addBlockKind({
    kind: 'word_list', label: '单词表',
    target: {
      describe: (db, ids) => readUnits(db, sql`u.id = ${among(ids)}`),
      find: async (db, staff: Staff, words) => (await readUnits(db, sql.join([sql`u.id in (select id from english_unit where ${listCondition(unitList, staff, {})})`, ...named(unitList, 'u.', sql`u.name`, words)], sql` and `))).slice(0, OFFERED),
    },
  })
  addBlockKind({ kind: 'sentence', label: '句型' })
  for (const [kind, label] of Object.entries(PHONOGRAM_BLOCKS)) {
    addBlockKind({
      kind, label,
      target: {
        describe: (db, ids) => readPhonograms(db, sql`p.id = ${among(ids)}`),
        find: (db, _staff, words) => readPhonograms(db, sql.join([sql`p.status = 1`, ...(words === '' ? [] : [sql`(${holds(sql`p.symbol`, words)} or ${words} = any(p.examples))`])], sql` and `)),
      },
    })
  }
}

/** Kinds of content that stand for a phonogram. */
export const phonogramKinds = Object.keys(PHONOGRAM_BLOCKS)

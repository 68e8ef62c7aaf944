import { sql, type SQL } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { fileIdsIn } from '../../core/file/url.ts'
import type { Staff } from '../../core/grant/staff.server.ts'
import { hasPieces, holds, listCondition } from '../../core/resource/where.server.ts'
import type { Resource } from '../../core/resource/define.ts'
import { addBlockKind } from '../outline/door.server.ts'
import type { BlockTarget } from '../outline/module.ts'
import { englishPage } from './page.ts'
import { PHONOGRAM_BLOCKS } from './phonogram.server.ts'

import { englishUnit } from './unit.ts'

type Facts = Omit<BlockTarget, 'kind'>

/** What a person may choose from at once. */
const OFFERED = 50
/** Words with picture and both recordings that a unit needs before it counts as whole (teaching.md 1.9). */
const ENOUGH = 8
/** Words that a learner goes through in a minute, minutes for one phonogram and for one page. */
const [WORDS_A_MINUTE, PHONOGRAM_MINUTES, PAGE_MINUTES] = [2, 3, 4]

const named = (resource: Resource, alias: string, column: SQL, words: string) => (words === '' ? [] : [words.length > 1 ? sql`(${holds(column, words)} and ${hasPieces(resource, words, alias)})` : holds(column, words)])

async function readUnits(db: Queryable, where: SQL): Promise<Facts[]> {
  const rows = await db.query<{ id: number; name: string; book: string; words: number; whole: number; textbook_id: number }>(sql`select u.id, u.name, b.name as book, u.textbook_id, count(w.id)::int as words,
    count(w.id) filter (where w.uk_audio is not null and w.us_audio is not null and w.image is not null)::int as whole
    from english_unit u join textbook b on b.id = u.textbook_id left join english_word w on w.unit_id = u.id and w.deleted_at is null where u.deleted_at is null and ${where} group by u.id, b.name order by b.name, u.no limit ${OFFERED * 20}`)
  return rows.map(({ id, name, book, words, whole }) => ({
    id, name, note: `${book} · ${words} 词`, minutes: Math.ceil(words / WORDS_A_MINUTE), version_no: null, cover: null, path: `/englishApp/detail?show=word&unit_id=${id}`,
    health: words === 0 ? { tone: 'bad' as const, words: '单元还没有单词' } : whole < Math.min(ENOUGH, words) ? { tone: 'wait' as const, words: `${words - whole} 个单词缺音频或图片` } : { tone: 'ok' as const, words: '可用' },
  }))
}

async function readPages(db: Queryable, where: SQL): Promise<Facts[]> {
  const rows = await db.query<{ id: number; name: string; unit: string; image: string; status: number; regions: number; silent: number }>(sql`select p.id, p.name, coalesce(u.name, '') as unit, p.image, p.status, coalesce(jsonb_array_length(p.regions), 0)::int as regions,
    (select count(*)::int from jsonb_array_elements(coalesce(p.regions, '[]')) r where jsonb_typeof(r->'from') is distinct from 'number' or jsonb_typeof(r->'to') is distinct from 'number') as silent
    from english_page p left join english_unit u on u.id = p.unit_id where p.deleted_at is null and ${where} order by p.textbook_id, p.no limit ${OFFERED * 20}`)
  return rows.map(({ id, name, unit, image, status, regions, silent }) => ({
    id, name, note: [unit, `${regions} 个点读区域`].filter(Boolean).join(' · '), minutes: PAGE_MINUTES, version_no: null, cover: image, path: `/englishApp/detail?show=page&open=${id}`,
    health: regions === 0 ? { tone: 'bad' as const, words: '页面还没有点读区域' } : silent > 0 ? { tone: 'wait' as const, words: `${silent} 个区域未配音` } : status === 1 ? { tone: 'ok' as const, words: '可用' } : { tone: 'wait' as const, words: '点读页已停用' },
  }))
}

async function readPhonograms(db: Queryable, where: SQL): Promise<Facts[]> {
  const rows = await db.query<{ id: number; symbol: string; examples: string[] | null; status: number; mouth: string | null }>(sql`select p.id, p.symbol, p.examples, p.status, p.mouth from phonogram p where p.deleted_at is null and ${where} order by p.sort, p.id`)
  return rows.map(({ id, symbol, examples, status, mouth }) => ({
    id, name: `/${symbol}/`, note: (examples ?? []).join(' · '), minutes: PHONOGRAM_MINUTES, version_no: null, cover: mouth, path: `/englishApp/phonogram?open=${id}`,
    health: status === 1 ? { tone: 'ok' as const, words: '可用' } : { tone: 'wait' as const, words: '音标已停用' },
  }))
}

/** Who edits lessons sees the pages in them without the screen of words. */
async function openPages(tx: Queryable, ids: readonly number[], screen: number): Promise<void> {
  const rows = await tx.query<{ image: string; audio: string | null }>(sql`select image, audio from english_page where id = ${among(ids)}`)
  const files = fileIdsIn(JSON.stringify(rows))
  if (files.length > 0) await tx.query(sql`update file set screens = screens || ${screen}::int where id = any(${sql.param(files)}::uuid[]) and not ${screen}::int = any(screens)`)
}

const among = (ids: readonly number[]) => sql`any(${sql.param([...ids])}::bigint[])`

/** Makes known what English lessons hold: the words of a unit, patterns of sentences, and phonograms as they are explained and practised. */
export function addEnglishBlocks(): void {
  const unitList = englishUnit
  addBlockKind({
    kind: 'word_list', label: '词表',
    target: {
      describe: (db, ids) => readUnits(db, sql`u.id = ${among(ids)}`),
      find: async (db, staff: Staff, words) => (await readUnits(db, sql.join([sql`u.id in (select id from english_unit where ${listCondition(unitList, staff, {})})`, ...named(unitList, 'u.', sql`u.name`, words)], sql` and `))).slice(0, OFFERED),
    },
  })
  const pageList = englishPage
  addBlockKind({
    kind: 'page', label: '点读',
    target: {
      describe: (db, ids) => readPages(db, sql`p.id = ${among(ids)}`),
      find: async (db, staff: Staff, words) => (await readPages(db, sql.join([sql`p.id in (select id from english_page where ${listCondition(pageList, staff, {})})`, ...named(pageList, 'p.', sql`p.name`, words)], sql` and `))).slice(0, OFFERED),
      bound: openPages,
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

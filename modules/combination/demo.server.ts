import { sql } from 'drizzle-orm'
import type { Database, Queryable } from '../../core/database/database.server.ts'
import { insertMany, seedTransaction } from '../../core/setup/insert-many.server.ts'
import { seasonalMoment, seededRandom, type Random } from '../../core/setup/random.ts'
import { openBlocks } from '../outline/door.server.ts'
import { combination, COMBINATION_STATE } from './combination.ts'
import type { CombinationItem } from './items.ts'
import { writeUses } from './uses.server.ts'

const DAY = 86_400
/** Senior mathematics (spec 3), whose lessons the library of the demo holds. */
const MATHS = 1
/** Questions at the end of each combination. */
const EXERCISES = 3

interface Piece { id: number; name: string; subject_id: number; tag_ids: number[]; cover: string | null }
interface Shelf { videos: Piece[]; pictures: Piece[]; lessons: Piece[]; papers: Piece[]; practices: ReadonlyMap<number, number[]> }

/** What there is to put together. */
async function readShelf(tx: Queryable): Promise<Shelf> {
  const assets = (kind: string) => tx.query<Piece & Record<string, unknown>>(sql`select id, name, ${MATHS}::bigint as subject_id, coalesce(tag_ids, '{}') as tag_ids, cover from asset where kind = ${kind} and state = 1 and deleted_at is null order by id`)
  const practices = await tx.query<{ id: number; subject_id: number }>(sql`select id, subject_id from practice where pool = 'official' and status = 4 and deleted_at is null order by id`)
  return {
    videos: await assets('video'), pictures: await assets('image'),
    lessons: await tx.query<Piece & Record<string, unknown>>(sql`select id, name, subject_id, '{}'::bigint[] as tag_ids, cover from micro_lesson where state = 2 and deleted_at is null order by id`),
    papers: await tx.query<Piece & Record<string, unknown>>(sql`select id, name, subject_id, '{}'::bigint[] as tag_ids, null as cover from paper where kind = 'micro' and state = 2 and deleted_at is null order by id`),
    practices: new Map([...Map.groupBy(practices, ({ subject_id }) => subject_id)].map(([subject, own]) => [subject, own.map(({ id }) => id)])),
  }
}

let made = 0
const item = (kind: CombinationItem['kind'], ref_id: number, more: Partial<CombinationItem> = {}): CombinationItem => ({ key: `demo${++made}`, kind, ref_id, title: '', text: '', page: false, ...more })

/** A lesson as a teacher hands it out: what to look for, the lesson, its pictures, exercises on a page of their own. */
function lessonItems(random: Random, lesson: Piece, kind: 'video' | 'micro', shelf: Shelf): CombinationItem[] {
  const pictures = shelf.pictures.filter(({ tag_ids }) => tag_ids.some((tag) => lesson.tag_ids.includes(tag))).slice(0, 2)
  const practices = shelf.practices.get(lesson.subject_id) ?? []
  const from = practices.length > EXERCISES ? random.int(0, practices.length - EXERCISES) : 0
  const paper = shelf.papers.find(({ subject_id }) => subject_id === lesson.subject_id)
  return [
    item('text', 0, { title: '学习目标', text: `1. 说出「${lesson.name}」的定义和关键条件；\n2. 会用它解决课本例题；\n3. 完成课后练习，正确率达到 80%。` }),
    item(kind, lesson.id),
    ...pictures.map(({ id }) => item('image', id)),
    ...practices.slice(from, from + EXERCISES).map((id, at) => item('practice', id, { page: at === 0 })),
    ...(paper && random.chance(0.5) ? [item('paper', paper.id, { page: true, title: '课后检测' })] : []),
  ]
}

/** Combinations of two years, most of them published, some with changes, some begun. */
export async function insertCombinationDemo(db: Database): Promise<void> {
  const random = seededRandom(2304)
  const now = Math.floor(Date.now() / 1000)
  await seedTransaction(db, async (tx) => {
    const shelf = await readShelf(tx)
    const staff = (await tx.query<{ id: number }>(sql`select id from staff where status = 1 order by id limit 4`)).map(({ id }) => id)
    const lessons = [...shelf.videos.map((piece) => ({ piece, kind: 'video' as const })), ...[...Map.groupBy(shelf.lessons, ({ subject_id }) => subject_id).values()].flatMap((own) => own.slice(0, 2)).slice(0, 24).map((piece) => ({ piece, kind: 'micro' as const }))]
    for (const [at, { piece, kind }] of lessons.entries()) {
      const published = lessonItems(random, piece, kind, shelf)
      const { draft, live, off } = COMBINATION_STATE
      const state = at % 11 === 3 ? draft : at % 13 === 6 ? off : live
      const changed = state === live && at % 7 === 2
      const items = state === draft && at % 2 === 0 ? [] : changed ? [...published, item('text', 0, { title: '易错提醒', text: '注意定义域，先化简再判断。', page: true })] : published
      const created_at = seasonalMoment(random, now - 600 * DAY, now - 5 * DAY)
      const created_by = random.pick(staff)
      const [id = 0] = await insertMany(tx, combination, [{
        name: `${piece.name} 学习单`, subject_id: piece.subject_id, cover: piece.cover, tag_ids: piece.tag_ids, items, published: state === draft ? [] : published, version_no: state === draft ? 0 : 1, state, created_at, created_by,
      }])
      await writeUses(tx, id, items, state === draft ? [] : published)
      await openBlocks(tx, items, combination.grant)
      if (state !== draft) await tx.query(sql`insert into combination_version (combination_id, no, items, staff_id, at) values (${id}, 1, ${JSON.stringify(published)}::jsonb, ${created_by}, to_timestamp(${created_at + DAY}))`)
    }
  })
}

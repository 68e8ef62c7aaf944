import { sql } from 'drizzle-orm'
import type { Database, Queryable } from '../../core/database/database.server.ts'
import { startOfDay } from '../../core/field/time.ts'
import type { Staff } from '../../core/grant/staff.server.ts'
import { touch } from '../../core/resource/touch.server.ts'
import { insertMany, seedTransaction } from '../../core/setup/insert-many.server.ts'
import { seededRandom, type Random } from '../../core/setup/random.ts'
import { levelCodes } from '../book/module.ts'
import { fillSets, readProgress, setTargets } from '../practice/door.server.ts'
import { addCode } from '../qr/door.server.ts'
import { finishMaterial, piecesOfSets, writeMaterialUses } from './material/material.server.ts'
import { trainMaterial } from './material/material.ts'
import { FIRST_LAYOUT, newPiece, type Piece } from './material/pieces.ts'
import { compose, writeMeasureUses } from './measure/measure.server.ts'
import { MEASURE_STATE, measurement } from './measure/measurement.ts'
import { FIRST_BANDS } from './measure/report.ts'
import { ORDER_STATE, writingOrder } from './order/writing-order.ts'
import { bookSets, EXCELLENT, EXCELLENT_GROUP, EXCELLENT_SETS, HARD, TRAINING, TRAINING_GROUPS } from './sets.ts'

const DAY = 86_400
/** Questions that a chapter of the demo's books should have: fewer than of a real one, because its bank is small. */
const TARGETS = [{ group_key: 1, target_n: 2 }, { group_key: 2, target_n: 4 }, { group_key: 3, target_n: 2 }] as const
/** Books that the demo chooses questions for, and chapters of each. */
const BOOKS = 3
const CHAPTERS = 12

interface Book { id: number; name: string; subject_id: number; level: number; partwork_id: number }

/** Whoever sets up the demo works on these screens. */
const worker = (id: number): Staff => ({ id, account: '', name: '', role: '', modules: new Set([TRAINING, EXCELLENT]), scopes: {}, masksNames: false })
const builderOf = (id: number) => ({ staff: worker(id), ip: '127.0.0.1', requestId: undefined })

/** Sets of a book: most of its chapters are filled as far as the bank goes, the last ones are still to be filled. */
async function insertTraining(tx: Queryable, staff: number, own: Book): Promise<void> {
  const chapters = await readProgress(tx, worker(staff), own.partwork_id, bookSets(own.id))
  const [rich, poor] = [chapters.filter(({ depth, offered }) => depth > 0 && offered > 0).slice(0, CHAPTERS), chapters.filter(({ leaf, offered }) => leaf && offered === 0).slice(0, 4)]
  const wanted = { scope: 'chapter', product_line: bookSets(own.id) } as const
  await setTargets(tx, worker(staff), wanted, [...rich, ...poor].flatMap(({ id }) => TARGETS.map((target) => ({ ref_id: id, ...target }))))
  await fillSets(tx, builderOf(staff), wanted, rich.slice(0, Math.max(1, rich.length - 2)).flatMap(({ id }) => TRAINING_GROUPS.map(({ value }) => ({ ref_id: id, group_key: value }))))
}

/** Orders for holes of the books, in every state: under way, late, filled, cancelled. */
async function insertOrders(tx: Queryable, staff: readonly number[], books: readonly Book[], now: number): Promise<number> {
  const rows: Record<string, unknown>[] = []
  for (const own of books) {
    const holes = (await readProgress(tx, worker(staff[0] ?? 0), own.partwork_id, bookSets(own.id))).flatMap(({ id, name, groups }) => groups.flatMap(({ group_key, n, target_n }) => (target_n !== null && n < target_n ? [{ id, name, group_key, n, lack: target_n - n }] : [])))
    for (const [at, { id, name, group_key, n, lack }] of holes.slice(0, 5).entries()) {
      const kind = TRAINING_GROUPS.find(({ value }) => value === group_key)?.label ?? ''
      const created_at = now - (12 - at * 2) * DAY
      const state = at === 3 ? ORDER_STATE.cancelled : at === 4 ? ORDER_STATE.filled : ORDER_STATE.open
      rows.push({
        name: `${own.name} ${name} ${kind}`.slice(0, 160), kind: 'set', level: own.level, subject_id: own.subject_id, book_id: own.id, chapter_id: id, group_key, staff_id: staff[at % staff.length], wanted: lack, base_n: state === ORDER_STATE.filled ? 0 : n,
        due_at: startOfDay(now) + (at === 0 ? -2 : at * 3) * DAY, note: at % 2 === 0 ? '以图形题和情境题为主，解析写全步骤。' : null, state, closed_at: state === ORDER_STATE.filled ? startOfDay(now) - DAY : null, created_at, created_by: staff[0],
      })
    }
  }
  const [first] = books
  if (first) rows.push({ name: `${new Date(now * 1000).getFullYear() - 2} 年 全国Ⅲ卷 数学真题`, kind: 'gaokao', level: 0, subject_id: 1, region_id: 3, year: new Date(now * 1000).getFullYear() - 2, staff_id: staff[1] ?? staff[0], wanted: 22, base_n: 0, due_at: startOfDay(now) + 10 * DAY, state: ORDER_STATE.open, created_at: now - 3 * DAY, created_by: staff[0] })
  await insertMany(tx, writingOrder, rows)
  return rows.length
}

/** Materials of a book: finished, changed since, begun. */
async function insertMaterials(tx: Queryable, staff: readonly number[], own: Book, now: number): Promise<number> {
  const chosen = (await readProgress(tx, worker(staff[0] ?? 0), own.partwork_id, bookSets(own.id))).filter(({ groups }) => groups.some(({ n }) => n > 0)).slice(0, 4)
  for (const [at, { id, name }] of chosen.entries()) {
    const pieces = at === 3 ? [] : await piecesOfSets(tx, own.id, [{ id, name }])
    const created_at = now - (40 - at * 5) * DAY
    const [made = 0] = await insertMany(tx, trainMaterial, [{ name: `${name} 训练`.slice(0, 80), book_id: own.id, chapter_id: id, pieces, layout: { ...FIRST_LAYOUT, first_page: 1 + at * 4, answers: at === 1 ? 'after' : 'apart' }, created_at, created_by: staff[at % staff.length] ?? null }])
    await writeMaterialUses(tx, made, pieces)
    if (at > 1) continue
    const [row] = await tx.query<Parameters<typeof finishMaterial>[2] & Record<string, unknown>>(sql`select * from train_material where id = ${made}`)
    if (row) await finishMaterial(tx, staff[0] ?? null, row)
    const changed: Piece[] = [...pieces, newPiece({ kind: 'text', text: '易错提醒：先看清条件里的范围，再动笔。' })]
    await touch(tx, trainMaterial, { state: 1, ...(at === 1 && { pieces: changed }) }, made)
  }
  return chosen.length
}

/** Measurements of a book in every state; the published one stands in it. */
async function insertMeasures(tx: Queryable, staff: number, own: Book): Promise<number> {
  const labels = await tx.query<{ id: number; name: string }>(sql`select l.id, l.name from label l where l.kind = 'knowledge' and l.subject_id = ${own.subject_id} and l.depth >= 2 and l.deleted_at is null
    and (select count(*) from practice_label_tree t join practice p on p.id = t.practice_id where t.label_id = l.id and t.pool = 'official' and p.status = 4 and p.type in (1, 2, 3)) >= 3 order by l.depth, l.ord, l.id limit 8`)
  if (labels.length < 4) return 0
  const [a = [], b = []] = [labels.slice(0, 4), labels.slice(4)]
  const rows = [
    { name: `${own.name} 阶段测评一`, of: a, state: MEASURE_STATE.live }, { name: `${own.name} 阶段测评二`, of: b.length > 0 ? b : a, state: MEASURE_STATE.draft },
    { name: `${own.name} 入门测评`, of: a.slice(0, 2), state: MEASURE_STATE.off }, { name: `${own.name} 期末测评`, of: labels.slice(0, 6), state: MEASURE_STATE.draft },
  ]
  for (const [at, { name, of, state }] of rows.entries()) {
    const [id = 0] = await insertMany(tx, measurement, [{ name: name.slice(0, 60), book_id: own.id, subject_id: own.subject_id, level: own.level as 0, label_ids: of.map((label) => label.id), per_label: 3, curve: (at % 3 + 1) as 1, minutes: 20 + at * 10, bands: [...FIRST_BANDS], closing: '坚持每天 20 分钟，两周后再测一次。', state, created_by: staff }])
    if (at === 3) continue
    const [row] = await tx.query<Parameters<typeof compose>[1] & Record<string, unknown>>(sql`select * from measurement where id = ${id}`)
    if (!row) continue
    const { questions } = await compose(tx, row, 20_261 + at)
    await touch(tx, measurement, { questions }, id)
    await writeMeasureUses(tx, id, questions)
    if (state === MEASURE_STATE.live) await printed(tx, await addCode(tx, worker(staff), levelCodes(own.level), { book_id: own.id, level: own.level, name: '阶段测评一', section: '第一章', page_no: 48, kind: 'measurement', ref_id: id }))
  }
  return rows.length
}

/** A code of a printed book is printed with it. @returns whether it is */
async function printed(tx: Queryable, { id }: { id: number }): Promise<boolean> {
  const rows = await tx.query(sql`update qr_target q set state = 1, printed_in = b.print_no, health = 1, checked_at = now() from book b where q.id = ${id} and b.id = q.book_id and b.print_no > 0 returning q.id`)
  return rows.length > 0
}

/** Combinations in books: most of them printed and scanned, one of them since put out of use. */
async function insertCombos(tx: Queryable, random: Random, staff: number, books: readonly Book[], now: number): Promise<number> {
  let made = 0
  for (const own of books) {
    const combos = await tx.query<{ id: number; name: string }>(sql`select id, name from combination where subject_id = ${own.subject_id} and state = 1 and deleted_at is null order by id limit 8`)
    for (const [at, combo] of combos.entries()) {
      const { id } = await addCode(tx, worker(staff), levelCodes(own.level), { book_id: own.id, level: own.level, name: combo.name.slice(0, 60), section: `第${'一二三四'.charAt(at % 4)}章`, page_no: 6 + at * 7, kind: 'combination', ref_id: combo.id })
      made++
      if (!await printed(tx, { id }) || at % 4 === 3) continue
      const days = Array.from({ length: 30 }, (_, back) => ({ qr_id: id, day: startOfDay(now) - (back + 1) * DAY, n: random.int(0, 24) })).filter(({ n }) => n > 0)
      await tx.query(sql`insert into qr_hit_day (qr_id, day, n, people) select qr_id, to_timestamp(day), n, greatest(1, n * 4 / 5) from jsonb_to_recordset(${JSON.stringify(days)}::jsonb) as r (qr_id bigint, day float8, n integer)`)
    }
  }
  return made
}

/** Sets for the strongest of two subjects; some labels have too few hard questions. */
async function insertExcellent(tx: Queryable, staff: number): Promise<void> {
  for (const subject of [1, 101]) {
    const labels = await tx.query<{ id: number }>(sql`select l.id from label l where l.kind = 'knowledge' and l.subject_id = ${subject} and l.deleted_at is null and l.depth >= 2
      and not exists (select 1 from label b join practice_label_tree t on t.label_id = b.id and t.pool = 'official' join practice p on p.id = t.practice_id where b.parent_id = l.id and p.status = 4 and p.difficulty = any(${sql.param([...HARD])}::int[]))
      and exists (select 1 from practice_label_tree t join practice p on p.id = t.practice_id where t.label_id = l.id and t.pool = 'official' and p.status = 4 and p.difficulty = any(${sql.param([...HARD])}::int[])) order by l.id limit 16`)
    const wanted = { scope: 'label', product_line: EXCELLENT_SETS } as const
    await setTargets(tx, worker(staff), wanted, labels.map(({ id }, at) => ({ ref_id: id, group_key: EXCELLENT_GROUP, target_n: at % 4 === 0 ? 4 : 1 })))
    await fillSets(tx, builderOf(staff), wanted, labels.filter((_label, at) => at % 5 !== 4).map(({ id }) => ({ ref_id: id, group_key: EXCELLENT_GROUP })))
  }
}

/** What stands in three books: training with holes and who fills them, pages, measurements, combinations. */
export async function insertBookContentDemo(db: Database, report: (text: string) => void): Promise<void> {
  const [random, now] = [seededRandom(1508), Math.floor(Date.now() / 1000)]
  const staff = (await db.query<{ id: number }>(sql`select id from staff where status = 1 order by id limit 5`)).map(({ id }) => id)
  await seedTransaction(db, async (tx) => {
    const books = await tx.query<Book & Record<string, unknown>>(sql`select b.id, b.name, b.subject_id, b.level, b.partwork_id from book b where b.state = 3 and b.partwork_id is not null and b.deleted_at is null order by b.id limit ${BOOKS}`)
    const by = staff[0] ?? 0
    for (const own of books) await insertTraining(tx, by, own)
    const orders = await insertOrders(tx, staff, books, now)
    const done = { materials: 0, measures: 0 }
    for (const own of books) {
      done.materials += await insertMaterials(tx, staff, own, now)
      done.measures += await insertMeasures(tx, by, own)
    }
    const combos = await insertCombos(tx, random, by, books, now)
    await insertExcellent(tx, by)
    report(`已生成 ${books.length} 本图书的训练、${done.materials} 份素材、${done.measures} 个测评、${combos} 个组合二维码、${orders} 个写题任务`)
  })
}

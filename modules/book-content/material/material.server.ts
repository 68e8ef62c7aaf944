import { sql } from 'drizzle-orm'
import type { Queryable } from '../../../core/database/database.server.ts'
import { handle, idParam, type Call, type Served } from '../../../core/endpoint/serve.server.ts'
import { AppError, badRequest, invalid, notFound } from '../../../core/error/error.ts'
import { choiceLabel } from '../../../core/field/choice.ts'
import type { FileStore } from '../../../core/file/store.server.ts'
import type { Staff } from '../../../core/grant/staff.server.ts'
import { publishRecords } from '../../../core/live/live.server.ts'
import type { RowType } from '../../../core/resource/define.ts'
import { readOne } from '../../../core/resource/list.server.ts'
import { showRow } from '../../../core/resource/regions.server.ts'
import { serve } from '../../../core/resource/serve.server.ts'
import { touch } from '../../../core/resource/touch.server.ts'
import { listCondition } from '../../../core/resource/where.server.ts'
import { insertRow, lockRow } from '../../../core/resource/write.server.ts'
import { pinCards } from '../../paper/door.server.ts'
import { readCards, type PracticeUser } from '../../practice/door.server.ts'
import { SET_GROUPS } from '../../practice/module.ts'
import { findBook } from '../find-book.server.ts'
import { materialChanged } from '../live.ts'
import { bookSets, TRAINING_GROUPS } from '../sets.ts'
import { makeMaterial, materialVersions, materialWord, readMaterial, type MaterialCard, type MaterialVersion } from './calls.ts'
import { MATERIAL_STATE, materialPath, trainMaterial } from './material.ts'
import { FIRST_LAYOUT, layoutOf, MAX_PIECES, newPiece, practicesOf, type Layout, type Piece } from './pieces.ts'

type Row = RowType<typeof trainMaterial>

const listOf = (value: unknown) => (value ?? []) as Piece[]

/** Lines to write on that a question gets at first: those that are answered in words. */
const WRITTEN_LINES = 8
const WRITTEN = 4

/** Writes down which questions a material prints, in the transaction that writes its pieces. */
export async function writeMaterialUses(tx: Queryable, id: number, pieces: readonly Piece[]): Promise<void> {
  await tx.query(sql`delete from train_material_use where material_id = ${id}`)
  await tx.query(sql`insert into train_material_use (material_id, practice_id) select ${id}, p from unnest(${sql.param(practicesOf(pieces))}::bigint[]) p`)
}

/** Refuses questions that cannot be printed, of those that were not there before; each is held in a version that there is. */
async function checkPieces(tx: Queryable, subjectId: number, pieces: readonly Piece[], before: readonly Piece[]): Promise<Piece[]> {
  const had = new Map(before.map((piece) => [piece.ref_id, piece.version_no]))
  const fresh = pieces.filter(({ kind, ref_id, version_no }) => kind === 'practice' && had.get(ref_id) !== version_no)
  if (fresh.length === 0) return [...pieces]
  const rows = await tx.query<{ id: number; no: string; version_no: number; subject_id: number; usable: boolean; kept: number[] }>(sql`select p.id, p.no, p.version_no::int as version_no, p.subject_id, p.pool = 'official' as usable,
      coalesce((select array_agg(v.version_no) from practice_version v where v.practice_id = p.id), '{}') as kept
    from practice p where p.id = any(${sql.param(fresh.map(({ ref_id }) => ref_id))}::bigint[]) and p.deleted_at is null`)
  const known = new Map(rows.map((row) => [row.id, row]))
  for (const { ref_id } of fresh) {
    const row = known.get(ref_id)
    if (!row) throw invalid({ pieces: '试题不存在或已被删除，请重新选择' })
    if (!row.usable) throw invalid({ pieces: `试题 ${row.no} 还没有发布到正式题库` })
    if (row.subject_id !== subjectId) throw invalid({ pieces: `试题 ${row.no} 与图书不是同一学科` })
  }
  return pieces.map((piece) => {
    const row = fresh.includes(piece) ? known.get(piece.ref_id) : undefined
    return row && !row.kept.includes(piece.version_no) ? { ...piece, version_no: row.version_no } : piece
  })
}

/** Keeps what is edited as a version. @throws AppError when something of it cannot be printed */
async function finish(tx: Queryable, staffId: number | null, row: Pick<Row, 'id' | 'state' | 'pieces' | 'layout' | 'finished' | 'version_no'>): Promise<void> {
  const [pieces, layout] = [listOf(row.pieces), layoutOf(row.layout)]
  if (practicesOf(pieces).length === 0) throw badRequest('还没有试题，不能定稿')
  const [gone] = await tx.query<{ no: string }>(sql`select no from practice where id = any(${sql.param(practicesOf(pieces))}::bigint[]) and (pool <> 'official' or deleted_at is not null) limit 1`)
  if (gone) throw badRequest(`试题 ${gone.no} 不在正式题库，请替换后再定稿`)
  const no = row.version_no ?? 0
  const [last] = await tx.query<{ same: boolean }>(sql`select pieces = ${JSON.stringify(pieces)}::jsonb and layout = ${JSON.stringify(layout)}::jsonb as same from train_material_version where material_id = ${row.id} and no = ${no}`)
  if (last?.same) throw badRequest(`与第 ${no} 版相同，不用再定稿`)
  await tx.query(sql`insert into train_material_version (material_id, no, pieces, layout, staff_id) values (${row.id}, ${no + 1}, ${JSON.stringify(pieces)}::jsonb, ${JSON.stringify(layout)}::jsonb, ${staffId})`)
  await touch(tx, trainMaterial, { finished: pieces, version_no: no + 1 }, row.id)
  await publishRecords(tx, 'all', materialChanged, [row.id])
}

/** Finishes materials of the demo. @throws AppError as people are told */
export const finishMaterial = finish

async function subjectOf(tx: Queryable, bookId: number): Promise<{ id: number; name: string; level: number }> {
  const [row] = await tx.query<{ id: number; name: string; level: number }>(sql`select s.id, s.name, b.level from book b join subject s on s.id = b.subject_id where b.id = ${bookId}`)
  if (!row) throw invalid({ book_id: '图书不存在或已被删除' })
  return row
}

export const materialService = serve(trainMaterial)({
  computed: { question_cnt: sql`(select count(*)::int from train_material_use u where u.material_id = t.id)` },
  segments: {
    needs: {
      changed: sql`train_material.version_no > 0 and train_material.pieces is distinct from train_material.finished`,
      empty: sql`not exists (select 1 from train_material_use u where u.material_id = train_material.id)`,
    },
  },
  async before({ tx, values, row }) {
    const bookId = row?.book_id ?? values.book_id
    if (values.pieces === undefined || bookId === undefined) return
    Object.assign(values, { pieces: await checkPieces(tx, (await subjectOf(tx, bookId)).id, listOf(values.pieces), listOf(row?.pieces)) })
  },
  async after({ tx, values, saved }) {
    if (values.pieces !== undefined) await writeMaterialUses(tx, saved.id, listOf(saved.pieces))
    await publishRecords(tx, 'all', materialChanged, [saved.id])
  },
  effects: { finish: ({ tx, staff, row }) => finish(tx, staff.id, row) },
})

/** The material of a call, within the person's scope. @throws notFound */
async function rowOf(call: Pick<Call, 'params' | 'staff' | 'db'>): Promise<Row> {
  const row = await readOne(call.db, trainMaterial, call.staff, idParam(call), materialService.rules.computed ?? {})
  if (!row) throw notFound(trainMaterial.label)
  return row
}

/** Questions in the versions that pieces hold. */
async function cardsOf(db: Queryable, staff: Staff, pieces: readonly Piece[]): Promise<MaterialCard[]> {
  const items = pieces.flatMap(({ kind, ref_id, version_no }) => (kind === 'practice' ? [{ practice_id: ref_id, version_no }] : []))
  return pinCards(db, items, await readCards(db, staff, [...new Set(items.map(({ practice_id }) => practice_id))]))
}

interface SetIds { group_key: number; ids: number[] }

/** Questions of the sets of a book's chapter, group after group. */
const setsOf = (db: Queryable, bookId: number, chapterId: number) => db.query<SetIds & Record<string, unknown>>(sql`select x.group_key, array_agg(i.practice_id order by i.ord) as ids from selected_set x join selected_item i on i.set_id = x.id
  where x.scope = 'chapter' and x.product_line = ${bookSets(bookId)} and x.ref_id = ${chapterId} group by x.group_key order by x.group_key`)

/**
 * Pieces made of the sets of chapters. A question that stands in several sets is printed where it comes first.
 * @param lines how many lines a question gets to write on
 */
export async function piecesOfSets(db: Queryable, bookId: number, chapters: readonly { id: number; name: string }[]): Promise<Piece[]> {
  const pieces: Piece[] = []
  const taken = new Set<number>()
  for (const [at, { id, name }] of chapters.entries()) {
    const sets = await setsOf(db, bookId, id)
    const facts = new Map((await db.query<{ id: number; type: number; version_no: number }>(sql`select id, type, version_no::int as version_no from practice where id = any(${sql.param(sets.flatMap(({ ids }) => ids))}::bigint[])`)).map((row) => [row.id, row]))
    pieces.push(newPiece({ kind: 'heading', text: name, page: at > 0 }))
    for (const { group_key, ids } of sets) {
      const own = ids.filter((one) => !taken.has(one))
      if (own.length > 0) pieces.push(newPiece({ kind: 'text', text: choiceLabel(SET_GROUPS, group_key) }))
      for (const one of own) {
        taken.add(one)
        const fact = facts.get(one)
        pieces.push(newPiece({ kind: 'practice', ref_id: one, version_no: fact?.version_no ?? 0, lines: fact?.type === WRITTEN && group_key > 1 ? WRITTEN_LINES : 0 }))
      }
    }
  }
  return pieces
}

/** The calls of materials beside those of their list, answered. */
export const materialCalls = (files: FileStore): Served[] => [
  handle(readMaterial, async (call) => {
    const row = await rowOf(call)
    const subject = await subjectOf(call.db, row.book_id)
    const sets = row.chapter_id === null ? [] : await setsOf(call.db, row.book_id, row.chapter_id)
    const cards = new Map((await readCards(call.db, call.staff, [...new Set(sets.flatMap(({ ids }) => ids))])).map((card) => [card.id, card]))
    const others = await call.db.query<{ id: number; name: string; state: number }>(sql`select id, name, state from train_material where book_id = ${row.book_id} and deleted_at is null order by id limit 300`)
    return {
      row: showRow(trainMaterial, call.staff, row), subject, others: others.map((one) => ({ ...one })), cards: await cardsOf(call.db, call.staff, listOf(row.pieces)),
      sets: TRAINING_GROUPS.flatMap(({ value, label }) => {
        const items = (sets.find(({ group_key }) => group_key === value)?.ids ?? []).flatMap((id) => cards.get(id) ?? [])
        return items.length === 0 ? [] : [{ name: label, items }]
      }),
    }
  }),
  handle(materialVersions, async (call) => {
    const { id } = await rowOf(call)
    const items = await call.db.query<MaterialVersion & Record<string, unknown>>(sql`select v.no, v.pieces, v.layout, s.name as staff_name, extract(epoch from v.at)::int as at from train_material_version v left join staff s on s.id = v.staff_id
      where v.material_id = ${id} order by v.no desc limit 100`)
    const shown = new Map(items.flatMap(({ pieces }) => pieces).map((piece) => [piece.ref_id, piece]))
    return { items, cards: await cardsOf(call.db, call.staff, [...shown.values()]), total: items.length }
  }),
  handle(materialWord, async (call) => {
    const row = await rowOf(call)
    const { answers, no } = call.input
    const [version] = no === undefined ? [] : await call.db.query<{ pieces: Piece[]; layout: Layout }>(sql`select pieces, layout from train_material_version where material_id = ${row.id} and no = ${Number(no)}`)
    if (no !== undefined && !version) throw notFound('版本')
    const pieces = version?.pieces ?? listOf(row.pieces)
    const layout = { ...layoutOf(version?.layout ?? row.layout), ...(answers && { answers }) }
    // What writes Word is large, and few processes are ever asked for it.
    const { writeMaterialWord } = await import('./word.server.ts')
    const bytes = await writeMaterialWord({ name: row.name, pieces, layout, cards: await cardsOf(call.db, call.staff, pieces) }, files)
    const name = `${row.name}${no === undefined ? '' : `（第 ${no} 版）`}.docx`
    return call.reply.header('content-type', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document').header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(name)}`).send(Buffer.from(bytes))
  }),
  handle(makeMaterial, (call) => call.transaction(async (tx) => {
    const own = await findBook(tx, call.staff, idParam(call))
    const ids = [...new Set(call.input.chapter_ids)]
    const chapters = await tx.query<{ id: number; name: string }>(sql`select c.id, c.name from chapter c join unnest(${sql.param(ids)}::bigint[]) with ordinality u (id, place) on u.id = c.id where c.partwork_id = ${own.partwork_id} and c.deleted_at is null order by u.place for key share of c`)
    if (chapters.length < ids.length) throw invalid({ chapter_ids: '有章节不属于这本图书，请刷新后重试' })
    const pieces = await piecesOfSets(tx, own.id, chapters)
    if (practicesOf(pieces).length === 0) throw badRequest('这些章节还没有选题，请先选题或补齐')
    if (pieces.length > MAX_PIECES) throw badRequest(`共 ${pieces.length} 项内容，超过 ${MAX_PIECES} 项，请分成几份素材`)
    const { id } = await insertRow(tx, trainMaterial, call.staff.id, { name: call.input.name, book_id: own.id, chapter_id: chapters.length === 1 ? chapters[0]?.id ?? null : null, pieces, layout: FIRST_LAYOUT }, materialService.rules.computed ?? {})
    await writeMaterialUses(tx, Number(id), pieces)
    return { id: Number(id) }
  })),
]

const living = sql`join train_material m on m.id = u.material_id and m.deleted_at is null`

/** Materials as users of questions: what is edited follows; versions stay as they were finished. */
export const materialUses: PracticeUser = {
  count: (id) => sql`(select count(*) from train_material_use u ${living} where u.practice_id = ${id})`,
  async list(db, staff, id) {
    if (!staff.modules.has(trainMaterial.grant)) return []
    const rows = await db.query<{ id: number; name: string; state: number }>(sql`select m.id, m.name, m.state from train_material_use u ${living} where u.practice_id = ${id} and m.id in (select id from train_material where ${listCondition(trainMaterial, staff, {})}) order by m.id desc limit 100`)
    return rows.map(({ id: own, name, state }) => ({ kind: '训练素材', title: `${name}${state === MATERIAL_STATE.final ? '（已定稿）' : ''}`, path: materialPath(own) }))
  },
  async move(tx, staff, from, to) {
    const done = { moved: 0, left_alone: 0 }
    for (const { id } of await tx.query<{ id: number }>(sql`select m.id from train_material_use u ${living} where u.practice_id = ${from} order by m.id`)) {
      if (!staff.modules.has(trainMaterial.actions.update ?? 0)) {
        done.left_alone++
        continue
      }
      try {
        const row = await lockRow(tx, trainMaterial, staff, id)
        const pieces = listOf(row.pieces)
        // Of a material that prints both, its editors say which goes.
        if (practicesOf(pieces).includes(to)) {
          done.left_alone++
          continue
        }
        const [now] = await tx.query<{ version_no: number }>(sql`select version_no::int as version_no from practice where id = ${to}`)
        const next = pieces.map((piece) => (piece.kind === 'practice' && piece.ref_id === from ? { ...piece, ref_id: to, version_no: now?.version_no ?? 0 } : piece))
        await touch(tx, trainMaterial, { pieces: next }, id)
        await writeMaterialUses(tx, id, next)
        done.moved++
      } catch (error) {
        // Refused before anything is written: what lies outside the person's scopes.
        if (!(error instanceof AppError)) throw error
        done.left_alone++
      }
    }
    return done
  },
}

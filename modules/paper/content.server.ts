import { sql, type SQL } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { badRequest, notFound, notGranted } from '../../core/error/error.ts'
import { standardId } from '../../core/grant/grant.ts'
import type { Staff } from '../../core/grant/staff.server.ts'
import { choiceLabel } from '../../core/field/choice.ts'
import { touch } from '../../core/resource/touch.server.ts'
import { readCards } from '../practice/door.server.ts'
import type { PracticeCard } from '../practice/module.ts'
import { screenId } from '../screens.ts'
import type { PaperContent } from './calls.ts'
import { coefOf } from './compose/analysis.ts'
import { applyAll, itemsOf, MAX_ITEMS, MAX_SECTIONS, totalScore, type Change, type PaperBody, type PaperItem } from './compose/body.ts'
import { placesOf, readGrants } from './kind.ts'
import { PAPER_STATE, PAPER_STATES, resourceOf, screenOfPaper } from './paper.ts'

/** A paper as rules about it need it. */
export interface PaperRow {
  id: number
  name: string
  kind: string
  level: number
  subject_id: number
  subject_name: string
  state: (typeof PAPER_STATE)[keyof typeof PAPER_STATE]
  version_no: number
  duration: number | null
}

/** How many of the last papers of a subject count as recent where nobody says, when a question is looked for in them. */
const RECENT_PAPERS = 10
/** States in which the questions of a paper may be changed; a shelved paper goes into revision then. */
const OPEN: ReadonlySet<number> = new Set([PAPER_STATE.draft, PAPER_STATE.shelved, PAPER_STATE.off, PAPER_STATE.revising])

const holds = (staff: Staff, paper: Pick<PaperRow, 'kind' | 'level'>) => readGrants(screenOfPaper(paper)).some((grant) => staff.modules.has(grant))
export const mayEdit = (staff: Staff, paper: Pick<PaperRow, 'kind' | 'level'>): boolean => staff.modules.has(standardId(resourceOf(paper).grant, 'edit'))

export const mayMark = (staff: Staff, paper: Pick<PaperRow, 'kind' | 'level'>): boolean => staff.modules.has(resourceOf(paper).rights.id('mark'))

function scoped(staff: Staff): SQL {
  const { subject, level } = staff.scopes
  return sql.join([sql`p.deleted_at is null`, ...(subject ? [sql`p.subject_id = any(${sql.param([...subject])}::bigint[])`] : []), ...(level ? [sql`p.level = any(${sql.param([...level])}::int[])`] : [])], sql` and `)
}

/**
 * A living paper within a person's reach.
 * @param lock for a change: nobody else changes it until the transaction ends
 * @throws AppError when there is none that the person may see
 */
export async function findPaper(db: Queryable, staff: Staff, id: number, lock = false): Promise<PaperRow> {
  const [paper] = await db.query<PaperRow>(sql`select p.id, p.name, p.kind, p.level, p.subject_id, s.name as subject_name, p.state, p.version_no::int as version_no, p.duration::int as duration
    from paper p join subject s on s.id = p.subject_id where p.id = ${id} and ${scoped(staff)}${lock ? sql` for no key update of p` : sql``}`)
  if (!paper || !holds(staff, paper)) throw notFound('试卷')
  return paper
}

/** The questions of a paper as they are being edited; a paper that nobody has edited yet has none. */
export async function readBody(db: Queryable, id: number): Promise<{ body: PaperBody; rev: number }> {
  const [row] = await db.query<{ body: PaperBody; rev: number }>(sql`select body, rev from paper_body where paper_id = ${id}`)
  return row ?? { body: { sections: [] }, rev: 0 }
}

/** Why a paper cannot be changed by this person now; null when it can. */
function whyNot(staff: Staff, paper: PaperRow): string | null {
  if (!mayEdit(staff, paper)) return `没有「${resourceOf(paper).label} · 新增和编辑」权限，只能查看`
  if (!OPEN.has(paper.state)) return `试卷${choiceLabel(PAPER_STATES, paper.state)}，不能修改`
  return null
}

/** How often each question stands in the last papers of the subject, this one apart. */
async function repeatsOf(db: Queryable, paper: PaperRow, ids: readonly number[], recent: number): Promise<Map<number, number>> {
  const rows = await db.query<{ practice_id: number; n: number }>(sql`select i.practice_id, count(*)::int as n
    from (select id from paper where subject_id = ${paper.subject_id} and id <> ${paper.id} and deleted_at is null order by id desc limit ${recent}) recent
    join paper_item i on i.paper_id = recent.id where i.practice_id = any(${sql.param([...ids])}::bigint[]) group by i.practice_id`)
  return new Map(rows.map(({ practice_id, n }) => [practice_id, n]))
}

/** Places of questions in the textbooks: of the first chapter that each belongs to, counted from 1 among these. */
async function chaptersOf(db: Queryable, ids: readonly number[]): Promise<Map<number, number>> {
  const rows = await db.query<{ practice_id: number; chapter: number }>(sql`select practice_id, dense_rank() over (order by min(place collate "C"))::int as chapter from (
      select pc.practice_id, array[lpad(c.partwork_id::text, 15, '0')] || array(select u.v from chapter a cross join lateral unnest(array[coalesce(a.ord, '') collate "default", lpad(a.id::text, 15, '0')]) with ordinality u (v, k)
        where a.id = c.id or a.id = any(string_to_array(trim(both '/' from c.path), '/')::bigint[]) order by a.depth, u.k) as place
      from practice_chapter pc join chapter c on c.id = pc.chapter_id where pc.practice_id = any(${sql.param([...ids])}::bigint[]) and c.deleted_at is null) x group by practice_id`)
  return new Map(rows.map(({ practice_id, chapter }) => [practice_id, chapter]))
}

/** Questions with the text of the versions that the items hold; one whose version was not kept has that of today. */
export async function pinCards(db: Queryable, items: readonly Pick<PaperItem, 'practice_id' | 'version_no'>[], cards: readonly PracticeCard[]): Promise<(PracticeCard & { latest: number })[]> {
  const held = new Map(items.map(({ practice_id, version_no }) => [practice_id, version_no]))
  // A draft that waits to be published stands in a paper as it is by now.
  const old = cards.filter(({ id, pool, version_no }) => pool === 'official' && (held.get(id) ?? version_no) !== version_no)
  const rows = old.length === 0 ? [] : await db.query<{ practice_id: number; content: PracticeCard['content'] }>(sql`select v.practice_id, v.snapshot->'content' as content
    from unnest(${sql.param(old.map(({ id }) => id))}::bigint[], ${sql.param(old.map(({ id }) => held.get(id) ?? 0))}::bigint[]) as w (id, no) join practice_version v on v.practice_id = w.id and v.version_no = w.no`)
  const contents = new Map(rows.map(({ practice_id, content }) => [practice_id, content]))
  return cards.map((card) => {
    const content = contents.get(card.id)
    return { ...card, latest: card.pool === 'official' ? card.version_no : held.get(card.id) ?? card.version_no, ...(content && { content, type: content.type, version_no: held.get(card.id) ?? card.version_no }) }
  })
}

/** Addresses of a paper, as far as the person may open them. */
function placesFor(staff: Staff, paper: PaperRow): PaperContent['places'] {
  const screen = screenOfPaper(paper)
  const { detail, add } = placesOf(screen, paper.id)
  return { detail, add: staff.modules.has(screenId(screen.add)) ? add : null }
}

/** A paper with its questions, for the editor. */
export async function paperContent(db: Queryable, staff: Staff, paper: PaperRow, recent = RECENT_PAPERS): Promise<PaperContent> {
  const { body, rev } = await readBody(db, paper.id)
  const items = itemsOf(body)
  const ids = items.map(({ practice_id }) => practice_id)
  const [cards, repeats, chapters] = await Promise.all([readCards(db, staff, ids), repeatsOf(db, paper, ids, recent), chaptersOf(db, ids)])
  const pinned = await pinCards(db, items, cards)
  const read_only = whyNot(staff, paper)
  return { ...paper, places: placesFor(staff, paper), body, body_rev: rev, practices: pinned.map((card) => ({ ...card, repeats: repeats.get(card.id) ?? 0, chapter: chapters.get(card.id) ?? null })), can_edit: read_only === null, read_only, can_mark: mayMark(staff, paper) }
}

/** Questions that changes bring in: each is published and of the paper's subject; it comes with its present version, or with an older one that the change names. */
async function pinned(tx: Queryable, paper: PaperRow, changes: readonly Change[], body: PaperBody): Promise<Change[]> {
  const present = new Map(itemsOf(body).map(({ practice_id, version_no }) => [practice_id, version_no]))
  const brought = changes.flatMap((change) => (change.do === 'item' && present.get(change.item.practice_id) !== change.item.version_no ? [change.item] : []))
  if (brought.length === 0) return [...changes]
  const added = brought.map(({ practice_id }) => practice_id)
  const kept = new Set((await tx.query<{ id: number; no: number }>(sql`select v.practice_id as id, v.version_no as no from unnest(${sql.param(added)}::bigint[], ${sql.param(brought.map(({ version_no }) => version_no))}::bigint[]) as w (id, no)
    join practice_version v on v.practice_id = w.id and v.version_no = w.no`)).map(({ id, no }) => `${id} ${no}`))
  const rows = await tx.query<{ id: number; no: string; version_no: number; subject_id: number; usable: boolean }>(sql`select id, no, version_no::int as version_no, subject_id, pool = 'official' as usable
    from practice where id = any(${sql.param(added)}::bigint[]) and deleted_at is null`)
  const known = new Map(rows.map((row) => [row.id, row]))
  for (const id of added) {
    const row = known.get(id)
    if (!row) throw badRequest('试题不存在或已被删除')
    if (!row.usable) throw badRequest(`试题 ${row.no} 还没有发布到正式题库，不能组卷`)
    if (row.subject_id !== paper.subject_id) throw badRequest(`试题 ${row.no} 不属于「${paper.subject_name}」，不能组卷`)
  }
  return changes.map((change) => {
    const row = change.do === 'item' ? known.get(change.item.practice_id) : undefined
    if (change.do !== 'item' || !row || kept.has(`${row.id} ${change.item.version_no}`)) return change
    return { ...change, item: { ...change.item, version_no: row.version_no } }
  })
}

/** The sign of a school is that of a skeleton, which all staff may see. @throws AppError for any other file */
async function checkSigns(tx: Queryable, body: PaperBody, changes: readonly Change[]): Promise<void> {
  const signs = changes.flatMap((change) => (change.do === 'front' && change.front.logo !== null && change.front.logo !== body.front?.logo ? [change.front.logo] : []))
  if (signs.length === 0) return
  const known = new Set((await tx.query<{ logo: string }>(sql`select distinct logo from paper_skeleton where logo = any(${sql.param(signs)}::text[])`)).map(({ logo }) => logo))
  if (signs.some((sign) => !known.has(sign))) throw badRequest('校徽应来自试卷模板')
}

/** Writes the questions of a paper, and what follows from them. The paper is locked. */
export async function writeBody(tx: Queryable, staffId: number | null, paper: PaperRow, body: PaperBody, changes: readonly Change[]): Promise<void> {
  const items = itemsOf(body)
  await tx.query(sql`insert into paper_body (paper_id, rev, body) values (${paper.id}, 1, ${JSON.stringify(body)}::jsonb)
    on conflict (paper_id) do update set rev = paper_body.rev + 1, body = excluded.body`)
  await tx.query(sql`delete from paper_item where paper_id = ${paper.id}`)
  if (items.length > 0) {
    const rows = items.map(({ practice_id, score }, index) => ({ p: practice_id, o: index + 1, s: score }))
    await tx.query(sql`insert into paper_item (paper_id, practice_id, ord, score) select ${paper.id}, p, o, s from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (p bigint, o int, s numeric)`)
  }
  const known = new Map((await tx.query<{ id: number; coef: number | null; difficulty: number | null; has_video: number }>(
    sql`select id, coef, difficulty, has_video from practice where id = any(${sql.param(items.map(({ practice_id }) => practice_id))}::bigint[])`)).map((row) => [row.id, row]))
  const judged = items.flatMap(({ practice_id, score }) => {
    const row = known.get(practice_id)
    const coef = row ? coefOf(row) : null
    return coef === null ? [] : [{ coef, score }]
  })
  const points = judged.reduce((sum, { score }) => sum + score, 0)
  const coef = points === 0 ? null : Math.round((judged.reduce((sum, one) => sum + one.coef * one.score, 0) / points) * 1000) / 1000
  const videos = items.filter(({ practice_id }) => known.get(practice_id)?.has_video === 1).length
  await touch(tx, resourceOf(paper), {
    total_score: totalScore(body), question_count: items.length, coef, video_share: items.length === 0 ? 0 : Math.round((videos / items.length) * 100),
    has_video: videos > 0 ? 1 : 0, state: paper.state === PAPER_STATE.shelved ? PAPER_STATE.revising : paper.state,
  }, paper.id)
  await tx.query(sql`insert into paper_change (paper_id, staff_id, changes) values (${paper.id}, ${staffId}, ${JSON.stringify(changes)}::jsonb)`)
}

/**
 * Applies changes to a paper, on top of whatever others have done to it.
 * @throws AppError when the paper or a question does not allow it; nothing is changed then
 */
export async function applyChanges(tx: Queryable, staff: Staff, id: number, changes: readonly Change[]): Promise<PaperRow> {
  const paper = await findPaper(tx, staff, id, true)
  if (!mayEdit(staff, paper)) throw notGranted(`${resourceOf(paper).label} · 新增和编辑`)
  const reason = whyNot(staff, paper)
  if (reason) throw badRequest(reason)
  const { body } = await readBody(tx, id)
  const checked = await pinned(tx, paper, changes, body)
  await checkSigns(tx, body, checked)
  const next = applyAll(body, checked)
  if (next.sections.length > MAX_SECTIONS) throw badRequest(`大题最多 ${MAX_SECTIONS} 个`)
  if (itemsOf(next).length > MAX_ITEMS) throw badRequest(`试题最多 ${MAX_ITEMS} 道`)
  await writeBody(tx, staff.id, paper, next, checked)
  return { ...paper, state: paper.state === PAPER_STATE.shelved ? PAPER_STATE.revising : paper.state }
}

/** What must hold before learners see a paper (domain 1.19). */
export async function checkBeforeShelf(tx: Queryable, id: number): Promise<PaperBody> {
  const { body } = await readBody(tx, id)
  const items = itemsOf(body)
  if (items.length === 0) throw badRequest('试卷还没有试题，不能上架')
  const zero = items.findIndex(({ score }) => score === 0)
  if (zero >= 0) throw badRequest(`第 ${zero + 1} 题还没有分值，不能上架`)
  const [missing] = await tx.query<{ no: string }>(sql`select no from practice where id = any(${sql.param(items.map(({ practice_id }) => practice_id))}::bigint[]) and (pool <> 'official' or deleted_at is not null) limit 1`)
  if (missing) throw badRequest(`试题 ${missing.no} 不在正式题库，请替换后再上架`)
  return body
}

/** Makes what a paper consists of now the version that learners see. @throws AppError when it is not fit for that */
export async function shelve(tx: Queryable, staffId: number, id: number): Promise<void> {
  const body = await checkBeforeShelf(tx, id)
  const [next] = await tx.query<{ version_no: number }>(sql`update paper set version_no = version_no + 1 where id = ${id} returning version_no::int as version_no`)
  await tx.query(sql`insert into paper_version (paper_id, version_no, body, staff_id) values (${id}, ${next?.version_no ?? 1}, ${JSON.stringify(body)}::jsonb, ${staffId})`)
}

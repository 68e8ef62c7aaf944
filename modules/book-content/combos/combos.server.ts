import { sql } from 'drizzle-orm'
import { handle, idParam, type Served } from '../../../core/endpoint/serve.server.ts'
import { badRequest, notFound } from '../../../core/error/error.ts'
import { listCondition } from '../../../core/resource/where.server.ts'
import { lockRow } from '../../../core/resource/write.server.ts'
import { book, levelCodes } from '../../book/module.ts'
import type { CombinationUser } from '../../combination/door.server.ts'
import { combination, pagesOf, type CombinationItem } from '../../combination/module.ts'
import { blockKind, describeBlocks } from '../../outline/door.server.ts'
import { addCode, serveCodeList } from '../../qr/door.server.ts'
import { findBook } from '../find-book.server.ts'
import { bookCombination, placeCombo, readCombo } from './combos.ts'

const own = sql`from combination c where c.id = t.ref_id`

/** The codes of combinations: their list with what is behind them. */
export const comboCodes = serveCodeList(bookCombination, {
  item_cnt: sql`(select coalesce(jsonb_array_length(c.published), 0) ${own})`,
  standing: sql`(select case when c.deleted_at is not null then '已删除' when c.state = 0 then '未发布' when c.state = 2 then '已停用' when c.items is distinct from c.published then '有未发布的改动' else '已发布' end ${own})`,
})

/** States of a book in which it takes codes: not while it is looked at, nor out of print. */
const OPEN_BOOK = [1, 3, 4]

/** The calls of combinations in books, answered. */
export const comboCalls = (): Served[] => [
  handle(readCombo, async (call) => {
    const [code] = await call.db.query<{ ref_id: number }>(sql`select ref_id from qr_target where id = ${idParam(call)} and ${listCondition(bookCombination, call.staff, {})}`)
    if (!code) throw notFound(bookCombination.label)
    const [row] = await call.db.query<{ id: number; name: string; version_no: number | null; published: CombinationItem[] | null; mine: boolean }>(sql`select c.id, c.name, c.version_no::int as version_no, c.published, c.id in (select id from combination where ${listCondition(combination, call.staff, {})}) as mine from combination c where c.id = ${code.ref_id}`)
    if (!row) throw notFound(combination.label)
    const items = row.published ?? []
    const facts = new Map((await describeBlocks(call.db, items)).map((fact) => [`${fact.kind} ${fact.id}`, fact]))
    return {
      id: row.id, name: row.name, version_no: row.version_no, path: row.mine && call.staff.modules.has(combination.grant) ? `/material/combination/detail/${row.id}` : null,
      items: pagesOf(items).flatMap((page, at) => page.map(({ kind, ref_id, title, text }) => {
        const fact = facts.get(`${kind} ${ref_id}`)
        const words = kind === 'text'
        return { kind: blockKind(kind)?.label ?? kind, title: title || (words ? text.slice(0, 40) : fact?.name ?? '已被删除'), page: at + 1, health: words ? { tone: 'ok' as const, words: '可用' } : fact?.health ?? { tone: 'bad' as const, words: '内容已被删除' } }
      })),
    }
  }),
  handle(placeCombo, (call) => call.transaction(async (tx) => {
    const { book_id, combination_id, name, section = '', page_no } = call.input
    const found = await findBook(tx, call.staff, book_id)
    const { state } = await lockRow(tx, book, call.staff, book_id)
    if (!OPEN_BOOK.includes(state ?? 0)) throw badRequest('图书正在审核或已绝版，不能增加二维码')
    return addCode(tx, call.staff, levelCodes(found.level), { book_id, level: found.level, name, section: section === '' ? null : section, page_no, kind: 'combination', ref_id: combination_id })
  })),
]

/** Codes as users of combinations. */
export const comboUses: CombinationUser = {
  count: (id) => sql`(select count(*) from qr_target s where s.target_kind = 'combination' and s.ref_id = ${id} and s.deleted_at is null)`,
  async list(db, staff, id) {
    if (!staff.modules.has(bookCombination.grant)) return []
    const rows = await db.query<{ id: number; name: string; code: string; state: number; book: string }>(sql`select q.id, q.name, q.code, q.state, b.name as book from qr_target q join book b on b.id = q.book_id
      where q.ref_id = ${id} and q.id in (select id from qr_target where ${listCondition(bookCombination, staff, {})}) order by q.id desc limit 100`)
    return rows.map(({ id: code, name, code: text, state, book: title }) => ({ kind: '图书二维码', title: `${title} ${name}（${text}${state === 0 ? '' : '，已印'}）`, path: `/practiceBook/content/combination?open=${code}`, live: state !== 0 }))
  },
}

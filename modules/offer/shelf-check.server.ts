import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { badRequest } from '../../core/error/error.ts'
import type { ProductLine } from '../reference/module.ts'
import type { ShelfCheck } from './calls.ts'
import { OFFER_ITEM, OFFER_STATE, VALID_MODE, type OfferRow } from './offer.ts'
import type { OutlinePort } from './outline-port.ts'

/** The textbook that an offer follows; null where it has its own outline. */
const textbookOf = (row: OfferRow): number | null => (typeof row['textbook_id'] === 'number' ? row['textbook_id'] : null)

type Item = ShelfCheck['items'][number]

const must = (label: string, ok: boolean, detail: string): Item => ({ label, ok, must: true, detail: ok ? null : detail })
const advice = (label: string, ok: boolean, detail: string): Item => ({ label, ok, must: false, detail: ok ? null : detail })

/** Says of the outline that an offer teaches whether it can be learned from. */
async function outlineItems(db: Queryable, ownerId: number, outline: OutlinePort): Promise<Item[]> {
  const state = (await outline.states(db, [ownerId])).get(ownerId)
  return [
    // Lines sold courses before their outlines were kept here.
    advice('目录', state !== undefined && state.version > 0, '目录还没有发布'),
    must('内容', (state?.problems.length ?? 0) === 0, state?.problems.slice(0, 3).join('；') ?? ''),
    advice('试听', (state?.trial ?? 0) > 0, '没有可以试听的课时'),
  ]
}

/** 上架体检: everything that has to be right, or should be, before an offer is sold. */
export async function checkShelf(db: Queryable, line: Pick<ProductLine, 'textbook'>, row: OfferRow, outline: OutlinePort | undefined): Promise<ShelfCheck> {
  const now = Math.floor(Date.now() / 1000)
  const textbook = textbookOf(row)
  const [book] = textbook === null ? [] : await db.query<{ status: number }>(sql`select status from textbook where id = ${textbook} and deleted_at is null`)
  const [closed] = await db.query<{ title: string }>(sql`select o.title from offer_item i join offer o on o.id = i.ref_id where i.offer_id = ${row.id} and i.kind = ${OFFER_ITEM.offer}
    and (o.state <> ${OFFER_STATE.selling} or o.deleted_at is not null) limit 1`)
  const items = [
    must('封面', row.cover !== null, '请上传封面'),
    must('有效期', row.valid_mode === VALID_MODE.days ? row.valid_days !== null : (row.valid_until ?? 0) > now, row.valid_mode === VALID_MODE.days ? '请填写有效天数' : '有效期已过'),
    must('销售时间', row.sale_end === null || row.sale_end > now, '停售时间已过'),
    must('划线价', row.line_price === null || row.line_price >= row.price, '划线价低于价格'),
    ...(line.textbook === 'partwork' ? [must('教材', book?.status === 1, '所用教材还没有上架')] : []),
    ...(closed ? [must('包含的课程', false, `包含的「${closed.title}」不在售`)] : []),
    ...(outline ? await outlineItems(db, textbook ?? row.id, outline) : []),
    advice('价格', row.price > 0, '价格为 0 元，任何人都可以免费获得'),
    advice('主讲', (row.teacher_ids?.length ?? 0) > 0, '没有填写主讲'),
    advice('调用产品', (row.invoking_products?.length ?? 0) > 0, '没有选择调用产品，所有学习端都不会展示'),
  ]
  return { passes: items.every((item) => item.ok || !item.must), items }
}

/** @throws AppError that names everything that is missing */
export async function requireShelf(db: Queryable, line: Pick<ProductLine, 'textbook'>, row: OfferRow, outline: OutlinePort | undefined): Promise<void> {
  const { items } = await checkShelf(db, line, row, outline)
  const missing = items.flatMap(({ ok, must: needed, detail }) => (needed && !ok && detail !== null ? [detail] : []))
  if (missing.length > 0) throw badRequest(`还不能上架：${missing.join('；')}`)
}

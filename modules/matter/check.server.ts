import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { handle, idParam, type Served } from '../../core/endpoint/serve.server.ts'
import { AppError, badRequest, notFound } from '../../core/error/error.ts'
import { readOne } from '../../core/resource/list.server.ts'
import { serve } from '../../core/resource/serve.server.ts'
import { setDerived } from '../../core/resource/touch.server.ts'
import { lockRow } from '../../core/resource/write.server.ts'
import { countLines, readLines, type CheckContent } from './calls.ts'
import { CHECK_STATE as S, matterCheck, type CheckRow } from './check.ts'
import { lockMatters, post, stockIn } from './post.server.ts'

const LINES = sql`from matter_check_line l join matter m on m.id = l.matter_id where l.check_id = t.id`
/** What a line changes: of a count what was found beyond the book, of a loss what is gone. */
const DIFF = sql`case when t.kind = 'loss' then -l.counted else l.counted - l.expected end`

const COMPUTED = {
  line_cnt: sql`(select count(*)::int ${LINES})`,
  diff_cnt: sql`(select count(*)::int ${LINES} and ${DIFF} <> 0)`,
  diff_qty: sql`(select coalesce(sum(${DIFF}), 0)::bigint ${LINES})`,
  diff_cost: sql`(select coalesce(sum(${DIFF} * coalesce(m.cost, 0)), 0)::bigint ${LINES})`,
}

interface StoredLine extends Record<string, unknown> { matter_id: number; expected: number; counted: number; note: string | null; staff_id: number }

const linesOf = (tx: Queryable, checkId: number) => tx.query<StoredLine>(sql`select matter_id, expected, counted, note, staff_id from matter_check_line where check_id = ${checkId} order by matter_id`)

/** What the lines of a check change in the book. */
const changes = ({ kind }: Pick<CheckRow, 'kind'>, lines: readonly StoredLine[]) => lines.map((line) => ({ ...line, qty: kind === 'loss' ? -line.counted : line.counted - line.expected })).filter(({ qty }) => qty !== 0)

/** Books what was found. What came and went since somebody counted stays: only the difference of that moment is booked. */
export async function bookCheck(tx: Queryable, row: CheckRow, staffId: number | null, at?: number): Promise<void> {
  const due = changes(row, await linesOf(tx, row.id))
  if (due.length > 0) {
    const held = await lockMatters(tx, due.map(({ matter_id }) => matter_id))
    await post(tx, held, { kind: row.kind === 'loss' ? 'loss' : 'count', staffId, check_no: row.id, note: row.name, ...(at !== undefined && { at }) }, due.map(({ matter_id, qty }) => ({ matter_id, warehouse_id: row.warehouse_id, qty })))
  }
  await setDerived(tx, matterCheck, { approved_by: staffId, booked_at: at ?? sql`now()`, verdict: null }, row.id)
}

export const checks = serve(matterCheck)({
  computed: COMPUTED,
  async refusals({ db, staff }) {
    const counted = new Set((await db.query<{ check_id: number }>(sql`select distinct l.check_id from matter_check_line l join matter_check c on c.id = l.check_id and c.state = ${S.waiting} where l.staff_id = ${staff.id}`)).map(({ check_id }) => check_id))
    return (row) => (counted.has(row.id) ? { approve: '清点过的人不能审核，请换一个人' } : {})
  },
  effects: {
    async submit({ tx, staff, row }) {
      const lines = await linesOf(tx, row.id)
      if (lines.length === 0) throw badRequest(row.kind === 'loss' ? '还没有添加物料' : '还没有清点任何物料')
      await setDerived(tx, matterCheck, { submitted_by: staff.id }, row.id)
    },
    approve: ({ tx, staff, row }) => bookCheck(tx, row, staff.id),
    async reject({ tx, row, reason }) {
      await setDerived(tx, matterCheck, { verdict: reason ?? null }, row.id)
    },
    async void({ tx, row, reason }) {
      await setDerived(tx, matterCheck, { verdict: reason ?? null }, row.id)
    },
  },
})

interface Counting { matter_id: number; counted: number | null; seen: number | null; note?: string | undefined }

/** Writes down what somebody counted, with what the book says in that moment. Who overwrites what another counted meanwhile is told. */
export async function writeLines(tx: Queryable, row: CheckRow, staffId: number, sent: readonly Counting[]): Promise<void> {
  if (row.state !== S.open) throw badRequest('盘点单已提交，要改先退回')
  const twice = sent.find((line, at) => sent.findIndex(({ matter_id }) => matter_id === line.matter_id) !== at)
  const held = await lockMatters(tx, sent.map(({ matter_id }) => matter_id))
  if (twice) throw badRequest(`「${held.get(twice.matter_id)?.name ?? ''}」出现了两次，合并后再提交`)
  // The difference of one count is booked once: two that stand open would book it twice.
  const [elsewhere] = row.kind === 'loss' ? [] : await tx.query<{ matter_id: number; name: string }>(sql`select l.matter_id, c.name from matter_check_line l join matter_check c on c.id = l.check_id
    where l.matter_id = any(${sql.param([...held.keys()])}::bigint[]) and c.id <> ${row.id} and c.kind = 'count' and c.warehouse_id = ${row.warehouse_id} and c.state in (${S.open}, ${S.waiting}) and c.deleted_at is null limit 1`)
  if (elsewhere) throw badRequest(`「${held.get(elsewhere.matter_id)?.name ?? ''}」正在盘点单「${elsewhere.name}」里，先入账或作废它`)
  const stored = new Map((await linesOf(tx, row.id)).map((line) => [line.matter_id, line]))
  const stock = await stockIn(tx, row.warehouse_id, [...held.keys()])
  for (const { matter_id, counted, seen, note } of sent) {
    const was = stored.get(matter_id)
    const name = held.get(matter_id)?.name ?? ''
    if ((was?.counted ?? null) !== seen) {
      const [who] = await tx.query<{ name: string }>(sql`select name from staff where id = ${was?.staff_id ?? 0}`)
      throw new AppError('stale', 409, was ? `「${name}」刚被${who?.name ?? '别人'}登记为 ${was.counted}，刷新后再改` : `「${name}」刚被移出盘点单，刷新后再改`)
    }
    const lies = stock.get(matter_id) ?? 0
    if (row.kind === 'loss' && counted !== null && counted > lies) throw badRequest(`「${name}」只有 ${lies.toLocaleString('zh-CN')}，不能报损 ${counted.toLocaleString('zh-CN')}`)
    if (row.kind === 'loss' && counted === 0) throw badRequest(`「${name}」的报损数量至少为 1`)
    if (counted === null) await tx.query(sql`delete from matter_check_line where check_id = ${row.id} and matter_id = ${matter_id}`)
    else {
      await tx.query(sql`insert into matter_check_line (check_id, matter_id, expected, counted, note, staff_id) values (${row.id}, ${matter_id}, ${lies}, ${counted}, ${note ?? null}, ${staffId})
        on conflict (check_id, matter_id) do update set expected = excluded.expected, counted = excluded.counted, note = excluded.note, staff_id = excluded.staff_id, at = now()`)
    }
  }
}

async function contentOf(db: Queryable, row: CheckRow): Promise<CheckContent> {
  return {
    lines: await db.query<CheckContent['lines'][number] & Record<string, unknown>>(sql`select l.matter_id, m.name, m.sku, m.unit, l.expected, l.counted, m.cost, l.note, s.name as staff_name, extract(epoch from l.at)::float8 as at
      from matter_check_line l join matter m on m.id = l.matter_id left join staff s on s.id = l.staff_id where l.check_id = ${row.id} order by l.at desc, l.matter_id`),
    left: row.kind === 'loss' || row.state !== S.open ? [] : await db.query<CheckContent['left'][number] & Record<string, unknown>>(sql`select m.id as matter_id, m.name, m.sku, m.unit, s.qty from matter_stock s join matter m on m.id = s.matter_id and m.deleted_at is null
      where s.warehouse_id = ${row.warehouse_id} and s.qty > 0 and not exists (select 1 from matter_check_line l where l.check_id = ${row.id} and l.matter_id = s.matter_id) order by m.name, m.id limit 500`),
  }
}

/** The calls of what a check holds. */
export const checkCalls: Served[] = [
  handle(readLines, async (call) => {
    const row = await readOne(call.db, matterCheck, call.staff, idParam(call), COMPUTED) as CheckRow | undefined
    if (!row) throw notFound(matterCheck.label)
    return contentOf(call.db, row)
  }),
  handle(countLines, (call) => call.transaction(async (tx) => {
    const row = await lockRow(tx, matterCheck, call.staff, idParam(call))
    await writeLines(tx, row, call.staff.id, call.input.lines)
    return { lines: call.input.lines.length }
  }, { action: 'lines' })),
]

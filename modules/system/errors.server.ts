import { sql } from 'drizzle-orm'
import { handle, type Served } from '../../core/endpoint/serve.server.ts'
import { badRequest } from '../../core/error/error.ts'
import { COUNT_CAP, MAX_PAGE_SIZE, PAGE_SIZE } from '../../core/resource/list.server.ts'
import { likeText } from '../../core/resource/where.server.ts'
import { clearClientErrors, clientErrors, type ClientErrorEntry } from './errors.ts'

/** The calls of the errors that browsers reported. */
export function errorCalls(): Served[] {
  return [
    handle(clientErrors, async (call) => {
      const { keyword, release, page, page_size } = call.input
      const size = Math.min(MAX_PAGE_SIZE, Number(page_size ?? PAGE_SIZE) || PAGE_SIZE)
      const word = keyword?.trim()
      const where = sql.join([
        sql`true`,
        ...(word ? [sql`(e.message ilike ${`%${likeText(word)}%`} or e.stack ilike ${`%${likeText(word)}%`})`] : []),
        ...(release ? [sql`e.release = ${release}`] : []),
      ], sql` and `)
      const [items, [counted]] = await Promise.all([
        call.db.query<ClientErrorEntry>(sql`
          select e.id, e.first_at, e.at, e.staff_id, s.name as staff_name, e.message, e.stack, e.url, e.release, e.user_agent, e.times
          from client_error e left join staff s on s.id = e.staff_id where ${where} order by e.at desc, e.id desc
          limit ${sql.raw(String(size))} offset ${sql.raw(String(Number(page ?? 0) * size))}`),
        call.db.query<{ n: number }>(sql`select count(*) as n from (select 1 from client_error e where ${where} limit ${sql.raw(String(COUNT_CAP))}) x`),
      ])
      return { items, total: counted?.n ?? 0 }
    }),
    handle(clearClientErrors, (call) => {
      const ids = [call.input.ids ?? []].flat().map(Number)
      if (ids.some((id) => !Number.isSafeInteger(id))) throw badRequest('编号有误')
      if (ids.length === 0 && call.input.all !== '1') throw badRequest('请选择要清除的错误')
      return call.transaction(async (tx) => {
        const removed = await tx.query(sql`delete from client_error ${call.input.all === '1' ? sql`` : sql`where id = any(${sql.param(ids)}::bigint[])`} returning 1`)
        return { removed: removed.length }
      })
    }),
  ]
}

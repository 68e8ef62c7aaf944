import { sql } from 'drizzle-orm'
import { rateLimit } from '../../core/endpoint/rate.server.ts'
import { handle, type Served } from '../../core/endpoint/serve.server.ts'
import { invalid, tooMany } from '../../core/error/error.ts'
import { activateCode, findCode, serveCodes, UNKNOWN_CODE } from '../code/door.server.ts'
import { OFFER_STATE } from '../offer/module.ts'
import { userOfMobile } from '../user/door.server.ts'
import { activateBookCode, bookCodeFamily } from './book-code.ts'

/** Wrong codes that one person may try in ten minutes. */
const MISSES = 20
const MISSES_WITHIN = 10 * 60_000

/** State of an agent who works with us. */
const ACTIVE_AGENT = 1

/** Codes of books: made for a shop that works with us, for what is on sale. */
export const bookCodes = serveCodes(bookCodeFamily, {
  async check(tx, values) {
    const [owner] = await tx.query<{ status: number }>(sql`select status from agent where id = ${values['agent_id']}`)
    if (owner?.status !== ACTIVE_AGENT) throw invalid({ agent_id: '该书店没有启用，不能发码' })
    const [offer] = await tx.query<{ state: number; book_ids: number[] | null; valid_days: number | null }>(sql`select state, book_ids, valid_days from offer where id = ${values['offer_id']}`)
    if (offer?.state !== OFFER_STATE.selling) throw invalid({ offer_id: '该商品不在售，请选择其他商品' })
    if (typeof values['book_id'] !== 'number') return
    if (!offer.book_ids?.includes(values['book_id'])) throw invalid({ book_id: '该商品不包含这本图书' })
    const [row] = await tx.query<{ print_no: number | null }>(sql`select print_no from book where id = ${values['book_id']}`)
    // Codes lie in the books of the next print before it is there.
    if (typeof values['print_no'] === 'number' && values['print_no'] > (row?.print_no ?? 0) + 1) throw invalid({ print_no: `这本书只印过 ${row?.print_no ?? 0} 次` })
  },
})

/** The calls of codes beside those of every family. */
export function bookCodeCalls(): Served[] {
  const misses = rateLimit(MISSES, MISSES_WITHIN)
  return [handle(activateBookCode, async (call) => {
    const { code, mobile, name } = call.input
    const id = await findCode(call.db, bookCodes.served(), code)
    if (id === undefined) {
      if (!misses(String(call.staff.id))) throw tooMany('输错的激活码过多，请 10 分钟后再试')
      throw invalid({ code: UNKNOWN_CODE })
    }
    return call.transaction(async (tx) => {
      const user_id = await userOfMobile(tx, call.staff.id, { mobile, name: name || '学员', agent_id: null })
      const done = await activateCode(tx, bookCodes.served(), call.staff.id, id, { user_id, mobile, ip: call.ip, fields: {} }, Math.floor(Date.now() / 1000))
      const [offer] = await tx.query<{ title: string }>(sql`select o.title from book_code c join offer o on o.id = c.offer_id where c.id = ${id}`)
      return { code_id: id, expire_at: done.expire_at, offer_name: offer?.title ?? '' }
    }, { action: 'code_activate' })
  })]
}

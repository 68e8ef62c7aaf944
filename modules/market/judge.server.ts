import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { maskMobile } from '../../core/field/mobile.ts'
import { formatDate } from '../../core/field/time.ts'
import { limits, type Staff } from '../../core/grant/staff.server.ts'
import { shownName } from '../../core/resource/names.ts'
import { appUser, ENTITLEMENT_STATUS } from '../user/module.ts'
import type { ListCheck, ListRow, ListState } from './calls.ts'
import { readLines, type PastedLine } from './list.ts'
import { OPENING } from './opening.ts'

/** Longest name that an opening keeps. */
const MOST_NAME = 20

/** A line that was judged, with what is needed to open for it. Whole numbers leave the server masked. */
export interface Judged {
  readonly row: number
  readonly mobile: string
  readonly name: string | null
  /** Name of the account; null where there is none. */
  readonly account_name: string | null
  readonly user_id: number | null
  readonly state: ListState
  readonly why: string | null
}

/** What is to be opened, and by whom. */
interface Wanted {
  readonly offerId: number
  /** Another request that has somebody on its list already does not open the same for them twice; its own is left out. */
  readonly applyId?: number
  /** Whose data scope accounts have to lie in; absent where somebody else has looked at that. */
  readonly staff?: Staff
}

interface Account extends Record<string, unknown> { id: number; mobile: string; name: string; status: number; agent_id: number | null; until: number | null }

/** Why nothing is opened for an account, with how it is told apart. */
function refusalOf(account: Account | undefined, agents: readonly number[] | undefined): string | undefined {
  if (!account) return agents && agents.length !== 1 ? '该手机号还没有账号，请先在用户总中心新建并选择所属代理' : undefined
  if (agents && !agents.includes(account.agent_id ?? 0)) return '该用户不在数据范围内'
  return account.status === 1 ? undefined : '该手机号的账号已冻结或注销'
}

/** Says of each line what becomes of it, by two queries however many lines there are. */
export async function judge(db: Queryable, lines: readonly PastedLine[], { offerId, applyId = 0, staff }: Wanted): Promise<Judged[]> {
  const numbers = lines.flatMap(({ mobile, state }) => (state === 'read' ? [mobile] : []))
  const accounts = new Map((await db.query<Account>(sql`select u.id, u.mobile, coalesce(u.real_name, u.nickname) as name, u.status, u.agent_id,
      (select extract(epoch from max(e.expire_at))::float8 from entitlement e where e.user_id = u.id and e.offer_id = ${offerId} and e.line = (select line from offer where id = ${offerId}) and e.status = ${ENTITLEMENT_STATUS.active} and e.expire_at > now() and e.deleted_at is null) as until
    from app_user u where u.mobile = any(${sql.param(numbers)}::text[]) and u.deleted_at is null`)).map((account) => [account.mobile, account]))
  const asked = new Map((await db.query<{ mobile: string; org: string }>(sql`select g.mobile, a.org from market_grant g join apply a on a.id = g.apply_id
    where g.mobile = any(${sql.param(numbers)}::text[]) and g.offer_id = ${offerId} and g.state = ${OPENING.named} and g.apply_id <> ${applyId} and a.status = 1 and g.deleted_at is null`)).map(({ mobile, org }) => [mobile, org]))
  const agents = staff && limits(staff, 'agent')
  return lines.map(({ row, mobile, name, state, why }): Judged => {
    const account = accounts.get(mobile)
    const one = { row, mobile, name: name ?? account?.name.slice(0, MOST_NAME) ?? null, account_name: account?.name ?? null, user_id: account?.id ?? null }
    if (state !== 'read') return { ...one, state, why }
    const refusal = refusalOf(account, agents)
    if (refusal !== undefined) return { ...one, state: 'bad', why: refusal }
    if (account?.until) return { ...one, state: 'there', why: `已有权益，到期 ${formatDate(Math.floor(account.until))}` }
    const other = asked.get(mobile)
    if (other !== undefined) return { ...one, state: 'there', why: `已在「${other}」的申请名单中` }
    return { ...one, state: account ? 'known' : 'new', why: null }
  })
}

/** Judges what was pasted. */
export const judgePasted = (db: Queryable, pasted: readonly string[], wanted: Wanted): Promise<Judged[]> => judge(db, readLines(pasted), wanted)

/** Who of them is opened for. */
export const openable = (judged: readonly Judged[]): Judged[] => judged.filter(({ state }) => state === 'new' || state === 'known')

/** Judged lines as a person may see them: numbers masked, and the names of accounts for those who do not work with them. */
export const shownRows = (judged: readonly Judged[], staff: Staff): ListRow[] => judged.map(({ row, mobile, name, account_name, state, why }) => ({
  // What is no number is shown as it was pasted.
  row, mobile: /^\d{11}$/.test(mobile) ? maskMobile(mobile) : mobile, name: account_name === null ? name : shownName(appUser, staff, account_name), state, why,
}))

/** How many lines stand how. */
export function countsOf(judged: readonly Judged[]): ListCheck['counts'] {
  const counts: ListCheck['counts'] = { new: 0, known: 0, there: 0, twice: 0, bad: 0 }
  for (const { state } of judged) counts[state] += 1
  return counts
}

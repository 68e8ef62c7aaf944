import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { invalid } from '../../core/error/error.ts'
import { maskMobile, mobile } from '../../core/field/mobile.ts'
import { maskName } from '../../core/field/person-name.ts'
import type { Staff } from '../../core/grant/staff.server.ts'
import { limits } from '../../core/grant/staff.server.ts'
import { defineJob, type JobDefinition } from '../../core/job/define.server.ts'
import { inBatches } from '../../core/job/batches.server.ts'
import { checkValue } from '../../core/field/check.ts'
import type { Grant } from './entitlement.server.ts'
import { usersOfMobiles } from './find-user.server.ts'
import { openInTurn, refOf, runningUntil, spanOf, type Opens } from './in-turn.server.ts'
import type { Opened, OpenRow } from './learner-calls.ts'
import type { LearnerResource } from './learner.ts'
import { USER_STATUS } from './user.ts'

/** People who are opened for in one transaction. */
const BATCH = 500

/** Says what a product opens: itself, and what comes with it. @throws AppError when there is none, or nothing can be opened of it now */
export type PlanOpening = (tx: Queryable, staff: Staff, offerId: number) => Promise<readonly Opens[]>

const numberField = mobile('手机号', { required: true })

/** A pasted line: a number, or why it is none. */
type Line = { readonly row: number; readonly mobile: string; readonly reason: string | null }

/** Reads pasted numbers; a number that stands twice is taken once. */
export function readMobiles(pasted: readonly string[]): Line[] {
  const seen = new Map<string, number>()
  return pasted.map((text, index): Line => {
    const row = index + 1
    const checked = checkValue(numberField, text)
    if ('message' in checked) return { row, mobile: text.trim(), reason: checked.message }
    const number = String(checked.value)
    const before = seen.get(number)
    if (before !== undefined) return { row, mobile: number, reason: `与第 ${before} 行重复` }
    seen.set(number, row)
    return { row, mobile: number, reason: null }
  })
}

/** A line that was judged: `user_id` where the account is there already. */
type CheckedLine = OpenRow & { user_id: number | null }

interface Account {
  id: number
  mobile: string
  nickname: string
  status: number
  agent_id: number | null
}

/** Why nothing is opened for an account; null where something is. */
function refusalOf(account: Account | undefined, agents: readonly number[] | undefined): string | null {
  if (!account) return agents && agents.length !== 1 ? '该手机号还没有账号，请先在用户总中心新建并选择所属代理' : null
  if (agents && !agents.includes(account.agent_id ?? 0)) return '该用户不在您的数据范围内'
  if (account.status === USER_STATUS.frozen) return '该手机号的账号已冻结，不能开通'
  return account.status === USER_STATUS.closing || account.status === USER_STATUS.closed ? '该手机号的账号已注销，不能开通' : null
}

/** Says of each line what becomes of it: two queries, however many lines. */
export async function judgeLines(tx: Queryable, staff: Staff, line: string, opens: readonly Opens[], lines: readonly Line[]): Promise<CheckedLine[]> {
  const numbers = lines.flatMap(({ mobile: number, reason }) => (reason === null ? [number] : []))
  const accounts = await tx.query<Account & Record<string, unknown>>(sql`select id, mobile, nickname, status, agent_id from app_user where mobile = any(${sql.param(numbers)}::text[]) and deleted_at is null`)
  const byNumber = new Map(accounts.map((account) => [account.mobile, account]))
  const [first] = opens
  const running = await runningUntil(tx, { line, offers: first ? [first.offer_id] : [], users: accounts.map(({ id }) => id), except: [] })
  const agents = limits(staff, 'agent')
  const now = Math.floor(Date.now() / 1000)
  return lines.map(({ row, mobile: number, reason }): CheckedLine => {
    const account = byNumber.get(number)
    const refusal = reason ?? refusalOf(account, agents)
    const name = account ? maskName(account.nickname) : null
    if (refusal !== null || !first) return { row, mobile: reason === null ? maskMobile(number) : number, state: 'bad', name, start_at: null, expire_at: null, reason: refusal, user_id: null }
    const until = account && running(account.id, first.offer_id)
    const span = spanOf(first, 1, now, until)
    const state = !account ? 'new' : span.start_at > now ? 'goes_on' : 'known'
    return { row, mobile: maskMobile(number), state, name, ...span, reason: null, user_id: account?.id ?? null }
  })
}

/** What an opening job is asked for. */
export interface OpenJob {
  readonly offer_id: number
  readonly mobiles: readonly string[]
  readonly source: Grant['source']
  readonly reason: string
}

interface State {
  readonly at: number
  readonly opened: number
  readonly left_out: Opened['left_out']
  /** Products that were opened, for whoever takes it back. */
  readonly offers: readonly number[]
}

/** What an opening left to be taken back. */
export type OpenResult = Opened & { readonly offers: readonly number[] }

/** References of everything that an opening may have opened. */
export const refsOfOpening = (jobId: number, lines: number, offers: readonly number[]): string[] =>
  Array.from({ length: lines }, (_unused, index) => offers.map((offer) => refOf({ ref: `open ${jobId}:${index + 1}` }, offer))).flat()

/** The kind of job that opens a line's products for many people; it goes on where it was interrupted, and opens nothing twice. */
export const openKind = (resource: Pick<LearnerResource, 'name'>): string => `${resource.name}_open`

export function openJob(resource: LearnerResource, line: string, plan: PlanOpening): JobDefinition {
  return defineJob<OpenJob, State>({
    kind: openKind(resource),
    grants: () => [resource.rights.id('open')],
    async run(context) {
      const { input, staff } = context
      const lines = readMobiles(input.mobiles)
      const [agent] = limits(staff, 'agent') ?? []
      const end = await inBatches<State>(context, { at: 0, opened: 0, left_out: [], offers: [] }, async (state) => {
        const part = lines.slice(state.at, state.at + BATCH)
        if (part.length === 0) return undefined
        return async (tx) => {
          const opens = await plan(tx, staff, input.offer_id)
          const judged = await judgeLines(tx, staff, line, opens, part)
          const good = part.flatMap((one, index) => (judged[index]?.state === 'bad' ? [] : [one]))
          const users = await usersOfMobiles(tx, staff.id, good.map(({ mobile: number }) => ({ mobile: number, name: '学员', agent_id: agent ?? null })))
          await openInTurn(tx, staff.id, { line, source: input.source, opens, rows: good.flatMap(({ row, mobile: number }) => {
            const user_id = users.get(number)
            return user_id === undefined ? [] : [{ user_id, ref: `open ${context.id}:${row}`, pieces: 1 }]
          }) })
          const bad = judged.flatMap(({ row, mobile: shown, state: kind, reason }) => (kind === 'bad' ? [{ row, mobile: shown, reason: reason ?? '' }] : []))
          return { at: state.at + part.length, opened: state.opened + good.length, left_out: [...state.left_out, ...bad], offers: opens.map(({ offer_id }) => offer_id) }
        }
      }, ({ at }) => [at, lines.length], { action: 'open', reason: input.reason })
      if (end.opened === 0) throw invalid({ mobiles: '没有可以开通的手机号' })
      return { opened: end.opened, left_out: end.left_out, offers: end.offers } satisfies OpenResult
    },
  })
}

import { createHmac, randomBytes } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { handle, idParam, type Served } from '../../core/endpoint/serve.server.ts'
import { AppError, badRequest, invalid, notFound } from '../../core/error/error.ts'
import { choiceLabel } from '../../core/field/choice.ts'
import { maskMobile } from '../../core/field/mobile.ts'
import { listWaiting } from '../../core/inbox/waiting.server.ts'
import type { Kernel } from '../../core/kernel/kernel.server.ts'
import type { OverviewSection } from '../../core/kernel/overview.server.ts'
import { readOne } from '../../core/resource/list.server.ts'
import { serve } from '../../core/resource/serve.server.ts'
import { setDerived, touch } from '../../core/resource/touch.server.ts'
import { insertMany } from '../../core/setup/insert-many.server.ts'
import { userOfMobile } from '../user/door.server.ts'
import { ACTIVITY_TYPE } from './activity.ts'
import { shareByApp, shareNewcomers, shareSeen, type Newcomer } from './calls.ts'
import { giveCoupon, holdActivity, lockActivity } from './coupon.server.ts'
import { EVIDENCE, REWARD_STATE as R, SHARE_CHANNELS, SHARE_PATH, SHARE_RIGHTS, SHARE_STATE as S, userShare } from './share.ts'
import { learnerName } from './shown.server.ts'

/** Newcomers from one network in a day from which on they look made up. */
const NET_FROM = 3
/** Days after their registration for which somebody is new. */
const NEW_DAYS = 1
/** Days within which somebody decides. */
const DAYS = 2

interface Share { id: number; user_id: number; activity_id: number | null; state: number; mobile: string }

async function holdShare(tx: Queryable, token: string): Promise<Share> {
  const [share] = await tx.query<Share & Record<string, unknown>>(sql`select s.id, s.user_id, s.activity_id, s.state, u.mobile from user_share s join app_user u on u.id = s.user_id where s.token = ${token} and s.deleted_at is null for no key update of s`)
  if (!share) throw badRequest('分享不存在')
  return share
}

/** Keeps what orders of those who came by a share came to. */
export async function countShare(tx: Queryable, id: number): Promise<void> {
  const orders = sql`from order_origin g join orders o on o.id = g.order_id where g.kind = 'share' and g.ref_id = ${id} and o.deleted_at is null`
  await setDerived(tx, userShare, { order_cnt: sql`(select count(*)::int ${orders})`, paid: sql`(select coalesce(sum(o.paid - o.refunded), 0) ${orders})` }, id)
}

/** The sums of a share's rewards and what speaks against it. */
export async function sumShare(tx: Queryable, id: number): Promise<void> {
  const of = sql`from share_newcomer n where n.share_id = ${id}`
  await setDerived(tx, userShare, {
    visits: sql`(select count(*)::int from share_event e where e.share_id = ${id} and e.kind = 'visit')`, registers: sql`(select count(*)::int ${of})`,
    reward: sql`(select coalesce(sum(amount), 0) ${of} and state = ${R.given})`, held: sql`(select coalesce(sum(amount), 0) ${of} and state = ${R.held})`,
    evidence: sql`(select coalesce(array_agg(distinct e order by e), '{}') from share_newcomer n, unnest(n.evidence) e where n.share_id = ${id})`,
  }, id)
}

/** Gives the sharer what one newcomer is worth. @returns what became of it */
async function reward(tx: Queryable, share: Share): Promise<{ state: number; amount: number; coupon_id: number | null }> {
  if (share.activity_id === null) return { state: R.none, amount: 0, coupon_id: null }
  try {
    const of = await holdActivity(tx, share.activity_id)
    if (of.type !== ACTIVITY_TYPE.invite) return { state: R.none, amount: 0, coupon_id: null }
    const coupon = await giveCoupon(tx, of, share.user_id, 'invite', null)
    return { state: R.given, amount: coupon.amount, coupon_id: coupon.id }
  } catch (error) {
    // The activity is over, its budget or the person's number is used up: they are counted without a reward.
    if (!(error instanceof AppError)) throw error
    return { state: R.none, amount: 0, coupon_id: null }
  }
}

/** Counts somebody new; what looks like cheating is held until a person decides. */
async function register(tx: Queryable, share: Share, seen: { mobile: string; device: string | null; net: string | null }): Promise<boolean> {
  const [user] = await tx.query<{ id: number; old: boolean }>(sql`select id, register_at < now() - make_interval(days => ${NEW_DAYS}) as old from app_user where mobile = ${seen.mobile} and deleted_at is null`)
  if (!user) throw invalid({ mobile: '用户还没有注册' })
  if (user.old && user.id !== share.user_id) return false
  const [facts] = await tx.query<{ device: boolean; net: number }>(sql`select
    ${seen.device}::text is not null and (exists (select 1 from share_event e where e.share_id = ${share.id} and e.kind = 'share' and e.device = ${seen.device}) or exists (select 1 from share_newcomer n where n.device = ${seen.device})) as device,
    (select count(*)::int from share_newcomer n where n.share_id = ${share.id} and n.net = ${seen.net} and n.at > now() - interval '1 day') as net`)
  const evidence = [...(user.id === share.user_id ? [EVIDENCE.self] : []), ...(facts?.device ? [EVIDENCE.device] : []), ...((facts?.net ?? 0) >= NET_FROM - 1 ? [EVIDENCE.net] : [])]
  const [first] = await tx.query(sql`insert into share_newcomer (user_id, share_id, device, net, evidence, amount, state) values (${user.id}, ${share.id}, ${seen.device}, ${seen.net}, ${sql.param(evidence)}::text[], 0, ${R.none})
    on conflict (user_id) do nothing returning user_id`)
  if (!first) return false
  const doubt = evidence.length > 0 || share.state === S.doubt
  const worth = share.activity_id === null ? undefined : await lockActivity(tx, share.activity_id)
  const planned = worth?.type === ACTIVITY_TYPE.invite ? worth.amount ?? 0 : 0
  const got = share.state === S.frozen ? { state: R.refused, amount: planned, coupon_id: null } : doubt ? { state: planned > 0 ? R.held : R.none, amount: planned, coupon_id: null } : await reward(tx, share)
  await tx.query(sql`update share_newcomer set state = ${got.state}, amount = ${got.amount}, coupon_id = ${got.coupon_id}::bigint where user_id = ${user.id}`)
  if (evidence.length > 0 && share.state === S.fine) await touch(tx, userShare, { state: S.doubt }, share.id)
  return true
}

export const shares = serve(userShare)({
  effects: {
    // What was held is given now; one reward a newcomer, as everywhere.
    async release({ tx, row }) {
      const held = await tx.query<{ user_id: number }>(sql`select user_id from share_newcomer where share_id = ${row.id} and state = ${R.held} and user_id <> ${row.user_id} order by user_id for no key update`)
      const of = held.length > 0 && row.activity_id !== null ? await lockActivity(tx, row.activity_id) : undefined
      for (const { user_id } of held) {
        if (!of || row.user_id === null) break
        const coupon = await giveCoupon(tx, of, row.user_id, 'invite', null)
        await tx.query(sql`update share_newcomer set state = ${R.given}, amount = ${coupon.amount}, coupon_id = ${coupon.id} where user_id = ${user_id}`)
      }
      // Whoever invited themselves gets nothing, whoever decides.
      await tx.query(sql`update share_newcomer set state = ${R.refused} where share_id = ${row.id} and state = ${R.held}`)
      await sumShare(tx, row.id)
    },
    async freeze({ tx, row }) {
      await tx.query(sql`update share_newcomer set state = ${R.refused} where share_id = ${row.id} and state = ${R.held}`)
      await sumShare(tx, row.id)
    },
  },
})

/** The calls of shares beside those of their list. */
export function shareCalls({ secrets }: Pick<Kernel, 'secrets'>): Served[] {
  const hash = (what: string | undefined) => (what === undefined ? null : createHmac('sha256', secrets.key('share')).update(what).digest('base64url').slice(0, 22))
  const netOf = (ip: string | undefined) => hash(ip?.replace(/[.:][^.:]*$/, ''))
  return [
    handle(shareNewcomers, async (call) => {
      const row = await readOne(call.db, userShare, call.staff, idParam(call), {})
      if (!row) throw notFound(userShare.label)
      const rows = await call.db.query<Newcomer & Record<string, unknown>>(sql`select n.user_id, u.nickname as name, u.mobile, extract(epoch from n.at)::float8 as at, n.evidence, n.amount, n.state, c.no as coupon_no,
          (select coalesce(sum(o.paid - o.refunded), 0)::float8 from order_origin g join orders o on o.id = g.order_id where g.kind = 'share' and g.ref_id = n.share_id and o.buyer_mobile = u.mobile) as bought
        from share_newcomer n join app_user u on u.id = n.user_id left join coupon_user c on c.id = n.coupon_id where n.share_id = ${row.id} order by n.at desc limit 200`)
      const [same] = await call.db.query<{ same_device: number; same_net: number }>(sql`select count(*) filter (where ${EVIDENCE.device} = any(evidence))::int as same_device, count(*) filter (where ${EVIDENCE.net} = any(evidence))::int as same_net from share_newcomer where share_id = ${row.id}`)
      return { items: rows.map((one) => ({ ...one, name: learnerName(call.staff, one.name), mobile: maskMobile(one.mobile) })), same_device: same?.same_device ?? 0, same_net: same?.same_net ?? 0 }
    }),
    handle(shareByApp, (call) => call.transaction(async (tx) => {
      const { mobile, name, activity_id, channel, device } = call.input
      const user_id = await userOfMobile(tx, null, { mobile, name })
      if (activity_id !== undefined) await holdActivity(tx, activity_id)
      const token = randomBytes(12).toString('base64url')
      const [id = 0] = await insertMany(tx, userShare, [{ token, user_id, activity_id: activity_id ?? null, channel: channel as 1 | 2 | 3 | 4 }])
      await tx.query(sql`insert into share_event (share_id, kind, visitor, device) values (${id}, 'share', ${hash(mobile)}, ${hash(device)})`)
      return { token }
    }, { action: 'share' })),
    handle(shareSeen, (call) => call.transaction(async (tx) => {
      const { kind, visitor, device, ip, mobile } = call.input
      if (kind === 'register' && mobile === undefined) throw invalid({ mobile: '请填写手机号' })
      const share = await holdShare(tx, call.params['token'] ?? '')
      const [first] = await tx.query(sql`insert into share_event (share_id, kind, visitor, device, net) values (${share.id}, ${kind}, ${hash(visitor)}, ${hash(device)}, ${netOf(ip)}) on conflict (share_id, kind, visitor) do nothing returning id`)
      const counted = kind === 'register' && mobile !== undefined ? await register(tx, share, { mobile, device: hash(device), net: netOf(ip) }) : first !== undefined
      await sumShare(tx, share.id)
      return { counted }
    }, { action: 'share_event' })),
  ]
}

export const shareWaiting = listWaiting(userShare, {
  name: 'share_doubt', title: '待核实的分享', group: 'decide', verb: '核实', path: SHARE_PATH, query: () => ({ state: String(S.doubt) }), grant: SHARE_RIGHTS.id('decide'), due: { days: DAYS }, since: sql`updated_at`, heads: ['user_id'], notes: ['evidence'], amount: 'held', pass: 'release', refuse: 'freeze',
})

/** What somebody shared, in the view that gathers everything about them. */
export const shareOverview: OverviewSection = {
  name: 'user_share', title: '分享', grant: userShare.grant,
  async load(db, _staff, { id }) {
    const rows = await db.query<Record<string, unknown> & { channel: number }>(sql`select id, token, channel, visits, registers, paid, reward, extract(epoch from created_at)::float8 as at from user_share where user_id = ${id} and deleted_at is null order by id desc limit 50`)
    return {
      screen: SHARE_PATH, rows: rows.map((row) => ({ ...row, channel: choiceLabel(SHARE_CHANNELS, row.channel) })),
      columns: [{ key: 'token', title: '分享码', as: 'text' }, { key: 'channel', title: '渠道', as: 'text' }, { key: 'visits', title: '访问', as: 'number' }, { key: 'registers', title: '注册', as: 'number' }, { key: 'paid', title: '带来实付', as: 'money' }, { key: 'reward', title: '已发奖励', as: 'money' }, { key: 'at', title: '分享时间', as: 'time' }],
    }
  },
}

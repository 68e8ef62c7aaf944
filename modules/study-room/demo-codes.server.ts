import { sql } from 'drizzle-orm'
import type { Database, Queryable } from '../../core/database/database.server.ts'
import { touch } from '../../core/resource/touch.server.ts'
import { insertMany, seedTransaction, withoutIndexes } from '../../core/setup/insert-many.server.ts'
import { afterOutage, demoOutage } from '../../core/setup/outage.ts'
import { seasonalMoment, seededRandom, type Random } from '../../core/setup/random.ts'
import { sealedCodes } from '../code/door.server.ts'
import { CODE_STATUS, DEFAULT_LENGTH, endAfterMonths, endOfDay } from '../code/module.ts'
import { ENTITLEMENT_SOURCE, ENTITLEMENT_STATUS } from '../user/module.ts'
import { activationCodeGroup, STUDY_ROOM_LINE } from './authorization-code.ts'
import { codes } from './authorization-code.server.ts'
import { codeDiversion, DIVERSION_STATE } from './diversion.ts'
import { scanDiversions } from './diversion.server.ts'

const DAY = 86_400
const BATCHES = 60
const CODES = 90_000
/** domain 5.1: what of all codes has been activated. */
const USED = 0.46
/** Codes were issued over eighteen months. */
const PAST = 548 * DAY
/** Codes that travel in one statement. */
const PART = 2500

/** What the codes of each kind of unit begin with. */
const PREFIXES = [['初中', 'CZ'], ['中考', 'ZK'], ['高中', 'GZ'], ['高考', 'GK'], ['小学', 'XX']] as const

interface Owner {
  id: number
  type_id: number
  students: number[]
}

interface Unit {
  id: number
  name: string
  months: number
}

interface Plan {
  owner: Owner
  unit: Unit
  /** Unix seconds. */
  created_at: number
  redeem_before: number
  count: number
  used: number
}

/** One code as it stands today. */
interface Code {
  status: number
  student: number | null
  activated_at: number | null
  expire_at: number | null
  unbind_count: number
}

/** Splits a number over weights in whole steps that add up to it. */
function share(total: number, weights: readonly number[], step: number): number[] {
  const sum = weights.reduce((all, weight) => all + weight, 0)
  let [given, passed] = [0, 0]
  return weights.map((weight) => {
    passed += weight
    const part = Math.round((total * passed) / sum / step) * step - given
    given += part
    return part
  })
}

/** Which batches there are: every partner who has students has some, the large ones more and larger. */
function planBatches(random: Random, now: number, owners: readonly Owner[], units: readonly Unit[]): Plan[] {
  const chosen = Array.from({ length: BATCHES }, (_unused, index) => owners[index] ?? random.weighted(owners.map((owner) => [owner, owner.students.length] as const)))
  const plans = chosen.map((owner) => {
    const created_at = seasonalMoment(random, now - PAST, now - 5 * DAY)
    return { owner, unit: random.pick(units), created_at, redeem_before: endOfDay(created_at + random.pick([180, 270, 365]) * DAY), count: 0, used: 0 }
  }).sort((a, b) => a.created_at - b.created_at)
  const counts = share(CODES, plans.map(({ owner }) => owner.students.length * (0.5 + random.next())), 50)
  // The longer a batch has been out, the more of it is in use; nine of ten is as far as it goes.
  const ripe = plans.map(({ created_at }) => 0.1 + 0.8 * (1 - Math.exp(-(now - created_at) / (150 * DAY))))
  const weight = ripe.reduce((sum, value, index) => sum + value * (counts[index] ?? 0), 0)
  return plans.map((plan, index) => {
    const count = counts[index] ?? 0
    return { ...plan, count, used: Math.min(Math.floor(count * 0.95), Math.round((CODES * USED * (ripe[index] ?? 0) * count) / weight)) }
  })
}

/** What became of the codes of a batch, in the order in which they were printed: handed out from the front, with gaps. */
function makeCodes(random: Random, now: number, { owner, unit, created_at, redeem_before, count, used }: Plan): Code[] {
  const end = Math.min(now, redeem_before)
  const outage = demoOutage(now)
  const chance = used / count
  let rest = used
  return Array.from({ length: count }, (_unused, index) => {
    const left = count - index
    const activated = rest > 0 && (rest >= left || random.chance(Math.min(1, chance * 1.3)))
    if (activated) rest--
    const rare = random.next()
    if (!activated) {
      const status = rare < 0.012 ? CODE_STATUS.cancelled : redeem_before < now ? CODE_STATUS.expired : rare < 0.014 ? CODE_STATUS.frozen : CODE_STATUS.unused
      return { status, student: null, activated_at: null, expire_at: null, unbind_count: 0 }
    }
    const activated_at = afterOutage(seasonalMoment(random, Math.min(created_at + 3 * DAY, end - DAY), end), outage)
    const expire_at = endAfterMonths(activated_at, unit.months)
    const status = rare < 0.006 ? CODE_STATUS.cancelled : expire_at < now ? CODE_STATUS.expired : rare < 0.009 ? CODE_STATUS.frozen : CODE_STATUS.used
    return { status, student: random.pick(owner.students), activated_at, expire_at, unbind_count: random.chance(0.02) ? 1 : 0 }
  })
}

const seasonOf = (month: number) => (month < 2 ? '寒假' : month < 6 ? '春季' : month < 8 ? '暑假' : '秋季')

function nameOf({ unit, created_at }: Plan, nth: number): string {
  const day = new Date((created_at + 8 * 3600) * 1000)
  return `${day.getUTCFullYear()}${seasonOf(day.getUTCMonth())}·${unit.name}·第${nth}批`
}

/** Writes codes with all that is known of them; student, school and account come from the student's record. */
async function writeCodes(tx: Queryable, group: number, plan: Plan, prefix: string, made: readonly Code[]): Promise<void> {
  for (let start = 0; start < made.length; start += PART) {
    const part = made.slice(start, start + PART)
    const sealed = sealedCodes(codes.served().secrets, part.length, prefix, DEFAULT_LENGTH)
    const column = (values: unknown[], type: string) => sql`${sql.param(values)}::${sql.raw(type)}[]`
    const of = (key: keyof Code, type: string) => column(part.map((code) => code[key]), type)
    await tx.query(sql`with given as (
        select nextval(pg_get_serial_sequence('activation_code', 'id')) as id, u.* from unnest(${column(sealed.map(({ hash }) => hash), 'text')}, ${column(sealed.map(({ sealed: text }) => text), 'text')},
          ${column(sealed.map(({ mask }) => mask), 'text')}, ${of('status', 'integer')}, ${of('student', 'bigint')}, ${of('activated_at', 'float8')}, ${of('expire_at', 'float8')}, ${of('unbind_count', 'integer')})
          u (hash, sealed, mask, status, student, activated_at, expire_at, unbind_count)
      ), kept as (insert into code_secret (hash, sealed, family, code_id) select hash, sealed, 'activation_code', id from given)
      insert into activation_code (id, code, group_id, partner_id, unit_id, status, redeem_before, student_id, school_id, mobile, user_id, activated_at, expire_at, unbind_count, created_at, updated_at)
      select g.id, g.mask, ${group}, ${plan.owner.id}, ${plan.unit.id}, g.status, to_timestamp(${plan.redeem_before}), s.id, s.school_id, s.mobile, a.id, to_timestamp(g.activated_at), to_timestamp(g.expire_at), g.unbind_count,
        to_timestamp(${plan.created_at}), to_timestamp(coalesce(g.activated_at, ${plan.created_at}))
      from given g left join school_student s on s.id = g.student left join app_user a on a.mobile = s.mobile order by g.id`)
  }
}

const counter = (made: readonly Code[], keeps: (code: Code) => boolean) => made.filter(keeps).length

/** Writes a batch with its codes. @param nth which of its partner's it is */
async function insertBatch(tx: Queryable, random: Random, now: number, plan: Plan, nth: number, stopped: boolean): Promise<void> {
  const { owner, unit, count, created_at, redeem_before } = plan
  const made = makeCodes(random, now, plan)
  const prefix = PREFIXES.find(([word]) => unit.name.startsWith(word))?.[1] ?? ''
  const kept = (status: number) => counter(made, (code) => code.status === status)
  const lapsed = counter(made, (code) => code.status === CODE_STATUS.expired && code.activated_at === null)
  const [group = 0] = await insertMany(tx, activationCodeGroup, [{
    name: nameOf(plan, nth), partner_id: owner.id, unit_id: unit.id, type_id: owner.type_id, count, prefix, code_len: DEFAULT_LENGTH, valid_months: unit.months,
    redeem_before, purpose: random.weighted([[1, 90], [2, 6], [3, 2], [4, 2]]), price: unit.months * 10_00, created_at, status: stopped ? 0 : 1,
    total: count, used: kept(CODE_STATUS.used) + kept(CODE_STATUS.expired) - lapsed, left: kept(CODE_STATUS.unused), cancelled: kept(CODE_STATUS.cancelled), frozen: kept(CODE_STATUS.frozen), expired: lapsed,
  }])
  await writeCodes(tx, group, plan, prefix, made)
}

/** Of the cases of codes that were activated elsewhere, one has been confirmed and one dismissed. */
async function decideSome(tx: Queryable): Promise<void> {
  const cases = await tx.query<{ id: number }>(sql`select id from code_diversion order by score desc, id`)
  for (const [place, status] of [[1, DIVERSION_STATE.confirmed], [2, DIVERSION_STATE.dismissed]] as const) {
    const { id } = cases[place] ?? {}
    if (id !== undefined) await touch(tx, codeDiversion, { status }, id)
  }
}

/** Sixty batches with ninety thousand codes over eighteen months, by partners who have students. */
export async function insertCodeDemo(db: Database, report: (text: string) => void): Promise<void> {
  const [random, now] = [seededRandom(23), Math.floor(Date.now() / 1000)]
  await seedTransaction(db, async (tx) => {
    const owners = await tx.query<Owner>(sql`select p.id, p.type_id, array_agg(x.id order by x.id) as students from partner p join app_school s on s.partner_id = p.id join school_student x on x.school_id = s.id
      group by p.id order by p.id`)
    const units = await tx.query<Unit>(sql`select id, name, months from unit order by id`)
    const nth = new Map<number, number>()
    await withoutIndexes(tx, ['activation_code'], async () => {
      for (const [index, plan] of planBatches(random, now, owners, units).entries()) {
        const number = (nth.get(plan.owner.id) ?? 0) + 1
        nth.set(plan.owner.id, number)
        await insertBatch(tx, random, now, plan, number, index % 29 === 28)
      }
    })
    // Who has an account sees there what the codes opened.
    await tx.query(sql`insert into entitlement (user_id, line, product, offer_id, source, ref, start_at, expire_at, status, created_at, updated_at)
      select c.user_id, ${STUDY_ROOM_LINE}, u.name, u.id, ${ENTITLEMENT_SOURCE.code}, 'activation_code ' || c.id, c.activated_at, c.expire_at,
        case when c.status in (${CODE_STATUS.cancelled}, ${CODE_STATUS.frozen}) then ${ENTITLEMENT_STATUS.stopped}::integer else ${ENTITLEMENT_STATUS.active}::integer end, c.activated_at, c.activated_at
      from activation_code c join unit u on u.id = c.unit_id where c.user_id is not null and c.activated_at is not null order by c.id`)
    await tx.query(sql`update partner p set used_quota = c.n, code_quota = ceil(c.n * 1.1 / 50) * 50 from (select partner_id, count(*) as n from activation_code group by partner_id) c where c.partner_id = p.id`)
    await scanDiversions(tx)
    await decideSome(tx)
    report(`已生成 ${BATCHES} 批、${CODES.toLocaleString('zh-CN')} 个授权码`)
  })
}

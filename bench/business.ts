import { sql } from 'drizzle-orm'
import type { Database } from '../core/database/database.server.ts'

const SURNAMES = '王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗'
const GIVEN = '伟芳娜敏静丽强磊军洋勇艳杰涛明超秀霞平刚桂英华玉兰晨曦梓轩雨桐浩然欣怡'

/** domain 5.1, 1×. */
export const VOLUMES = { partners: 420, schools: 1100, students: 60_000, orders: 520_000, batches: 1800, codes: 2_400_000 }

/** Runs bulk statements on a table without its triggers, and makes its indexes afterwards: how bulk data comes into a database. */
export async function inBulk(db: Database, table: string, statements: string): Promise<void> {
  const indexes = await db.query<{ name: string; definition: string }>(sql`select indexname as name, indexdef as definition from pg_indexes where tablename = ${table} and indexname !~ 'pk(ey)?$'`)
  await db.script(`alter table ${table} disable trigger user; ${indexes.map(({ name }) => `drop index "${name}";`).join('\n')} ${statements} ${indexes.map(({ definition }) => `${definition};`).join('\n')} alter table ${table} enable trigger user;`)
}

/** Partners, their schools, units and students: what orders and codes name. */
export async function loadPlaces(db: Database): Promise<void> {
  const { partners, schools, students } = VOLUMES
  await db.script(`
    insert into unit (name, subjects, months, status) select '套餐' || i, '{数学}', 12, 1 from generate_series(1, 12) i;
    insert into partner (name, contact, mobile, region_code, level, type_id, sign_at, expire_at, code_quota, used_quota, balance, status)
      select '合伙人' || i, '王', '16' || lpad(i::text, 9, '0'), '320508', 3, 1, now() - interval '400 days', now() + interval '400 days', 100000000, 0, 0, 1 from generate_series(1, ${partners}) i;
    insert into app_school (name, partner_id, self_run, type_id, region_code, address, manager, mobile, expire_at, status)
      select '第' || i || '中学', 1 + i % ${partners}, 0, 1, '320508', '地址', '王', '13000000000', now() + interval '300 days', 1 from generate_series(1, ${schools}) i;
  `)
  await inBulk(db, 'school_student', `insert into school_student (name, mobile, school_id, grade, unit_ids, status)
    select substr('${SURNAMES}', 1 + (i * 7) % 20, 1) || substr('${GIVEN}', 1 + (i * 13) % 36, 1), '13' || lpad(i::text, 9, '0'), 1 + i % ${schools}, 7, array[1 + i % 12]::bigint[], 1 from generate_series(1, ${students}) i;`)
}

/** Orders of four lines over eighteen months; most are students'. */
export async function loadOrders(db: Database): Promise<void> {
  const { partners, schools, students, orders } = VOLUMES
  await inBulk(db, 'orders', `insert into orders (order_no, line, self_run, goods, partner_id, school_id, buyer_kind, buyer_ref_id, place_kind, place_ref_id, goods_kind, goods_ref_id, months, buyer_name, buyer_mobile, total, amount, paid, refunded, pay_channel, paid_at,
      referrer_mobile, agent_id, channel_id, virtual, status, created_by, updated_by, created_at)
    select to_char(now(), 'YYYYMMDD') || lpad(i::text, 8, '0'), line, 0, case line when 'partner' then '授权码·套餐' || 1 + i % 12 || '×100' else '套餐' || 1 + i % 12 || ' 12个月' end,
      1 + school_id % ${partners}, case when line <> 'partner' then school_id end, case line when 'school' then 'student' when 'member' then 'member' else 'partner' end,
      case line when 'school' then 1 + i % ${students} when 'member' then 1 + i % 20000 else 1 + school_id % ${partners} end, case line when 'school' then 'school' when 'partner' then null else 'room' end,
      case line when 'school' then school_id when 'partner' then null else 1 + i % 1300 end, case when line = 'school' then 'unit' end, case when line = 'school' then 1 + i % 12 end, case when line = 'school' then 12 end,
      substr('${SURNAMES}', 1 + (i * 7) % 20, 1) || substr('${GIVEN}', 1 + (i * 13) % 36, 1), '13' || lpad((1 + i % ${students})::text, 9, '0'), 10000 + (i::bigint * 7919) % 90000, 10000 + (i::bigint * 7919) % 90000, 10000 + (i::bigint * 7919) % 90000,
      case when i % 8 = 0 then 10000 else 0 end, (array['wechat', 'alipay', 'cash', 'transfer'])[1 + i % 4], at + interval '1 hour', case when i % 9 = 0 then '15' || lpad((i % 3000)::text, 9, '0') end,
      case when i % 5 = 0 then 1 + i % 60 end, 1 + i % 10, case when i % 17 = 0 then 1 else 0 end, case when line = 'partner' then (array[1, 2, 8, 8, 8, 8, 12])[1 + i % 7] else (array[4, 4, 4, 7, 7, 7, 1, 12, 13])[1 + i % 9] end, 1, 1, at
    from (select i, 1 + i % ${schools} as school_id, (array['school', 'school', 'school', 'school', 'school', 'school', 'member', 'member', 'room', 'partner'])[1 + (i * 7) % 10] as line,
      now() - make_interval(secs => (${orders} - i) * 90) as at from generate_series(1, ${orders}) i) n;`)
}

/** Batches with their codes, a little less than half of them in use, and what the codes really are. */
export async function loadCodes(db: Database): Promise<void> {
  const { partners, schools, students, batches, codes } = VOLUMES
  const [each, all] = [Math.ceil(codes / batches), codes]
  await db.script(`insert into activation_code_group (name, partner_id, unit_id, count, code_len, valid_months, redeem_before, purpose, total, used, "left", cancelled, expired, frozen, status)
    select '批次' || i, 1 + i % ${partners}, 1 + i % 12, ${each}, 12, 12, now() + interval '200 days', 1, ${each}, ${each} / 2, ${each} / 2, 0, 0, 0, 1 from generate_series(1, ${batches}) i;`)
  await inBulk(db, 'activation_code', `insert into activation_code (code, group_id, partner_id, unit_id, status, mobile, school_id, student_id, redeem_before, activated_at, expire_at, unbind_count, created_by, updated_by, created_at)
    select '****' || right(i::text, 4), g, 1 + g % ${partners}, 1 + g % 12, status, case when status in (1, 3) then '13' || lpad((1 + i % ${students})::text, 9, '0') end, case when status in (1, 3) then 1 + g % ${schools} end, case when status in (1, 3) then 1 + i % ${students} end,
      date_trunc('day', now()) + make_interval(days => g % 400 - 30), case when status in (1, 3) then at end, case when status in (1, 3) then at + interval '365 days' end, 0, 1, 1, at
    from (select i, 1 + (i - 1) / ${each} as g, (array[1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 3, 2])[1 + (i * 7) % 13] as status, now() - make_interval(secs => (${all} - i) * 20) as at from generate_series(1, ${all}) i) n;`)
  await inBulk(db, 'code_secret', `insert into code_secret (hash, sealed, family, code_id) select left(md5(i::text), 22), md5(i::text) || md5((i + 1)::text), 'activation_code', i from generate_series(1, ${all}) i;`)
}

import { sql } from 'drizzle-orm'
import type { Database } from '../core/database/database.server.ts'

/** Surnames and given names that make two- and three-character names. */
const SURNAMES = '王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗'
const GIVEN = '伟芳娜敏静丽强磊军洋勇艳杰涛明超秀霞平刚桂英华玉兰晨曦梓轩雨桐浩然欣怡'

/** A place in a text, the same for the same number, without any pattern: a given name of two characters has one student in about 2,000. */
const any = (number: string, text: string) => `(1 + abs(hashint4(${number})::bigint) % ${text.length})::int`

/** Session that the bare handler looks up: its hash. */
export const BARE_SESSION = 'bench-session'

/**
 * Fills a migrated database with what a big company has: students, and the schools, classes and teachers that they name.
 * Indexes are made afterwards, which is how bulk data comes into a database.
 */
export async function loadStudents(db: Database, rows: number): Promise<void> {
  await db.script(`
    insert into app_school (name, partner_id, type_id, region_code, address, manager, mobile, expire_at, status) select '第' || i || '中学', 1, 1, '320102', '地址', '王', '13000000000', now(), 1 from generate_series(1, 200) i;
    insert into school_cell (name, school_id, grade) select i || '班', 1 + i % 200, 1 + i % 12 from generate_series(1, 2000) i;
    insert into school_teacher (name, mobile, school_id, role) select '老师' || i, '17' || lpad(i::text, 9, '0'), 1 + i % 200, 2 from generate_series(1, 500) i;
    insert into unit (name, subjects, months, status) select '套餐' || i, '{数学}', 12, 1 from generate_series(1, 12) i;
  `)
  const indexes = await db.query<{ name: string; definition: string }>(sql`select indexname as name, indexdef as definition from pg_indexes
    where tablename = 'school_student' and indexname not like '%pkey'`)
  await db.script(`
    alter table school_student disable trigger user;
    ${indexes.map(({ name }) => `drop index "${name}";`).join('\n')}
    insert into school_student (name, mobile, parent_mobile, student_no, gender, school_id, grade, cell_id, teacher_id, unit_ids, expire_at, week_minutes, status, created_by, updated_by, created_at)
    select
      substr('${SURNAMES}', ${any('i', SURNAMES)}, 1) || substr('${GIVEN}', ${any('-i', GIVEN)}, 1) || case when i % 3 = 0 then '' else substr('${GIVEN}', ${any('i + 7', GIVEN)}, 1) end,
      '13' || lpad((i % 1000000000)::text, 9, '0'), case when i % 2 = 0 then '15' || lpad(i::text, 9, '0') end,
      'N' || lpad(i::text, 8, '0'), 1 + i % 2, 1 + i % 200, 1 + i % 12, 1 + i % 2000, 1 + i % 500, array[1 + i % 12]::bigint[],
      now() + make_interval(days => i % 900), i % 600, case when i % 5 = 0 then 0 else 1 end, 1, 1, now() - make_interval(secs => (${rows} - i) * 30)
    from generate_series(1, ${rows}) i;
    ${indexes.map(({ definition }) => `${definition};`).join('\n')}
    alter table school_student enable trigger user;
    truncate audit_log;
  `)
  await db.query(sql`analyze`)
}

/** Makes a copy of that database the bare handler's: it logs by itself, and has a session to look up. */
export async function forBare(db: Database): Promise<void> {
  await db.script(`
    drop trigger audit_insert on school_student;
    insert into staff (account, name, mobile, role, status) values ('bare', '裸', '13900000009', 'super', 1);
    insert into session (hash, staff_id, ip, user_agent) select '${BARE_SESSION}', id, '', '' from staff where account = 'bare';
  `)
}

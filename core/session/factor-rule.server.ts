import { sql, type SQL } from 'drizzle-orm'
import type { Config } from '../config.server.ts'
import type { Queryable } from '../database/database.server.ts'
import type { FactorRule } from './factor-rule.ts'

/** Row of `installation`. */
const KEY = 'second_factor'

/** The least that an installation may ask: where others reach it, a person who may do everything has a second factor. */
export function leastFactorRule({ production }: Pick<Config, 'production'>): FactorRule {
  return production ? 'super' : 'chosen'
}

/** Of whom a second factor is asked beside those who are chosen one by one. */
export async function readFactorRule(db: Queryable, config: Pick<Config, 'production'>): Promise<FactorRule> {
  const [row] = await db.query<{ rule: FactorRule }>(sql`select value #>> '{}' as rule from installation where key = ${KEY}`)
  const least = leastFactorRule(config)
  return row === undefined || row.rule === 'chosen' ? least : row.rule
}

/** Decides it again. */
export async function writeFactorRule(tx: Queryable, rule: FactorRule): Promise<void> {
  await tx.query(sql`insert into installation (key, value) values (${KEY}, ${JSON.stringify(rule)}::jsonb) on conflict (key) do update set value = excluded.value`)
}

/**
 * SQL that says whether a second factor is asked of staff `s`.
 * @param superRole the role whose members may do everything
 */
export function factorAsked(config: Pick<Config, 'production'>, superRole: string): SQL {
  const rule = sql`(select value #>> '{}' from installation where key = ${KEY})`
  const supers = leastFactorRule(config) === 'super' ? sql`true` : sql`coalesce(${rule} = 'super', false)`
  return sql`(coalesce(s.two_factor, 0) = 1 or coalesce(${rule} = 'all', false) or (s.role = ${superRole} and ${supers}))`
}

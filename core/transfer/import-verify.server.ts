import { sql, type SQL } from 'drizzle-orm'
import type { Queryable } from '../database/database.server.ts'
import { AppError, outOfScope } from '../error/error.ts'
import type { Staff } from '../grant/staff.server.ts'
import type { Resource } from '../resource/define.ts'
import type { Row } from '../resource/list.server.ts'
import type { ImportedRow, ResourceService } from '../resource/serve.server.ts'
import { checkChange } from '../resource/refusal.server.ts'
import { pickableCondition, scopeCondition } from '../resource/where.server.ts'
import { uniqueGroups } from '../resource/unique.ts'
import { matchKey } from './columns.ts'
import { initialValues, ofRows, refuseRows, stagedRows, stagedValue, toStored, toWire, type StagedRow } from './import-rows.server.ts'

/** Rows that a rule sees at a time. */
const RULE_BATCH = 500

/** The rows that are judged, and in whose name. */
export interface ImportContext {
  service: ResourceService
  targets: ReadonlyMap<string, Resource>
  staff: Staff
  /** The job that read the sheet. */
  jobId: number
  /** The only row that is judged; absent: all of them. */
  row?: number
  signal: AbortSignal
}

const all = (parts: readonly SQL[]) => sql.join([...parts], sql` and `)

/**
 * Condition that a staged row `r` and a record `t` agree on fields. The last says what the group is about and agrees with nothing
 * when it is empty; of the others two empty ones are equal, as in the index.
 */
function agree(resource: Resource, keys: readonly string[]): SQL {
  return all(keys.map((key, place) => {
    const equal = place === keys.length - 1 || resource.fields[key]?.required ? sql`=` : sql`is not distinct from`
    return sql`t.${sql.identifier(key)} ${equal} ${stagedValue(resource, key)}`
  }))
}

const ofResource = (resource: Resource): SQL[] => Object.entries(resource.where).map(([key, value]) => sql`t.${sql.identifier(key)} = ${value}`)

function label(resource: Resource, keys: readonly string[]): string {
  return resource.fields[keys.at(-1) ?? '']?.label ?? resource.label
}

/** The value that a sentence names, hidden as on every screen. */
function shownValue(resource: Resource, keys: readonly string[]): SQL {
  const key = keys.at(-1) ?? ''
  const value = sql`(r.values->>${key})`
  const [left, right] = resource.fields[key]?.hidden?.ends ?? []
  return left === undefined ? value : sql`left(${value}, ${left}) || '****' || right(${value}, ${right})`
}

/** Groups of fields in which no two rows of a sheet may agree. */
const rowGroups = (resource: Resource) => [matchKey(resource), ...uniqueGroups(resource)].filter((group, index, list) =>
  group.length > 0 && list.findIndex((other) => String(other) === String(group)) === index)

/** Marks rows that repeat an earlier one of the same sheet. */
export async function refuseRepeated(db: Queryable, resource: Resource, jobId: number): Promise<void> {
  for (const keys of rowGroups(resource)) {
    const columns = sql.join(keys.map((key) => sql`r.values->>${key}`), sql`, `)
    const given = sql`r.values->>${keys.at(-1) ?? ''} is not null`
    await db.query(sql`update import_row x set state = 'bad',
        reason = concat_ws('；', x.reason, '与第 ' || d.first || ' 行的' || ${label(resource, keys)}::text || '重复')
      from (select r.row_number, min(r.row_number) over (partition by ${columns}) as first from import_row r where r.job_id = ${jobId} and ${given}) d
      where x.job_id = ${jobId} and x.row_number = d.row_number and d.row_number > d.first`)
  }
}

/** Marks one row when it repeats another: an earlier one, or a later one that would be written. */
export async function refuseRepeatedRow(db: Queryable, resource: Resource, jobId: number, row: number): Promise<void> {
  for (const keys of rowGroups(resource)) {
    const same = all(keys.map((key, place) => sql`o.values->>${key} ${place === keys.length - 1 ? sql`=` : sql`is not distinct from`} r.values->>${key}`))
    await db.query(sql`update import_row x set state = 'bad', reason = concat_ws('；', x.reason, '与第 ' || d.first || ' 行的' || ${label(resource, keys)}::text || '重复')
      from (select min(o.row_number) as first from import_row r join import_row o on o.job_id = r.job_id and ${same}
        and (o.row_number < r.row_number or (o.row_number > r.row_number and o.state <> 'bad')) where ${ofRows({ jobId, row })}) d
      where x.job_id = ${jobId} and x.row_number = ${row} and d.first is not null`)
  }
}

/** Finds the records that rows mean. Only those inside the person's scope can be updated. */
export async function matchExisting(db: Queryable, { service: { resource }, staff, ...rows }: ImportContext): Promise<void> {
  const keys = matchKey(resource)
  if (keys.length === 0) return
  const scope = scopeCondition(resource, staff)
  // The scope speaks of bare columns.
  const seen = sql`select * from ${sql.identifier(resource.table)} where deleted_at is null${scope ? sql` and ${scope}` : sql``}`
  await db.query(sql`update import_row x set record_id = m.id, state = case when m.n > 1 then 'bad' when x.state = 'new' then 'update' else x.state end,
      reason = case when m.n > 1 then concat_ws('；', x.reason, '有多条已有记录与该行相符，无法确定是哪一条') else x.reason end
    from (select r.row_number, max(t.id) as id, count(*) as n from import_row r
      join (${seen}) t on ${all([agree(resource, keys), ...ofResource(resource)])} where ${ofRows(rows)} group by r.row_number) m
    where x.job_id = ${rows.jobId} and x.row_number = m.row_number and x.state in ('new', 'bad')`)
}

/** Marks rows whose record has gone or does not match any more since they were checked. */
async function refuseVanished(db: Queryable, { service: { resource }, jobId }: ImportContext): Promise<void> {
  await db.query(sql`update import_row r set state = 'bad', reason = concat_ws('；', r.reason, '要更新的记录已被修改或删除，请重新上传检查')
    where r.job_id = ${jobId} and r.state = 'update' and not exists (select 1 from ${sql.identifier(resource.table)} t
      where t.id = r.record_id and t.deleted_at is null and ${agree(resource, matchKey(resource))})`)
}

/**
 * Marks rows whose unique values belong to another record, no matter who may see that.
 * @param again rows that are wrong already are not judged a second time
 */
async function refuseTaken(db: Queryable, { service: { resource }, ...rows }: ImportContext, again: boolean): Promise<void> {
  for (const keys of uniqueGroups(resource)) {
    await db.query(sql`update import_row x set state = 'bad',
        reason = concat_ws('；', x.reason, ${label(resource, keys)}::text || '「' || d.value || '」已存在')
      from (select r.row_number, min(${shownValue(resource, keys)}) as value from import_row r
        join ${sql.identifier(resource.table)} t on ${agree(resource, keys)} and t.deleted_at is null
        where ${ofRows(rows)}${again ? sql` and r.state <> 'bad'` : sql``} and not (t.id = r.record_id and r.record_id > 0) group by r.row_number) d
      where x.job_id = ${rows.jobId} and x.row_number = d.row_number`)
  }
}

/**
 * Marks rows that refer to records that have gone, or that the person cannot see.
 * @param hold keeps what they refer to from being removed until the transaction ends
 */
async function refuseLost(db: Queryable, { service: { resource }, targets, staff, ...rows }: ImportContext, hold: boolean): Promise<void> {
  for (const [key, field] of Object.entries(resource.fields)) {
    if (!('target' in field)) continue
    if (hold) {
      const named = field.refers === 'many' ? sql`select e::bigint from import_row r, jsonb_array_elements_text(r.values->${key}) e` : sql`select (r.values->>${key})::bigint from import_row r`
      await db.query(sql`select id from ${sql.identifier(field.target().table)} where id in (${named} where ${ofRows(rows)} and r.state <> 'bad' and r.values ? ${key}) order by id for key share`)
    }
    const target = targets.get(field.target().name)
    const pickable = target ? pickableCondition(target, staff) : sql`deleted_at is null`
    // The condition speaks of bare columns, which are those of the innermost table.
    const gone = (id: SQL) => sql`not exists (select 1 from ${sql.identifier(field.target().table)} where id = ${id} and ${pickable})`
    const lost = field.refers === 'many'
      ? sql`exists (select 1 from jsonb_array_elements_text(r.values->${key}) e where ${gone(sql`e::bigint`)})`
      : gone(sql`(r.values->>${key})::bigint`)
    await db.query(sql`update import_row r set state = 'bad', reason = concat_ws('；', r.reason, ${`${field.label}不存在或已被删除，请重新选择`}::text)
      where ${ofRows(rows)} and r.state <> 'bad' and r.values ? ${key} and ${lost}`)
  }
}

/** Marks rows that would leave a record where the person could not see it. */
async function refuseUnseen(db: Queryable, { service: { resource }, staff, ...rows }: ImportContext): Promise<void> {
  const scope = scopeCondition(resource, staff)
  if (!scope) return
  const table = sql.identifier(resource.table)
  // A new record is what the row says; a changed one is itself with the row laid over it.
  const result = sql`select (jsonb_populate_record(t, r.values)).* from ${table} t where t.id = r.record_id
    union all select (jsonb_populate_record(null::${table}, r.values || jsonb_build_object('id', r.record_id))).* where r.state = 'new'`
  await db.query(sql`update import_row r set state = 'bad', reason = concat_ws('；', r.reason, ${outOfScope(resource.label).message}::text)
    where ${ofRows(rows)} and r.state <> 'bad' and not exists (select 1 from (${result}) v where ${scope})`)
}

/** Lets the resource's own rules judge rows, and keeps the values that they add. */
async function applyRules(tx: Queryable, judged: ImportContext, rows: readonly StagedRow[]): Promise<{ refused: { row_number: number; reason: string }[]; changed: { row_number: number; values: Record<string, unknown> }[] }> {
  const { service: { resource, rules }, staff } = judged
  const stored = new Map<number, Row>()
  const updated = rows.filter((row) => row.state === 'update').map((row) => row.record_id)
  // What the guard looks at stays as it is until the row is written.
  const lock = rules.guard || rules.refusals ? sql` order by id for no key update` : sql``
  if (updated.length > 0) {
    for (const row of await tx.query<Row>(sql`select * from ${sql.identifier(resource.table)} where id = any(${sql.param(updated)}::bigint[])${lock}`)) stored.set(row.id, row)
  }
  const initial = initialValues(resource)
  const refused: { row_number: number; reason: string }[] = []
  const seen = rows.map((row) => {
    const values = toWire(resource, { ...(row.state === 'new' && initial), ...row.values })
    return {
      staged: row,
      before: JSON.stringify(values),
      rule: {
        rowNumber: row.row_number, values, row: stored.get(row.record_id),
        refuse: (reason: string) => void refused.push({ row_number: row.row_number, reason }),
      } satisfies ImportedRow<Row, Record<string, unknown>>,
    }
  })
  /** Lets a rule judge one row: what it throws stands beside the row. */
  const judge = async (rule: ImportedRow<Row, Record<string, unknown>>, work: () => Promise<void> | void): Promise<void> => {
    try {
      await work()
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      rule.refuse(error.message)
    }
  }
  for (const { rule } of seen) {
    const { row } = rule
    if (row) await judge(rule, () => checkChange(rules, { tx, staff }, row))
  }
  const allowed = seen.map(({ rule }) => rule).filter(({ rowNumber }) => !refused.some(({ row_number }) => row_number === rowNumber))
  if (rules.beforeImport) await rules.beforeImport({ tx, staff, rows: allowed })
  else for (const rule of allowed) await judge(rule, () => rules.before?.({ tx, staff, values: rule.values, row: rule.row }))
  const changed = seen.flatMap(({ staged, before, rule }) =>
    JSON.stringify(rule.values) === before ? [] : [{ row_number: staged.row_number, values: toStored(resource, rule.values) }])
  return { refused, changed }
}

/** Leaves a transaction in which rules were only tried. */
class Rehearsed extends Error {}

/**
 * Judges the rows against the database: duplicates, references, the resource's own rules. Wrong rows are marked.
 * @param db where to judge: the database while checking, the transaction that writes afterwards
 * @param rehearse runs `work` so that nothing that a rule does remains; absent in the transaction that writes
 */
export async function verifyRows(db: Queryable, judged: ImportContext, rehearse?: (work: (tx: Queryable) => Promise<void>) => Promise<void>): Promise<void> {
  if (!rehearse) await refuseVanished(db, judged)
  await matchExisting(db, judged)
  await refuseTaken(db, judged, !rehearse)
  await refuseLost(db, judged, !rehearse)
  await refuseUnseen(db, judged)
  const { rules } = judged.service
  if (!rules.guard && !rules.refusals && !rules.before && !rules.beforeImport) return
  for await (const rows of stagedRows(db, judged, ['new', 'update'], RULE_BATCH)) {
    judged.signal.throwIfAborted()
    let found: Awaited<ReturnType<typeof applyRules>> = { refused: [], changed: [] }
    if (rehearse) {
      await rehearse(async (tx) => {
        found = await applyRules(tx, judged, rows)
        throw new Rehearsed()
      }).catch((error: unknown) => {
        if (!(error instanceof Rehearsed)) throw error
      })
    } else {
      found = await applyRules(db, judged, rows)
      await changeRows(db, judged.jobId, found.changed)
    }
    await refuseRows(db, judged.jobId, found.refused)
  }
}

/** Keeps what rules added to rows. */
async function changeRows(db: Queryable, jobId: number, changed: readonly { row_number: number; values: Record<string, unknown> }[]): Promise<void> {
  if (changed.length === 0) return
  await db.query(sql`update import_row r set values = n.values from jsonb_to_recordset(${JSON.stringify(changed)}::jsonb) as n (row_number int, values jsonb)
    where r.job_id = ${jobId} and r.row_number = n.row_number`)
}

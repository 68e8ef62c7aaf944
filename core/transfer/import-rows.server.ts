import { sql, type SQL } from 'drizzle-orm'
import type { Queryable } from '../database/database.server.ts'
import type { ColumnType } from '../field/field.ts'
import type { Resource } from '../resource/define.ts'
import { startValues } from '../resource/write.server.ts'

type Values = Readonly<Record<string, unknown>>

/** What becomes of a row of a sheet. */
export type RowState = 'new' | 'update' | 'bad'

/** A row between check and commit. */
export interface StagedRow {
  row_number: number
  state: RowState
  record_id: number
  values: Values
}

/** Values as the database reads them by itself, and back: times are text there and seconds on the wire. */
const forms: Partial<Record<ColumnType, { stored(value: unknown): unknown; wire(value: unknown): unknown }>> = {
  timestamptz: {
    stored: (value) => (typeof value === 'number' ? new Date(value * 1000).toISOString() : value),
    wire: (value) => (typeof value === 'string' ? Math.floor(Date.parse(value) / 1000) : value),
  },
}

function convert(resource: Resource, values: Values, way: 'stored' | 'wire'): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => {
    const column = resource.fields[key]?.column
    return [key, (column && forms[column]?.[way](value)) ?? value]
  }))
}

/** Values in the form in which they are staged. */
export const toStored = (resource: Resource, values: Values) => convert(resource, values, 'stored')
/** Staged values in wire form. */
export const toWire = (resource: Resource, values: Values) => convert(resource, values, 'wire')

/** What a new record has of the fields that a sheet may leave empty, in stored form. */
export function initialValues(resource: Resource): Record<string, unknown> {
  const fields = Object.entries(resource.fields).filter(([, field]) => field.column && !field.readonly && field.initial !== undefined)
  return toStored(resource, Object.fromEntries(fields.map(([key, field]) => [key, field.initial])))
}

/** What a new record has beside what its row says, in stored form: also of the fields that only the server sets. */
export function newDefaults(resource: Resource): Record<string, unknown> {
  return { ...initialValues(resource), ...toStored(resource, startValues(resource)) }
}

/** Fields that a table keeps. */
export function columnKeys(resource: Resource): string[] {
  return Object.keys(resource.fields).filter((key) => resource.fields[key]?.column)
}

/** A staged value as SQL of its column's type. */
export function stagedValue(resource: Resource, key: string): SQL {
  const column = resource.fields[key]?.column
  if (!column) throw new Error(`${resource.name} keeps no ${key}`)
  return column === 'text' ? sql`(r.values->>${key})` : sql`(r.values->>${key})::${sql.raw(column)}`
}

/** A staged row `r` as a record `v` of the table. */
export function asRecord(resource: Resource, values: SQL = sql`r.values`): SQL {
  return sql`cross join lateral jsonb_populate_record(null::${sql.identifier(resource.table)}, ${values}) v`
}

/** Adds rows to those of a job; new ones get the id that their record will have. */
export async function stageRows(
  db: Queryable, resource: Resource, jobId: number, rows: readonly { row_number: number; state: RowState; values: Values; cells: Readonly<Record<string, string>>; reason: string | null }[],
): Promise<void> {
  const list = rows.map((row) => ({ ...row, values: toStored(resource, row.values) }))
  await db.query(sql`insert into import_row (job_id, row_number, state, record_id, values, cells, reason)
    select ${jobId}, r.row_number, r.state, case when r.state = 'new' then nextval(pg_get_serial_sequence(${resource.table}, 'id')) else 0 end, r.values, r.cells, r.reason
    from jsonb_to_recordset(${JSON.stringify(list)}::jsonb) as r (row_number int, state text, values jsonb, cells jsonb, reason text) order by r.row_number`)
}

/** Which staged rows are meant: all of a job, or one of them. */
export interface RowsOf {
  readonly jobId: number
  readonly row?: number
}

/** Staged rows `r` that are meant, as a condition. */
export const ofRows = ({ jobId, row }: RowsOf): SQL => (row === undefined ? sql`r.job_id = ${jobId}` : sql`r.job_id = ${jobId} and r.row_number = ${row}`)

/** Rows of a job in the sheet's order, a batch at a time. */
export async function* stagedRows(db: Queryable, of: RowsOf, states: readonly RowState[], size: number): AsyncGenerator<StagedRow[]> {
  let after = 0
  for (;;) {
    const rows = await db.query<StagedRow>(sql`select row_number, state, record_id, values from import_row r
      where ${ofRows(of)} and row_number > ${after} and state = any(${sql.param([...states])}::text[]) order by row_number limit ${size}`)
    const last = rows.at(-1)
    if (!last) return
    yield rows
    after = last.row_number
  }
}

/** Marks rows as wrong, each with its sentence. */
export async function refuseRows(db: Queryable, jobId: number, refused: readonly { row_number: number; reason: string }[]): Promise<void> {
  if (refused.length === 0) return
  await db.query(sql`update import_row r set state = 'bad', reason = concat_ws('；', r.reason, n.reason)
    from jsonb_to_recordset(${JSON.stringify(refused)}::jsonb) as n (row_number int, reason text)
    where r.job_id = ${jobId} and r.row_number = n.row_number`)
}

/** How many rows of a job are in each state. */
export async function countRows(db: Queryable, jobId: number): Promise<Record<RowState, number>> {
  const rows = await db.query<{ state: string; n: number }>(sql`select state, count(*) as n from import_row where job_id = ${jobId} group by state`)
  const counts = new Map(rows.map(({ state, n }) => [state, n]))
  return { new: counts.get('new') ?? 0, update: counts.get('update') ?? 0, bad: counts.get('bad') ?? 0 }
}

/** The first wrong rows of a job. */
export function firstProblems(db: Queryable, jobId: number, limit: number): Promise<{ row_number: number; reason: string }[]> {
  return db.query(sql`select row_number, reason from import_row where job_id = ${jobId} and state = 'bad' order by row_number limit ${limit}`)
}

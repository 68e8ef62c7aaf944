import { sql } from 'drizzle-orm'
import type { Queryable } from '../../core/database/database.server.ts'
import { invalid } from '../../core/error/error.ts'
import type { ImportedRow } from '../../core/resource/serve.server.ts'

/** A field that names records of the same school. */
export interface Member {
  readonly key: string
  readonly table: string
  readonly label: string
}

type Values = Readonly<Record<string, unknown>>
interface Changed {
  readonly values: Values
  readonly row: Values | undefined
}

/** Ids that a record will name: those that the change sets; when it moves to another school, also those that it keeps. */
function namedIds({ values, row }: Changed, key: string): number[] {
  const moved = values['school_id'] !== undefined && row !== undefined && values['school_id'] !== row['school_id']
  // What is cleared together with the move has not to fit the new school.
  const value = key in values ? values[key] : moved ? row[key] : undefined
  return [value ?? []].flat() as number[]
}

/** One sentence for each field of each record that names something of another school; one query for each field. */
async function strangers(tx: Queryable, changes: readonly Changed[], members: readonly Member[]): Promise<Record<string, string>[]> {
  const errors = changes.map((): Record<string, string> => ({}))
  for (const { key, table, label } of members) {
    const ids = [...new Set(changes.flatMap((change) => namedIds(change, key)))]
    if (ids.length === 0) continue
    const rows = await tx.query<{ id: number; school_id: number }>(
      sql`select id, school_id from ${sql.identifier(table)} where id = any(${sql.param(ids)}::bigint[])`,
    )
    const schoolOf = new Map(rows.map((row) => [row.id, row.school_id]))
    for (const [index, change] of changes.entries()) {
      const school = change.values['school_id'] ?? change.row?.['school_id']
      const fits = namedIds(change, key).every((id) => schoolOf.get(id) === school)
      const found = errors[index]
      if (!fits && found) found[key] = `${label}不属于该学校，请重新选择`
    }
  }
  return errors
}

/** Rules that keep a record and what it names in one school, for single saves and for imports. */
export function sameSchool(members: readonly Member[]) {
  return {
    beforeOnlyReads: true as const,
    async before({ tx, ...change }: Changed & { tx: Queryable }): Promise<void> {
      const [errors = {}] = await strangers(tx, [change], members)
      if (Object.keys(errors).length > 0) throw invalid(errors)
    },
    async beforeImport({ tx, rows }: { tx: Queryable; rows: readonly (Changed & Pick<ImportedRow<unknown, unknown>, 'refuse'>)[] }): Promise<void> {
      const errors = await strangers(tx, rows, members)
      for (const [index, row] of rows.entries()) for (const sentence of Object.values(errors[index] ?? {})) row.refuse(sentence)
    },
  }
}

/** Whom and what a student names of their school. */
export const studentPlaces = sameSchool([{ key: 'cell_id', table: 'school_cell', label: '班级' }, { key: 'teacher_id', table: 'school_teacher', label: '督学' }])

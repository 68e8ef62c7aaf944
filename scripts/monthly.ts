/**
 * Lets a migration make tables that are kept by month: the table, a rest for what lies outside of all months, and the months.
 * @param monthly the moment of each such table
 * @param known tables that are there already, with the moment by which they are kept
 * @throws Error for a table that is there already and would be kept otherwise: its records have to be moved by hand
 */
export function keepByMonth(statements: readonly string[], monthly: Readonly<Record<string, string>>, known: Readonly<Record<string, string>> = {}): string[] {
  const made = new Set<string>()
  const kept = statements.flatMap((statement) => {
    const [, table = ''] = /^CREATE TABLE "(\w+)"/.exec(statement) ?? []
    const moment = monthly[table]
    if (moment === undefined) return [statement]
    made.add(table)
    return [statement.replace(/;\s*$/, ` PARTITION BY RANGE ("${moment}");`), `CREATE TABLE "${table}_rest" PARTITION OF "${table}" DEFAULT;`]
  })
  for (const table of new Set([...Object.keys(monthly), ...Object.keys(known)])) {
    if (!made.has(table) && monthly[table] !== known[table]) throw new Error(`${table} is there already and cannot come to be kept by month, or otherwise, by itself`)
  }
  return made.size > 0 ? [...kept, 'SELECT make_months();'] : kept
}

/** What went from the definitions and still stands in the database: `table` or `table.column`, with the release in whose time it went. */
export type Retired = Readonly<Record<string, string>>

/**
 * Migrations expand first and contract a release later: while a release is rolled out, processes of the one before still read
 * and write what the new one does without. What would be dropped is retired instead: a column stays, and need not be filled.
 * @param release the release that is being worked on
 * @returns the statements without drops, and what is retired from now on
 * @throws Error for a column or table of a name that is retired: its old values would come back
 */
export function contractLater(statements: readonly string[], retired: Retired, release: string): { statements: string[]; retired: Retired } {
  const now: Record<string, string> = { ...retired }
  const kept = statements.flatMap((statement) => {
    const [, made = ''] = /^CREATE TABLE "(\w+)"/.exec(statement) ?? []
    const [, at = '', added = ''] = /^ALTER TABLE "(\w+)" ADD COLUMN "(\w+)"/.exec(statement) ?? []
    const again = added === '' ? made : `${at}.${added}`
    if (again in now) throw new Error(`${again} is retired: write its end first, by npm run migration -- <name> --contract`)
    const [, table = ''] = /^DROP TABLE "(\w+)"/.exec(statement) ?? []
    if (table !== '') {
      now[table] ??= release
      return []
    }
    const [, of = '', column = ''] = /^ALTER TABLE "(\w+)" DROP COLUMN "(\w+)"/.exec(statement) ?? []
    if (column === '') return [statement]
    now[`${of}.${column}`] ??= release
    return [`ALTER TABLE "${of}" ALTER COLUMN "${column}" DROP NOT NULL;`]
  })
  return { statements: kept, retired: now }
}

/**
 * The statements that end what was retired before this release.
 * @returns them, and what stays retired because the release in whose time it went is not out yet
 */
export function contract(retired: Retired, release: string): { statements: string[]; retired: Retired } {
  const over = Object.keys(retired).filter((name) => retired[name] !== release).sort()
  return {
    statements: over.map((name) => {
      const [table, column] = name.split('.')
      return column === undefined ? `DROP TABLE "${table}" CASCADE;` : `ALTER TABLE "${table}" DROP COLUMN "${column}";`
    }),
    retired: Object.fromEntries(Object.entries(retired).filter(([, went]) => went === release)),
  }
}

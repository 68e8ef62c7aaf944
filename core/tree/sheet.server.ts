import { sql, type SQL } from 'drizzle-orm'
import { PassThrough, type Readable } from 'node:stream'
import type { Queryable } from '../database/database.server.ts'
import type { Call } from '../endpoint/serve.server.ts'
import type { Resource } from '../resource/define.ts'
import { scopeCondition } from '../resource/where.server.ts'
import type { Registered } from '../resource/uses.server.ts'
import { writeXlsx } from '../sheet/write.server.ts'
import { factColumn, levelColumns, type FactColumn } from './level-sheet.ts'
import { ofTree } from '../resource/tree-order.server.ts'

/** Columns beside the levels of a resource's sheet. */
export const factsOf = ({ fields, tree }: Resource): FactColumn[] => (tree?.facts ?? []).flatMap((key) => {
  const field = fields[key]
  return field ? [factColumn(key, field)] : []
})

/** What a tree is called: what it is a tree of, and its records. */
async function nameOf(db: Queryable, { fields, tree, label }: Resource, values: Readonly<Record<string, unknown>>): Promise<string> {
  const names: string[] = []
  for (const key of tree?.group ?? []) {
    const field = fields[key]
    if (!field || !('target' in field)) continue
    const { table, title } = field.target()
    const [row] = await db.query<{ name: string | null }>(sql`select ${sql.identifier(title)}::text as name from ${sql.identifier(table)} where id = ${values[key]}`)
    names.push(row?.name ?? '')
  }
  return `${names.join('')}${label}`
}

interface SheetNode extends Record<string, unknown> {
  id: number
  parent_id: number | null
  name: string
}

/**
 * Answers a tree as a workbook that can be read again; numbers that nodes show stand behind.
 * @param values which tree is meant
 */
export async function sendSheet(call: Pick<Call, 'db' | 'reply' | 'staff'>, { resource, rules }: Registered, values: Readonly<Record<string, unknown>>): Promise<Readable> {
  const { fields, tree, title, table } = resource
  const facts = factsOf(resource)
  const numbers = (tree?.shows ?? []).filter((key) => fields[key]?.computed)
  const columns: SQL[] = [
    ...facts.map(({ key }) => sql`, t.${sql.identifier(key)}`),
    ...numbers.map((key) => sql`, (${rules.computed?.[key] ?? sql`null`}) as ${sql.identifier(key)}`),
  ]
  const scope = scopeCondition(resource, call.staff)
  const all = await call.db.query<SheetNode>(sql`select t.id, t.parent_id, t.${sql.identifier(title)} as name${sql.join(columns)}
    from (select * from ${sql.identifier(table)} where deleted_at is null and ${ofTree(resource, values)}${scope ? sql` and ${scope}` : sql``}) t order by t.depth, t.ord, t.id`)
  const children = Map.groupBy(all, ({ parent_id }) => parent_id)
  const tops = tree?.rooted ? children.get(children.get(null)?.[0]?.id ?? 0) ?? [] : children.get(null) ?? []
  function* walk(nodes: readonly SheetNode[], above: readonly string[]): Generator<Record<string, unknown>> {
    for (const node of nodes) {
      const path = [...above, node.name]
      yield {
        ...Object.fromEntries(path.map((part, level) => [`l${level}`, part])),
        ...Object.fromEntries(facts.map((fact) => [fact.key, fact.write(node[fact.key])])),
        ...Object.fromEntries(numbers.map((key) => [key, node[key]])),
      }
      yield* walk(children.get(node.id) ?? [], path)
    }
  }
  async function* rows() {
    yield* walk(tops, [])
  }
  const name = await nameOf(call.db, resource, values)
  const target = new PassThrough()
  const heads = [
    ...[...levelColumns(tree?.levels ?? 1), ...facts].map(({ key, label }) => ({ key, label, type: 'text' as const })),
    ...numbers.map((key) => ({ key, label: fields[key]?.label ?? key, type: 'number' as const })),
  ]
  // A failure destroys the target, which breaks the answer off.
  writeXlsx(target, { columns: heads, rows: rows(), sheetName: name }).catch(() => {})
  call.reply.header('content-type', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet')
  call.reply.header('content-disposition', `attachment; filename="${resource.name}.xlsx"; filename*=UTF-8''${encodeURIComponent(`${name}.xlsx`)}`)
  return target
}

import { sql } from 'drizzle-orm'
import type { Database } from '../../../core/database/database.server.ts'
import { insertMany, seedTransaction } from '../../../core/setup/insert-many.server.ts'
import { BUILT_IN } from './built-in.ts'
import { keepVersion } from './print.server.ts'
import { printTemplate } from './template.ts'

const KEY = 'print_templates'

/** Puts the templates there that the product brings, once: what people make of them or remove stays as they left it. */
export async function seedTemplates(db: Database): Promise<void> {
  await seedTransaction(db, async (tx) => {
    const made = await tx.query(sql`insert into installation (key, value) values (${KEY}, 'true') on conflict do nothing returning key`)
    if (made.length === 0) return
    const ids = await insertMany(tx, printTemplate, BUILT_IN.map(({ name, resource, label, paper }) => ({ name, resource, resource_name: label, paper, version: 1, status: 1 })))
    for (const [at, { doc, paper }] of BUILT_IN.entries()) await keepVersion(tx, ids[at] ?? 0, 1, { doc, paper }, null)
  })
}

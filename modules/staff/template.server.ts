import { sql } from 'drizzle-orm'
import type { Database } from '../../core/database/database.server.ts'
import { AppError } from '../../core/error/error.ts'
import { standardId, type StandardAction } from '../../core/grant/grant.ts'
import type { GrantGroup, GrantNode } from '../../core/grant/grant-tree.ts'
import { serve } from '../../core/resource/serve.server.ts'
import { setDerived } from '../../core/resource/touch.server.ts'
import { insertMany, seedTransaction } from '../../core/setup/insert-many.server.ts'
import { screens } from '../screens.ts'
import { roleTemplate } from './role-template.ts'
import { checkStanding, grantTitles, notHeld } from './standing.server.ts'
import { TEMPLATES, type TemplateRights } from './template-rights.ts'

/** Standard actions behind each letter. */
const LETTERS: Readonly<Record<string, readonly StandardAction[]>> = { E: ['edit', 'import'], D: ['remove'], X: ['export'], P: ['reveal'] }

/** Ids of a screen and of those of its actions that the letters open. */
function idsOf(screen: GrantNode, letters: string): number[] {
  const standard = new Set((['edit', 'remove', 'import', 'export', 'reveal'] as const).map((action) => standardId(screen.id, action)))
  const opened = new Set([...letters].flatMap((letter) => LETTERS[letter] ?? []).map((action) => standardId(screen.id, action)))
  const children = (screen.children ?? []).map((child) => child.id)
  return [screen.id, ...children.filter((id) => opened.has(id) || (letters.includes('A') && !standard.has(id)))]
}

/** Whether a path is the given one or lies below it. */
export function covers(above: string, path: string): boolean {
  return above === '/' || path === above || path.startsWith(`${above}/`)
}

/** What a template opens of that which exists. A screen that two lines name gets the rights of both. */
export function templateModules(template: TemplateRights, grants: readonly GrantGroup[]): number[] {
  const paths = new Map(screens.map(({ id, path }) => [id, path]))
  const ids = grants.flatMap((group) => group.screens).flatMap((screen) =>
    template.rights.filter(([path]) => covers(path, paths.get(screen.id) ?? '')).flatMap(([, letters]) => idsOf(screen, letters)))
  return [...new Set(ids)].sort((a, b) => a - b)
}

/** Names of the templates that were put there once; one that was removed does not come back. */
const KEY = 'role_templates'

/**
 * Puts the role templates there, those of which no screen exists yet in the release that brings one. Templates that nobody
 * has changed get what is new; others belong to those who changed them.
 */
export async function renewTemplates(db: Database, grants: readonly GrantGroup[]): Promise<void> {
  const rows = TEMPLATES.map((template) => ({ name: template.name, remark: template.remark, modules: templateModules(template, grants) })).filter((row) => row.modules.length > 0)
  const [known] = await db.query<{ names: string[] }>(sql`select array(select jsonb_array_elements_text(value) from installation where key = ${KEY})
    || array(select name from role_template) as names`)
  const missing = rows.filter((row) => !known?.names.includes(row.name))
  await seedTransaction(db, async (tx) => {
    await insertMany(tx, roleTemplate, missing)
    await setDerived(tx, roleTemplate, { modules: sql`r.modules` }, sql`t.name = r.name and t.rev = 1 and t.created_by is null and t.modules <> r.modules`, {
      from: sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (name text, modules jsonb)`,
    })
    await tx.query(sql`insert into installation (key, value) values (${KEY}, ${JSON.stringify([...new Set([...known?.names ?? [], ...missing.map((row) => row.name)])])}::jsonb)
      on conflict (key) do update set value = excluded.value`)
  })
}

/** Nobody puts a right into a template that they do not hold. */
export const templates = serve(roleTemplate)({
  guard: async ({ staff, row }) => checkStanding(staff, { role: '', modules: row.modules ?? [], scopes: staff.scopes }, '含有该权限的角色模板'),
  beforeOnlyReads: true,
  before({ staff, values }) {
    const missing = notHeld(staff, values.modules ?? [])
    if (missing.length === 0) return
    const sentence = `您自己没有「${grantTitles(missing)}」权限，不能放进角色模板`
    throw new AppError('ceiling', 403, sentence, { fields: { modules: sentence } })
  },
})

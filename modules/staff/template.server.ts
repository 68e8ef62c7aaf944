import type { Database } from '../../core/database/database.server.ts'
import { standardId, type StandardAction } from '../../core/grant/grant.ts'
import type { GrantGroup, GrantNode } from '../../core/module/serve.server.ts'
import { insertMany, setUp } from '../../core/setup/insert-many.server.ts'
import { screens } from '../screens.ts'
import { roleTemplate } from './role-template.ts'
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

/** Puts the role templates into an empty database; those of which no screen exists yet are left out. */
export async function insertTemplates(db: Database, grants: readonly GrantGroup[]): Promise<void> {
  const rows = TEMPLATES.map((template) => ({ name: template.name, remark: template.remark, modules: templateModules(template, grants) }))
  await setUp(db, (tx) => insertMany(tx, roleTemplate, rows.filter((row) => row.modules.length > 0)))
}

/** Looks whether every import keeps to the rules of `.dependency-cruiser.cjs`, and that all files were looked at. */
import { spawnSync } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const PARTS = ['core', 'modules', 'scripts', 'e2e', 'bench', 'main.server.ts', 'main.tsx', 'public-page.tsx']

export interface Breach {
  rule: string
  from: string
  to: string
  /** What to do instead. */
  comment: string
}

interface Cruised {
  modules: { source: string }[]
  summary: { violations: { rule: { name: string }; from: string; to: string }[]; ruleSetUsed?: { forbidden?: { name?: string; comment?: string }[] } }
}

/**
 * Reads every import below a folder.
 * @returns the files that were looked at, relative to the folder, and what breaks a rule
 */
export function findBreaches(folder: string): { files: string[]; breaches: Breach[] } {
  const parts = PARTS.filter((part) => existsSync(join(folder, part)))
  const result = spawnSync(process.execPath, [
    join(root, 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs'), '--config', join(root, '.dependency-cruiser.cjs'), '--output-type', 'json', ...parts,
  ], { cwd: folder, encoding: 'utf8', maxBuffer: 1 << 28 })
  if (!result.stdout.startsWith('{')) throw new Error(`dependency-cruiser failed: ${result.stderr}`)
  const { modules, summary } = JSON.parse(result.stdout) as Cruised
  const comments = new Map(summary.ruleSetUsed?.forbidden?.map((rule) => [rule.name, rule.comment ?? '']))
  return {
    files: modules.map((one) => one.source),
    breaches: summary.violations.map(({ rule, from, to }) => ({ rule: rule.name, from, to, comment: comments.get(rule.name) ?? '' })),
  }
}

/**
 * Source files that a run has not looked at. A compiler that the tool does not know makes it look at nothing and say
 * that all is well.
 */
export function overlooked(folder: string, files: readonly string[]): string[] {
  const seen = new Set(files)
  return globSync('{core,modules}/**/*.{ts,tsx}', { cwd: folder }).map((path) => path.replaceAll('\\', '/')).filter((path) => !path.endsWith('.d.ts') && !seen.has(path)).sort()
}

if (import.meta.main) {
  const { files, breaches } = findBreaches(root)
  const missed = overlooked(root, files)
  for (const { rule, from, to, comment } of breaches) console.error(`${from} → ${to}\n  ${rule}: ${comment}`)
  if (missed.length > 0) console.error(`not looked at: ${missed.join(', ')}`)
  if (breaches.length > 0 || missed.length > 0 || files.length === 0) process.exit(1)
  console.log(`${files.length} files keep to the import rules`)
}

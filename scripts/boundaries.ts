/** Checks that every import keeps to the rules of `.dependency-cruiser.cjs` and to the layers of core, and that no file was left out. */
import { spawnSync } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const PARTS = ['core', 'modules', 'scripts', 'e2e', 'bench', 'main.server.ts', 'main.tsx', 'public-page.tsx']

/**
 * The layers of core, from the lowest to the highest, with their folders. A folder imports its own layer and those below
 * it, types included, and no two folders need each other. Tests may import everything.
 */
export const LAYERS = {
  data: ['error', 'ui', 'chart', 'grant', 'database', 'endpoint', 'audit', 'session', 'live', 'file', 'upload', 'rich-text', 'field', 'query', 'app-client', 'outgoing', 'public-page', 'preference', 'report', 'undo', 'job', 'http'],
  resource: ['resource', 'form', 'setup', 'openapi', 'kernel', 'discussion', 'record-file', 'presence', 'inbox', 'print'],
  transfer: ['sheet', 'transfer'],
  page: ['subscription', 'record', 'list', 'tree', 'take-back', 'login'],
  shell: ['module', 'shell'],
  testing: ['testing'],
} as const satisfies Record<string, readonly string[]>

export interface Breach {
  rule: string
  from: string
  to: string
  /** What to do instead. */
  comment: string
}

interface Cruised {
  modules: { source: string; dependencies: { resolved: string }[] }[]
  summary: { violations: { rule: { name: string }; from: string; to: string }[]; ruleSetUsed?: { forbidden?: { name?: string; comment?: string }[] } }
}

/** Folder of core in which a file stands; undefined for others, for tests, and for what stands in core itself. */
const folderOf = (path: string): string | undefined => (/\.test\.tsx?$/.test(path) ? undefined : /^core\/([^/]+)\//.exec(path)?.[1])

/** Imports of core that lead to a higher layer, that close a circle of folders, or that come from a folder without a layer. */
function layerBreaches(modules: Cruised['modules']): Breach[] {
  const layers = Object.values(LAYERS).map((folders) => new Set<string>(folders))
  const layerOf = (folder: string) => layers.findIndex((folders) => folders.has(folder))
  const imports = modules.flatMap(({ source, dependencies }) => dependencies.flatMap(({ resolved }) => {
    const [from, to] = [folderOf(source), folderOf(resolved)]
    return from === undefined || to === undefined || from === to ? [] : [{ source, resolved, from, to }]
  }))
  const below = new Map([...Map.groupBy(imports, ({ from }) => from)].map(([from, own]) => [from, new Set(own.map(({ to }) => to))]))
  const reaches = (from: string, to: string, seen = new Set<string>()): boolean => {
    if (from === to) return true
    seen.add(from)
    return [...below.get(from) ?? []].some((next) => !seen.has(next) && reaches(next, to, seen))
  }
  const folders = new Set(modules.flatMap(({ source }) => folderOf(source) ?? []))
  return [
    ...[...folders].filter((folder) => layerOf(folder) < 0).map((folder) => ({
      rule: 'core-in-layers', from: `core/${folder}`, to: 'LAYERS', comment: 'Every folder of core stands in a layer. Name it in scripts/boundaries.ts, in the lowest layer that it can be in.',
    })),
    ...imports.filter(({ from, to }) => layerOf(from) < layerOf(to)).map(({ source, resolved }) => ({
      rule: 'core-in-layers', from: source, to: resolved, comment: 'A folder of core imports its own layer and those below it. Move what both need down, or hand it over from above.',
    })),
    ...imports.filter(({ from, to }) => reaches(to, from)).map(({ source, resolved }) => ({
      rule: 'core-without-cycle', from: source, to: resolved, comment: 'Two folders of core that need each other cannot be understood one after the other. Move what both need down.',
    })),
  ]
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
    breaches: [...summary.violations.map(({ rule, from, to }) => ({ rule: rule.name, from, to, comment: comments.get(rule.name) ?? '' })), ...layerBreaches(modules)],
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

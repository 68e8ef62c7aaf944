/** Compressed bytes that a browser fetches for login, shell and the first list, from a real load in Chromium's order. */
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { spawnSync } from 'node:child_process'

const root = join(import.meta.dirname, '..')
spawnSync(process.execPath, [join(root, 'scripts/build.ts')], { cwd: root, stdio: 'inherit' })

interface Chunk {
  file: string
  imports?: string[]
  dynamicImports?: string[]
  css?: string[]
}
const manifest = JSON.parse(readFileSync(join(root, 'dist/.vite/manifest.json'), 'utf8')) as Record<string, Chunk>

/** Everything that loads together with an entry. */
function closure(key: string, seen = new Set<string>()): Set<string> {
  const chunk = manifest[key]
  if (!chunk || seen.has(chunk.file)) return seen
  seen.add(chunk.file)
  for (const css of chunk.css ?? []) seen.add(css)
  for (const next of chunk.imports ?? []) closure(next, seen)
  return seen
}
const bytes = (files: Iterable<string>) => [...files].reduce((sum, file) => sum + statSync(join(root, 'dist', `${file}.br`)).size, 0)
const kb = (size: number) => `${(size / 1024).toFixed(0)} KB`

const first = closure('index.html')
const list = new Set(first)
for (const key of ['core/list/list-page.tsx', 'modules/study-room/partner.ts', 'modules/study-room/partner-view.tsx']) for (const file of closure(key)) list.add(file)
console.log(`login and shell                    ${kb(bytes(first)).padStart(8)}`)
console.log(`login, shell and first list        ${kb(bytes(list)).padStart(8)}   (limit 450 KB)`)

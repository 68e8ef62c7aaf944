/** Runs every check in turn, also after one failed, so that one run tells everything there is to mend. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { ensureChromium } from './chromium.ts'
import { withPostgres } from './postgres.ts'

const root = join(import.meta.dirname, '..')

const failed: string[] = []

function step(title: string, script: string, args: string[], env: Record<string, string> = {}): void {
  console.log(`\n== ${title}`)
  const start = Date.now()
  const { status } = spawnSync(process.execPath, [join(root, script), ...args], { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } })
  if (status !== 0) failed.push(title)
  console.log(`== ${title}: ${status === 0 ? 'passed' : 'failed'} after ${Math.round((Date.now() - start) / 1000)} s`)
}

step('types', 'node_modules/typescript-native/bin/tsc', ['--noEmit', '-p', '.'])
step('lint', 'node_modules/oxlint/bin/oxlint', ['--quiet'])
step('import rules', 'scripts/boundaries.ts', [])
step('nothing that nobody uses', 'node_modules/knip/bin/knip.js', ['--no-progress'])
step('tests on the embedded database', 'node_modules/vitest/vitest.mjs', ['run', 'core', 'modules', 'scripts'])
await withPostgres(
  (url) => step('API tests on PostgreSQL', 'node_modules/vitest/vitest.mjs', ['run', 'core', 'modules'], { TEST_DATABASE_URL: url }),
  (reason) => console.log(`\n== API tests on PostgreSQL: skipped, ${reason}`),
)
ensureChromium()
step('build', 'scripts/build.ts', [])
step('journeys in the browser', 'node_modules/vitest/vitest.mjs', ['run', 'e2e'])
console.log(failed.length > 0 ? `\nfailed: ${failed.join(', ')}` : '\nall checks passed')
process.exitCode = failed.length > 0 ? 1 : 0

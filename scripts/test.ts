/** Runs every check in turn, also after one failed, so that one run tells everything there is to mend. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureChromium } from './chromium.ts'
import { failuresOf } from './failures.ts'
import { withPostgres } from './postgres.ts'

const root = join(import.meta.dirname, '..')

const reports = mkdtempSync(join(tmpdir(), 'daoyuan-test-'))
const failed: string[] = []
const failures: string[] = []

function step(title: string, script: string, args: string[], env: Record<string, string> = {}): void {
  console.log(`\n== ${title}`)
  const start = Date.now()
  const { status } = spawnSync(process.execPath, [join(root, script), ...args], { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } })
  if (status !== 0) failed.push(title)
  console.log(`== ${title}: ${status === 0 ? 'passed' : 'failed'} after ${Math.round((Date.now() - start) / 1000)} s`)
}

/** One run of vitest. Its failures are told once more after all steps: the run itself is thousands of lines away by then. */
function suite(title: string, folders: string[], env: Record<string, string> = {}): void {
  const report = join(reports, `${title}.json`)
  step(title, 'node_modules/vitest/vitest.mjs', ['run', ...folders, '--reporter=default', '--reporter=json', `--outputFile.json=${report}`], env)
  if (existsSync(report)) failures.push(...failuresOf(readFileSync(report, 'utf8')).map((failure) => `${title}: ${failure}`))
}

step('types', 'node_modules/typescript-native/bin/tsc', ['--noEmit', '-p', '.'])
step('lint', 'node_modules/oxlint/bin/oxlint', ['--quiet'])
step('import rules', 'scripts/boundaries.ts', [])
step('nothing that nobody uses', 'node_modules/knip/bin/knip.js', ['--no-progress'])
suite('tests on the embedded database', ['core', 'modules', 'scripts'])
await withPostgres(
  (url) => suite('API tests on PostgreSQL', ['core', 'modules'], { TEST_DATABASE_URL: url }),
  (reason) => console.log(`\n== API tests on PostgreSQL: skipped, ${reason}`),
)
ensureChromium()
step('build', 'scripts/build.ts', [])
suite('journeys in the browser', ['e2e'])
rmSync(reports, { recursive: true, force: true })
for (const failure of failures) console.log(`\n${failure}`)
console.log(failed.length > 0 ? `\nfailed: ${failed.join(', ')}` : '\nall checks passed')
process.exitCode = failed.length > 0 ? 1 : 0

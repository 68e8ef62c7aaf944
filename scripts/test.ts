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

/** @returns what the step wrote as errors, which has been shown by then */
function step(title: string, script: string, args: string[], env: Record<string, string> = {}): string {
  console.log(`\n== ${title}`)
  const start = Date.now()
  const { status, stderr } = spawnSync(process.execPath, [join(root, script), ...args], { cwd: root, stdio: ['inherit', 'inherit', 'pipe'], encoding: 'utf8', maxBuffer: 2 ** 30, env: { ...process.env, ...env } })
  process.stderr.write(stderr)
  if (status !== 0) failed.push(title)
  console.log(`== ${title}: ${status === 0 ? 'passed' : 'failed'} after ${Math.round((Date.now() - start) / 1000)} s`)
  return stderr
}

/** One run of vitest. Its failures are told once more after all steps: the run itself is thousands of lines away by then. */
function suite(title: string, folders: string[], env: Record<string, string> = {}): void {
  const report = join(reports, `${title}.json`)
  const errors = step(title, 'node_modules/vitest/vitest.mjs', ['run', ...folders, '--reporter=default', '--reporter=json', `--outputFile.json=${report}`], env)
  const found = existsSync(report) ? failuresOf(readFileSync(report, 'utf8')) : []
  failures.push(...found.map((failure) => `${title}: ${failure}`))
  // An error outside every test is in no report.
  if (failed.includes(title) && found.length === 0) failures.push(`${title}:\n${errors.slice(-4000)}`)
}

step('types', 'node_modules/typescript-native/bin/tsc', ['--noEmit', '-p', '.'])
step('lint', 'node_modules/oxlint/bin/oxlint', ['--quiet'])
step('import rules', 'scripts/boundaries.ts', [])
step('nothing that nobody uses', 'node_modules/knip/bin/knip.js', ['--no-progress'])
step('build', 'scripts/build.ts', [])
suite('tests on the embedded database', ['core', 'modules', 'scripts'])
await withPostgres(
  (url) => suite('API tests on PostgreSQL', ['core', 'modules'], { TEST_DATABASE_URL: url }),
  (reason) => console.log(`\n== API tests on PostgreSQL: skipped, ${reason}`),
)
ensureChromium()
suite('journeys in the browser', ['e2e'])
rmSync(reports, { recursive: true, force: true })
for (const failure of failures) console.log(`\n${failure}`)
console.log(failed.length > 0 ? `\nfailed: ${failed.join(', ')}` : '\nall checks passed')
process.exitCode = failed.length > 0 ? 1 : 0

/** Runs every check in turn, also after one failed, so that one run tells everything there is to mend. */
import { spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureChromium } from './chromium.ts'
import { failedFilesOf, failuresOf } from './failures.ts'
import { withPostgres } from './postgres.ts'

const root = join(import.meta.dirname, '..')

const reports = mkdtempSync(join(tmpdir(), 'daoyuan-test-'))
const failed: string[] = []
const failures: string[] = []
/** What failed at first and passed when its file ran alone. */
const unsteady: string[] = []
/** More files than this that fail are not the machine's doing. */
const MAX_AGAIN = 4

interface Outcome { readonly passed: boolean; readonly errors: string }

/** Runs a script of ours to its end and says how long it took. */
function run(title: string, script: string, args: string[], env: Record<string, string> = {}): Outcome {
  console.log(`\n== ${title}`)
  const start = Date.now()
  const { status, stderr } = spawnSync(process.execPath, [join(root, script), ...args], { cwd: root, stdio: ['inherit', 'inherit', 'pipe'], encoding: 'utf8', maxBuffer: 2 ** 30, env: { ...process.env, ...env } })
  process.stderr.write(stderr)
  console.log(`== ${title}: ${status === 0 ? 'passed' : 'failed'} after ${Math.round((Date.now() - start) / 1000)} s`)
  return { passed: status === 0, errors: stderr }
}

function step(title: string, script: string, args: string[]): void {
  if (!run(title, script, args).passed) failed.push(title)
}

/** One run of vitest, with its report where there is one: none is written when it dies. */
function vitest(title: string, args: string[], env: Record<string, string>): Outcome & { report?: string } {
  const file = join(reports, `${title}.json`)
  const outcome = run(title, 'node_modules/vitest/vitest.mjs', ['run', ...args, '--reporter=default', '--reporter=json', `--outputFile.json=${file}`], env)
  return existsSync(file) ? { ...outcome, report: readFileSync(file, 'utf8') } : outcome
}

/**
 * The tests of these folders. Files in which something failed are run once more, one by one and on fresh data: what passes then
 * was the machine's doing, is told as such and does not fail the whole. All failures are told again after the last step: the run
 * itself is thousands of lines away by then.
 */
function suite(title: string, folders: string[], env: Record<string, string> = {}): void {
  const first = vitest(title, folders, env)
  if (first.passed) return
  const files = first.report ? failedFilesOf(first.report) : []
  // An error outside every test is in no report, and no file can be asked again.
  const again = files.length > 0 && files.length <= MAX_AGAIN ? vitest(`${title}, once more`, [...files, '--maxWorkers=1'], env) : first
  const found = [...new Set([first, again].flatMap(({ report }) => report ? failuresOf(report) : []))]
  if (again.passed) {
    unsteady.push(...found.map((failure) => `${title}: ${failure}`))
    return
  }
  failed.push(title)
  failures.push(...found.map((failure) => `${title}: ${failure}`))
  if (found.length === 0) failures.push(`${title}:\n${first.errors.slice(-4000)}`)
}

/** The files that open a database: the others would only say the same once more. */
const databaseTests = () => globSync('{core,modules}/**/*.test.ts', { cwd: root }).filter((file) => /openTest(App|Database)\(/.test(readFileSync(join(root, file), 'utf8')))

step('types', 'node_modules/typescript-native/bin/tsc', ['--noEmit', '-p', '.'])
step('lint', 'node_modules/oxlint/bin/oxlint', ['--quiet'])
step('import rules', 'scripts/boundaries.ts', [])
step('nothing that nobody uses', 'node_modules/knip/bin/knip.js', ['--no-progress'])
step('licences of all packages', 'scripts/licences.ts', [])
step('build', 'scripts/build.ts', [])
suite('tests on the embedded database', ['core', 'modules', 'scripts'])
await withPostgres(
  (url) => suite('API tests on PostgreSQL', databaseTests(), { TEST_DATABASE_URL: url }),
  (reason) => console.log(`\n== API tests on PostgreSQL: skipped, ${reason}`),
)
ensureChromium()
suite('journeys in the browser', ['e2e'])
rmSync(reports, { recursive: true, force: true })
for (const failure of unsteady) console.log(`\npassed only when its file ran alone: ${failure}`)
for (const failure of failures) console.log(`\n${failure}`)
console.log(failed.length > 0 ? `\nfailed: ${failed.join(', ')}` : '\nall checks passed')
process.exitCode = failed.length > 0 ? 1 : 0

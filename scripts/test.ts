/** Runs every check in turn, also after one failed, so that one run tells everything there is to mend. */
import { spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureChromium } from './chromium.ts'
import { failedFilesOf, failuresOf, retriedFilesOf } from './failures.ts'
import { withPostgres } from './postgres.ts'
import { divide } from './share.ts'

const root = join(import.meta.dirname, '..')

const reports = mkdtempSync(join(tmpdir(), 'daoyuan-test-'))
const failed: string[] = []
const failures: string[] = []
/** What failed at first and passed when it ran again, with the files that it stands in. */
const unsteady: string[] = []
const unsteadyFiles = new Set<string>()
/** More files than this that fail are not the machine's doing. */
const MAX_AGAIN = 4
/** More files than this that pass only at the second try fail the run: then it is the tests that are unsteady. */
const MAX_UNSTEADY = 2

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
 * The tests of these files or folders. Files in which something failed are run once more, one by one and on fresh data: what
 * passes then may have been the machine's doing and does not fail the run by itself, but is counted. All failures are printed
 * again after the last step: the run itself is thousands of lines away by then.
 */
function suite(title: string, files: string[], env: Record<string, string> = {}): void {
  const first = vitest(title, files, env)
  const found = new Set(first.report ? failuresOf(first.report) : [])
  for (const file of first.report ? retriedFilesOf(first.report) : []) {
    unsteadyFiles.add(file)
    unsteady.push(`${title}: ${file}`)
  }
  if (first.passed) return
  const broken = first.report ? failedFilesOf(first.report) : []
  // An error outside every test is in no report, and no file can be asked again.
  const again = broken.length > 0 && broken.length <= MAX_AGAIN ? vitest(`${title}, once more`, [...broken, '--maxWorkers=1'], env) : first
  for (const failure of again.report ? failuresOf(again.report) : []) found.add(failure)
  const told = [...found].map((failure) => `${title}: ${failure}`)
  if (again.passed) {
    for (const file of broken) unsteadyFiles.add(file)
    unsteady.push(...told)
    return
  }
  failed.push(title)
  failures.push(...told)
  if (found.size === 0) failures.push(`${title}:\n${first.errors.slice(-4000)}`)
}

const tests = globSync('{core,modules,scripts}/**/*.test.ts', { cwd: root }).map((path) => path.replaceAll('\\', '/')).sort()
const { postgres, embedded } = divide(tests.map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') })))

step('types', 'node_modules/typescript-native/bin/tsc', ['--noEmit', '-p', '.'])
step('lint', 'node_modules/oxlint/bin/oxlint', ['--quiet'])
step('import rules', 'scripts/boundaries.ts', [])
step('nothing that nobody uses', 'node_modules/knip/bin/knip.js', ['--no-progress'])
step('licences of all packages', 'scripts/licences.ts', [])
step('build', 'scripts/build.ts', [])
await withPostgres(
  (url) => {
    suite('API tests on PostgreSQL', postgres, { TEST_DATABASE_URL: url })
    suite('tests without a database, and those of the embedded one', embedded)
  },
  (reason) => {
    console.log(`\n== everything runs on the embedded database: ${reason}`)
    suite('tests on the embedded database', tests)
  },
)
ensureChromium()
suite('journeys in the browser', ['e2e'])
rmSync(reports, { recursive: true, force: true })
for (const failure of unsteady) console.log(`\npassed only at the second try: ${failure}`)
if (unsteadyFiles.size > MAX_UNSTEADY) failed.push(`steadiness (${unsteadyFiles.size} files passed only at the second try)`)
for (const failure of failures) console.log(`\n${failure}`)
console.log(failed.length > 0 ? `\nfailed: ${failed.join(', ')}` : '\nall checks passed')
process.exitCode = failed.length > 0 ? 1 : 0

/**
 * Writes down every package that the product is made and built of (`npm sbom`, CycloneDX) and fails when one comes under a
 * licence that nobody has agreed to. The list is that of package-lock.json: packages of other platforms are in it too.
 * Usage: node scripts/licences.ts [file for the list]
 */
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** SPDX names of licences that ask for nothing but to be named, for whatever of ours. */
const PERMITTED: ReadonlySet<string> = new Set(['MIT', 'MIT-0', 'ISC', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD', 'BlueOak-1.0.0', 'Zlib', 'CC0-1.0', 'Unlicense', 'Python-2.0'])

/** A package that may come under another licence; under that one alone, so that a change is noticed. */
interface Exception {
  readonly name: RegExp
  /** SPDX name; undefined where the package names none. */
  readonly licence: string | undefined
  readonly reason: string
}

const EXCEPTIONS: readonly Exception[] = [
  { name: /^@img\/sharp-(libvips-|win32-|wasm32)/, licence: 'LGPL-3.0-or-later', reason: 'libvips, loaded as a library of its own, unchanged; whoever runs the product can put another in its place' },
  { name: /^lightningcss/, licence: 'MPL-2.0', reason: 'builds the console, unchanged; nothing of it is in what is built' },
  { name: /^axe-core$/, licence: 'MPL-2.0', reason: 'looks at pages in tests, unchanged; nothing of it is shipped' },
  { name: /^mediabunny$/, licence: 'MPL-2.0', reason: 'reads what films are, on the server, unchanged; its source is public' },
  { name: /^combine-errors$/, licence: undefined, reason: 'its Readme says MIT, its package.json nothing' },
]

/** A package as CycloneDX lists it, as far as licences go. */
export interface Component {
  readonly name: string
  readonly version?: string
  readonly licenses?: readonly ({ readonly license: { readonly id?: string; readonly name?: string } } | { readonly expression: string })[]
}

/** Whether an SPDX expression can be met: AND asks for both sides, OR for one, and binds less. */
function isMet(expression: string, agreed: (licence: string) => boolean): boolean {
  const words = expression.match(/[()]|[^\s()]+/g) ?? []
  let at = 0
  const one = (): boolean => {
    const word = words[at++] ?? ''
    if (word !== '(') return agreed(word)
    const inner = either()
    at++
    return inner
  }
  const both = (): boolean => {
    let met = one()
    while (words[at] === 'AND') {
      at++
      met = one() && met
    }
    return met
  }
  const either = (): boolean => {
    let met = both()
    while (words[at] === 'OR') {
      at++
      met = both() || met
    }
    return met
  }
  return either() && at === words.length
}

/** A sentence for each package under a licence that nobody has agreed to, and for each exception that no package needs. */
export function licenceProblems(components: readonly Component[], exceptions: readonly Exception[] = EXCEPTIONS): string[] {
  const needed = new Set<Exception>()
  const problems = components.flatMap(({ name, version, licenses }) => {
    const given = licenses?.map((one) => ('expression' in one ? one.expression : one.license.id ?? one.license.name ?? '')) ?? []
    const own = exceptions.filter((exception) => exception.name.test(name))
    const excepted = (licence: string | undefined) => {
      const found = own.find((exception) => exception.licence === licence)
      if (found) needed.add(found)
      return found !== undefined
    }
    const agreed = (licence: string) => PERMITTED.has(licence) || excepted(licence)
    if (given.length > 0 ? given.every((expression) => isMet(expression, agreed)) : excepted(undefined)) return []
    return [`${name} ${version ?? ''} comes under ${given.length > 0 ? given.join(' and ') : 'no licence that it names'}: take another package, or agree to it in scripts/licences.ts with the reason`]
  })
  return [...problems, ...exceptions.filter((exception) => !needed.has(exception)).map(({ name, licence }) => `no package ${name.source} comes under ${licence ?? 'no licence'} any more: take the exception out of scripts/licences.ts`)]
}

if (import.meta.main) {
  const root = join(import.meta.dirname, '..')
  // npm says where it lies when it started this.
  const npm = process.env['npm_execpath']
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only']
  const { status, stdout, stderr } = npm ? spawnSync(process.execPath, [npm, ...args], { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 27 })
    : spawnSync('npm', args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 27 })
  if (status !== 0) {
    console.error(`npm sbom failed: ${stderr}`)
    process.exit(1)
  }
  const [file] = process.argv.slice(2)
  if (file) writeFileSync(file, stdout)
  const { components } = JSON.parse(stdout) as { components: Component[] }
  const problems = licenceProblems(components)
  for (const problem of problems) console.error(problem)
  console.log(`${components.length} packages, ${problems.length} problems`)
  process.exitCode = problems.length > 0 ? 1 : 0
}

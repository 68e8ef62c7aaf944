/** Finds a Chromium to test with, or installs the system's. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']
const PLACES = ['/Applications/Google Chrome.app/Contents/MacOS/Google Chrome', '/Applications/Chromium.app/Contents/MacOS/Chromium']

/** Path of an installed Chromium; CHROMIUM names another one. */
export function findChromium(): string | undefined {
  const named = process.env['CHROMIUM']
  if (named) return named
  const onPath = (process.env['PATH'] ?? '').split(':').flatMap((folder) => NAMES.map((name) => join(folder, name)))
  return [...onPath, ...PLACES].find((path) => existsSync(path))
}

/** How each package manager installs it. */
const INSTALLERS: readonly { program: string; commands: readonly (readonly string[])[] }[] = [
  { program: 'apt-get', commands: [['apt-get', 'update', '-qq'], ['apt-get', 'install', '-y', '-qq', 'chromium', 'fonts-noto-cjk']] },
  { program: 'dnf', commands: [['dnf', 'install', '-y', 'chromium', 'google-noto-sans-cjk-fonts']] },
  { program: 'apk', commands: [['apk', 'add', 'chromium', 'font-noto-cjk']] },
  { program: 'brew', commands: [['brew', 'install', '--cask', 'chromium']] },
]

/**
 * Makes sure that there is a Chromium.
 * @returns its path
 * @throws Error with a sentence that says what to install
 */
export function ensureChromium(): string {
  const found = findChromium()
  if (found) return found
  for (const { program, commands } of INSTALLERS) {
    if (spawnSync(program, ['--version'], { stdio: 'ignore' }).status !== 0) continue
    console.log(`installing Chromium with ${program} …`)
    const prefix = process.getuid?.() === 0 || program === 'brew' ? [] : ['sudo', '-n']
    for (const command of commands) {
      const [first = '', ...rest] = [...prefix, ...command]
      spawnSync(first, rest, { stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } })
    }
    const installed = findChromium()
    if (installed) return installed
  }
  throw new Error('The browser tests need Chromium. Install it with your package manager, or name one with CHROMIUM=/path/to/chromium.')
}

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

/** How each package manager installs it, and a font for Chinese: without one every character is a box of another width. */
const INSTALLERS: readonly { program: string; update?: readonly string[]; install: readonly string[]; chromium: string; font?: string }[] = [
  { program: 'apt-get', update: ['apt-get', 'update', '-qq'], install: ['apt-get', 'install', '-y', '-qq'], chromium: 'chromium', font: 'fonts-noto-cjk' },
  { program: 'dnf', install: ['dnf', 'install', '-y'], chromium: 'chromium', font: 'google-noto-sans-cjk-fonts' },
  { program: 'apk', install: ['apk', 'add'], chromium: 'chromium', font: 'font-noto-cjk' },
  { program: 'brew', install: ['brew', 'install', '--cask'], chromium: 'chromium' },
]

/** Whether the system has a font with Chinese characters; yes where nothing tells. */
function hasChineseFont(): boolean {
  const { status, stdout } = spawnSync('fc-list', [':lang=zh'], { encoding: 'utf8' })
  return status !== 0 || stdout.trim() !== ''
}

/**
 * Makes sure that there is a Chromium, and a font in which it can write Chinese.
 * @returns its path
 * @throws Error with a sentence that says what to install
 */
export function ensureChromium(): string {
  const found = findChromium()
  if (found && hasChineseFont()) return found
  for (const { program, update, install, chromium, font } of INSTALLERS) {
    if (spawnSync(program, ['--version'], { stdio: 'ignore' }).status !== 0) continue
    const packages = [...(found ? [] : [chromium]), ...(font ? [font] : [])]
    if (packages.length === 0) continue
    console.log(`installing ${packages.join(' and ')} with ${program} …`)
    const prefix = process.getuid?.() === 0 || program === 'brew' ? [] : ['sudo', '-n']
    for (const command of [...(update ? [update] : []), [...install, ...packages]]) {
      const [first = '', ...rest] = [...prefix, ...command]
      spawnSync(first, rest, { stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } })
    }
    const installed = findChromium()
    if (installed) return installed
  }
  if (found) return found
  throw new Error('The browser tests need Chromium. Install it with your package manager, or name one with CHROMIUM=/path/to/chromium.')
}

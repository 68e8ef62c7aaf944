import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const stamp = join(import.meta.dirname, '../../dist/.built')

/** Name of the console's build that this server serves; the built console carries the same in `__RELEASE__`. */
export const RELEASE = readRelease()

function readRelease(): string {
  try {
    return readFileSync(stamp, 'utf8').slice(0, 12)
  } catch {
    // Not built: the console comes from the development server.
    return 'dev'
  }
}

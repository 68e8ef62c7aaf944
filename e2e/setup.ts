import { rmSync } from 'node:fs'
import { seedDemo } from './browser.ts'

/**
 * Fills one data folder with the demo data for all test files: their servers start from copies of it. A folder that is named
 * by `E2E_DEMO` (filled and at rest) is taken as it is and left where it is, so that a developer who runs files one by one waits once.
 * @returns removes the folder when all is done
 */
export default async function setup(): Promise<() => void> {
  const ready = process.env['E2E_DEMO']
  const folder = ready ?? await seedDemo()
  process.env['DEMO_FOLDER'] = folder
  return () => { if (!ready) rmSync(folder, { recursive: true, force: true }) }
}

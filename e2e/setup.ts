import { rmSync } from 'node:fs'
import { seedDemo } from './browser.ts'

/**
 * Fills one data folder with the demo data for all test files: their servers start from copies of it.
 * @returns removes the folder when all is done
 */
export default async function setup(): Promise<() => void> {
  const folder = await seedDemo()
  process.env['DEMO_FOLDER'] = folder
  return () => rmSync(folder, { recursive: true, force: true })
}

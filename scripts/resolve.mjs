/**
 * Read before the server (`--import`): says where imports lead. For every line of every file Node looks for the package.json
 * that it belongs to and reads all of its entries again, 180 kB for each of drizzle's files and each of ours that imports it:
 * a second of the start, and 100 MB.
 */
import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'

const types = new Map()
const packages = new Map()

/** What the nearest package.json says of the files of a folder. */
function typeOf(folder) {
  if (types.has(folder)) return types.get(folder)
  let type
  try {
    type = JSON.parse(readFileSync(new URL('package.json', folder), 'utf8')).type ?? 'commonjs'
  } catch {
    const above = new URL('..', folder).href
    type = above === folder || folder.endsWith('/node_modules/') ? undefined : typeOf(above)
  }
  types.set(folder, type)
  return type
}

registerHooks({
  resolve(specifier, context, next) {
    const { parentURL, conditions, importAttributes } = context
    if (parentURL === undefined || !conditions.includes('import') || Object.keys(importAttributes ?? {}).length > 0) return next(specifier, context)
    if (/^\.\.?\//.test(specifier)) {
      const url = new URL(specifier, parentURL).href
      if (url.endsWith('.ts')) return { url, format: 'module-typescript', shortCircuit: true }
      if (url.endsWith('.js') && typeOf(new URL('.', url).href) === 'module') return { url, format: 'module', shortCircuit: true }
    }
    if (specifier.startsWith('.') || specifier.startsWith('#') || parentURL.includes('/node_modules/')) return next(specifier, context)
    // All files of ours are of one package, and find the same.
    let found = packages.get(specifier)
    if (!found) packages.set(specifier, found = { ...next(specifier, context), shortCircuit: true })
    return found
  },
})

/**
 * Read before the server (`--import`): says where imports lead. For every line of every file Node looks for the package.json
 * that it belongs to and reads all of its entries again, 180 kB for each of drizzle's files and each of ours that imports it:
 * a second of the start, and 100 MB. Files are kept without their types beside node_modules, because what takes the types away
 * costs another second at every start, and 40 MB until the end.
 */
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { registerHooks, stripTypeScriptTypes } from 'node:module'

const KEPT = new URL('../node_modules/.cache/untyped/', import.meta.url)

/** The file without its types, in the same lines and columns. */
function untyped(url) {
  const text = readFileSync(new URL(url))
  const kept = new URL(createHash('sha256').update(process.version).update(text).digest('hex'), KEPT)
  try {
    return readFileSync(kept, 'utf8')
  } catch {
    const source = stripTypeScriptTypes(text.toString())
    try {
      mkdirSync(KEPT, { recursive: true })
      // Another process may read it at any moment: it is there whole or not at all.
      const half = new URL(`${kept.href}.${process.pid}`)
      writeFileSync(half, source)
      renameSync(half, kept)
    } catch {
      // Where nothing can be kept each start does it again.
    }
    return source
  }
}

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
  load(url, context, next) {
    return context.format === 'module-typescript' ? { format: 'module', source: untyped(url), shortCircuit: true } : next(url, context)
  },
})

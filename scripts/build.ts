/** Builds the console into dist/ unless it was built from exactly these sources; compresses what browsers fetch. */
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { build } from 'vite'

const root = join(import.meta.dirname, '..')
/** What the public page may weigh, in bytes after gzip. */
const MOST_PUBLIC = 90 * 1024
const stamp = join(root, 'dist/.built')

/** Hash of everything that the console is built from. */
function sourceHash(): string {
  const hash = createHash('sha256')
  const files = globSync(['*.ts', '*.tsx', '*.html', 'package-lock.json', 'public/*', '{core,modules}/**/*.{ts,tsx,css,svg,png}'], { cwd: root })
  for (const file of files.filter((name) => !/\.(test|server)\.ts$/.test(name)).sort()) hash.update(file).update(readFileSync(join(root, file)))
  return hash.digest('hex')
}

const wanted = sourceHash()
if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== wanted) {
  console.log('正在构建控制台 …')
  // Shells and CI set NODE_ENV for purposes of their own; React would take its development build, twice as slow and mounting everything twice.
  process.env['NODE_ENV'] = 'production'
  await build({ root, logLevel: 'warn', define: { __RELEASE__: JSON.stringify(wanted.slice(0, 12)) } })
  // The public page knows nothing of the console and shares no file with it: who opens it fetches little.
  await build({
    root, configFile: false, base: '/new/public/', publicDir: false, logLevel: 'warn', plugins: [react()],
    build: { outDir: 'dist/public', target: 'es2022', modulePreload: false, rolldownOptions: { input: join(root, 'public-page.html') } },
  })
  const bytes = globSync('public/assets/*.{js,css}', { cwd: join(root, 'dist') }).reduce((sum, file) => sum + gzipSync(readFileSync(join(root, 'dist', file)), { level: 9 }).length, 0)
  if (bytes > MOST_PUBLIC) throw new Error(`the public page has ${bytes} bytes, more than ${MOST_PUBLIC}`)
  for (const file of globSync('{assets,public/assets}/*.{js,css,svg}', { cwd: join(root, 'dist') })) {
    const path = join(root, 'dist', file)
    const bytes = readFileSync(path)
    writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }))
    writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }))
  }
  writeFileSync(stamp, wanted)
}

import { execFile } from 'node:child_process'
import { globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

/** Everything that a browser is sent. */
let sent = ''
/** Never synchronously: a worker that is silent for a minute is taken for dead. */
const build = () => promisify(execFile)(process.execPath, ['scripts/build.ts'], { cwd: root })
beforeAll(async () => {
  await build()
  sent = globSync('dist/**/*.{js,css,html}', { cwd: root }).map(read).join('\n')
})

/** Sentences that stand in a file, as text between quotes. */
const sentencesIn = (text: string) => [...text.matchAll(/['"`]([^'"`\n$]*[\u4e00-\u9fff]{6,}[^'"`\n$]*)['"`]/g)].map((match) => match[1] ?? '')

test('the built console holds what it needs', () => {
  expect(sent.length).toBeGreaterThan(100_000)
  expect(sent).toContain('道远后台')
})

test('the built console holds nothing of the server', () => {
  for (const name of ['pglite', 'fastify', 'drizzle', 'argon2', 'pg-boss', 'node:fs', 'set_config(', ' for update', 'insert into ']) expect(sent.includes(name), name).toBe(false)
  const isServer = (path: string) => path.endsWith('.server.ts')
  const all = globSync('{core,modules}/**/*.{ts,tsx}', { cwd: root }).map((path) => path.replaceAll('\\', '/')).filter((path) => !path.endsWith('.test.ts'))
  // What a browser's file says too, on its own or within a longer sentence, marks nothing.
  const shared = all.filter((path) => !isServer(path)).map(read).join('\n')
  const marks = all.filter(isServer).flatMap((path) => sentencesIn(read(path)).map((text) => ({ path, text }))).filter(({ text }) => !shared.includes(text))
  expect(marks.length, 'no sentence of the server to look for').toBeGreaterThan(30)
  expect(marks.filter(({ text }) => sent.includes(text))).toEqual([])
})

test('what is built is not built again', async () => {
  const builtAt = () => statSync(join(root, 'dist/index.html')).mtimeMs
  const before = builtAt()
  await build()
  expect(builtAt()).toBe(before)
})

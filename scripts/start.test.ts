import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, expect, test } from 'vitest'
import { refusedStart, startProduct, type Product } from '../core/testing/process.server.ts'

const folder = mkdtempSync(join(tmpdir(), 'daoyuan-start-'))
let running: Product | undefined
afterEach(() => running?.kill())
afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

/** A start that cannot be says why in words, not in lines of code. */
async function expectRefused(env: Record<string, string>, words: RegExp): Promise<void> {
  const { code, output } = await refusedStart({ DATA_DIR: join(folder, 'unused'), ...env })
  expect(code, output).toBe(1)
  expect(output).toMatch(words)
  expect(output, 'a stack trace').not.toMatch(/^\s+at /m)
}

test('wrong configuration', () => expectRefused({ PORT: 'x', PUBLIC_URL: 'console' }, /配置有误：(?=(?:\n {2}- .+)*\n {2}- PORT )(?:\n {2}- .+)*\n {2}- PUBLIC_URL/))
test('a database that does not answer', () => expectRefused({ DATABASE_URL: 'postgres://nobody:secret@127.0.0.1:1/none' }, /^无法连接数据库(?!.*secret)/m))
test('a data folder that is a file', async () => {
  writeFileSync(join(folder, 'file'), '')
  await expectRefused({ DATA_DIR: join(folder, 'file') }, /DATA_DIR/)
})

test('a data folder or a port that is taken', async () => {
  const dataDir = join(folder, 'data')
  running = await startProduct({ DATA_DIR: dataDir, ADMIN_PASSWORD: 'Admin-pass1' })
  await expectRefused({ DATA_DIR: dataDir }, new RegExp(`数据目录 ${dataDir} 正被另一个进程使用`))
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  try {
    const port = typeof address === 'object' && address ? address.port : 0
    await expectRefused({ DATA_DIR: join(folder, 'other'), PORT: String(port) }, new RegExp(`端口 ${port} 已被占用`))
  } finally {
    server.close()
  }
})

test('a second start does nothing of the first again', async () => {
  const dataDir = join(folder, 'again')
  const first = await startProduct({ DATA_DIR: dataDir, ADMIN_PASSWORD: 'Admin-pass1' })
  await first.kill()
  expect(first.output()).toContain('正在更新数据库')
  running = await startProduct({ DATA_DIR: dataDir, ADMIN_PASSWORD: 'Admin-pass1' })
  expect(running.output()).not.toContain('正在')
})

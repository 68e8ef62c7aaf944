import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { lockFolder } from './lock.server.ts'

const folder = mkdtempSync(join(tmpdir(), 'daoyuan-lock-'))
const children: ChildProcess[] = []
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

/** Another process that takes the folder; resolves with what it says. */
async function takenByAnother(): Promise<{ child: ChildProcess; said: string }> {
  const script = `import { lockFolder } from ${JSON.stringify(join(import.meta.dirname, 'lock.server.ts'))}
    try { lockFolder(${JSON.stringify(folder)}); console.log('held') } catch (error) { console.log(error.message) }
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'ignore'] })
  children.push(child)
  const [said] = (await once(child.stdout, 'data')) as [Buffer]
  return { child, said: said.toString().trim() }
}

test('a second process on one data folder is refused with a sentence, and let in once the first is dead', async () => {
  const { child, said } = await takenByAnother()
  expect(said).toBe('held')
  expect(() => lockFolder(folder)).toThrow(`数据目录 ${folder} 正被另一个进程使用，请先停止它，或用 DATA_DIR 指定另一个目录`)
  const second = await takenByAnother()
  expect(second.said).toContain('正被另一个进程使用')
  child.kill('SIGKILL')
  await once(child, 'exit')
  lockFolder(folder)()
})

test('a folder that was given back can be taken again', async () => {
  const release = lockFolder(folder)
  expect((await takenByAnother()).said).toContain(folder)
  release()
  expect((await takenByAnother()).said).toBe('held')
})

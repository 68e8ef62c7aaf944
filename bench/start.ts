/** Time from starting the server to its first answer, and its memory while idle, on an embedded database with demo data. */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../scripts/postgres.ts'
import { SERVER } from '../scripts/server.mjs'

const root = join(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'daoyuan-bench-'))
const PORT = String(await freePort())

/** Seconds until the first answer and until the demo is there, and the memory three seconds later. */
async function launch(): Promise<{ seconds: number; filled: number; megabytes: number }> {
  const began = Date.now()
  const server = spawn(process.execPath, SERVER, { cwd: root, env: { ...process.env, DATA_DIR: folder, PORT }, stdio: 'ignore' })
  try {
    for (;;) {
      if (await fetch(`http://127.0.0.1:${PORT}/healthz`).then((answer) => answer.ok, () => false)) break
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    const seconds = (Date.now() - began) / 1000
    while (((await fetch(`http://127.0.0.1:${PORT}/healthz`).then((answer) => answer.json())) as { demo?: string }).demo) await new Promise((resolve) => setTimeout(resolve, 100))
    const filled = (Date.now() - began) / 1000
    await new Promise((resolve) => setTimeout(resolve, 3000))
    const resident = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1] ?? 0)
    return { seconds, filled, megabytes: resident / 1024 }
  } finally {
    const gone = new Promise((resolve) => server.on('exit', resolve))
    server.kill('SIGTERM')
    await gone
  }
}

const first = await launch()
const again = [await launch(), await launch(), await launch()].sort((a, b) => a.seconds - b.seconds)[1]
console.log(`first start: first answer                  ${first.seconds.toFixed(1)} s   demo there after ${first.filled.toFixed(1)} s`)
console.log(`second start, median of three              ${again?.seconds.toFixed(1)} s   ${again?.megabytes.toFixed(0)} MB resident while idle`)
rmSync(folder, { recursive: true, force: true })

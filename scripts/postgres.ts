/** A throw-away PostgreSQL server on a free local port, for tests and benchmarks. */
import { spawnSync } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Folder of the newest installed server's programs; undefined when there is none. */
function findServer(): string | undefined {
  const debian = '/usr/lib/postgresql'
  const folders = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)).map((version) => join(debian, version, 'bin')) : []
  folders.push(...(process.env['PATH'] ?? '').split(':'))
  return folders.find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')))
}

/** A local port that nobody listens on. */
export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address ? address.port : 0
}

/** A server that can be taken away and given back meanwhile. */
export interface PostgresServer {
  /** Ends all connections: `fast` as an administrator does, `immediate` as a power cut. */
  stop(mode: 'fast' | 'immediate'): void
  start(): void
}

/**
 * Runs `work` with the address of a fresh server, which is removed afterwards.
 * @param missing told why, when there is no server to run
 * @param settings extra lines of postgresql.conf
 */
export async function withPostgres(work: (url: string, server: PostgresServer) => void | Promise<void>, missing: (reason: string) => void, settings: readonly string[] = []): Promise<void> {
  const programs = findServer()
  if (!programs) return missing('no PostgreSQL server is installed')
  const folder = mkdtempSync(join(tmpdir(), 'daoyuan-pg-'))
  // The server refuses to run as root; Debian's package brings a user for it.
  const root = process.getuid?.() === 0
  const postgresId = root ? Number(spawnSync('id', ['-u', 'postgres'], { encoding: 'utf8' }).stdout) : 0
  if (root && !postgresId) return missing('the server cannot run as root and there is no user postgres')
  if (root) chownSync(folder, postgresId, postgresId)
  const as = (program: string, args: string[]) => spawnSync(join(programs, program), args, {
    encoding: 'utf8', cwd: folder, ...(root && { uid: postgresId, gid: postgresId }), env: { PATH: process.env['PATH'], LC_ALL: 'C' },
  })
  const data = join(folder, 'data')
  const port = await freePort()
  try {
    const made = as('initdb', ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'])
    if (made.status !== 0) return missing(`initdb failed: ${made.stderr}`)
    const options = ['fsync=off', 'synchronous_commit=off', 'max_connections=200', ...settings].flatMap((line) => ['-c', line]).join(' ')
    const start = () => as('pg_ctl', ['-D', data, '-w', '-l', join(folder, 'log'), '-o', `-p ${port} -c listen_addresses=127.0.0.1 -k ${folder} ${options}`, 'start'])
    const started = start()
    if (started.status !== 0) return missing(`the server did not start: ${started.stdout}`)
    await work(`postgres://postgres@127.0.0.1:${port}/postgres`, { stop: (mode) => void as('pg_ctl', ['-D', data, '-w', '-m', mode, 'stop']), start: () => void start() })
  } finally {
    as('pg_ctl', ['-D', data, '-m', 'immediate', 'stop'])
    rmSync(folder, { recursive: true, force: true })
  }
}

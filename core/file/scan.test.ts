import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { flushSecurityLog } from '../audit/security.server.ts'
import { openTestApp, type Caller, type TestApp } from '../testing/app.server.ts'
import { clamdScanner } from './scan.server.ts'
import { partialFolder } from './store.server.ts'
import { browserHeaders, fetchPath, png, upload, video } from '../testing/uploads.server.ts'

/** What counts as a virus here. */
const BAD = 'DAOYUAN-TEST-VIRUS'
const GONE = '病毒扫描暂时不可用，不能上传文件，请稍后重试'
const UNFINISHED = '病毒扫描没有完成，文件可能过大，请稍后重试；仍不成功请联系管理员'

const folder = mkdtempSync(join(tmpdir(), 'daoyuan-clamd-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** How a scanner answers: by what it was sent, or wrongly. */
type Manner = 'well' | 'limit' | 'silent' | 'broken' | 'hangs up'

/** A scanner of a few lines that speaks clamd's protocol over a real socket, to misbehave at will. */
class Clamd {
  manner: Manner = 'well'
  /** Bytes of the last file that it was sent. */
  seen: Buffer = Buffer.alloc(0)
  private server: Server | undefined
  private readonly open = new Set<Socket>()

  async start(at: string | number): Promise<number> {
    const server = createServer((socket) => {
      this.open.add(socket)
      socket.on('close', () => this.open.delete(socket)).on('error', () => {})
      void this.serve(socket).catch(() => socket.destroy())
    })
    this.server = server
    await new Promise<void>((resolve) => (typeof at === 'string' ? server.listen(at, resolve) : server.listen(at, '127.0.0.1', resolve)))
    const address = server.address()
    return typeof address === 'string' ? 0 : (address as AddressInfo).port
  }

  async stop(): Promise<void> {
    for (const socket of this.open) socket.destroy()
    await new Promise((resolve) => this.server?.close(resolve))
  }

  private async serve(socket: Socket): Promise<void> {
    let got = Buffer.alloc(0)
    for await (const piece of socket as AsyncIterable<Buffer>) {
      got = Buffer.concat([got, piece])
      if (got.toString('latin1').startsWith('zPING\0')) return void socket.end(this.manner === 'well' ? 'PONG\0' : 'nonsense\0')
      if (this.manner === 'hangs up') return void socket.destroy()
      if (this.manner === 'limit' && got.length > 100) return void socket.end('INSTREAM size limit exceeded. ERROR\0')
      const content = contentOf(got)
      if (!content) continue
      this.seen = content
      if (this.manner === 'silent') return void socket.end()
      if (this.manner === 'broken') return void socket.end('Can\'t allocate memory ERROR\0')
      return void socket.end(content.includes(BAD) ? 'stream: Daoyuan.Test FOUND\0' : 'stream: OK\0')
    }
  }
}

/** What INSTREAM carries; undefined before its end. */
function contentOf(got: Buffer): Buffer | undefined {
  const parts: Buffer[] = []
  for (let at = 'zINSTREAM\0'.length; at + 4 <= got.length;) {
    const length = got.readUInt32BE(at)
    if (length === 0) return Buffer.concat(parts)
    parts.push(got.subarray(at + 4, at + 4 + length))
    at += 4 + length
  }
  return undefined
}

const stored = (name: string, content: string | Buffer) => {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

describe('the protocol', () => {
  const clamd = new Clamd()
  afterAll(() => clamd.stop())

  test('over TCP and over a unix socket, in pieces, whole', async () => {
    const port = await clamd.start(0)
    const path = join(folder, 'clamd.sock')
    const other = new Clamd()
    await other.start(path)
    const content = Buffer.from(Array.from({ length: 300_000 }, (_, n) => n % 251))
    for (const [address, server] of [[{ host: '127.0.0.1', port }, clamd], [{ path }, other]] as const) {
      const scanner = clamdScanner(address)
      expect(await scanner.isThere()).toBe(true)
      await scanner.check(stored('good', content))
      expect(server.seen.equals(content)).toBe(true)
      await scanner.check(stored('empty', ''))
      await expect(scanner.check(stored('bad', `x${BAD}`))).rejects.toMatchObject({ status: 400, message: '文件没有通过病毒扫描（Daoyuan.Test），已拒绝上传' })
    }
    await other.stop()
  })

  test('whatever is no clear answer is none', async () => {
    const quiet = vi.spyOn(console, 'error').mockImplementation(() => {})
    const port = await clamd.start(0)
    const scanner = clamdScanner({ host: '127.0.0.1', port })
    const path = stored('large', Buffer.alloc(2 * 1024 * 1024))
    for (const manner of ['silent', 'broken', 'hangs up', 'limit'] as const) {
      clamd.manner = manner
      await expect(scanner.check(path), manner).rejects.toMatchObject({ status: 503, message: UNFINISHED })
      expect(await scanner.isThere(), manner).toBe(false)
    }
    clamd.manner = 'well'
    await expect(scanner.check(join(folder, 'missing'))).rejects.toMatchObject({ status: 503 })
    await clamd.stop()
    await expect(scanner.check(path)).rejects.toMatchObject({ status: 503, message: GONE })
    expect(await scanner.isThere()).toBe(false)
    quiet.mockRestore()
  })
})

describe('uploads', () => {
  const clamd = new Clamd()
  let app: TestApp
  let caller: Caller
  let port = 0
  let base = ''
  beforeAll(async () => {
    port = await clamd.start(0)
    app = await openTestApp({ CLAMD_ADDRESS: `127.0.0.1:${port}` })
    caller = await app.staff([])
    base = await app.http.listen({ port: 0, host: '127.0.0.1' })
  })
  afterAll(async () => {
    await clamd.stop()
    await app.close()
  })

  const filesOnDisk = () => readdirSync(join(app.config.dataDir, 'files'), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).length
  const health = () => app.nobody().get('/healthz')
  const send = (method: string, path: string, headers: Record<string, string>, body?: Buffer) => fetch(base + path, {
    method, headers: { ...browserHeaders(caller), 'tus-resumable': '1.0.0', ...headers }, ...(body && { body: new Uint8Array(body) }),
  })
  /** Sends a film in one piece. @returns its path and the answer to the piece */
  async function sendFilm(content: Buffer, name = 'a.mp4'): Promise<{ path: string; answer: Response }> {
    const metadata = `filename ${Buffer.from(name).toString('base64')},kind ${Buffer.from('video').toString('base64')}`
    const path = (await send('POST', '/daoyuan/api/end/uploads', { 'upload-length': String(content.length), 'upload-metadata': metadata })).headers.get('location') ?? ''
    return { path, answer: await send('PATCH', path, { 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' }, content) }
  }
  const infectedFilm = () => Buffer.concat([video(1000), Buffer.from(BAD)])

  test('what is infected is refused with a sentence and an event in the security log, and nothing of it is kept', async () => {
    const before = filesOnDisk()
    expect((await upload(app, caller, 'file', 'a.csv', 'a,b\n')).status).toBe(200)
    const { status, body } = await upload(app, caller, 'file', '名单.csv', `a,${BAD}\n`)
    expect([status, body.detail]).toEqual([400, '文件没有通过病毒扫描（Daoyuan.Test），已拒绝上传'])
    const { path, answer } = await sendFilm(infectedFilm(), 'a\nsecurity: forged.mp4')
    expect([answer.status, await answer.json()]).toEqual([400, { detail: '文件没有通过病毒扫描（Daoyuan.Test），已拒绝上传' }])
    expect((await send('HEAD', path, {})).status).toBe(404)
    await flushSecurityLog(app.kernel.db)
    const event = { kind: 'infected', staff_id: caller.staffId, detail: '文件没有通过病毒扫描（Daoyuan.Test），已拒绝上传' }
    expect(await app.db.query(sql`select kind, staff_id, detail, target from security_log where kind = 'infected' order by id`)).toEqual([{ ...event, target: '名单.csv' }, { ...event, target: 'asecurity_ forged.mp4' }])
    expect(filesOnDisk()).toBe(before + 1)
  })

  test('without the scanner nothing is taken, health tells, and what came in pieces is taken once it is back', async () => {
    const quiet = vi.spyOn(console, 'error').mockImplementation(() => {})
    expect((await health()).body).toEqual({ ok: true, database: 'ok', disk: 'ok', scanner: 'ok' })
    await clamd.stop()
    expect(await upload(app, caller, 'file', 'a.csv', 'a,b\n')).toMatchObject({ status: 503, body: { detail: GONE } })
    // All but uploads goes on.
    expect(await health()).toMatchObject({ status: 200, body: { ok: true, scanner: 'failing' } })

    const content = video(2000)
    const { path, answer } = await sendFilm(content)
    expect([answer.status, await answer.json()]).toEqual([503, { detail: GONE }])
    // The client asks how far it came; told that something is wrong with the upload, it would send all of it again.
    expect((await send('HEAD', path, {})).status).toBe(423)
    const id = path.split('/').at(-1) ?? ''
    expect(await app.kernel.files.find(id)).toBeUndefined()
    expect(readdirSync(partialFolder(app.config)).filter((name) => name.startsWith(id))).toHaveLength(2)

    await clamd.start(port)
    expect((await send('HEAD', path, {})).headers.get('upload-offset')).toBe('2000')
    expect((await fetchPath(app, caller, `/daoyuan/api/end/files/${id}`)).rawPayload.equals(content)).toBe(true)
    quiet.mockRestore()
  })

  test('what the product writes itself is not looked at: exports go on without a scanner', async () => {
    clamd.manner = 'broken'
    await expect(app.kernel.files.put((async function* () { yield png() })(), { name: 'a.png', staffId: caller.staffId })).resolves.toMatchObject({ type: 'image/png' })
    clamd.manner = 'well'
  })
})

/** Path of Debian's or another clamd; undefined where none is installed. */
const program = [...(process.env['PATH'] ?? '').split(':'), '/usr/sbin', '/usr/local/sbin'].map((place) => join(place, 'clamd')).find((path) => existsSync(path))

describe.skipIf(!program)(`a real clamd${program ? '' : ': skipped, none is installed'}`, () => {
  let daemon: ChildProcess | undefined
  const path = join(folder, 'real.sock')
  beforeAll(async () => {
    // One signature of our own: the real ones are hundreds of megabytes.
    writeFileSync(join(folder, 'test.ndb'), `Daoyuan.Test:0:*:${Buffer.from(BAD).toString('hex')}\n`)
    writeFileSync(join(folder, 'clamd.conf'), `Foreground yes\nDatabaseDirectory ${folder}\nLocalSocket ${path}\nStreamMaxLength 3M\nBytecode no\n`)
    daemon = spawn(program ?? '', [`--config-file=${join(folder, 'clamd.conf')}`], { stdio: 'ignore' })
    await vi.waitFor(async () => expect(await clamdScanner({ path }).isThere()).toBe(true), { timeout: 30_000 })
  }, 40_000)
  afterAll(() => void daemon?.kill('SIGKILL'))

  test('finds what its database knows, and nothing else', async () => {
    const scanner = clamdScanner({ path })
    await scanner.check(stored('real-good', Buffer.alloc(2 * 1024 * 1024, 7)))
    await scanner.check(stored('real-empty', ''))
    await expect(scanner.check(stored('real-bad', `some text ${BAD} and more\n`))).rejects.toMatchObject({ status: 400, message: '文件没有通过病毒扫描（Daoyuan.Test.UNOFFICIAL），已拒绝上传' })
    const archive = join(folder, 'real.tar')
    spawnSync('tar', ['-cf', archive, '-C', folder, 'real-bad'])
    await expect(scanner.check(archive)).rejects.toMatchObject({ status: 400 })
  })

  test('a file beyond its limit is not taken for good, also one far beyond', async () => {
    const quiet = vi.spyOn(console, 'error').mockImplementation(() => {})
    const scanner = clamdScanner({ path })
    for (const megabytes of [4, 40]) await expect(scanner.check(stored('real-large', Buffer.alloc(megabytes * 1024 * 1024)))).rejects.toMatchObject({ status: 503, message: UNFINISHED })
    quiet.mockRestore()
  })
})
